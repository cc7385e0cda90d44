"""Sums over blocks of rows: cut in one way, added in one order, by any number of threads."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from kernelwise.scale.block_sums import tree_sum
from kernelwise.solutions import Targets
from kernelwise.threads import one_blas_thread

# Rows of a block. Those of each fold are a product of their own, which with fewer rows would cost
# more for its landmarks^2 entries than for the rows.
ROWS_IN_BLOCK = 4096
# Blocks in flight per thread: one to work on, and one to begin right after it.
BLOCKS_PER_THREAD = 2

# What is done with the rows and targets of a block.
BlockFunction = Callable[[np.ndarray, Targets], Any]

_pass_listener: ContextVar[Callable[[int, int], None]] = ContextVar(
    "pass_listener", default=lambda done, rows: None
)


@contextmanager
def watching_passes(function: Callable[[int, int], None]) -> Iterator[None]:
    """Call ``function(done, rows)`` after each block of this thread: rows so far, and all.

    It may raise an exception to end the pass. Passes on a cluster are not watched.
    """
    token = _pass_listener.set(function)
    try:
        yield
    finally:
        _pass_listener.reset(token)


class BlockedRows(ABC):
    """Rows of any number with their targets, wherever the rows are, worked on block by block.

    Blocks begin at multiples of `ROWS_IN_BLOCK`, and their sums are added in one fixed tree
    (`BlockSums`): neither threads, nor pieces of a file, nor workers of a cluster change a bit.
    Targets are in memory: they are a few numbers per row.
    """

    targets: Targets

    @property
    def n_rows(self) -> int:
        return len(self.targets.weights)

    def with_targets(self, targets: Targets) -> Self:
        """The same rows with other targets."""
        other = copy.copy(self)
        object.__setattr__(other, "targets", targets)  # every kind of rows is frozen
        return other

    @abstractmethod
    def reduce(self, function: BlockFunction) -> Any:
        """The sum of ``function(rows, targets)`` over blocks: one pass."""

    @abstractmethod
    def collect(self, function: BlockFunction) -> np.ndarray:
        """``function(rows, targets)`` of every block, one after the other: one pass."""

    @abstractmethod
    def take(self, rows: np.ndarray) -> np.ndarray:
        """The rows of these numbers, which are sorted, in memory."""


class LocalBlocks(BlockedRows):
    """Rows of this machine; a subclass has ``n_threads`` and gives the blocks in order."""

    n_threads: int

    @abstractmethod
    def blocks(self) -> Iterator[tuple[np.ndarray, Targets]]:
        """The rows and targets of each block, in order."""

    def reduce(self, function: BlockFunction) -> Any:
        with one_blas_thread():
            return tree_sum(self._each(function))

    def collect(self, function: BlockFunction) -> np.ndarray:
        with one_blas_thread():
            return np.concatenate(list(self._each(function)))

    def _each(self, function: BlockFunction) -> Iterator[Any]:
        told, done = _pass_listener.get(), 0
        for result in in_threads(function, self.blocks(), self.n_threads):
            done = min(done + ROWS_IN_BLOCK, self.n_rows)
            told(done, self.n_rows)
            yield result


@dataclass(frozen=True)
class RowBlocks(LocalBlocks):
    """Rows and targets in memory, cut into blocks whose sums are taken in threads.

    Attributes
    ----------
    X, targets : all rows
    n_threads : blocks to work on at the same time; linear algebra has one thread in each
    """

    X: np.ndarray
    targets: Targets
    n_threads: int = 1

    def blocks(self) -> Iterator[tuple[np.ndarray, Targets]]:
        for first in range(0, len(self.X), ROWS_IN_BLOCK):
            rows = slice(first, first + ROWS_IN_BLOCK)
            yield block_of(self.X[rows], self.targets, rows)

    def take(self, rows: np.ndarray) -> np.ndarray:
        return self.X[checked_rows(rows, self.n_rows)]


def block_of(X: np.ndarray, targets: Targets, rows: slice) -> tuple[np.ndarray, Targets]:
    """A block as every engine gives it: in one layout, because linear algebra may round by it."""
    taken = targets.take(rows)
    return np.ascontiguousarray(X), replace(taken, values=np.ascontiguousarray(taken.values))


def checked_rows(rows: np.ndarray, n_rows: int) -> np.ndarray:
    """Row numbers, if they are sorted and below ``n_rows``."""
    rows = np.asarray(rows)
    if len(rows) and (rows[0] < 0 or rows[-1] >= n_rows or (np.diff(rows) < 0).any()):
        raise ValueError(f"row numbers must be sorted and lie between 0 and {n_rows - 1}")
    return rows


def in_threads(
    function: Callable[..., Any], blocks: Iterable[tuple[Any, ...]], n_threads: int
) -> Iterator[Any]:
    """``function(*block)`` of each block, in order.

    Only two blocks per thread are taken ahead: blocks that are read from a disk must not all be in
    memory at a time.
    """
    if n_threads == 1:
        for block in blocks:
            yield function(*block)
        return
    running: deque[Future] = deque()
    with ThreadPoolExecutor(n_threads, initializer=one_blas_thread) as pool:
        for block in blocks:
            if len(running) == BLOCKS_PER_THREAD * n_threads:
                yield running.popleft().result()
            running.append(pool.submit(function, *block))
        while running:
            yield running.popleft().result()
