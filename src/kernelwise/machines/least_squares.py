"""The least-squares support vector machine: ridge regression in feature space, with a free bias."""

from __future__ import annotations

import copy

import numpy as np

from kernelwise.linalg import BorderedSystem
from kernelwise.machines.base import REGULARIZATION_BOUNDS, Machine
from kernelwise.solutions import LeastSquaresSolution, Targets


class LeastSquares(Machine):
    """``min 1/2 sum_i w_i (y_i - f_i)^2 + regularization / 2 |f|^2``, ``f = gram @ coef +
    intercept``.

    Solved by ``C = gram + regularization diag(1 / w)`` bordered with ones; all targets share the
    one factorisation (n^3 / 3).

    References
    ----------
    Suykens et al. (2002); Cawley & Talbot, Kernel Learning at the First Level of Inference, eq.
    (3).
    """

    gives = LeastSquaresSolution
    ignores_constant = True

    def __init__(self, regularization: float = 1.0):
        if not regularization > 0:
            raise ValueError(f"regularization must be positive, got {regularization}")
        self.regularization = float(regularization)

    @property
    def values(self) -> np.ndarray:
        return np.array([self.regularization])

    @property
    def value_bounds(self) -> np.ndarray:
        return np.array([REGULARIZATION_BOUNDS])

    @property
    def value_names(self) -> list[str]:
        return ["regularization"]

    def with_values(self, values: np.ndarray) -> LeastSquares:
        other = copy.copy(self)
        (other.regularization,) = map(float, values)
        return other

    def solve(self, grams: list[np.ndarray], targets: Targets) -> LeastSquaresSolution:
        (gram,) = grams
        system = BorderedSystem(gram, self.regularization / targets.weights)
        coef, intercept = system.solve(targets.values)
        return LeastSquaresSolution(coef, intercept, targets, self.regularization, system)

    def __repr__(self) -> str:
        return f"LeastSquares(regularization={self.regularization:.4g})"
