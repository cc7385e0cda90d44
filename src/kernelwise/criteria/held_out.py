"""Errors of held-out rows."""

from __future__ import annotations

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import HeldOutGradient, HeldOutSolution


class HeldOutSquares(Criterion):
    """Half the weighted sum of squared held-out residuals: the k-fold criterion.

    Cost: O(n) once the folds are solved.
    """

    reads = HeldOutSolution

    def __call__(self, solution: HeldOutSolution) -> tuple[float, HeldOutGradient]:
        weighted = solution.targets.weights[:, None] * solution.held_out
        value = 0.5 * float((weighted * solution.held_out).sum() + solution.targets.within.sum())
        return value, solution.gradient(held_out=weighted)
