"""Selections: what an estimator runs to choose its kernel and regularisation."""

from kernelwise.selections.alignment import AlignmentSelection
from kernelwise.selections.alignment_chance import NoAlignmentWarning
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.c_by_folds import BoundByFolds
from kernelwise.selections.first_level import FirstLevelSelection
from kernelwise.selections.minimize import AsGiven, MinimizeCriterion
from kernelwise.selections.support_vector import AtBoundWarning, SupportVectorSelection

__all__ = [
    "AlignmentSelection",
    "AsGiven",
    "AtBoundWarning",
    "BoundByFolds",
    "Choice",
    "FirstLevelSelection",
    "MinimizeCriterion",
    "NoAlignmentWarning",
    "Problem",
    "Selection",
    "SupportVectorSelection",
]
