"""Normal scores of columns: a kernel then sees ranks, not how far apart values lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

# More distinct values of a column are thinned to so many quantiles.
MOST_KNOTS = 500
# A column of fewer distinct values is left as it is: its ranks say nothing new.
FEWEST_VALUES = 8


@dataclass(frozen=True)
class NormalScores:
    """Columns replaced by the normal quantiles of their ranks, as learned from some rows.

    A value v of a column becomes ``Phi^-1((weight below v + half of the weight at v) / weight of
    all)``, linear between the values seen, and as the outermost beyond them. Columns of few values
    and categories stay as they are. Cost: a sort of each column.

    Attributes
    ----------
    knots, scores : of each column, the values and what they become; None where it stays
    """

    knots: tuple[np.ndarray | None, ...]
    scores: tuple[np.ndarray | None, ...]

    @classmethod
    def learn(cls, rows: np.ndarray, weights: np.ndarray, categorical: np.ndarray) -> NormalScores:
        found = [
            (None, None) if r in categorical else _scores(column, weights)
            for r, column in enumerate(rows.T)
        ]
        return cls(*(tuple(part) for part in zip(*found, strict=True)))

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """The same rows with scores."""
        columns = [
            column if known is None or scores is None else np.interp(column, known, scores)
            for column, known, scores in zip(rows.T, self.knots, self.scores, strict=True)
        ]
        return np.column_stack(columns)


def _scores(column: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
    values, codes = np.unique(column, return_inverse=True)
    if len(values) < FEWEST_VALUES:
        return None, None
    mass = np.bincount(codes.reshape(-1), weights)
    scores = norm.ppf((np.cumsum(mass) - mass / 2) / mass.sum())
    chosen = np.unique(np.linspace(0, len(values) - 1, MOST_KNOTS).round().astype(int))
    return values[chosen], scores[chosen]
