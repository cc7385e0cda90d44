"""Errors of held-out rows."""

from __future__ import annotations

from typing import Any

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import HeldOut


class HeldOutSquares(Criterion):
    """Half the weighted sum of squared held-out residuals: the k-fold criterion.

    Cost: O(n) once the folds are solved.
    """

    reads = HeldOut

    def __call__(self, solution: HeldOut) -> tuple[float, Any]:
        return 0.5 * solution.squared_error, solution.gradient(squared_error=0.5)
