"""The record of support vector machines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelwise.solutions.targets import Expansion, Targets


@dataclass(frozen=True)
class SupportVectorGradient:
    """Derivatives of a criterion in what it read of a support vector solution; default zero."""

    gram: np.ndarray | None = None
    coef: np.ndarray | None = None
    intercept: np.ndarray | None = None
    C: float = 0.0


@dataclass(frozen=True)
class SupportVectorSolution:
    """Support vector machines on one Gram matrix, one column per output (one-vs-rest).

    ``coef = y * alpha`` and ``outputs = gram @ coef + intercept``; without a free bias the
    intercept is 0. The solver sets exact zeros and exact ceilings, so support is read from
    ``alpha``, never from a margin with a tolerance. Row i has ``alpha_i <= C weight_i`` (hinge),
    or ``1 / (C weight_i)`` added to its diagonal (squared). ``back(coef_gradient,
    intercept_gradient)`` is the implicit part of the way back, to the Gram matrix and C.
    """

    gram: np.ndarray
    targets: Targets
    coef: np.ndarray
    intercept: np.ndarray
    outputs: np.ndarray
    C: float
    loss: str
    has_bias: bool
    back: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, float]]
    n_factorizations: int = 0

    gradient: ClassVar[type] = SupportVectorGradient

    @property
    def expansion(self) -> Expansion:
        return Expansion(self.coef, self.intercept)

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
        """Rows at their ceiling, ``alpha == C weight``; none for the squared hinge."""
        if self.loss == "squared_hinge":
            return np.zeros(self.coef.shape, bool)
        return self.alpha == self.C * self.targets.weights[:, None]

    @property
    def marginal(self) -> np.ndarray:
        """Rows that support and are free to move: ``0 < alpha < C weight``."""
        return self.support & ~self.hard

    def outputs_gradient(self, g: np.ndarray) -> SupportVectorGradient:
        """The gradient of a criterion whose derivative in the outputs is ``g``, (n, outputs)."""
        across = 0.5 * g @ self.coef.T
        return SupportVectorGradient(
            gram=across + across.T, coef=self.gram @ g, intercept=g.sum(axis=0)
        )

    def pullback(self, gradient: SupportVectorGradient) -> tuple[list[np.ndarray], np.ndarray]:
        """Gradients in the Gram matrix and in C, for fixed sets of hard and marginal rows."""
        coef, intercept = gradient.coef, gradient.intercept
        gram_gradient, C_gradient = self.back(
            np.zeros_like(self.coef) if coef is None else coef,
            np.zeros_like(self.intercept) if intercept is None else intercept,
        )
        if gradient.gram is not None:
            gram_gradient += gradient.gram
        return [gram_gradient], np.array([C_gradient + gradient.C])
