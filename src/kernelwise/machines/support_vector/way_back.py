"""The way back through a support vector machine: implicit derivatives on fixed sets of rows."""

from __future__ import annotations

import numpy as np

from kernelwise.linalg import add_symmetric_product, mirror_lower
from kernelwise.machines.support_vector.dual_problem import Candidate, DualProblem


class WayBack:
    """Derivatives of coefficients and intercepts in the Gram matrix and in C, for fixed sets.

    It differentiates ``A coef_free = y - K_fh coef_hard``, bordered with ones for a bias. With
    ``v`` the solution of this system for the gradient: ``-sum_outputs sym(v coef')`` in the Gram
    matrix. If free rows are linearly dependent, the least-norm solution is differentiated among
    changes that keep them so: ``+ sym(q n')``, ``q = A^+ (coef / w)``, ``n`` the gradient's part
    that no output sees. It reuses the factors of the solution: O(n^2) per output.
    """

    def __init__(
        self,
        columns: list[tuple[DualProblem, Candidate]],
        gram: np.ndarray,
        coef: np.ndarray,
        C: float,
    ):
        self.columns, self.gram, self.coef, self.C = columns, gram, coef, C

    def __call__(
        self, coef_gradient: np.ndarray, intercept_gradient: np.ndarray
    ) -> tuple[np.ndarray, float]:
        left, right, C_gradient = [], [], 0.0
        for j, (problem, point) in enumerate(self.columns):
            v, total, pairs = self._adjoint(
                problem, point, coef_gradient[:, j], float(intercept_gradient[j])
            )
            left += [-v] + [n for n, _ in pairs]
            right += [self.coef[:, j]] + [q for _, q in pairs]
            C_gradient += self._in_C(problem, point, v, total, coef_gradient[:, j])
        n = len(self.gram)
        gram_gradient = add_symmetric_product(
            np.zeros((n, n), order="F"), np.column_stack(left), np.column_stack(right)
        )
        return mirror_lower(gram_gradient).T, C_gradient

    def _adjoint(
        self, problem: DualProblem, point: Candidate, coef_gradient: np.ndarray, of_intercept: float
    ) -> tuple[np.ndarray, float, list[tuple[np.ndarray, np.ndarray]]]:
        """``v`` on all rows, the multiplier of the balance, and pairs ``(n, q)``."""
        v, total = np.zeros(len(self.gram)), 0.0
        if point.face is None:
            if len(point.pinning) > 1:
                v[point.pinning] = of_intercept / len(point.pinning)
            return v, total, []
        rows = np.flatnonzero(point.free)
        v[rows], total = point.face.adjoint(coef_gradient[rows], of_intercept)
        if not point.face.is_singular:
            return v, total, []
        n, q = np.zeros_like(v), np.zeros_like(v)
        n[rows] = point.face.null_part(coef_gradient[rows])
        q[rows] = point.face.curvature_of_norm(point.coef[rows])
        return v, total, [(n, q)]

    def _in_C(
        self,
        problem: DualProblem,
        point: Candidate,
        v: np.ndarray,
        total: float,
        coef_gradient: np.ndarray,
    ) -> float:
        """The derivative in C: hard rows scale with C, and the ridge is ``1 / (C w)``.

        Parameters
        ----------
        problem, point : one output and its solution
        v, total : what `_adjoint` gives
        coef_gradient : the derivative in the coefficients of this output
        """
        if problem.ridge.any():
            return float(v @ (problem.ridge * point.coef)) / self.C
        slope = np.where(point.hard, point.coef, 0.0) / self.C
        return float((coef_gradient - self.gram @ v - total) @ slope)
