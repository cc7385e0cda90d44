"""A least-squares machine made linear in its kernel's parameters: what learning these costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import solve_triangular

from kernelwise.solutions.least_squares import LeastSquaresSolution


@dataclass(frozen=True)
class LinearizedLeastSquares:
    """Ridge regression on the kernel and on the tangents of the outputs, around a solution.

    With the Gram matrix ``K + (lam/mu) g g'`` it has the residuals of the solution. By Woodbury its
    residual operator is ``P - P g M^-1 g'P``, ``M = mu/lam + sum_t g_t'P g_t``; ``lam M`` is the
    Gauss-Newton curvature of first-level learning. Cost: O(n^2 p) per target, and the inverse of
    the factor for what is left out.

    Attributes
    ----------
    solution : coefficients and bias at the learned kernel
    tangents : derivatives of the outputs in the kernel's active parameters, coefficients fixed,
        (rows, targets, parameters)
    penalty : ``mu``, the regularization of the kernel
    """

    solution: LeastSquaresSolution
    tangents: np.ndarray
    penalty: float

    @cached_property
    def _lower(self) -> np.ndarray:
        """``L`` with ``L L' = M``, (parameters, parameters)."""
        inner = self.solution.system.sum_of_squares(self.tangents)
        ratio = self.penalty / self.solution.regularization
        return np.linalg.cholesky(ratio * np.eye(len(inner)) + (inner + inner.T) / 2)

    @property
    def _reduced(self) -> np.ndarray:
        """``P g L^-T``, of the shape of the tangents."""
        n, n_targets, p = self.tangents.shape
        solved = self.solution.system.apply(self.tangents.reshape(n, n_targets * p))
        rows = solved.reshape(n * n_targets, p)
        return solve_triangular(self._lower, rows.T, lower=True).T.reshape(self.tangents.shape)

    @cached_property
    def left_out(self) -> np.ndarray:
        """Leave-one-out residuals that charge each row for its part in learning the kernel.

        ``P_ii^-1 coef_i`` of all targets together (they share the kernel), ``P`` the residual
        operator of this machine.
        """
        diagonal, reduced = self.solution.diagonal, self._reduced
        blocks = diagonal[:, None, None] * np.eye(self.tangents.shape[1])
        blocks = blocks - reduced @ reduced.transpose(0, 2, 1)
        return np.linalg.solve(blocks, self.solution.coef[:, :, None])[:, :, 0]

    def minus_log_evidence(self, size: float) -> float:
        """Minus the log probability of the targets, with kernel and machine integrated out.

        Laplace's approximation with the curvature of Gauss and Newton. The function has a Gaussian
        prior of variance ``s / lam`` times its kernel, the kernel's values one of variance ``s /
        mu``, and ``s``, the variance of the noise, its most likely value: ``(N log(2 pi e E / N) +
        T log det(K / lam + 1/w) + log det(lam M / mu)) / 2``. ``E = sum w (y - f)^2 + lam |f|^2 +
        mu size``; ``N`` is the number of all targets' values beside their biases, where a row of
        weight w has w; the first determinant is orthogonal to the constant. A value of 0 counts as
        if the kernel did not have it.

        Parameters
        ----------
        size : the sum of the squares of the kernel's values
        """
        solution, weights = self.solution, self.solution.targets.weights
        n, lam, N = len(weights), solution.regularization, self._n_values
        error = float(solution.penalized_errors.sum()) + self.penalty * size
        machine = solution.log_determinant - (n - 1) * np.log(lam)
        machine += np.log(weights).sum() - np.log(weights.sum() / n)
        kernel = 2 * np.log(np.diagonal(self._lower)).sum()
        kernel -= len(self._lower) * np.log(self.penalty / lam)
        noise = N * np.log(2 * np.pi * np.e * error / N)
        return 0.5 * float(noise + self.tangents.shape[1] * machine + kernel)

    def evidence_error(self, size: float) -> float:
        """Half the squared error of plain noise that would be as probable as the targets.

        ``N exp(2 minus_log_evidence / N) / (4 pi e)``: positive, and comparable with half the sum
        of squared leave-one-out residuals.
        """
        per_value = 2 * self.minus_log_evidence(size) / self._n_values
        return 0.5 * self._n_values * float(np.exp(per_value)) / (2 * np.pi * np.e)

    @property
    def _n_values(self) -> float:
        targets = self.solution.targets
        return (float(targets.weights.sum()) - 1) * targets.values.shape[1]
