"""Sums over the rows of each fold: machines without a fold, at no further look at the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kernelwise.scale.entries import Entries
from kernelwise.scale.landmarks import hashed
from kernelwise.solutions import RowStatistics, Targets


@dataclass(frozen=True)
class FoldedTargets(Targets):
    """Targets, and the number of each row's fold."""

    fold: np.ndarray

    @classmethod
    def of(cls, targets: Targets, fold: np.ndarray) -> FoldedTargets:
        return cls(targets.values, targets.weights, targets.within, fold)

    def take(self, rows: np.ndarray | slice) -> FoldedTargets:
        return FoldedTargets.of(super().take(rows), self.fold[rows])

    @property
    def numbers(self) -> np.ndarray:
        """The numbers of the folds that have rows."""
        return np.unique(self.fold)


def hashed_folds(n_rows: int, n_folds: int, seed: int) -> np.ndarray:
    """A fold for each row, by a hash of its number: the same however a table is cut."""
    return _fold_of(np.arange(n_rows), n_folds, seed)


def dealt_folds(rows: np.ndarray, n_folds: int, seed: int) -> list[np.ndarray]:
    """The places of each fold among rows of these numbers, by the same hash."""
    fold = _fold_of(rows, n_folds, seed)
    return [np.flatnonzero(fold == number) for number in range(n_folds)]


def _fold_of(rows: np.ndarray, n_folds: int, seed: int) -> np.ndarray:
    return (hashed(seed, rows) % np.uint64(n_folds)).astype(int)


@dataclass(frozen=True)
class FoldSums:
    """Sums over rows, those of each fold apart; two of them add up fold by fold."""

    parts: dict[int, RowStatistics]

    @classmethod
    def of(
        cls, entries: Entries, X: np.ndarray, targets: FoldedTargets, reference: np.ndarray
    ) -> FoldSums:
        """The sums of a block of rows.

        The rows of a fold are put side by side first, which is cheaper than to gather rows of the
        Gram matrix.
        """
        order = np.argsort(targets.fold, kind="stable")
        return cls.of_sorted(entries.gram(X[order]), targets.take(order), reference)

    @classmethod
    def of_sorted(cls, gram: np.ndarray, targets: FoldedTargets, reference: np.ndarray) -> FoldSums:
        """The same of rows that are sorted by fold, with their Gram matrix."""
        numbers, starts = np.unique(targets.fold, return_index=True)
        parts = {}
        for number, first, end in zip(numbers, starts, [*starts[1:], len(gram)], strict=True):
            rows = slice(first, end)
            parts[int(number)] = RowStatistics.of(gram[rows], targets.take(rows), reference)
        return cls(parts)

    def __add__(self, other: FoldSums) -> FoldSums:
        joined = dict(self.parts)
        for number, part in other.parts.items():
            joined[number] = joined[number] + part if number in joined else part
        return FoldSums(joined)

    def total(self, within: np.ndarray) -> RowStatistics:
        """The sums over all rows, with the squares that mean targets of equal rows hide."""
        parts = [self.parts[number] for number in sorted(self.parts)]
        summed = sum(parts[1:], parts[0])
        return replace(summed, squares=summed.squares + within)
