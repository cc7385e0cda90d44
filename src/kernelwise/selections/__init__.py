"""Selections: what an estimator runs to choose its kernel and regularization."""

from typing import TYPE_CHECKING

from kernelwise.deprecation import Deprecation, renamed
from kernelwise.selections.alignment import AlignmentSelection
from kernelwise.selections.alignment_chance import NoAlignmentWarning
from kernelwise.selections.ascent import SampledEvidence, SampledTrace
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.c_by_folds import CByFolds
from kernelwise.selections.first_level import FirstLevelSelection
from kernelwise.selections.growing import GrowingLandmarks
from kernelwise.selections.growing_first_level import GrowingFirstLevel
from kernelwise.selections.landmark_selections import LANDMARK_SELECTIONS
from kernelwise.selections.landmarks import LandmarkChoice, LandmarksAsGiven
from kernelwise.selections.limits import AtLimitWarning
from kernelwise.selections.minimize import AsGiven, MinimizeCriterion
from kernelwise.selections.null_model import NullModelWarning
from kernelwise.selections.optima import Optimum
from kernelwise.selections.sampled_gradients import SampledStep, SamplingWarning
from kernelwise.selections.starts import Given, Random, RandomWithin, Scan, Start
from kernelwise.selections.validity import ValidityScan
from kernelwise.selections.widths import WidthScan

__all__ = [
    "LANDMARK_SELECTIONS",
    "AlignmentSelection",
    "AsGiven",
    "AtLimitWarning",
    "CByFolds",
    "Choice",
    "FirstLevelSelection",
    "Given",
    "GrowingFirstLevel",
    "GrowingLandmarks",
    "LandmarkChoice",
    "LandmarksAsGiven",
    "MinimizeCriterion",
    "NoAlignmentWarning",
    "NullModelWarning",
    "Optimum",
    "Problem",
    "Random",
    "RandomWithin",
    "SampledEvidence",
    "SampledStep",
    "SampledTrace",
    "SamplingWarning",
    "Scan",
    "Selection",
    "Start",
    "ValidityScan",
    "WidthScan",
]

if not TYPE_CHECKING:  # to a type checker the old names are gone
    __getattr__ = renamed(
        __name__,
        {
            "AtBoundWarning": Deprecation("AtLimitWarning", since="0.2.0", removal="0.4.0"),
            "BoundByFolds": Deprecation("CByFolds", since="0.2.0", removal="0.4.0"),
        },
    )
