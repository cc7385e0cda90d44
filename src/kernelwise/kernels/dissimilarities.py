"""Dissimilarities of two values of one column: squared, absolute or overlap.

A dissimilarity is made for two tables and then works on blocks of their rows: ``distances`` is the
weighted sum over columns, ``row_scatter`` its way back, ``R_ir = sum_j M_ij delta(a_ir, b_jr)`` for
all columns r at once. Neither builds an n x n x d array. All three are conditionally negative
definite, so every radial profile of their weighted sum is positive definite.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist


class Dissimilarity:
    """Two tables, prepared; ``b`` is ``a`` if a table is compared with itself."""

    name: str

    def __init__(self, A: np.ndarray, B: np.ndarray | None):
        # Differences of centered columns keep their digits.
        center = (A if B is None else B).mean(axis=0)
        self.a = A - center
        self.b = self.a if B is None else B - center

    @staticmethod
    def weight_of(length_scale: float) -> float:
        return 1 / length_scale

    @staticmethod
    def length_scale_of(weight: float) -> float:
        return 1 / weight

    @staticmethod
    def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """``delta`` of each pair of entries."""
        raise NotImplementedError

    def distances(self, rows: slice, stop: int, weights: np.ndarray) -> np.ndarray:
        """``sum_r weight_r delta(a_ir, b_jr)`` for a block of rows i and all j < stop."""
        raise NotImplementedError

    def row_scatter(self, rows: slice, stop: int, M: np.ndarray) -> np.ndarray:
        """``sum_j M_ij delta(a_ir, b_jr)`` for a block of rows i and all columns r."""
        raise NotImplementedError

    def largest(self, weights: np.ndarray) -> float:
        """The largest distance that the ranges of the columns allow."""
        raise NotImplementedError

    def _ranges(self) -> np.ndarray:
        high = np.maximum(self.a.max(axis=0), self.b.max(axis=0))
        return high - np.minimum(self.a.min(axis=0), self.b.min(axis=0))


class Squared(Dissimilarity):
    """``(a - b)^2``. One matrix product each way: O(n^2 d)."""

    name = "squared"

    @staticmethod
    def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return (a - b) ** 2

    @staticmethod
    def weight_of(length_scale: float) -> float:
        return 0.5 / length_scale**2

    @staticmethod
    def length_scale_of(weight: float) -> float:
        return np.sqrt(0.5 / weight)

    def distances(self, rows: slice, stop: int, weights: np.ndarray) -> np.ndarray:
        root = np.sqrt(weights)
        a, b = self.a[rows] * root, self.b[:stop] * root
        distances = a @ (-2 * b.T)
        distances += (a * a).sum(axis=1)[:, None]
        distances += (b * b).sum(axis=1)
        return np.maximum(distances, 0, out=distances)

    def row_scatter(self, rows: slice, stop: int, M: np.ndarray) -> np.ndarray:
        a, b, d = self.a[rows], self.b[:stop], self.a.shape[1]
        moments = M @ np.column_stack([b, b * b, np.ones(stop)])
        return a * a * moments[:, -1:] - 2 * a * moments[:, :d] + moments[:, d : 2 * d]

    def largest(self, weights: np.ndarray) -> float:
        return float(weights @ self._ranges() ** 2)


class Absolute(Dissimilarity):
    """``|a - b|``, the Laplacian's. Element-wise: O(n^2 d), in blocks that stay in cache."""

    name = "absolute"

    @staticmethod
    def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.abs(a - b)

    def distances(self, rows: slice, stop: int, weights: np.ndarray) -> np.ndarray:
        return cdist(self.a[rows] * weights, self.b[:stop] * weights, "cityblock")

    def row_scatter(self, rows: slice, stop: int, M: np.ndarray) -> np.ndarray:
        # |a - b| = 2 max(a, b) - a - b: one pass fewer than by differences.
        a, b, larger = self.a[rows], self.b[:stop], np.empty(M.shape)
        scatter = -a * M.sum(axis=1)[:, None] - M @ b
        for r in range(a.shape[1]):
            np.maximum(a[:, r, None], b[:, r], out=larger)
            scatter[:, r] += 2 * np.einsum("ij,ij->i", M, larger)
        return scatter

    def largest(self, weights: np.ndarray) -> float:
        return float(weights @ self._ranges())


class Overlap(Dissimilarity):
    """1 if different, else 0: categories without one-hot columns, one weight per original column.

    Each level has an indicator, so each direction is one matrix product. Memory: rows x levels.
    """

    name = "overlap"

    @staticmethod
    def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return (a != b) * 1.0

    def __init__(self, A: np.ndarray, B: np.ndarray | None):
        right = A if B is None else B
        levels = [np.unique(column) for column in right.T]
        self.first = np.cumsum([0, *map(len, levels)])[:-1]
        self.sizes = np.array([len(own) for own in levels])
        self.b = self._indicators(right, levels)
        self.a = self.b if B is None else self._indicators(A, levels)

    @staticmethod
    def _indicators(X: np.ndarray, levels: list[np.ndarray]) -> np.ndarray:
        return (
            np.hstack([column[:, None] == own for column, own in zip(X.T, levels, strict=True)])
            * 1.0
        )

    def distances(self, rows: slice, stop: int, weights: np.ndarray) -> np.ndarray:
        distances = (self.a[rows] * -np.repeat(weights, self.sizes)) @ self.b[:stop].T
        distances += weights.sum()
        return np.maximum(distances, 0, out=distances)

    def row_scatter(self, rows: slice, stop: int, M: np.ndarray) -> np.ndarray:
        same = (M @ self.b[:stop]) * self.a[rows]
        return M.sum(axis=1)[:, None] - np.add.reduceat(same, self.first, axis=1)

    def largest(self, weights: np.ndarray) -> float:
        return float(weights.sum())


DISSIMILARITIES: dict[str, type[Dissimilarity]] = {
    kind.name: kind for kind in (Squared, Absolute, Overlap)
}
