"""Rows on a Dask cluster: blocks are summed where the rows are, and only sums travel."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from functools import cache, reduce
from itertools import accumulate
from operator import add
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from kernelwise.optional import import_optional
from kernelwise.scale import row_blocks
from kernelwise.scale.block_sums import BlockSums
from kernelwise.scale.row_blocks import (
    BlockedRows,
    BlockFunction,
    block_of,
    checked_rows,
    one_blas_thread,
)
from kernelwise.scale.row_pieces import as_expected, check_sizes, cut, rows_of_pieces
from kernelwise.solutions import Targets

# Sums that one task joins.
BRANCHES = 8
# Functions of more bytes go to the workers directly, not through the scheduler.
LARGE = 1_000_000
# What was sent directly is lost if all workers die at once: then the pass begins again.
TRIES = 3
# Tells the process of the caller, whose limits are its own, from those of workers.
PROCESS = uuid4().hex


class Share(NamedTuple):
    """The blocks that begin in one piece, which one task works on.

    Attributes
    ----------
    piece : its number
    skipped : how many of its rows belong to a block that began before it
    borrowed : (piece, rows) of those after it whose first rows complete its last block
    first, end : row numbers of its blocks
    """

    piece: int
    skipped: int
    borrowed: tuple[tuple[int, int], ...]
    first: int
    end: int


def shares_of(sizes: Sequence[int], block: int) -> list[Share]:
    """Who works on which blocks of ``block`` rows, for pieces of these sizes."""
    ends = list(accumulate(sizes))
    shares = []
    for piece, (size, end) in enumerate(zip(sizes, ends, strict=True)):
        start = end - size
        first = -(-start // block) * block
        if first >= end:
            continue
        last = min(-(-end // block) * block, ends[-1])
        borrowed, missing, lender = [], last - end, piece + 1
        while missing:
            lent = min(missing, sizes[lender])
            if lent:
                borrowed.append((lender, lent))
            missing, lender = missing - lent, lender + 1
        shares.append(Share(piece, first - start, tuple(borrowed), first, last))
    return shares


class DaskBlocks(BlockedRows):
    """Rows in pieces that Dask reads, each pass anew, on a cluster or in threads.

    A task sums the blocks that begin in its piece. Of the next piece it needs the first rows, fewer
    than a block, which go from worker to worker. Sums are joined in a tree of tasks, and only the
    total comes to the caller. What a killed worker had is computed again, with the same bits.

    Parameters
    ----------
    pieces : functions that read the rows of a piece, or Dask's `Delayed` rows of it
    sizes : their numbers of rows
    targets : of all rows; those of each piece are sent to the cluster once
    client : of ``distributed``; None: threads of this process
    n_threads : of this process, without a client
    """

    def __init__(
        self,
        pieces: Sequence[Any],
        sizes: Sequence[int],
        targets: Targets,
        client: Any = None,
        n_threads: int = 1,
    ) -> None:
        check_sizes(pieces, sizes, targets)
        self.sizes, self.targets = tuple(sizes), targets
        self.client, self.n_threads = client, n_threads
        self._block = row_blocks.ROWS_IN_BLOCK
        self._shares = shares_of(self.sizes, self._block)
        self._pieces = [p if hasattr(p, "__dask_graph__") else self._sent(p) for p in pieces]
        self._targets = [self._sent(targets.take(slice(s.first, s.end))) for s in self._shares]

    def reduce(self, function: BlockFunction) -> Any:
        def total() -> Any:
            sums = self._tasks(_sums, function)
            while len(sums) > 1:
                sums = [
                    self._delayed(_joined)(*sums[first : first + BRANCHES])
                    for first in range(0, len(sums), BRANCHES)
                ]
            return self._delayed(_total)(*sums)

        return self._computed(total)

    def collect(self, function: BlockFunction) -> np.ndarray:
        found = self._computed(lambda: self._delayed(_listed)(*self._tasks(_collected, function)))
        return np.concatenate(found)

    def take(self, rows: np.ndarray) -> np.ndarray:
        places = rows_of_pieces(checked_rows(rows, self.n_rows), self.sizes)

        def taken() -> Any:
            pieces = self._rows()
            return self._delayed(_listed)(
                *(self._delayed(_taken)(pieces[i], place) for i, place in places.items())
            )

        return np.concatenate(self._computed(taken))

    def _tasks(self, work: Callable, function: BlockFunction) -> list[Any]:
        """``work`` on every share."""
        pieces, sent, name = self._rows(), self._function(function), f"blocks-{uuid4().hex}"
        work = self._delayed(work)
        return [
            work(
                sent,
                pieces[share.piece],
                [self._delayed(_first_rows)(pieces[i], count) for i, count in share.borrowed],
                targets,
                (share.skipped, share.first // self._block, self._block),
                dask_key_name=(name, number),
            )
            for number, (share, targets) in enumerate(zip(self._shares, self._targets, strict=True))
        ]

    def _rows(self) -> list[Any]:
        """The rows of each piece, to be read in this pass; tasks of one name are begun in turn."""
        name = f"rows-{uuid4().hex}"
        return [
            self._delayed(_read)(piece, size, number, dask_key_name=(name, number))
            for number, (piece, size) in enumerate(zip(self._pieces, self.sizes, strict=True))
        ]

    def _delayed(self, function: Callable) -> Any:
        return import_optional("dask", extra="distributed").delayed(function, pure=False)

    def _sent(self, value: Any) -> Any:
        """A value that stays with the cluster, as a task that can be run again."""
        if self.client is None:
            dask = import_optional("dask", extra="distributed")
            return dask.delayed(value, pure=False, traverse=False)
        return self.client.submit(_same, value, pure=False)

    def _function(self, function: BlockFunction) -> Any:
        """A function as all tasks of a pass share it."""
        if self.client is None:
            return function
        pickled = import_optional("cloudpickle", extra="distributed").dumps((PROCESS, function))
        if len(pickled) > LARGE:
            return self.client.scatter(pickled, broadcast=True)
        return import_optional("dask", extra="distributed").delayed(pickled, pure=False)

    def _computed(self, graph: Callable[[], Any]) -> Any:
        if self.client is None:
            dask = import_optional("dask", extra="distributed")
            with one_blas_thread():
                return dask.compute(graph(), scheduler="threads", num_workers=self.n_threads)[0]
        for _ in range(TRIES):
            try:
                with one_blas_thread():  # the workers may be threads of this process
                    return self.client.compute(graph()).result()
            except CancelledError:
                continue
        raise ConnectionError("the Dask cluster lost all its workers, or is gone")


def _read(piece: Any, size: int, number: int) -> np.ndarray:
    return as_expected(piece() if callable(piece) else piece, size, number)


def _same(value: Any) -> Any:
    return value


def _first_rows(rows: np.ndarray, count: int) -> np.ndarray:
    # A copy: a view would send the whole piece to another worker, or keep it in memory.
    return rows[:count].copy()


def _taken(rows: np.ndarray, places: np.ndarray) -> np.ndarray:
    return rows[places]


def _sums(
    sent: Any, rows: np.ndarray, borrowed: list[np.ndarray], targets: Targets, where: tuple
) -> BlockSums:
    function, (_, first_block, _) = _unpacked(sent), where
    return BlockSums.of(
        (function(*block) for block in _blocks(rows, borrowed, targets, where)), first_block
    )


def _collected(
    sent: Any, rows: np.ndarray, borrowed: list[np.ndarray], targets: Targets, where: tuple
) -> np.ndarray:
    function = _unpacked(sent)
    return np.concatenate([function(*block) for block in _blocks(rows, borrowed, targets, where)])


def _blocks(
    rows: np.ndarray, borrowed: list[np.ndarray], targets: Targets, where: tuple
) -> Iterator[tuple[np.ndarray, Targets]]:
    skipped, _, size = where
    for number, X in enumerate(cut([rows[skipped:], *borrowed], size)):
        yield block_of(X, targets, slice(number * size, number * size + len(X)))


def _joined(*sums: BlockSums) -> BlockSums:
    return reduce(add, sums)


def _total(*sums: BlockSums) -> Any:
    return reduce(add, sums, BlockSums()).total


def _listed(*parts: np.ndarray) -> list[np.ndarray]:
    return list(parts)


def _unpacked(sent: Any) -> BlockFunction:
    """The function of a pass; a worker then leaves linear algebra one thread for good."""
    if not isinstance(sent, bytes):
        return sent
    process, function = pickle.loads(sent)
    if process != PROCESS:
        _limit_worker()
    return function


@cache
def _limit_worker() -> None:
    one_blas_thread()
