"""Rows in pieces that are read again in every pass: only some pieces are ever in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from kernelwise.scale import row_blocks
from kernelwise.scale.row_blocks import LocalBlocks, block_of, checked_rows
from kernelwise.solutions import Targets

# Gives the rows of a piece, (rows, columns); it can be pickled.
ReadPiece = Callable[[], np.ndarray]


@dataclass(frozen=True)
class RowPieces(LocalBlocks):
    """Rows in pieces of any size, such as parts of a file; targets in memory.

    Memory: a piece, for several threads the next one too, and the blocks that are worked on.

    Attributes
    ----------
    pieces, sizes : what reads each piece, and its number of rows
    targets : of all rows
    n_threads : blocks to work on at the same time; with several, another one reads ahead
    """

    pieces: Sequence[ReadPiece]
    sizes: Sequence[int]
    targets: Targets
    n_threads: int = 1

    def __post_init__(self) -> None:
        check_sizes(self.pieces, self.sizes, self.targets)

    def blocks(self) -> Iterator[tuple[np.ndarray, Targets]]:
        first = 0
        for X in cut_into_blocks(self._read(range(len(self.pieces)))):
            yield block_of(X, self.targets, slice(first, first + len(X)))
            first += len(X)

    def take(self, rows: np.ndarray) -> np.ndarray:
        """The rows of these numbers: a pass over the pieces that have any."""
        places = rows_of_pieces(checked_rows(rows, self.n_rows), self.sizes)
        read = self._read(places)
        return np.concatenate([X[place] for X, place in zip(read, places.values(), strict=True)])

    def _read(self, numbers: Iterable[int]) -> Iterator[np.ndarray]:
        """The rows of some pieces, one after the other."""
        if self.n_threads == 1:
            yield from map(self._piece, numbers)
            return
        with ThreadPoolExecutor(1) as reader:
            coming = None
            for number in numbers:
                before, coming = coming, reader.submit(self._piece, number)
                if before is not None:
                    yield before.result()
            if coming is not None:
                yield coming.result()

    def _piece(self, number: int) -> np.ndarray:
        return as_expected(self.pieces[number](), self.sizes[number], number)


def check_sizes(pieces: Sequence, sizes: Sequence[int], targets: Targets) -> None:
    """Refuse pieces, sizes and targets that do not belong together."""
    if len(pieces) != len(sizes) or sum(sizes) != len(targets.weights):
        raise ValueError(
            f"{len(pieces)} pieces, {len(sizes)} sizes of {sum(sizes)} rows in all and targets of "
            f"{len(targets.weights)} rows do not belong together"
        )


def as_expected(X: np.ndarray, size: int, number: int) -> np.ndarray:
    """The rows of a piece, if they are as many as in the pass before."""
    if len(X) != size:
        raise ValueError(
            f"piece {number} had {size} rows and has {len(X)} now: the table has changed meanwhile"
        )
    return X


def cut_into_blocks(pieces: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """The rows of pieces in the blocks that every engine has."""
    return cut(pieces, row_blocks.ROWS_IN_BLOCK)


def cut(pieces: Iterable[np.ndarray], size: int) -> Iterator[np.ndarray]:
    """Rows in blocks of one size (the last may be shorter), whatever the pieces are."""
    rest: list[np.ndarray] = []
    missing = size
    for X in pieces:
        first = 0
        while len(X) - first >= missing:
            rest.append(X[first : first + missing])
            yield rest[0] if len(rest) == 1 else np.concatenate(rest)
            first, missing, rest = first + missing, size, []
        if first < len(X):
            # A copy, so that the piece itself can go.
            rest.append(X[first:].copy())
            missing -= len(X) - first
    if rest:
        yield np.concatenate(rest)


def rows_of_pieces(rows: np.ndarray, sizes: Sequence[int]) -> dict[int, np.ndarray]:
    """For each piece with any of the sorted ``rows``, their places in it.

    Without rows, the first piece has none of them: it still tells the columns.
    """
    ends = np.cumsum(sizes)
    piece = np.searchsorted(ends, rows, side="right")
    starts = ends - np.asarray(sizes)
    found = {int(i): rows[piece == i] - starts[i] for i in np.unique(piece)}
    return found or {0: rows.astype(int)}
