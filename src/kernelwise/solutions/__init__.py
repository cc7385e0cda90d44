"""The records that machines return and criteria read, and the gradients that travel back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernelwise.linalg import (
    BorderedSystem,
    add_symmetric_product,
    mirror_lower,
    scaled_outer_square,
)


@dataclass(frozen=True)
class Targets:
    """What a machine is to reproduce, one column per output.

    Equal rows are one row with their total weight and their mean target; ``within`` keeps the
    weighted squared deviations that the mean hides, so that every sum of squares stays exact.
    """

    values: np.ndarray
    weights: np.ndarray
    within: np.ndarray

    @classmethod
    def plain(cls, y: np.ndarray, weights: np.ndarray | None = None) -> Targets:
        """Targets of distinct rows; one-dimensional ``y`` is one output."""
        values = np.asarray(y, float).reshape(len(y), -1)
        weights = np.ones(len(values)) if weights is None else np.asarray(weights, float)
        return cls(np.asfortranarray(values), weights, np.zeros(values.shape[1]))

    def take(self, rows: np.ndarray) -> Targets:
        """The targets of some rows (``within`` stays with the whole)."""
        return Targets(self.values[rows], self.weights[rows], np.zeros_like(self.within))


@dataclass
class SolutionGradient:
    """Derivatives of a criterion in what it read; a field left out is zero.

    ``parameters`` is the explicit derivative in the kernel's natural values, for criteria that
    penalise them.
    """

    coef: np.ndarray | None = None
    intercept: np.ndarray | None = None
    diagonal: np.ndarray | None = None
    log_determinant: float = 0.0
    regularization: float = 0.0
    held_out: np.ndarray | None = None
    gram: np.ndarray | None = None
    bound: float = 0.0
    parameters: np.ndarray | None = None


@dataclass
class LeastSquaresSolution:
    """A least-squares machine with bias: ``coef = P y``, with ``P`` the residual operator.

    ``diagonal`` (of ``P``) and the Gram gradient of anything that reads it need the inverse; it is
    computed when first asked for.
    """

    coef: np.ndarray
    intercept: np.ndarray
    targets: Targets
    regularization: float
    system: BorderedSystem
    parameters: np.ndarray = field(default_factory=lambda: np.empty(0))
    n_factorizations: int = 1

    @property
    def diagonal(self) -> np.ndarray:
        return self.system.diagonal

    @property
    def log_determinant(self) -> float:
        """``log det`` of the regularised Gram matrix orthogonal to the constant vector."""
        return self.system.log_determinant

    def gradient(self, **fields: Any) -> SolutionGradient:
        return SolutionGradient(**fields)

    def pullback(self, gradient: SolutionGradient) -> tuple[list[np.ndarray], np.ndarray]:
        """Gram gradient and gradient in the regularisation, from ``dP = -P dC P``.

        ``-sym(P coef_gradient coef') - P diag(diagonal_gradient) P + log_determinant_gradient P``.
        Cost: one ``syrk`` (n^3) if the diagonal was read, else O(n^2) per target.
        """
        n = len(self.coef)
        if gradient.diagonal is not None:
            gram_gradient = scaled_outer_square(self.system.inverse, -gradient.diagonal)
        else:
            gram_gradient = np.zeros((n, n), order="F")
        left = np.zeros_like(self.coef)
        if gradient.coef is not None:
            left = self.system.apply(gradient.coef)
        if gradient.intercept is not None:
            left = left + np.outer(self.system.intercept_weights, gradient.intercept)
        add_symmetric_product(gram_gradient, -left, self.coef)
        mirror_lower(gram_gradient)
        if gradient.log_determinant:
            gram_gradient += gradient.log_determinant * self.system.inverse
        noise_gradient = np.diagonal(gram_gradient) / self.targets.weights
        # Symmetric: the transpose is the same matrix in C order, whose rows a kernel reads.
        return [gram_gradient.T], np.array([noise_gradient.sum() + gradient.regularization])


@dataclass
class HeldOutSolution:
    """What each row's output would be without its fold: ``held_out = targets - outputs``."""

    held_out: np.ndarray
    targets: Targets
    back: Callable[[np.ndarray], tuple[list[np.ndarray], np.ndarray]]
    parameters: np.ndarray = field(default_factory=lambda: np.empty(0))
    n_factorizations: int = 1

    def gradient(self, **fields: Any) -> SolutionGradient:
        return SolutionGradient(**fields)

    def pullback(self, gradient: SolutionGradient) -> tuple[list[np.ndarray], np.ndarray]:
        assert gradient.held_out is not None
        return self.back(gradient.held_out)


@dataclass
class GramSolution:
    """No machine at all: the Gram matrix itself, centred or not, for criteria that judge it.

    ``factor`` (rows, targets) is such that ``factor @ factor.T`` is the ideal Gram matrix, treated
    the same way.
    """

    gram: np.ndarray
    factor: np.ndarray
    targets: Targets
    back: Callable[[np.ndarray], np.ndarray]
    parameters: np.ndarray = field(default_factory=lambda: np.empty(0))
    n_factorizations: int = 0

    def gradient(self, **fields: Any) -> SolutionGradient:
        return SolutionGradient(**fields)

    def pullback(self, gradient: SolutionGradient) -> tuple[list[np.ndarray], np.ndarray]:
        assert gradient.gram is not None
        return [self.back(gradient.gram)], np.empty(0)


@dataclass
class SupportVectorSolution:
    """Support vector machines on one Gram matrix, one column per output (one-vs-rest).

    ``coef = y * alpha`` and ``outputs = gram @ coef + intercept``; the intercept is 0 where the
    machine has no free bias. The solver sets exact zeros and exact bounds, so who supports is read
    from ``alpha``, never from a margin with a tolerance. ``bound`` is C: row i has
    ``alpha_i <= C weight_i`` (hinge), or ``1 / (C weight_i)`` added to its diagonal (squared).
    ``back(coef_gradient, intercept_gradient)`` is the implicit part of the way back: gradients in
    the Gram matrix and in C.
    """

    gram: np.ndarray
    targets: Targets
    coef: np.ndarray
    intercept: np.ndarray
    outputs: np.ndarray
    bound: float
    loss: str
    has_bias: bool
    back: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, float]]
    parameters: np.ndarray = field(default_factory=lambda: np.empty(0))
    n_factorizations: int = 0

    @property
    def alpha(self) -> np.ndarray:
        """Lagrange multipliers, (n, outputs), never negative."""
        return self.targets.values * self.coef

    @property
    def support(self) -> np.ndarray:
        """Rows that the outputs are made of: ``alpha > 0``, (n, outputs)."""
        return self.coef != 0

    @property
    def hard(self) -> np.ndarray:
        """Rows at their bound, ``alpha == C weight``; none for the squared hinge."""
        if self.loss == "squared_hinge":
            return np.zeros(self.coef.shape, bool)
        return self.alpha == self.bound * self.targets.weights[:, None]

    @property
    def marginal(self) -> np.ndarray:
        """Rows that support and are free to move: ``0 < alpha < C weight``."""
        return self.support & ~self.hard

    def gradient(self, **fields: Any) -> SolutionGradient:
        return SolutionGradient(**fields)

    def outputs_gradient(self, g: np.ndarray) -> SolutionGradient:
        """What a criterion with the derivative ``g`` (n, outputs) in the outputs hands back."""
        across = 0.5 * g @ self.coef.T
        return self.gradient(gram=across + across.T, coef=self.gram @ g, intercept=g.sum(axis=0))

    def pullback(self, gradient: SolutionGradient) -> tuple[list[np.ndarray], np.ndarray]:
        """Gradients in the Gram matrix and in C, on fixed sets of hard and marginal rows."""
        coef, intercept = gradient.coef, gradient.intercept
        gram_gradient, bound_gradient = self.back(
            np.zeros_like(self.coef) if coef is None else coef,
            np.zeros_like(self.intercept) if intercept is None else intercept,
        )
        if gradient.gram is not None:
            gram_gradient += gradient.gram
        return [gram_gradient], np.array([bound_gradient + gradient.bound])
