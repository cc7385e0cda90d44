"""One output of a support vector machine as a quadratic problem.

Shared by the solvers of both losses: rows are at zero, free, or at their ceiling, and the free rows
follow from the others by one linear system.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelwise.linalg import row_blocks
from kernelwise.machines.support_vector.faces import Face

# A margin counts as met if it is missed by less than this, relative to the sum it comes from.
TOLERANCE = 1e-13
# What is still accepted if the free rows are linearly dependent.
ACCEPTED = 1e-11


@dataclass
class Candidate:
    """The coefficients for given sets of free and hard rows, optimal or not.

    ``slack = 1 - y (outputs + ridge coef)``: at the optimum 0 on free rows, not above 0 on rows at
    zero, not below 0 on hard rows. ``pinning`` are the rows that fix the intercept when no row is
    free: it is the mean of ``y - gram @ coef`` over them.
    """

    free: np.ndarray
    hard: np.ndarray
    coef: np.ndarray
    intercept: float
    slack: np.ndarray
    tolerance: np.ndarray
    face: Face | None
    pinning: np.ndarray
    balanced: bool = True


@dataclass
class DualProblem:
    """``max sum alpha - 1/2 coef'(gram + diag(ridge)) coef``, ``coef = y alpha``, ``0 <= alpha <=
    ceilings``, and with a bias ``sum coef = 0``."""

    gram: np.ndarray
    y: np.ndarray
    ceilings: np.ndarray
    ridge: np.ndarray
    weights: np.ndarray
    has_bias: bool
    n_factorizations: int = 0

    def __post_init__(self) -> None:
        # |gram_ij| <= sizes_i sizes_j, since it is positive semi-definite.
        self.sizes = np.sqrt(np.maximum(np.diagonal(self.gram), 0.0))

    @property
    def has_one_class(self) -> bool:
        return bool(abs(self.y.sum()) == len(self.y))

    def sets_of(self, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The free and the hard rows of given multipliers."""
        hard = alpha >= self.ceilings
        return (alpha > 0) & ~hard, hard

    def tolerance(self, coef: np.ndarray) -> np.ndarray:
        """Rounding in each row's margin, relative to the most ``sum_j |gram_ij coef_j|`` can be.

        With a bias it is relative to the largest of these, since all rows share the intercept.
        """
        sizes = np.full_like(self.sizes, self.sizes.max()) if self.has_bias else self.sizes
        return TOLERANCE * (1 + sizes * (self.sizes @ np.abs(coef)))

    def face(self, rows: np.ndarray) -> Face:
        self.n_factorizations += 1
        return Face(self.block(rows), self.ridge[rows], self.weights[rows], self.has_bias)

    def block(self, rows: np.ndarray) -> np.ndarray:
        """The Gram matrix of some rows, copied in cache-sized parts."""
        block = np.empty((len(rows), len(rows)))
        for part in row_blocks(len(rows), len(self.gram)):
            # Rows are never outside; any mode but "raise" writes into the block without a copy.
            self.gram[rows[part]].take(rows, axis=1, out=block[part], mode="clip")
        return block

    def part(self, rows: np.ndarray) -> DualProblem:
        """The problem restricted to some rows, each with the weight of all it stands for."""
        share = len(rows) / len(self.y)
        return DualProblem(
            self.block(rows),
            self.y[rows],
            self.ceilings[rows] / share,
            self.ridge[rows] * share,
            self.weights[rows],
            self.has_bias,
        )

    def intercept_range(self, residual: np.ndarray, hard: np.ndarray) -> tuple[int, int]:
        """The rows whose ``y - gram @ coef`` is the lowest and the highest intercept possible if
        no row is free; -1 for none."""
        raises = (self.y > 0) != hard
        lower = int(np.where(raises, residual, -np.inf).argmax()) if raises.any() else -1
        upper = int(np.where(raises, np.inf, residual).argmin()) if not raises.all() else -1
        return lower, upper

    def at(self, free: np.ndarray, hard: np.ndarray, face: Face | None = None) -> Candidate:
        """Solve for the free rows, with the hard rows at their ceilings and the others at zero.

        ``face`` is that of the free rows, if already factorized.
        """
        rows, fixed = np.flatnonzero(free), np.flatnonzero(hard)
        coef, intercept = np.zeros(len(self.y)), 0.0
        coef[fixed] = self.y[fixed] * self.ceilings[fixed]
        if len(rows):
            right = self.y[rows] - self.gram[np.ix_(rows, fixed)] @ coef[fixed]
            face = face or self.face(rows)
            coef[rows], intercept = face.solve(right, -float(coef.sum()))
        point = self.candidate(free, hard, coef, intercept, face)
        if face is not None and (np.abs(point.slack) > point.tolerance)[rows].any():
            # Solve again for what rounding left, as after centering rows of very different size.
            change, shift = face.solve((self.y * point.slack)[rows], 0.0)
            coef[rows] += change
            point = self.candidate(free, hard, coef, intercept + shift, face)
        return point

    def candidate(
        self,
        free: np.ndarray,
        hard: np.ndarray,
        coef: np.ndarray,
        intercept: float,
        face: Face | None,
    ) -> Candidate:
        """The given coefficients with their slacks.

        Parameters
        ----------
        free, hard : the sets of rows
        coef, intercept : the solution for these sets
        face : the factorized system of the free rows; without it a free intercept is found here
        """
        residual = self.y - self.gram @ coef - self.ridge * coef
        pinning, balanced = np.empty(0, int), True
        if self.has_bias and face is None:
            limits = self.intercept_range(residual, hard)
            pinning = np.array([row for row in limits if row >= 0])
            intercept = float(residual[pinning].mean())
            balanced = abs(coef.sum()) <= 1e-14 * np.abs(coef).sum()
        slack = self.y * (residual - intercept)
        return Candidate(
            free, hard, coef, intercept, slack, self.tolerance(coef), face, pinning, balanced
        )

    def leaving(self, point: Candidate) -> tuple[np.ndarray, np.ndarray]:
        """Free rows that belong at zero, and those that belong at their ceiling."""
        alpha = self.y * point.coef
        return point.free & (alpha <= 0), point.free & (alpha >= self.ceilings)

    def entering(self, point: Candidate) -> np.ndarray:
        """Rows at zero or at their ceiling that the objective wants to move inside."""
        zero = ~(point.free | point.hard)
        slack, tolerance = point.slack, point.tolerance
        return (zero & (slack > tolerance)) | (point.hard & (slack < -tolerance))

    def is_consistent(self, point: Candidate) -> bool:
        """Whether the free rows meet their margins; contradictory copies cannot."""
        missed = np.abs(point.slack) > ACCEPTED / TOLERANCE * point.tolerance
        return point.balanced and not (missed & point.free).any()

    def is_solved(self, point: Candidate) -> bool:
        zero, full = self.leaving(point)
        moved = zero | full | self.entering(point)
        return self.is_consistent(point) and not moved.any()
