"""Selections: what an estimator runs to choose its kernel and regularisation."""

from kernelwise.selections.alignment import AlignmentSelection
from kernelwise.selections.alignment_chance import NoAlignmentWarning
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.first_level import FirstLevelSelection
from kernelwise.selections.minimize import AsGiven, MinimizeCriterion

__all__ = [
    "AlignmentSelection",
    "AsGiven",
    "Choice",
    "FirstLevelSelection",
    "MinimizeCriterion",
    "NoAlignmentWarning",
    "Problem",
    "Selection",
]
