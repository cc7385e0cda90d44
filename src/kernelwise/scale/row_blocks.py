"""Sums over blocks of rows: cut in one way, added in one order, by any number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from kernelwise.solutions import Targets

# Rows of a block: its Gram matrix to 1000 landmarks takes 8 MB, and is not split further.
ROWS_IN_BLOCK = 1024


def tree_sum(parts: Iterable[Any]) -> Any:
    """The sum of parts in the order of a binary tree, of which at most ``log2`` are held at a time.

    The order depends on the number of parts alone, so the last bits do, too.
    """
    waiting: list[tuple[int, Any]] = []
    for part in parts:
        size = 1
        while waiting and waiting[-1][0] == size:
            part = waiting.pop()[1] + part
            size *= 2
        waiting.append((size, part))
    total = waiting.pop()[1]
    while waiting:
        total = waiting.pop()[1] + total
    return total


@dataclass(frozen=True)
class RowBlocks:
    """Rows and targets in memory, cut into blocks whose sums are taken in threads.

    Attributes
    ----------
    X, targets : all rows
    n_threads : blocks to work on at the same time; linear algebra has one thread in each
    """

    X: np.ndarray
    targets: Targets
    n_threads: int = 1

    @property
    def n_rows(self) -> int:
        return len(self.X)

    def take(self, rows: np.ndarray) -> np.ndarray:
        """Some rows, by their numbers."""
        return self.X[rows]

    def blocks(self) -> Iterator[tuple[np.ndarray, Targets]]:
        """The rows and targets of each block, in order."""
        for first in range(0, len(self.X), ROWS_IN_BLOCK):
            rows = slice(first, first + ROWS_IN_BLOCK)
            yield self.X[rows], self.targets.take(rows)

    def collect(self, function: Callable[[np.ndarray, Targets], np.ndarray]) -> np.ndarray:
        """``function(rows, targets)`` of every block, one after the other."""
        with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(self.n_threads) as pool:
            return np.concatenate(list(pool.map(lambda block: function(*block), self.blocks())))

    def reduce(self, function: Callable[[np.ndarray, Targets], Any]) -> Any:
        """The sum of ``function(rows, targets)`` over blocks, the same for any ``n_threads``."""
        with threadpool_limits(1, user_api="blas"):
            if self.n_threads == 1:
                return tree_sum(function(*block) for block in self.blocks())
            with ThreadPoolExecutor(self.n_threads) as pool:
                return tree_sum(pool.map(lambda block: function(*block), self.blocks()))
