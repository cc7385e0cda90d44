"""Thermometer codes: absolute differences of columns with few levels as matrix products."""

from __future__ import annotations

import numpy as np

# More levels than this cost more columns of a matrix product than they save (8 of 20 ns at 12
# levels, the same at 32); tables of many columns also need room for the codes.
MOST_LEVELS = 12
# Rows that show that a column has more levels, before all rows are sorted.
ROWS_TO_LOOK_AT = 64


class ThermometerCodes:
    """Columns of two tables that have few levels, with one indicator per gap between levels.

    A value has a 1 for every level up to its own but the lowest, like the mercury of a thermometer;
    so ``|x - z| = sum_g gap_g [code_g(x) != code_g(z)]``, exactly; of codes 0 and 1 ``[c != e]`` is
    ``c + e - 2 c e``. The levels are those of both tables together.

    Attributes
    ----------
    columns, others : numbers of the columns with codes, and of those without
    """

    def __init__(self, a: np.ndarray, b: np.ndarray):
        levels = [_few_levels(left, right) for left, right in zip(a.T, b.T, strict=True)]
        self.columns = np.array([r for r, own in enumerate(levels) if own is not None], int)
        self.others = np.setdiff1d(np.arange(a.shape[1]), self.columns)
        coded = [own for own in levels if own is not None]
        # A column of one level has one gap of width 0: every column has a part of its own.
        steps = [own[1:] if len(own) > 1 else own for own in coded]
        gaps = [np.diff(own) if len(own) > 1 else np.zeros(1) for own in coded]
        self.gaps = np.concatenate([np.empty(0), *gaps])
        self.first = np.cumsum([0, *map(len, gaps)])[:-1]
        self.b = _indicators(b[:, self.columns], steps, ones=1)
        self.a = self.b[:, :-1] if b is a else _indicators(a[:, self.columns], steps)

    def row_scatter(self, rows: slice, stop: int, M: np.ndarray) -> np.ndarray:
        """``sum_j M_ij |a_ir - b_jr|`` in float64, for the columns that have codes.

        One matrix product. Cost: n m gaps.
        """
        moments = (M @ self.b[:stop]).astype(float, copy=False)
        reached, total = moments[:, :-1], moments[:, -1:]
        different = self.a[rows] * (total - 2 * reached) + reached
        return np.add.reduceat(different * self.gaps, self.first, axis=1)


def _few_levels(left: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """The levels of a column in both tables, if they are few and finite."""
    if len(np.unique(right[:ROWS_TO_LOOK_AT])) > MOST_LEVELS:
        return None
    levels = np.union1d(left, right)
    return levels if len(levels) <= MOST_LEVELS and np.isfinite(levels).all() else None


def _indicators(table: np.ndarray, steps: list[np.ndarray], ones: int = 0) -> np.ndarray:
    """For every step of every column whether a row reaches it, then columns of ones."""
    parts = [column[:, None] >= own for column, own in zip(table.T, steps, strict=True)]
    return np.hstack([*parts, np.ones((len(table), ones), bool)]).astype(table.dtype)
