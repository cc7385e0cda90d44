"""The evidence of a Gaussian process on landmarks, from above."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import NystromGradient, NystromOnPath, ProcessSolution


class EvidenceBound(Criterion):
    """An upper bound of minus the log marginal likelihood (`Evidence`) of the exact machine.

    With ``N = sum(w) - 1`` and the amplitude of each target at its maximum: ``1/2 (N log(2 pi e
    penalized_error / N) + log_determinant + unexplained / regularization)`` per target. The last
    term pays for the variance of the rows that landmarks do not see; with all rows as landmarks it
    is 0, and the bound is `Evidence`. Cost: O(1) once the machine has solved.

    References
    ----------
    Titsias (2009), Variational learning of inducing variables in sparse Gaussian processes, AISTATS
    12.
    """

    reads = ProcessSolution

    def __call__(self, solution: ProcessSolution | NystromOnPath) -> tuple[float, NystromGradient]:
        errors, ridge = solution.penalized_errors, solution.regularization
        half = 0.5 * len(errors)
        freedom = solution.statistics.weight - 1
        value = 0.5 * freedom * float(np.log(2 * np.pi * np.e * errors / freedom).sum())
        value += half * (solution.log_determinant + solution.unexplained / ridge)
        return value, solution.gradient(
            penalized_errors=0.5 * freedom / errors,
            log_determinant=half,
            unexplained=half / ridge,
            regularization=-half * solution.unexplained / ridge**2,
        )
