"""Selections: what an estimator runs to choose its kernel and regularisation."""

from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.first_level import FirstLevelSelection
from kernelwise.selections.minimize import AsGiven, MinimizeCriterion

__all__ = ["AsGiven", "Choice", "FirstLevelSelection", "MinimizeCriterion", "Problem", "Selection"]
