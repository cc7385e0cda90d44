"""The record of a least-squares machine on landmarks, a function of sums over rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy.linalg import cho_factor, cho_solve, cholesky, solve_triangular

from kernelwise.solutions.row_statistics import RowStatistics
from kernelwise.solutions.targets import Expansion, Targets


@dataclass(frozen=True)
class NystromGradient:
    """Derivatives of a criterion in what it read of a solution on landmarks; default zero."""

    squared_error: float = 0.0
    freedom: float = 0.0


@dataclass(frozen=True)
class StatisticsGradient:
    """Derivatives in the centered sums over rows, and in the landmarks' own Gram matrix."""

    products: np.ndarray
    cross: np.ndarray
    landmark_gram: np.ndarray
    regularization: float

    def in_rows(self, gram: np.ndarray, targets: Targets, statistics: RowStatistics) -> np.ndarray:
        """Derivatives in the kernel values of some rows, (rows, landmarks).

        ``w [2 G_A (k - mean) + G_c (y - mean)]``: the centering adds nothing, because the sums of
        both brackets over all rows are zero.
        """
        inner = (gram - statistics.mean_kernel) @ (2 * self.products)
        inner += (targets.values - statistics.mean_target) @ self.cross.T
        inner *= targets.weights[:, None]
        return inner


