"""Rows on a Dask cluster: blocks are summed where the rows are, and only sums travel."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import accumulate
from operator import add
from typing import Any, NamedTuple

import numpy as np

from kernelwise.scale import row_blocks
from kernelwise.scale.block_sums import BlockSums
from kernelwise.scale.dask_cluster import DaskCluster, called, listed, opened
from kernelwise.scale.row_blocks import BlockedRows, BlockFunction, block_of, checked_rows
from kernelwise.scale.row_pieces import as_expected, check_sizes, cut, rows_of_pieces
from kernelwise.solutions import Targets

# Results that one task joins: few, because sums that wait for others are large.
BRANCHES = 4
# What is done with some blocks, from which number on: their sum, or all results.
Work = Callable[[Iterator[Any], int], Any]


class Share(NamedTuple):
    """The blocks that begin in one piece.

    Attributes
    ----------
    piece : its number
    skipped : how many of its rows belong to a block that began before it
    lenders : the pieces after it whose skipped rows complete its last block
    first, last, end : row numbers: of its first block, after its whole blocks, after all blocks
    """

    piece: int
    skipped: int
    lenders: tuple[int, ...]
    first: int
    last: int
    end: int


def shares_of(sizes: Sequence[int], block: int) -> list[Share]:
    """Which blocks of ``block`` rows begin in which piece, for pieces of these sizes; of a piece
    in which none begins, all rows are skipped.
    """
    ends = list(accumulate(sizes))
    shares = []
    for piece, (size, end) in enumerate(zip(sizes, ends, strict=True)):
        start = end - size
        first = min(-(-start // block) * block, end)
        last = first + (end - first) // block * block
        lenders: list[int] = []
        reached = end
        while last < reached < min(last + block, ends[-1]):
            lender = piece + 1 + len(lenders)
            reached += sizes[lender]
            lenders.append(lender)
        final = min(last + block, ends[-1]) if last < end else last
        shares.append(Share(piece, first - start, tuple(lenders), first, last, final))
    return shares


class DaskBlocks(BlockedRows):
    """Rows in pieces that Dask reads, each pass anew, on a cluster or in threads.

    A task reads a piece and works on its whole blocks. The rows of a block that lies in several
    pieces go from worker to worker. Sums are joined in a tree of tasks, and only the total comes to
    the caller. What a killed worker had is computed again, with the same bits.

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
        self._targets = [
            (
                kept(targets.take(slice(share.first, share.last))),
                kept(targets.take(slice(share.last, share.end))),
            )
            for share in self._shares
        ]

    def with_targets(self, targets: Targets) -> DaskBlocks:
        other = copy.copy(self)
        other._send(targets)
        return other

    def reduce(self, function: BlockFunction) -> Any:
        def total() -> Any:
            parts, step, join = self._parts(function, BlockSums.of), 3, self.cluster.task(_joined)
            while len(parts) > 1:
                groups = [parts[k : k + BRANCHES] for k in range(0, len(parts), BRANCHES)]
                parts = []
                for group in groups:
                    turn = group[-1][0]
                    with self.cluster.in_turn(turn, step):
                        parts.append((turn, join(*(part for _, part in group))))
                step += 1
            return self.cluster.task(_total)(*(part for _, part in parts))

        return self.cluster.computed(total)

    def collect(self, function: BlockFunction) -> np.ndarray:
        def parts() -> Any:
            found = [part for _, part in self._parts(function, _all)]
            return self.cluster.task(_results)(*found)

        return np.concatenate(self.cluster.computed(parts))

    def take(self, rows: np.ndarray) -> np.ndarray:
        places = rows_of_pieces(checked_rows(rows, self.n_rows), self.sizes)

        def parts() -> Any:
            encode, take, taken = self.cluster.shared(self.encode), self.cluster.task(_taken), []
            for number, place in places.items():
                with self.cluster.in_turn(number):
                    piece = encode, self._pieces[number], self.sizes[number], number
                    taken.append(take(*piece, place))
            return self.cluster.task(listed)(*taken)

        return np.concatenate(self.cluster.computed(parts))

    def _parts(self, function: BlockFunction, work: Work) -> list[tuple[int, Any]]:
        """The results of all blocks in order, each with its turn: the last piece that it needs."""
        cluster, parts = self.cluster, []
        shared = cluster.shared((function, work))
        pieces, between = self._worked(shared), cluster.task(_between)
        for share, (_, targets) in zip(self._shares, self._targets, strict=True):
            found, _, tail = pieces[share.piece]
            parts.append((share.piece, found))
            if share.last < share.end:
                turn = share.lenders[-1] if share.lenders else share.piece
                heads = [pieces[lender][1] for lender in share.lenders]
                number = share.last // self._block
                with cluster.in_turn(turn, 2):
                    parts.append((turn, between(shared, tail, heads, targets, number)))
        return parts

    def _worked(self, shared: Any) -> list[tuple[Any, Any, Any]]:
        """For each piece what its task found, and the rows before and after its whole blocks."""
        cluster, encode = self.cluster, self.cluster.shared(self.encode)
        on_piece, head, tail = (cluster.task(step) for step in (_on_piece, _head, _tail))
        results = []
        for share, (targets, _) in zip(self._shares, self._targets, strict=True):
            number = share.piece
            where = share.skipped, share.last - share.first, share.first // self._block
            with cluster.in_turn(number):
                piece = encode, self._pieces[number], self.sizes[number], number
                found = on_piece(shared, piece, targets, where, self._block)
            with cluster.in_turn(number, 1):
                results.append((found, head(found), tail(found)))
        return results


