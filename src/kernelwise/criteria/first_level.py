"""First-level kernel learning: the training criterion, and how well its result will predict."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import Penalized


class FirstLevel(Criterion):
    """The regularized training loss in which machine and kernel are learned together.

    ``1/2 sum w (y - f)^2 + lam/2 |f|^2 + mu/2 |parameters|^2``, with ``lam`` the machine's
    regularization and ``mu`` the kernel's; for least squares ``lam/2 y'coef + mu/2
    |parameters|^2``. Cost: one Cholesky, no inverse.

    References
    ----------
    Cawley & Talbot, Kernel Learning at the First Level of Inference, eq. (5).
    """

    reads = Penalized

    def __init__(self, kernel_regularization: float = 1.0):
        self.kernel_regularization = float(kernel_regularization)

    def __call__(self, solution: Penalized) -> tuple[float, Any]:
        errors = solution.penalized_errors
        slopes = np.full(len(errors), 0.5)
        return 0.5 * float(errors.sum()), solution.gradient(penalized_errors=slopes)

    def penalty(
        self, values: np.ndarray, machine_values: np.ndarray
    ) -> tuple[float, np.ndarray, np.ndarray]:
        strength = self.kernel_regularization
        value = 0.5 * strength * float(values @ values)
        return value, strength * values, np.zeros_like(machine_values)
