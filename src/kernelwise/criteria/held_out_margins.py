"""How well held-out rows are classified: k-fold criteria of classifiers with targets -1 and 1."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import HeldOutGradient, HeldOutSolution


class HeldOutHinge(Criterion):
    """Mean hinge loss of the held-out rows, by weight: ``1/n sum_i w_i max(0, 1 - y_i f_i)``.

    ``1 - y f = y (y - f)`` for targets -1 and 1. Cost: O(n) once the folds are solved.
    """

    reads = HeldOutSolution

    def __call__(self, solution: HeldOutSolution) -> tuple[float, HeldOutGradient]:
        y, weights = solution.targets.values, solution.targets.weights[:, None]
        losses, share = np.maximum(0.0, y * solution.held_out), weights / weights.sum()
        return float((share * losses).sum()), solution.gradient(
            held_out=np.where(losses > 0, share * y, 0.0)
        )


class HeldOutErrors(Criterion):
    """The share of held-out rows on the wrong side, by weight: ``y f <= 0``.

    A target between -1 and 1 is the mean of equal rows of both labels: each of them counts. A step
    function: only searches that compare values can use it. Cost: O(n) once folds are solved.
    """

    reads = HeldOutSolution
    gives = frozenset({"value"})

    def __call__(self, solution: HeldOutSolution) -> tuple[float, HeldOutGradient]:
        weights = solution.targets.weights
        y = solution.targets.values
        outputs = y - solution.held_out
        wrong = np.where(outputs == 0, 1.0, (1 - np.sign(outputs) * y) / 2)
        value = float(weights @ wrong.sum(axis=1)) / float(weights.sum())
        return value, solution.gradient(held_out=np.zeros(wrong.shape))


class SmoothedHeldOutErrors(Criterion):
    """The same count, smoothed by a sigmoid: ``1/n sum_i w_i / (1 + exp(slope y_i f_i))``.

    It rewards no margin beyond a few ``1 / slope``, so machines of different norm can be compared,
    unlike by a hinge loss. Cost: O(n) once the folds are solved.
    """

    reads = HeldOutSolution

    def __init__(self, slope: float = 10.0):
        if not slope > 0:
            raise ValueError(f"slope must be positive, got {slope}")
        self.slope = float(slope)

    def __call__(self, solution: HeldOutSolution) -> tuple[float, HeldOutGradient]:
        y, weights = solution.targets.values, solution.targets.weights[:, None]
        counts, share = expit(self.slope * (y * solution.held_out - 1)), weights / weights.sum()
        return float((share * counts).sum()), solution.gradient(
            held_out=share * self.slope * counts * (1 - counts) * y
        )
