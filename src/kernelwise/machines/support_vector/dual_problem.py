"""One output of a support vector machine as a quadratic problem, and what its free rows solve.

Shared by the solvers of both losses: rows are at zero, free, or at their bound, and the free rows
follow from the others by one linear system.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh, lapack

from kernelwise.linalg import NotPositiveDefiniteError, row_blocks

# A margin is met when it is missed by less than this, relative to the sum that makes it.
TOLERANCE = 1e-13
# What is still accepted where the free rows depend on each other.
ACCEPTED = 1e-11
ROUNDING = np.finfo(float).eps
# An eigenvalue below minus this, relative to the largest, is not rounding.
MAX_RELATIVE_NEGATIVE = 1e-7


class Face:
    """``[[A, 1], [1', 0]]``, the system of the free rows, factorised; without a bias ``A`` alone.

    ``A = gram + diag(ridge)``; the block is overwritten. Cholesky (m^3 / 3); where rows depend on
    each other, an eigendecomposition that leaves out what is rounding, so that `solve` gives the
    solution with the least ``sum coef^2 / weight``: equal rows share alike, and copies act as a
    weight.
    """

    def __init__(self, block: np.ndarray, ridge: np.ndarray, weights: np.ndarray, has_bias: bool):
        np.einsum("ii->i", block)[:] += ridge
        self.has_bias = has_bias
        self.root = np.sqrt(weights / weights.max())
        self._size = float(np.diagonal(block).max())
        if has_bias:
            self._center(block)
        diagonal = np.diagonal(block).copy()
        # In place: the factor takes the upper triangle and the diagonal of the block.
        factor, failed = lapack.dpotrf(block.T, lower=1, clean=0, overwrite_a=1)
        rounding = 10 * ROUNDING * len(block) * self._size
        self.is_singular = bool(failed or np.diagonal(factor).min() ** 2 <= rounding)
        if self.is_singular:
            np.fill_diagonal(block, diagonal)
            self._decompose(block)
        else:
            self._factor = factor

    def _center(self, block: np.ndarray) -> None:
        """A bias does not see a constant: what replaces it makes the block as definite as the
        system, and a large offset costs no digits."""
        self._means = block.mean(axis=1)
        self._level = (self._size or 1.0) / len(block)
        block -= self._means
        block -= (self._means - self._means.mean() - self._level)[:, None]

    def _decompose(self, block: np.ndarray) -> None:
        """Reads the lower triangle of the block, with its diagonal."""
        scaled = self.root[:, None] * block * self.root
        eigenvalues, vectors = eigh(scaled, lower=True, overwrite_a=True, check_finite=False)
        largest = max(float(np.abs(eigenvalues).max()), self._size)
        if eigenvalues[0] < -MAX_RELATIVE_NEGATIVE * largest:
            raise NotPositiveDefiniteError(
                f"the Gram matrix is not positive semi-definite: the block of {len(block)} rows "
                f"has the eigenvalue {eigenvalues[0]:g} beside {largest:g}. Is the kernel positive "
                "semi-definite?"
            )
        kept = eigenvalues > 4 * ROUNDING * len(block) * largest
        self._vectors, self._eigenvalues = vectors[:, kept], eigenvalues[kept]

    def apply(self, right: np.ndarray) -> np.ndarray:
        """``A^-1 right``, of least weighted norm where there are several."""
        if not self.is_singular:
            return lapack.dpotrs(self._factor, right, lower=1)[0]
        inside = self._vectors.T @ (self.root * right) / self._eigenvalues
        return self.root * (self._vectors @ inside)

    def null_part(self, right: np.ndarray) -> np.ndarray:
        """What of ``right`` no coefficients can reach, as a direction that changes no output."""
        if not self.is_singular:
            return np.zeros_like(right)
        scaled = self.root * right
        return self.root * (scaled - self._vectors @ (self._vectors.T @ scaled))

    def curvature_of_norm(self, coef: np.ndarray) -> np.ndarray:
        """``A^+ (coef / weight)``: how the least-norm solution turns when the block does."""
        turned = self.apply(coef / self.root**2)
        return turned - turned.mean() if self.has_bias else turned

    def solve(self, right: np.ndarray, total: float) -> tuple[np.ndarray, float]:
        """``coef`` with the given total (if there is a bias), and the intercept."""
        if not self.has_bias:
            return self.apply(right), 0.0
        # The ones are an eigenvector of the centred block, so each side has its own equation.
        right = right - total * self._means
        middle = right.mean()
        coef = self.apply(right - middle + self._level * total)
        coef += (total - coef.sum()) / len(coef)  # rounding of a large offset
        return coef, float(middle + self._means.mean() * total - self._means @ coef)

    def adjoint(self, of_coef: np.ndarray, of_intercept: float) -> tuple[np.ndarray, float]:
        """The transpose of `solve`: derivatives in its right-hand side and in its total.

        `solve` itself where rows are independent; among dependent ones a gradient, unlike a
        right-hand side, need not be within reach.
        """
        if not self.has_bias:
            return self.apply(of_coef), 0.0
        inner = self.apply(of_coef - of_intercept * self._means)
        v = inner + (of_intercept - inner.sum()) / len(inner)
        total = self._level * inner.sum() + of_intercept * self._means.mean() - self._means @ v
        return v, float(total)


@dataclass
class Candidate:
    """The coefficients that belong to given sets of free and hard rows, optimal or not.

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
    bounds``, and with a bias ``sum coef = 0``."""

    gram: np.ndarray
    y: np.ndarray
    bounds: np.ndarray
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
        hard = alpha >= self.bounds
        return (alpha > 0) & ~hard, hard

    def tolerance(self, coef: np.ndarray) -> np.ndarray:
        """Rounding in each row's margin: relative to a bound of ``sum_j |gram_ij coef_j|``.

        With a bias relative to the largest of them, since all rows share the intercept.
        """
        sizes = np.full_like(self.sizes, self.sizes.max()) if self.has_bias else self.sizes
        return TOLERANCE * (1 + sizes * (self.sizes @ np.abs(coef)))

    def face(self, rows: np.ndarray) -> Face:
        self.n_factorizations += 1
        return Face(self.block(rows), self.ridge[rows], self.weights[rows], self.has_bias)

    def block(self, rows: np.ndarray) -> np.ndarray:
        """The Gram matrix of some rows, taken in parts that stay in cache."""
        block = np.empty((len(rows), len(rows)))
        for part in row_blocks(len(rows), len(self.gram)):
            # Rows are never outside; any mode but "raise" writes into the block without a copy.
            self.gram[rows[part]].take(rows, axis=1, out=block[part], mode="clip")
        return block

    def part(self, rows: np.ndarray) -> DualProblem:
        """The problem of some rows alone, each with the weight of all that it stands for."""
        share = len(rows) / len(self.y)
        return DualProblem(
            self.block(rows),
            self.y[rows],
            self.bounds[rows] / share,
            self.ridge[rows] * share,
            self.weights[rows],
            self.has_bias,
        )

    def intercept_range(self, residual: np.ndarray, hard: np.ndarray) -> tuple[int, int]:
        """With no row free: the rows whose ``y - gram @ coef`` is the intercept's lower and upper
        limit; -1 where there is none."""
        raises = (self.y > 0) != hard
        lower = int(np.where(raises, residual, -np.inf).argmax()) if raises.any() else -1
        upper = int(np.where(raises, np.inf, residual).argmin()) if not raises.all() else -1
        return lower, upper

    def at(self, free: np.ndarray, hard: np.ndarray, face: Face | None = None) -> Candidate:
        """Solve for the free rows, with the hard rows at their bounds and the others at zero.

        With ``face``, that of the free rows, there is nothing to factorise.
        """
        rows, fixed = np.flatnonzero(free), np.flatnonzero(hard)
        coef, intercept = np.zeros(len(self.y)), 0.0
        coef[fixed] = self.y[fixed] * self.bounds[fixed]
        if len(rows):
            right = self.y[rows] - self.gram[np.ix_(rows, fixed)] @ coef[fixed]
            face = face or self.face(rows)
            coef[rows], intercept = face.solve(right, -float(coef.sum()))
        point = self.candidate(free, hard, coef, intercept, face)
        if face is not None and (np.abs(point.slack) > point.tolerance)[rows].any():
            # Once more for what rounding left, as where rows of very different size are centred.
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
        """Coefficients with what they miss; the intercept is found here where no row is free."""
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
        """Free rows that belong at zero, and those that belong at their bound."""
        alpha = self.y * point.coef
        return point.free & (alpha <= 0), point.free & (alpha >= self.bounds)

    def entering(self, point: Candidate) -> np.ndarray:
        """Rows at zero or at their bound that the objective wants to move inside."""
        zero = ~(point.free | point.hard)
        slack, tolerance = point.slack, point.tolerance
        return (zero & (slack > tolerance)) | (point.hard & (slack < -tolerance))

    def is_consistent(self, point: Candidate) -> bool:
        """Whether the free rows meet their margins; they cannot where copies contradict."""
        missed = np.abs(point.slack) > ACCEPTED / TOLERANCE * point.tolerance
        return point.balanced and not (missed & point.free).any()

    def is_solved(self, point: Candidate) -> bool:
        zero, full = self.leaving(point)
        moved = zero | full | self.entering(point)
        return self.is_consistent(point) and not moved.any()
