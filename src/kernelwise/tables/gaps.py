"""Missing numbers of a table: what they count as, and that they are missing as a number too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

# Weights are added up in the order of values; half of their sum is met up to rounding.
ROUNDING = 1e-10


class UnseenGapWarning(UserWarning):
    """A numeric column has gaps, but had none in fit."""


@dataclass(frozen=True)
class Gaps:
    """The gaps of numeric columns, filled with the median of the column.

    A column with gaps that are ``shown`` has a second coordinate, 1 where it has a gap and else 0,
    after the coordinates of all columns: a gap is then as far from the median as one standard
    deviation. Rare gaps would be further, and alone, if this coordinate were standardized; and gaps
    at random would hide what other columns say from a kernel with one width (docs/guide/gaps.md).

    Attributes
    ----------
    fill : what a gap counts as, for each column
    counts : how many rows of the fit had a gap, for each column
    n_rows : of the fit
    shown : numbers of the columns with a second coordinate
    """

    fill: np.ndarray
    counts: np.ndarray
    n_rows: int
    shown: np.ndarray

    @classmethod
    def learn(cls, numbers: np.ndarray, weights: np.ndarray, show: bool) -> Gaps:
        """The gaps of the rows of positive weight, and the weighted median of each column."""
        used = weights > 0
        missing = np.isnan(numbers[used])
        counts = missing.sum(axis=0)
        fill = np.zeros(numbers.shape[1])
        for r in np.flatnonzero(counts < len(missing)):
            there = ~missing[:, r]
            fill[r] = weighted_median(numbers[used, r][there], weights[used][there])
        partly = (counts > 0) & (counts < len(missing))
        return cls(fill, counts, len(missing), np.flatnonzero(partly & show))

    def filled(self, numbers: np.ndarray) -> np.ndarray:
        """The coordinates of rows, (rows, columns + shown columns).

        A column without a value in fit is constant, whatever it holds later.
        """
        missing = np.isnan(numbers)
        coordinates = np.where(missing | self.is_empty, self.fill, numbers)
        return np.hstack([coordinates, missing[:, self.shown]])

    @property
    def is_empty(self) -> np.ndarray:
        return self.counts == self.n_rows

    def words(self, names: Sequence[str] | None) -> tuple[str, ...]:
        """A sentence for each column with gaps."""
        return tuple(self._words(int(r), names) for r in np.flatnonzero(self.counts))

    def _words(self, r: int, names: Sequence[str] | None) -> str:
        column = f"column {called(r, names)}"
        if self.is_empty[r]:
            return f"{column}: all values are missing, so it says nothing"
        seen = "counts as information" if r in self.shown else "is not seen by a kernel object"
        return (
            f"{column}: {self.counts[r]} of {self.n_rows} values are missing and were filled with "
            f"its median, {self.fill[r]:.6g}; that a value is missing {seen}"
        )


def called(r: int, names: Sequence[str] | None) -> str:
    """What a message calls a column: its name, or its number."""
    return str(r) if names is None else repr(str(names[r]))


def weighted_median(values: np.ndarray, weights: np.ndarray) -> float:
    """The median of values repeated by weight; midway if half of the weight is below it."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    half = below[-1] / 2
    first = np.searchsorted(below, half * (1 - ROUNDING))
    last = np.searchsorted(below, half * (1 + ROUNDING), side="right")
    return float(0.5 * values[order[first]] + 0.5 * values[order[last]])
