"""Generalized cross-validation: the squared error, corrected for the effective parameters."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import NystromGradient, NystromOnPath, NystromSolution


class GeneralizedCrossValidation(Criterion):
    """``1/2 squared_error / (1 - freedom / N)^2``, ``N`` the total weight of the rows.

    It is leave-one-out with the mean leverage for each row's own; with far more rows than
    landmarks they are the same, at a third of the cost. Cost: O(1) once the machine has solved.

    References
    ----------
    Golub, Heath & Wahba (1979), Generalized cross-validation, Technometrics 21(2).
    """

    reads = NystromSolution

    def __call__(self, solution: NystromSolution | NystromOnPath) -> tuple[float, NystromGradient]:
        rows = solution.statistics.weight
        left = 1 - solution.freedom / rows
        if left <= 0:
            # More effective parameters than rows (of weights below 1): nothing is left to judge by.
            return np.inf, solution.gradient()
        value = 0.5 * solution.squared_error / left**2
        return value, solution.gradient(
            squared_error=0.5 / left**2, freedom=2 * value / (left * rows)
        )