@dataclass(frozen=True)
class NystromSolution:
    """``min_{a, b} 1/2 sum w |y - a'k - b|^2 + regularization / 2 tr(a' K a)`` on m landmarks.

    ``K`` is the Gram matrix of the landmarks, with ``jitter`` times the mean of its diagonal added
    to it. Everything is computed in coordinates in which it is the identity (``K = L L'``): the
    normal matrix itself would lose its digits long before.

    Cost: about 3 m^3, whatever the number of rows.
    """

    statistics: RowStatistics
    landmark_gram: np.ndarray
    regularization: float
    landmarks: np.ndarray
    jitter: float
    n_factorizations: int = 1

    gradient: ClassVar[type] = NystromGradient

    @property
    def diagonal_added(self) -> float:
        """What the jitter adds to the diagonal of the landmarks' Gram matrix."""
        return self.jitter * float(np.trace(self.landmark_gram)) / len(self.landmark_gram)

    @cached_property
    def _lower(self) -> np.ndarray:
        own = self.landmark_gram + self.diagonal_added * np.eye(len(self.landmark_gram))
        return cholesky(own, lower=True, check_finite=False)

    def _to_white(self, values: np.ndarray) -> np.ndarray:
        return solve_triangular(self._lower, values, lower=True, check_finite=False)

    def _from_white(self, values: np.ndarray) -> np.ndarray:
        return solve_triangular(self._lower, values, lower=True, trans=1, check_finite=False)

    @cached_property
    def _white_products(self) -> np.ndarray:
        half = self._to_white(self.statistics.centered_products)
        white = self._to_white(half.T)
        return (white + white.T) / 2

    @cached_property
    def _white_inverse(self) -> np.ndarray:
        m = len(self.landmark_gram)
        regularized = self._white_products + self.regularization * np.eye(m)
        factor = cho_factor(regularized, lower=True, check_finite=False)
        return cho_solve(factor, np.eye(m), check_finite=False)

    @property
    def white_inverse(self) -> np.ndarray:
        """``(V + regularization)^-1``, in coordinates in which ``K`` is the identity."""
        return self._white_inverse

    @cached_property
    def _white_coef(self) -> np.ndarray:
        return self._white_inverse @ self._to_white(self.statistics.centered_cross)

    @cached_property
    def coef(self) -> np.ndarray:
        return self._from_white(self._white_coef)

    @cached_property
    def intercept(self) -> np.ndarray:
        return self.statistics.mean_target - self.coef.T @ self.statistics.mean_kernel

    @property
    def expansion(self) -> Expansion:
        return Expansion(self.coef, self.intercept, self.landmarks)

    @cached_property
    def squared_error(self) -> float:
        """``sum w |y - f|^2`` over rows and targets."""
        return float(squared_error_on(self.statistics, self).sum())

    @cached_property
    def freedom(self) -> float:
        """Effective parameters of each target, the bias included: ``1 + tr((V + lam)^-1 V)``."""
        return 1.0 + float((self._white_inverse * self._white_products).sum())

    def leverages(self, gram: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """How much of each row's target is in its own output."""
        white = self._to_white((gram - self.statistics.mean_kernel).T)
        spread = (white * (self._white_inverse @ white)).sum(axis=0)
        return weights * (1 / self.statistics.weight + spread)

    @cached_property
    def _spectrum(self) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues of the white products, and the squares of the targets along each."""
        values, vectors = np.linalg.eigh(self._white_products)
        along = vectors.T @ self._to_white(self.statistics.centered_cross)
        return values, (along**2).sum(axis=1)

    @property
    def least_regularization(self) -> float:
        """Below this, rounding errors of the sums decide: ten times the lowest eigenvalue."""
        values = self._spectrum[0]
        return max(-10 * float(values[0]), len(values) * np.finfo(float).eps * float(values[-1]))

    def path(self, regularizations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The squared error and the freedom at each regularization, from one eigendecomposition."""
        values, squares = self._spectrum
        values = np.maximum(values, 0.0)
        damped = values + np.asarray(regularizations)[:, None]
        explained = ((2 * damped - values) / damped**2) @ squares
        errors = self.statistics.centered_squares.sum() - explained
        return errors, 1 + (values / damped).sum(axis=1)

    def to_statistics(self, gradient: NystromGradient) -> StatisticsGradient:
        """From what a criterion read to the sums over rows.

        With ``P`` the inverse of the regularized products and ``u = -lam P K a``: the squared error
        has ``a a' - 2 sym(u a')`` in the products, ``2 (u - a)`` in the cross products and ``-2 lam
        sym(u a')`` in ``K``; the freedom ``lam P K P``, 0 and ``-lam P A P``. All in white
        coordinates, then back.
        """
        lam, inverse, coef = self.regularization, self._white_inverse, self._white_coef
        in_error, in_freedom = gradient.squared_error, gradient.freedom
        pulled = -lam * inverse @ coef
        mixed = pulled @ coef.T
        mixed = in_error * (mixed + mixed.T)
        squared = inverse @ inverse
        between = inverse - lam * squared  # inverse @ white products @ inverse
        products = in_error * coef @ coef.T - mixed + in_freedom * lam * squared
        own = -lam * (mixed + in_freedom * between)
        in_regularization = -2 * in_error * float((pulled * coef).sum())
        in_regularization -= in_freedom * float(np.trace(between))
        in_gram = self._both_sides(own)
        m = len(in_gram)
        return StatisticsGradient(
            self._both_sides(products),
            self._from_white(2 * in_error * (pulled - coef)),
            in_gram + self.jitter * np.trace(in_gram) / m * np.eye(m),
            in_regularization,
        )

    def _both_sides(self, white: np.ndarray) -> np.ndarray:
        return self._from_white(self._from_white(white).T)


@dataclass(frozen=True)
class NystromOnRows(NystromSolution):
    """The same, with the rows at hand: their Gram matrix to the landmarks, and their targets."""

    gram: np.ndarray = field(kw_only=True)
    targets: Targets = field(kw_only=True)

    def pullback(self, gradient: NystromGradient) -> tuple[list[np.ndarray], np.ndarray]:
        """Gradients in both Gram matrices, and in the regularization."""
        found = self.to_statistics(gradient)
        in_rows = found.in_rows(self.gram, self.targets, self.statistics)
        return [in_rows, found.landmark_gram], np.array([found.regularization])

    @property
    def residuals(self) -> np.ndarray:
        return self.targets.values - self.gram @ self.coef - self.intercept


def squared_error_on(statistics: RowStatistics, solution: NystromSolution) -> np.ndarray:
    """``sum w |y - f|^2`` over rows whose sums these are, per target, for any solution.

    The rows need not be those of the solution: this is how a fold is judged without a look at it.
    """
    coef = solution.coef
    shift = statistics.mean_target - solution.intercept - coef.T @ statistics.mean_kernel
    quadratic = (coef * (statistics.centered_products @ coef)).sum(axis=0)
    linear = (coef * statistics.centered_cross).sum(axis=0)
    squares = statistics.centered_squares - 2 * linear + quadratic
    return squares + statistics.weight * shift**2
