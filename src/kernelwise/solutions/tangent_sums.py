"""Sums over rows of the outputs' derivatives in the kernel: what Gauss-Newton needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelwise.solutions.nystrom import NystromSolution
from kernelwise.solutions.targets import Targets


@dataclass(frozen=True)
class TangentSums:
    """Weighted sums over rows with tangents ``g``: derivatives of the outputs in p parameters.

    Attributes
    ----------
    pull : ``sum w r g`` over rows and targets, ``r`` the residuals
    squares : ``sum w g g'`` over rows and targets
    totals : ``sum w g``, (targets, p)
    cross : ``sum w k g'``, less the reference, (targets, landmarks, p)
    """

    pull: np.ndarray
    squares: np.ndarray
    totals: np.ndarray
    cross: np.ndarray

    @classmethod
    def of(
        cls, solution: NystromSolution, gram: np.ndarray, targets: Targets, tangents: np.ndarray
    ) -> TangentSums:
        """The sums of some rows; cost: rows x landmarks x p per target, no landmarks^2.

        Parameters
        ----------
        solution : whose outputs have these tangents
        gram, targets : of the rows
        tangents : (rows, targets, p)
        """
        n, n_targets, p = tangents.shape
        residuals = targets.values - gram @ solution.coef - solution.intercept
        weighted = targets.weights[:, None, None] * tangents
        flat, totals = weighted.reshape(-1, p), weighted.sum(axis=0)
        cross = (gram.T @ weighted.reshape(n, -1)).reshape(-1, n_targets, p).transpose(1, 0, 2)
        reference = solution.statistics.reference
        return cls(
            pull=residuals.ravel() @ flat,
            squares=tangents.reshape(-1, p).T @ flat,
            totals=totals,
            cross=cross - reference[:, None] * totals[:, None, :],
        )

    def __add__(self, other: TangentSums) -> TangentSums:
        return TangentSums(
            self.pull + other.pull,
            self.squares + other.squares,
            self.totals + other.totals,
            self.cross + other.cross,
        )


@dataclass(frozen=True)
class LinearizedNystrom:
    """A machine on landmarks made linear in its kernel's parameters, which it learns besides.

    With ``B = sum w (k - mean) g'`` and ``P`` the inverse of the regularized products: the
    curvature of the penalized error's half is ``C = sum w (g - mean)(g - mean)' - B'P B``, summed
    over targets, which share the kernel. Cost: landmarks^2 p.
    """

    solution: NystromSolution
    sums: TangentSums

    def _white_cross(self) -> list[np.ndarray]:
        """``L^-1 B`` of each target."""
        statistics = self.solution.statistics
        means = statistics.kernel / statistics.weight
        pairs = zip(self.sums.cross, self.sums.totals, strict=True)
        return [self.solution.to_white(cross - np.outer(means, total)) for cross, total in pairs]

    @property
    def curvature(self) -> np.ndarray:
        """``C``, (p, p)."""
        totals = self.sums.totals
        centered = self.sums.squares - totals.T @ totals / self.solution.statistics.weight
        for white in self._white_cross():
            centered = centered - white.T @ (self.solution.white_inverse @ white)
        return (centered + centered.T) / 2

    def freedom(self, kernel_regularization: float, active: np.ndarray) -> float:
        """Effective parameters of each target, those of the kernel (``active`` ones) included.

        ``freedom + tr((C + mu)^-1 (C - S)) / targets``, ``S = lam B'P K P B``: exactly those of
        ridge regression on ``[k, g]``, with the penalty ``mu`` for the tangents.
        """
        lam = self.solution.regularization
        solved = [self.solution.white_inverse @ white for white in self._white_cross()]
        shared = lam * sum((own.T @ own for own in solved), np.zeros_like(self.sums.squares))
        kept = np.ix_(active, active)
        curvature = self.curvature[kept]
        damped = curvature + kernel_regularization * np.eye(len(curvature))
        inner = np.trace(np.linalg.solve(damped, curvature - shared[kept]))
        return self.solution.freedom + float(inner) / len(solved)

    def cross_validation(self, kernel_regularization: float, active: np.ndarray) -> float:
        """Generalized cross-validation with the `freedom` of kernel and machine.

        ``1/2 squared_error / (1 - freedom / N)^2``, ``N`` the total weight of the rows.
        """
        left = 1 - self.freedom(kernel_regularization, active) / self.solution.statistics.weight
        return 0.5 * self.solution.squared_error / left**2 if left > 0 else np.inf
