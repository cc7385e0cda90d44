"""First-level kernel learning: the training criterion, and how well its result will predict."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import LeastSquaresSolution, SolutionGradient


class FirstLevel(Criterion):
    """The regularised training loss in which machine and kernel are learnt together.

    ``1/2 sum w (y - f)^2 + lam/2 |f|^2 + mu/2 |parameters|^2 = lam/2 y'coef + mu/2
    |parameters|^2``, with ``lam`` the machine's regularisation and ``mu`` the kernel's. Cost: one
    Cholesky, no inverse.

    References
    ----------
    Cawley & Talbot, Kernel Learning at the First Level of Inference, eq. (5).
    """

    reads = LeastSquaresSolution

    def __init__(self, kernel_regularization: float = 1.0):
        self.kernel_regularization = float(kernel_regularization)

    def __call__(self, solution: LeastSquaresSolution) -> tuple[float, SolutionGradient]:
        targets, parameters = solution.targets, solution.parameters
        fit = float((targets.values * solution.coef).sum())
        penalty = 0.5 * self.kernel_regularization * float(parameters @ parameters)
        value = 0.5 * solution.regularization * fit + 0.5 * float(targets.within.sum()) + penalty
        return value, solution.gradient(
            coef=0.5 * solution.regularization * targets.values,
            regularization=0.5 * fit,
            parameters=self.kernel_regularization * parameters,
        )


def tangent_leave_one_out_residuals(
    solution: LeastSquaresSolution, tangents: list[np.ndarray], kernel_regularization: float
) -> np.ndarray:
    """Leave-one-out residuals that charge each row for its part in learning the kernel.

    ``tangents[t]`` is the (n, p) derivative of output t in the active kernel parameters,
    coefficients fixed. The machine whose Gram matrix is ``K + (lam/mu) g g'`` has the same
    residuals and, for each row, the held-out residuals ``P_ii^-1 coef_i`` of all targets together
    (they share the kernel). By Woodbury ``P`` is that of K less a matrix of rank p. Cost: the
    inverse, and O(n^2 p).
    """
    n_targets = solution.coef.shape[1]
    solved = [solution.system.apply(tangent) for tangent in tangents]
    n_parameters = tangents[0].shape[1]
    inner = kernel_regularization / solution.regularization * np.eye(n_parameters)
    for tangent, own in zip(tangents, solved, strict=True):
        inner += tangent.T @ own
    lower = np.linalg.cholesky((inner + inner.T) / 2)
    reduced = np.stack([np.linalg.solve(lower, own.T).T for own in solved], axis=1)
    blocks = solution.diagonal[:, None, None] * np.eye(n_targets)
    blocks = blocks - reduced @ reduced.transpose(0, 2, 1)
    return np.linalg.solve(blocks, solution.coef[:, :, None])[:, :, 0]
