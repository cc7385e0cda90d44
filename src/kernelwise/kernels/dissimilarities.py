"""How different two values of one column are: squared, absolute or overlap.

Each dissimilarity offers the weighted sum over columns, ``distances``, and its way back,
``row_scatter``: ``R_ir = sum_j M_ij delta(a_ir, b_jr)`` for all columns r at once. Neither builds
an n x n x d array. All three are conditionally negative definite, so every radial profile of their
weighted sum is positive definite.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist


class Squared:
    """``(a - b)^2``. One matrix product each way: O(n^2 d)."""

    name = "squared"

    @staticmethod
    def weight_of(length_scale: np.ndarray) -> np.ndarray:
        return 0.5 / length_scale**2

    @staticmethod
    def length_scale_of(weight: np.ndarray) -> np.ndarray:
        return np.sqrt(0.5 / weight)

    @staticmethod
    def distances(A: np.ndarray, B: np.ndarray, weights: np.ndarray) -> np.ndarray:
        root = np.sqrt(weights)
        A, B = A * root, B * root
        distances = A @ (-2 * B.T)
        distances += (A * A).sum(axis=1)[:, None]
        distances += (B * B).sum(axis=1)
        return np.maximum(distances, 0, out=distances)

    @staticmethod
    def row_scatter(A: np.ndarray, B: np.ndarray, M: np.ndarray) -> np.ndarray:
        d = A.shape[1]
        moments = M @ np.column_stack([B, B * B, np.ones(len(B))])
        return A * A * moments[:, -1:] - 2 * A * moments[:, :d] + moments[:, d : 2 * d]

    @staticmethod
    def mean(column: np.ndarray) -> float:
        return 2 * float(np.var(column))


class Absolute:
    """``|a - b|``, the Laplacian's. Element-wise: O(n^2 d), block by block in cache."""

    name = "absolute"

    @staticmethod
    def weight_of(length_scale: np.ndarray) -> np.ndarray:
        return 1 / length_scale

    @staticmethod
    def length_scale_of(weight: np.ndarray) -> np.ndarray:
        return 1 / weight

    @staticmethod
    def distances(A: np.ndarray, B: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return cdist(A * weights, B * weights, "cityblock")

    @staticmethod
    def row_scatter(A: np.ndarray, B: np.ndarray, M: np.ndarray) -> np.ndarray:
        # |a - b| = 2 max(a, b) - a - b: one pass fewer than by differences.
        larger = np.empty(M.shape)
        scatter = -A * M.sum(axis=1)[:, None] - M @ B
        for r in range(A.shape[1]):
            np.maximum(A[:, r, None], B[:, r], out=larger)
            scatter[:, r] += 2 * np.einsum("ij,ij->i", M, larger)
        return scatter

    @staticmethod
    def mean(column: np.ndarray) -> float:
        n, ordered = len(column), np.sort(column)
        return 2 * float((2 * np.arange(1, n + 1) - n - 1) @ ordered) / n**2


class Overlap:
    """1 if different, else 0: categories without one-hot columns, one weight per original column.

    The way back is a matrix product with each column's level indicators.
    """

    name = "overlap"
    weight_of = Absolute.weight_of
    length_scale_of = Absolute.length_scale_of

    @staticmethod
    def distances(A: np.ndarray, B: np.ndarray, weights: np.ndarray) -> np.ndarray:
        total = weights.sum()
        if total == 0:
            return np.zeros((len(A), len(B)))
        distances = cdist(A, B, "hamming", w=weights)
        distances *= total
        return distances

    @staticmethod
    def row_scatter(A: np.ndarray, B: np.ndarray, M: np.ndarray) -> np.ndarray:
        scatter = np.repeat(M.sum(axis=1)[:, None], A.shape[1], axis=1)
        for r in range(A.shape[1]):
            levels = np.unique(B[:, r])
            same = M @ (B[:, r, None] == levels).astype(float)
            column = np.minimum(np.searchsorted(levels, A[:, r]), len(levels) - 1)
            seen = levels[column] == A[:, r]
            scatter[seen, r] -= same[seen, column[seen]]
        return scatter

    @staticmethod
    def mean(column: np.ndarray) -> float:
        shares = np.unique(column, return_counts=True)[1] / len(column)
        return 1 - float(shares @ shares)


DISSIMILARITIES = {kind.name: kind for kind in (Squared, Absolute, Overlap)}
