"""The record of a least-squares machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelwise.linalg import (
    BorderedSystem,
    add_symmetric_product,
    mirror_lower,
    scaled_outer_square,
)
from kernelwise.solutions.held_out import LeftOut
from kernelwise.solutions.penalized import Penalized
from kernelwise.solutions.targets import Expansion, Targets


@dataclass(frozen=True)
class LeastSquaresGradient:
    """Derivatives of a criterion in what it read of a least-squares solution; default zero."""

    coef: np.ndarray | None = None
    intercept: np.ndarray | None = None
    diagonal: np.ndarray | None = None
    left_out: np.ndarray | None = None
    penalized_errors: np.ndarray | None = None
    log_determinant: float = 0.0
    regularization: float = 0.0


@dataclass(frozen=True)
class LeastSquaresSolution(LeftOut, Penalized):
    """A least-squares machine with bias: ``coef = P y``, with ``P`` the residual operator.

    ``diagonal`` (of ``P``) and the gradient of what reads it need the inverse, built on first use.
    """

    coef: np.ndarray
    intercept: np.ndarray
    targets: Targets
    regularization: float
    system: BorderedSystem
    n_factorizations: int = 1

    gradient: ClassVar[type] = LeastSquaresGradient

    @property
    def expansion(self) -> Expansion:
        return Expansion(self.coef, self.intercept)

    @property
    def diagonal(self) -> np.ndarray:
        return self.system.diagonal

    @property
    def log_determinant(self) -> float:
        """``log det`` of the regularized Gram matrix orthogonal to the constant vector."""
        return self.system.log_determinant

    @property
    def left_out(self) -> np.ndarray:
        """``coef_i / P_ii``: target minus output of row i left out with all its weight."""
        return self.coef / self.diagonal[:, None]

    @property
    def penalized_errors(self) -> np.ndarray:
        return self.regularization * self._fits + self.targets.within

    @property
    def _fits(self) -> np.ndarray:
        return (self.targets.values * self.coef).sum(axis=0)

    def pullback(self, gradient: LeastSquaresGradient) -> tuple[list[np.ndarray], np.ndarray]:
        """Gram gradient and gradient in the regularization, from ``dP = -P dC P``.

        ``-sym(P coef_gradient coef') - P diag(diagonal_gradient) P + log_determinant_gradient P``.
        Cost: one ``syrk`` (n^3) if the diagonal was read, else O(n^2) per target.
        """
        n = len(self.coef)
        in_coef, in_diagonal = self._in_coef_and_diagonal(gradient)
        in_regularization = gradient.regularization
        if gradient.penalized_errors is not None:
            in_regularization += float(gradient.penalized_errors @ self._fits)
        if in_diagonal is not None:
            gram_gradient = scaled_outer_square(self.system.inverse, -in_diagonal)
        else:
            gram_gradient = np.zeros((n, n), order="F")
        left = np.zeros_like(self.coef)
        if in_coef is not None:
            left = self.system.apply(in_coef)
        if gradient.intercept is not None:
            left = left + np.outer(self.system.intercept_weights, gradient.intercept)
        add_symmetric_product(gram_gradient, -left, self.coef)
        mirror_lower(gram_gradient)
        if gradient.log_determinant:
            gram_gradient += gradient.log_determinant * self.system.inverse
        noise_gradient = np.diagonal(gram_gradient) / self.targets.weights
        # Symmetric: the transpose is the same matrix in C order, whose rows a kernel reads.
        return [gram_gradient.T], np.array([noise_gradient.sum() + in_regularization])

    def _in_coef_and_diagonal(
        self, gradient: LeastSquaresGradient
    ) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Derivatives in the coefficients and the diagonal, through all that is made of them."""
        in_coef, in_diagonal = gradient.coef, gradient.diagonal
        if gradient.left_out is not None:
            slopes = gradient.left_out / self.diagonal[:, None]
            in_coef = _sum(in_coef, slopes)
            in_diagonal = _sum(in_diagonal, -(slopes * self.left_out).sum(axis=1))
        if gradient.penalized_errors is not None:
            slopes = self.regularization * gradient.penalized_errors
            in_coef = _sum(in_coef, slopes * self.targets.values)
        return in_coef, in_diagonal


def _sum(first: np.ndarray | None, second: np.ndarray) -> np.ndarray:
    return second if first is None else first + second
