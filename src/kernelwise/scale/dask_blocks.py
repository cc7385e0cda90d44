"""Rows on a Dask cluster: blocks are summed where the rows are, and only sums travel."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import accumulate
from operator import add
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from kernelwise.scale import row_blocks
from kernelwise.scale.block_sums import BlockSums
from kernelwise.scale.dask_cluster import DaskCluster, called, listed, opened
from kernelwise.scale.row_blocks import BlockedRows, BlockFunction, block_of, checked_rows
from kernelwise.scale.row_pieces import as_expected, check_sizes, cut, rows_of_pieces
from kernelwise.solutions import Targets

# Sums that one task joins.
BRANCHES = 8


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
    pieces : functions that read a piece, or Dask's `Delayed` pieces
    sizes : their numbers of rows
    targets : of all rows; those of each piece are sent to the cluster once
    cluster : where the work is done
    encode : turns a piece into rows, (rows, columns); None: it is rows
    """

    def __init__(
        self,
        pieces: Sequence[Any],
        sizes: Sequence[int],
        targets: Targets,
        cluster: DaskCluster,
        encode: Callable[[Any], np.ndarray] | None = None,
    ) -> None:
        check_sizes(pieces, sizes, targets)
        self.sizes, self.cluster = tuple(sizes), cluster
        self.encode = encode or np.asarray
        self._block = row_blocks.ROWS_IN_BLOCK
        self._shares = shares_of(self.sizes, self._block)
        self._pieces = [cluster.kept(piece) for piece in pieces]
        self._send(targets)

    def _send(self, targets: Targets) -> None:
        self.targets, kept = targets, self.cluster.kept
        self._targets = [kept(targets.take(slice(s.first, s.end))) for s in self._shares]

    def with_targets(self, targets: Targets) -> DaskBlocks:
        other = copy.copy(self)
        other._send(targets)
        return other

    def reduce(self, function: BlockFunction) -> Any:
        def total() -> Any:
            sums, join = self._tasks(_sums, function), self.cluster.task(_joined)
            while len(sums) > 1:
                sums = [
                    join(*sums[first : first + BRANCHES]) for first in range(0, len(sums), BRANCHES)
                ]
            return self.cluster.task(_total)(*sums)

        return self.cluster.computed(total)

    def collect(self, function: BlockFunction) -> np.ndarray:
        def parts() -> Any:
            return self.cluster.task(listed)(*self._tasks(_collected, function))

        return np.concatenate(self.cluster.computed(parts))

    def take(self, rows: np.ndarray) -> np.ndarray:
        places = rows_of_pieces(checked_rows(rows, self.n_rows), self.sizes)

        def parts() -> Any:
            pieces, take = self._rows(), self.cluster.task(_taken)
            return self.cluster.task(listed)(
                *(take(pieces[number], place) for number, place in places.items())
            )

        return np.concatenate(self.cluster.computed(parts))

    def _tasks(self, work: Callable, function: BlockFunction) -> list[Any]:
        """``work`` on every share."""
        pieces, shared, name = self._rows(), self.cluster.shared(function), f"blocks-{uuid4().hex}"
        work, first_rows = self.cluster.task(work), self.cluster.task(_first_rows)
        return [
            work(
                shared,
                pieces[share.piece],
                [first_rows(pieces[number], count) for number, count in share.borrowed],
                targets,
                (share.skipped, share.first // self._block, self._block),
                dask_key_name=(name, index),
            )
            for index, (share, targets) in enumerate(zip(self._shares, self._targets, strict=True))
        ]

    def _rows(self) -> list[Any]:
        """The rows of each piece, to be read in this pass; tasks of one name are begun in turn."""
        encode, read, name = self.cluster.shared(self.encode), self.cluster.task(_read), uuid4().hex
        return [
            read(encode, piece, size, number, dask_key_name=(f"rows-{name}", number))
            for number, (piece, size) in enumerate(zip(self._pieces, self.sizes, strict=True))
        ]


def _read(shared: Any, piece: Any, size: int, number: int) -> np.ndarray:
    return as_expected(called(shared)(opened(piece)), size, number)


def _first_rows(rows: np.ndarray, count: int) -> np.ndarray:
    # A copy: a view would send the whole piece to another worker, or keep it in memory.
    return rows[:count].copy()


def _taken(rows: np.ndarray, places: np.ndarray) -> np.ndarray:
    return rows[places]


def _sums(
    shared: Any, rows: np.ndarray, borrowed: list[np.ndarray], targets: Targets, where: tuple
) -> BlockSums:
    function, (_, first_block, _) = called(shared), where
    return BlockSums.of(
        (function(*block) for block in _blocks(rows, borrowed, targets, where)), first_block
    )


def _collected(
    shared: Any, rows: np.ndarray, borrowed: list[np.ndarray], targets: Targets, where: tuple
) -> np.ndarray:
    function = called(shared)
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
