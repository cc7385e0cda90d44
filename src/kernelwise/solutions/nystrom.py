"""The record of a least-squares machine on landmarks, a function of sums over rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy.linalg import cholesky, lapack, solve_triangular

from kernelwise.linalg import mirror_lower
from kernelwise.solutions.penalized import Penalized
from kernelwise.solutions.row_statistics import DOUBLE, RowStatistics, StatisticsGradient
from kernelwise.solutions.targets import Expansion

# See `least_spread`.
LEAST_SPREAD = 1e-6


@dataclass(frozen=True)
class NystromGradient:
    """Derivatives of a criterion in what it read of a solution on landmarks; default zero.

    Attributes
    ----------
    squared_error, freedom, penalized_errors, log_determinant, unexplained : see `NystromSolution`
    regularization : beyond what these already depend on it
    coef, mean_kernel : in the outputs ``mean target + coef'(k - mean_kernel)``
    white_inverse : symmetric, in the inverse of the regularized products in white coordinates
    """

    squared_error: float = 0.0
    freedom: float = 0.0
    penalized_errors: np.ndarray | float = 0.0
    log_determinant: float = 0.0
    unexplained: float = 0.0
    regularization: float = 0.0
    coef: np.ndarray | None = None
    mean_kernel: np.ndarray | float = 0.0
    white_inverse: np.ndarray | None = None


def least_spread(precision: float) -> float:
    """The share of a Gram matrix's mean diagonal that counts as spread even if nothing varies.

    Kernel values in single precision cannot tell a smaller spread from their own rounding.
    """
    return LEAST_SPREAD if precision <= DOUBLE else 1.0


def spread(gram: np.ndarray, precision: float) -> float:
    """The size of what varies in a Gram matrix: what jitter is counted in.

    The mean diagonal of the centered matrix, and a little of that of the matrix itself.
    """
    least = least_spread(precision)
    return (1 + least) * float(np.trace(gram)) / len(gram) - float(gram.mean())


@dataclass(frozen=True)
class NystromSolution(Penalized):
    """``min_{a, b} 1/2 sum w |y - a'k - b|^2 + regularization / 2 tr(a' K a)`` on m landmarks.

    ``K`` is the Gram matrix of the landmarks, with ``jitter`` times its `spread` added to the
    diagonal, and ``rounding`` times the rounding error of the products per unit of regularization:
    the weaker that is, the more. Everything is computed in white coordinates, in which it is the
    identity (``K = L L'``): the normal matrix itself would lose its digits long before. There the
    centered products are ``V``, and ``R = (V + regularization)^-1``.

    Cost: about 3 m^3, whatever the number of rows; as much again on the way back.
    """

    statistics: RowStatistics
    landmark_gram: np.ndarray
    regularization: float
    landmarks: np.ndarray
    jitter: float
    rounding: float = 0.0
    n_factorizations: int = 1

    gradient: ClassVar[type] = NystromGradient

    @property
    def added_jitter(self) -> float:
        """What is added to the diagonal of the landmarks' Gram matrix."""
        rounding = self.rounding * self._products_error / self.regularization
        return self.jitter * spread(self.landmark_gram, self.statistics.precision) + rounding

    @property
    def _products_error(self) -> float:
        return DOUBLE * float(np.trace(self.statistics.centered_products))

    @property
    def least_regularization(self) -> float:
        """Four times the rounding error of ``V``: with less, rounding would decide."""
        return 4 * self._products_error / self.added_jitter

    @cached_property
    def _lower(self) -> np.ndarray:
        own = self.landmark_gram + self.added_jitter * np.eye(len(self.landmark_gram))
        return cholesky(own, lower=True, check_finite=False)

    def to_white(self, values: np.ndarray) -> np.ndarray:
        """``L^-1 values``."""
        return solve_triangular(self._lower, values, lower=True, check_finite=False)

    def from_white(self, values: np.ndarray) -> np.ndarray:
        """``L^-T values``."""
        return solve_triangular(self._lower, values, lower=True, trans=1, check_finite=False)

    @cached_property
    def white_products(self) -> np.ndarray:
        """``V = L^-1 A L^-T``, ``A`` the centered products."""
        products = np.asfortranarray(self.statistics.centered_products)
        white, _ = lapack.dsygst(products, self._lower, itype=1, lower=1)
        return mirror_lower(white)

    @cached_property
    def factor(self) -> np.ndarray:
        """The lower Cholesky factor of ``V + regularization``."""
        regularized = self.white_products + self.regularization * np.eye(len(self._lower))
        return cholesky(regularized, lower=True, check_finite=False)

    @cached_property
    def white_inverse(self) -> np.ndarray:
        """``R``."""
        inverse, _ = lapack.dpotri(self.factor, lower=1)
        return mirror_lower(inverse)

    @cached_property
    def white_cross(self) -> np.ndarray:
        """``L^-1`` times the centered cross products."""
        return self.to_white(self.statistics.centered_cross)

    @cached_property
    def white_coef(self) -> np.ndarray:
        """``L' coef``."""
        half = solve_triangular(self.factor, self.white_cross, lower=True, check_finite=False)
        return solve_triangular(self.factor, half, lower=True, trans=1, check_finite=False)

    @cached_property
    def coef(self) -> np.ndarray:
        return self.from_white(self.white_coef)

    @cached_property
    def intercept(self) -> np.ndarray:
        return self.statistics.mean_target - self.coef.T @ self.statistics.mean_kernel

    @property
    def expansion(self) -> Expansion:
        return Expansion(self.coef, self.intercept, self.landmarks)

    @cached_property
    def squared_error(self) -> float:
        """``sum w |y - f|^2`` over rows and targets."""
        penalty = self.regularization * float((self.white_coef**2).sum())
        return float(self.penalized_errors.sum()) - penalty

    @property
    def penalized_errors(self) -> np.ndarray:
        explained = (self.white_cross * self.white_coef).sum(axis=0)
        return self.statistics.centered_squares - explained

    @cached_property
    def freedom(self) -> float:
        """Effective parameters of each target, the bias included: ``1 + tr(R V)``."""
        return 1.0 + float((self.white_inverse * self.white_products).sum())

    @property
    def log_determinant(self) -> float:
        """``log det(I + V / regularization)``."""
        pivots = np.diagonal(self.factor)
        return float(2 * np.log(pivots).sum() - len(pivots) * np.log(self.regularization))

    @cached_property
    def _white_raw_products(self) -> np.ndarray:
        """``V`` without centering: of ``sum w k k'``."""
        mean = self.to_white(self.statistics.mean_kernel)
        return self.white_products + self.statistics.weight * np.outer(mean, mean)

    @property
    def unexplained(self) -> float:
        """``sum w (k(x, x) - k' K^-1 k)``: the variance of the rows that landmarks do not see."""
        return self.statistics.diagonal - float(np.trace(self._white_raw_products))

    def to_statistics(self, gradient: NystromGradient) -> StatisticsGradient:
        """From what a criterion read to the sums over rows.

        In white coordinates, with ``c`` the coefficients and ``lam`` the regularization: a
        derivative ``g`` in ``c`` gives ``u = R g`` in the cross products and ``N = -sym(u c')`` in
        the regularized products ``V + lam K``, hence also ``lam N`` in ``K`` and ``tr N`` in
        ``lam``; one in ``R`` gives ``N = -R g R``. The squared error has besides ``c c'`` in the
        products and ``-2 c`` in the cross products, with ``g = -2 lam c``; the penalized error
        these two and ``lam c c'`` in ``K``, without ``g`` (it is at its minimum in ``c``); the
        freedom ``lam R^2``, 0 and ``-lam R V R``; the log determinant ``R`` and ``lam R - I``; the
        unexplained ``-I`` in the products that are not centered, and these themselves in ``K``.
        """
        lam, coef = self.regularization, self.white_coef
        errors = gradient.squared_error + np.asarray(gradient.penalized_errors)
        normal, in_cross = self._through_coef(gradient)
        if gradient.white_inverse is not None:
            normal -= self.white_inverse @ gradient.white_inverse @ self.white_inverse
        products = normal + (coef * errors) @ coef.T
        own = lam * (normal + (coef * gradient.penalized_errors) @ coef.T)
        in_cross -= 2 * errors * coef
        in_regularization = gradient.regularization + np.trace(normal)
        in_regularization += (gradient.penalized_errors * coef**2).sum()
        if gradient.freedom:
            squared = self.white_inverse @ self.white_inverse.T  # symmetric: one ``syrk``
            between = self.white_inverse - lam * squared  # R V R
            products += gradient.freedom * lam * squared
            own -= gradient.freedom * lam * between
            in_regularization -= gradient.freedom * np.trace(between)
        identity = np.eye(len(coef))
        if gradient.log_determinant:
            products += gradient.log_determinant * self.white_inverse
            own += gradient.log_determinant * (lam * self.white_inverse - identity)
            trace = np.trace(self.white_inverse) - len(coef) / lam
            in_regularization += gradient.log_determinant * trace
        if gradient.unexplained:
            products -= gradient.unexplained * identity
            own += gradient.unexplained * self._white_raw_products
        return self._gradient(products, in_cross, own, float(in_regularization), gradient)

    @property
    def norm_gradient(self) -> np.ndarray:
        """The derivative of ``regularization / 2 |f|^2`` in ``K``, with fixed coefficients."""
        return self._in_landmark_gram(self.regularization / 2 * self.coef @ self.coef.T)

    def _in_landmark_gram(self, in_gram: np.ndarray) -> np.ndarray:
        """The derivative in the landmarks' Gram matrix of what has this one with the jitter."""
        m, share = len(in_gram), self.jitter * np.trace(in_gram)
        in_gram = in_gram - share / m**2
        in_gram[np.diag_indices(m)] += (1 + least_spread(self.statistics.precision)) * share / m
        return in_gram

    def _through_coef(self, gradient: NystromGradient) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives in the regularized products and the cross products, through ``coef``."""
        in_coef = -2 * self.regularization * gradient.squared_error * self.white_coef
        if gradient.coef is not None:
            in_coef = in_coef + self.to_white(gradient.coef)
        solved = self.white_inverse @ in_coef
        mixed = solved @ self.white_coef.T
        return -(mixed + mixed.T) / 2, solved

    def _gradient(
        self,
        products: np.ndarray,
        in_cross: np.ndarray,
        own: np.ndarray,
        in_regularization: float,
        gradient: NystromGradient,
    ) -> StatisticsGradient:
        """Back from white coordinates, and from centered sums to those from the reference."""
        statistics = self.statistics
        in_products, in_gram = self._both_sides(products), self._both_sides(own)
        in_cross = self.from_white(in_cross)
        # The jitter follows the products and the regularization, too.
        share = self.rounding * float(np.trace(in_gram)) / self.regularization
        in_products[np.diag_indices(len(own))] += share * DOUBLE
        in_regularization -= share * self._products_error / self.regularization
        centering = 2 * in_products @ statistics.kernel + in_cross @ statistics.targets
        in_kernel = (gradient.mean_kernel - centering) / statistics.weight
        if gradient.unexplained:
            # Its products are not centered: what was subtracted comes back, and the reference.
            solved = self.from_white(self.to_white(statistics.mean_kernel))
            in_kernel -= 2 * gradient.unexplained * solved
        return StatisticsGradient(
            products=np.asfortranarray(in_products),
            cross=in_cross,
            kernel=in_kernel,
            diagonal=gradient.unexplained,
            reference=statistics.reference,
            landmark_gram=self._in_landmark_gram(in_gram),
            regularization=in_regularization,
        )

    def _both_sides(self, white: np.ndarray) -> np.ndarray:
        return self.from_white(self.from_white(white).T)


@dataclass(frozen=True)
class ProcessSolution(NystromSolution):
    """The same of rows whose ``k(x, x)`` is known, too: a Gaussian process on landmarks."""


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
