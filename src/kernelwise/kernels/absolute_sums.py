"""Sums of absolute differences between the rows of two tables, both ways.

Compiled loops if numba is installed (the extra ``fast``), else scipy and numpy. Which of them
computes an entry is decided by the shape of the two tables alone, never by what ran before, so that
the same fit has the same bits; forward all ways have the same bits in float64, and back they agree
to rounding. In nanoseconds per entry of 20 columns in float64, one thread: forward 1.1 compiled,
4.9 by scipy; back 1.0 compiled, 20 by numpy, 1.1 to 8 by the codes of columns with 2 to 12 levels.
"""

from __future__ import annotations

from functools import cache, cached_property
from types import ModuleType
from typing import Protocol

import numpy as np
from scipy.spatial.distance import cdist

from kernelwise.kernels.thermometer import ThermometerCodes

# From so many differences (rows x rows x columns) on, one evaluation and its way back save more
# than a millisecond by compiled loops; loading numba takes 0.3 s, which a fit of some hundred
# evaluations then earns back. A small fit never loads it.
COMPILED_FROM = 2**20


class AbsoluteSums(Protocol):
    """``sum_r weight_r |a_ir - b_jr|`` and its way back, for blocks of rows i and all j < stop."""

    def distances(self, rows: slice, stop: int) -> np.ndarray: ...

    def row_scatter(self, rows: slice, stop: int, M: np.ndarray) -> np.ndarray:
        """``sum_j M_ij |a_ir - b_jr|`` in float64."""

    def scatter_of(self, rows: slice, M: np.ndarray, coef: np.ndarray) -> np.ndarray:
        """``sum_j M_ij coef_jt |a_ir - b_jr|`` over all j, in float64: (rows, outputs, columns)."""


@cache
def compiled_loops() -> ModuleType | None:
    """The compiled loops, or None without numba; found out once, at the first large table."""
    try:
        from kernelwise.kernels import compiled
    except ImportError:
        return None
    return compiled


def absolute_sums(a: np.ndarray, b: np.ndarray, weights: np.ndarray) -> AbsoluteSums:
    """The way that suits tables of this shape."""
    large = len(a) * len(b) * a.shape[1] >= COMPILED_FROM
    loops = compiled_loops() if large else None
    return NumpySums(a, b, weights) if loops is None else CompiledSums(loops, a, b, weights)


class CompiledSums:
    """By the loops of ``compiled``; memory: copies of the tables, as the loops want them."""

    def __init__(self, loops: ModuleType, a: np.ndarray, b: np.ndarray, weights: np.ndarray):
        self.loops, self.a, self.b = loops, a, b
        self.scaled = self._laid_out(weights)

    def _laid_out(self, factors: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
        left = self.loops.padded(self.a * factors)
        right = left if self.b is self.a else self.loops.padded(self.b * factors)
        return left, np.ascontiguousarray(right.T)

    @cached_property
    def plain(self) -> tuple[np.ndarray, np.ndarray]:
        return self._laid_out(1.0)

    def distances(self, rows: slice, stop: int) -> np.ndarray:
        left, right = self.scaled
        return self.loops.city_distances(left[rows], right, stop)

    def row_scatter(self, rows: slice, stop: int, M: np.ndarray) -> np.ndarray:
        left, right = self.plain
        own = np.ascontiguousarray(M, self.a.dtype)
        return self.loops.city_scatter(left[rows], right, own)[:, : self.a.shape[1]]

    def scatter_of(self, rows: slice, M: np.ndarray, coef: np.ndarray) -> np.ndarray:
        left, right = self.plain
        own = np.ascontiguousarray(M, self.a.dtype)
        found = self.loops.city_scatters(left[rows], right, own, coef)
        return found[:, :, : self.a.shape[1]]


class NumpySums:
    """By scipy forward, and back by matrix products of codes where columns have few levels."""

    def __init__(self, a: np.ndarray, b: np.ndarray, weights: np.ndarray):
        self.a, self.b, self.weights = a, b, weights

    @cached_property
    def codes(self) -> ThermometerCodes:
        return ThermometerCodes(self.a, self.b)

    def distances(self, rows: slice, stop: int) -> np.ndarray:
        found = cdist(self.a[rows] * self.weights, self.b[:stop] * self.weights, "cityblock")
        return found.astype(self.a.dtype, copy=False)

    def row_scatter(self, rows: slice, stop: int, M: np.ndarray) -> np.ndarray:
        scatter, codes = np.empty((len(M), self.a.shape[1])), self.codes
        if len(codes.columns):
            scatter[:, codes.columns] = codes.row_scatter(rows, stop, M)
        if len(codes.others):
            a, b = self.a[rows][:, codes.others], self.b[:stop, codes.others]
            ones = np.ones((stop, 1), M.dtype)
            scatter[:, codes.others] = _scatter_by_column(a, b, M, ones)[:, 0]
        return scatter

    def scatter_of(self, rows: slice, M: np.ndarray, coef: np.ndarray) -> np.ndarray:
        scatter = np.empty((len(M), coef.shape[1], self.a.shape[1]))
        codes, stop = self.codes, len(coef)
        if len(codes.columns):
            for t, own in enumerate(coef.T):
                scatter[:, t, codes.columns] = codes.row_scatter(rows, stop, M * own)
        if len(codes.others):
            a, b = self.a[rows][:, codes.others], self.b[:, codes.others]
            scatter[:, :, codes.others] = _scatter_by_column(a, b, M, coef)
        return scatter


def _scatter_by_column(a: np.ndarray, b: np.ndarray, M: np.ndarray, coef: np.ndarray) -> np.ndarray:
    """``sum_j M_ij coef_jt |a_ir - b_jr|``, (rows, outputs, columns)."""
    # |a - b| = 2 max(a, b) - a - b: one pass fewer than by differences.
    lesser = M @ (coef[:, :, None] * b[:, None, :]).reshape(len(b), -1)
    scatter = -a[:, None, :] * (M @ coef)[:, :, None] - lesser.reshape(len(a), -1, a.shape[1])
    larger = np.empty(M.shape, M.dtype)
    for r in range(a.shape[1]):
        np.maximum(a[:, r, None], b[:, r], out=larger)
        larger *= M
        scatter[:, :, r] += 2 * (larger @ coef)
    return scatter
