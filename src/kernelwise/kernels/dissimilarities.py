"""Dissimilarities of two values of one column: squared, absolute or overlap.

A dissimilarity is made for two tables and then works on blocks of their rows: ``distances`` is the
weighted sum over columns, ``row_scatter`` its way back, ``R_ir = sum_j M_ij delta(a_ir, b_jr)`` for
all columns r at once. Neither builds an n x n x d array. All three are conditionally negative
definite, so every radial profile of their weighted sum is positive definite.

Tables of float32 have distances in float32. Their ways back sum in float32 within a block of rows
or a tile, and beyond that in float64.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from kernelwise.kernels.absolute_sums import absolute_sums

# scatter(rows, M) -> (rows of the block, outputs, columns)
ScatterOfBlock = Callable[[slice, np.ndarray], np.ndarray]


class Dissimilarity:
    """Two tables of one type, prepared; ``b`` is ``a`` if a table is compared with itself."""

    name: str

    def __init__(self, A: np.ndarray, B: np.ndarray | None, weights: np.ndarray):
        # Differences of centered columns keep their digits; a mean in float32 would lose some.
        center = (A if B is None else B).mean(axis=0, dtype=float)
        self.a = (A - center).astype(A.dtype, copy=False)
        self.b = self.a if B is None else (B - center).astype(A.dtype, copy=False)
        self.weights = weights.astype(A.dtype, copy=False)

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

    def distances(self, rows: slice, stop: int) -> np.ndarray:
        """``sum_r weight_r delta(a_ir, b_jr)`` for a block of rows i and all j < stop."""
        raise NotImplementedError

    def row_scatter(self, rows: slice, stop: int, M: np.ndarray) -> np.ndarray:
        """``sum_j M_ij delta(a_ir, b_jr)`` in float64, for a block of rows i and all columns r.

        ``M``: (rows of the block, stop), of the type of the tables.
        """
        raise NotImplementedError

    def scatter_of(self, coef: np.ndarray) -> ScatterOfBlock:
        """``scatter(rows, M) = sum_j M_ij coef_jt delta(a_ir, b_jr)``, (rows, outputs, columns).

        ``coef``: (rows of b, outputs), of the type of the tables, as ``M`` is.
        """

        def scatter(rows: slice, M: np.ndarray) -> np.ndarray:
            found = [self.row_scatter(rows, len(coef), M * own) for own in coef.T]
            return np.stack(found, axis=1)

        return scatter

    def largest(self) -> float:
        """The largest distance that the ranges of the columns allow."""
        raise NotImplementedError

    def _ranges(self) -> np.ndarray:
        high = np.maximum(self.a.max(axis=0), self.b.max(axis=0))
        return high - np.minimum(self.a.min(axis=0), self.b.min(axis=0))


def _raised_to_zero(distances: np.ndarray) -> np.ndarray:
    """Rounding may leave a distance below 0. In place; a row of zeros is faster than the number."""
    return np.maximum(distances, np.zeros_like(distances[:1]), out=distances)


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

    @cached_property
    def _right(self) -> np.ndarray:
        """With the two last columns the product already has both squared lengths."""
        return np.column_stack([self.b, np.ones_like(self.b[:, :1]), self.b**2 @ self.weights])

    @cached_property
    def _moments(self) -> np.ndarray:
        return np.column_stack([self.b, self.b**2, np.ones_like(self.b[:, :1])])

    def distances(self, rows: slice, stop: int) -> np.ndarray:
        a = self.a[rows]
        left = np.column_stack([-2 * a * self.weights, a**2 @ self.weights, np.ones_like(a[:, :1])])
        distances = left @ self._right[:stop].T
        return _raised_to_zero(distances)

    def row_scatter(self, rows: slice, stop: int, M: np.ndarray) -> np.ndarray:
        return self._of_moments(self.a[rows], M @ self._moments[:stop])

    def scatter_of(self, coef: np.ndarray) -> ScatterOfBlock:
        size = self._moments.shape[1]
        right = (coef[:, :, None] * self._moments[:, None, :]).reshape(len(coef), -1)

        def scatter(rows: slice, M: np.ndarray) -> np.ndarray:
            moments = (M @ right).reshape(len(M), -1, size)
            return self._of_moments(self.a[rows][:, None, :], moments)

        return scatter

    @staticmethod
    def _of_moments(a: np.ndarray, moments: np.ndarray) -> np.ndarray:
        a, d = a.astype(float, copy=False), a.shape[-1]
        moments = moments.astype(float, copy=False)
        return a * a * moments[..., -1:] - 2 * a * moments[..., :d] + moments[..., d : 2 * d]

    def largest(self) -> float:
        return float(self.weights @ self._ranges() ** 2)


class Absolute(Dissimilarity):
    """``|a - b|``, the Laplacian's. Element-wise: O(n^2 d); compiled if numba is installed."""

    name = "absolute"

    @staticmethod
    def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.abs(a - b)

    def __init__(self, A: np.ndarray, B: np.ndarray | None, weights: np.ndarray):
        super().__init__(A, B, weights)
        self._sums = absolute_sums(self.a, self.b, self.weights)

    def distances(self, rows: slice, stop: int) -> np.ndarray:
        return self._sums.distances(rows, stop)

    def row_scatter(self, rows: slice, stop: int, M: np.ndarray) -> np.ndarray:
        return self._sums.row_scatter(rows, stop, M)

    def scatter_of(self, coef: np.ndarray) -> ScatterOfBlock:
        return lambda rows, M: self._sums.scatter_of(rows, M, coef)

    def largest(self) -> float:
        return float(self.weights @ self._ranges())


class Overlap(Dissimilarity):
    """1 if different, else 0: categories without one-hot columns, one weight per original column.

    Each level has an indicator, so each direction is one matrix product. Memory: rows x levels.
    """

    name = "overlap"

    @staticmethod
    def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return (a != b) * 1.0

    def __init__(self, A: np.ndarray, B: np.ndarray | None, weights: np.ndarray):
        right = A if B is None else B
        levels = [np.unique(column) for column in right.T]
        self.first = np.cumsum([0, *map(len, levels)])[:-1]
        self.sizes = np.array([len(own) for own in levels])
        self.b = self._indicators(right, levels)
        self.a = self.b if B is None else self._indicators(A, levels)
        self.weights = weights.astype(A.dtype, copy=False)

    @staticmethod
    def _indicators(X: np.ndarray, levels: list[np.ndarray]) -> np.ndarray:
        same = [column[:, None] == own for column, own in zip(X.T, levels, strict=True)]
        return np.hstack(same).astype(X.dtype)

    def distances(self, rows: slice, stop: int) -> np.ndarray:
        distances = (self.a[rows] * -np.repeat(self.weights, self.sizes)) @ self.b[:stop].T
        distances += self.weights.sum()
        return _raised_to_zero(distances)

    def row_scatter(self, rows: slice, stop: int, M: np.ndarray) -> np.ndarray:
        same = (M @ self.b[:stop]).astype(float, copy=False) * self.a[rows]
        return M.sum(axis=1, dtype=float)[:, None] - np.add.reduceat(same, self.first, axis=1)

    def largest(self) -> float:
        return float(self.weights.sum())


DISSIMILARITIES: dict[str, type[Dissimilarity]] = {
    kind.name: kind for kind in (Squared, Absolute, Overlap)
}
