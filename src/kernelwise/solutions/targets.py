"""What a machine is to reproduce, and what it predicts with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Targets:
    """The values that a machine is to reproduce, one column per output.

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

    def take(self, rows: np.ndarray | slice) -> Targets:
        """The targets of some rows (``within`` stays with the whole)."""
        return Targets(self.values[rows], self.weights[rows], np.zeros_like(self.within))


@dataclass(frozen=True)
class Expansion:
    """The predictor ``outputs = kernel(X, rows) @ coef + intercept``.

    ``rows`` are the machine's own (landmarks); None means the rows it was given.
    """

    coef: np.ndarray
    intercept: np.ndarray
    rows: np.ndarray | None = None

    def with_constants(self, constants: np.ndarray, varying: np.ndarray) -> Expansion:
        """The same with further outputs that are constant; ``varying`` marks those there are."""
        coef = np.zeros((len(self.coef), len(varying)), order="F")
        intercept = constants.copy()
        coef[:, varying], intercept[varying] = self.coef, self.intercept
        return Expansion(coef, intercept, self.rows)
