"""The record of a machine on landmarks with its rows at hand: each can be left out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy.linalg import solve_triangular

from kernelwise.linalg import mirror_lower, row_blocks, scaled_outer_square
from kernelwise.solutions.held_out import LeftOut
from kernelwise.solutions.nystrom import NystromGradient, NystromSolution, ProcessSolution
from kernelwise.solutions.row_statistics import StatisticsGradient
from kernelwise.solutions.targets import Targets


@dataclass(frozen=True)
class NystromOnRowsGradient(NystromGradient):
    """Derivatives in what a criterion read, the rows left out among it."""

    left_out: np.ndarray | None = None


@dataclass(frozen=True)
class NystromOnRows(NystromSolution, LeftOut):
    """A `NystromSolution` with the Gram matrix of its rows to the landmarks, and their targets.

    Row i left out has the residual ``r_i / (1 - h_i)``, with the leverage ``h = w (1 / sum w + x'P
    x)``, ``x = k - mean``, ``P`` the inverse of the regularized products. Cost: rows x landmarks^2
    for the leverages, about five times that on the way back; memory: the Gram matrix, and one more
    on the way back.
    """

    gram: np.ndarray = field(kw_only=True)
    targets: Targets = field(kw_only=True)

    gradient: ClassVar[type] = NystromOnRowsGradient

    def pullback(self, gradient: NystromOnRowsGradient) -> tuple[list[np.ndarray], np.ndarray]:
        """Gradients in both Gram matrices, and in the regularization."""
        in_rows: np.ndarray | float = 0.0
        if gradient.left_out is not None:
            gradient, in_rows = self._without_left_out(gradient)
        found = self.to_statistics(gradient)
        in_rows = in_rows + found.in_rows(self.gram, self.targets)
        return self.blocks(in_rows, found), np.array([found.regularization])

    def blocks(self, in_rows: np.ndarray, found: StatisticsGradient) -> list[np.ndarray]:
        """The gradients in all blocks that the machine took."""
        return [in_rows, found.landmark_gram]

    @property
    def residuals(self) -> np.ndarray:
        return self.targets.values - self.gram @ self.coef - self.intercept

    @cached_property
    def leverages(self) -> np.ndarray:
        """How much of each row's target is in its own output."""
        return leverages(self, self.gram, self.targets.weights)

    @property
    def left_out(self) -> np.ndarray:
        return self.residuals / (1 - self.leverages)[:, None]

    def _without_left_out(
        self, gradient: NystromOnRowsGradient
    ) -> tuple[NystromOnRowsGradient, np.ndarray]:
        """The derivative in the rows left out, passed on to coefficients, mean, inverse and rows.

        With ``p`` the derivative in a row's residual and ``v`` that in ``x'P x``: ``-sum x p'`` in
        the coefficients, ``sum v x x'`` in ``P``, ``D = -p coef' + 2 v P x`` in ``x``, so ``-sum
        D`` in the mean.
        """
        left = (1 - self.leverages)[:, None]
        slopes = gradient.left_out / left
        scales = (slopes * self.residuals / left).sum(axis=1) * self.targets.weights
        in_rows = -slopes @ self.coef.T
        in_coef = np.zeros_like(self.coef)
        in_inverse = np.zeros_like(self.landmark_gram, order="F")
        for rows in row_blocks(*self.gram.shape):
            centered, white, half = _white_rows(self, self.gram[rows])
            in_coef -= centered.T @ slopes[rows]
            in_inverse += scaled_outer_square(white, scales[rows])
            solved = solve_triangular(self.factor, half, lower=True, trans=1, check_finite=False)
            in_rows[rows] += 2 * scales[rows, None] * self.from_white(solved).T
        passed_on = replace(
            gradient,
            coef=in_coef,
            mean_kernel=-in_rows.sum(axis=0),
            white_inverse=mirror_lower(in_inverse),
        )
        return passed_on, in_rows


@dataclass(frozen=True)
class ProcessOnRows(NystromOnRows, ProcessSolution):
    """A `NystromOnRows` that takes ``k(x, x)`` of each row as a third block."""

    def blocks(self, in_rows: np.ndarray, found: StatisticsGradient) -> list[np.ndarray]:
        return [in_rows, found.landmark_gram, found.diagonal * self.targets.weights]


def leverages(solution: NystromSolution, gram: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """How much of the target of some rows of a solution is in their own outputs."""
    spreads = np.empty(len(gram))
    for rows in row_blocks(*gram.shape):
        half = _white_rows(solution, gram[rows])[2]
        spreads[rows] = (half * half).sum(axis=0)
    return weights * (1 / solution.statistics.weight + spreads)


def _white_rows(
    solution: NystromSolution, gram: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows less their mean; these in white coordinates; and those by the regularized products.

    The first is (rows, landmarks), the others (landmarks, rows); the squared length of a column of
    the last is ``x'P x``.
    """
    centered = gram - solution.statistics.mean_kernel
    white = solution.to_white(centered.T)
    half = solve_triangular(solution.factor, white, lower=True, check_finite=False)
    return centered, white, half