class PieceResult(NamedTuple):
    """What a task found in a piece, and the rows of it that belong to blocks of several pieces."""

    found: Any
    head: np.ndarray
    tail: np.ndarray


def _on_piece(
    shared: Any, piece: tuple, targets: Targets, where: tuple[int, int, int], block: int
) -> PieceResult:
    (function, work), (skipped, whole, number) = called(shared), where
    rows = _rows(*piece)
    inner, rest = rows[skipped : skipped + whole], rows[skipped + whole :]
    blocks = (
        function(*block_of(X, targets, slice(k * block, (k + 1) * block)))
        for k, X in enumerate(cut([inner], block))
    )
    # Copies: views would keep the whole piece in memory.
    return PieceResult(work(blocks, number), rows[:skipped].copy(), rest.copy())


def _between(
    shared: Any, tail: np.ndarray, heads: list[np.ndarray], targets: Targets, number: int
) -> PieceResult:
    """The result of one block, the rows of which come from several pieces."""
    function, work = called(shared)
    X = np.concatenate([tail, *heads])
    result = function(*block_of(X, targets, slice(0, len(X))))
    return PieceResult(work(iter([result]), number), X[:0], X[:0])


def _rows(encode: Any, piece: Any, size: int, number: int) -> np.ndarray:
    return as_expected(called(encode)(opened(piece)), size, number)


def _taken(encode: Any, piece: Any, size: int, number: int, places: np.ndarray) -> np.ndarray:
    return _rows(encode, piece, size, number)[places]


def _head(result: PieceResult) -> np.ndarray:
    return result.head


def _tail(result: PieceResult) -> np.ndarray:
    return result.tail


def _all(results: Iterator[Any], number: int) -> list[Any]:
    return list(results)


def _results(*parts: PieceResult) -> list[Any]:
    return [result for part in parts for result in part.found]


def _joined(*parts: PieceResult) -> PieceResult:
    *_, last = parts
    return PieceResult(reduce(add, (part.found for part in parts)), last.head[:0], last.tail[:0])


def _total(*parts: PieceResult) -> Any:
    return reduce(add, (part.found for part in parts), BlockSums()).total
