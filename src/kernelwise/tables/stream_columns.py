"""Columns of a table that is not in memory, encoded as if it were."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernelwise.scale.engine import Engine
from kernelwise.scale.landmarks import drawn_rows
from kernelwise.scale.row_blocks import BlockedRows
from kernelwise.solutions import Targets
from kernelwise.tables.columns import CONSTANT, ColumnEncoder, is_frame
from kernelwise.tables.gaps import Gaps
from kernelwise.tables.row_stream import Piece, RowStream
from kernelwise.tables.stream_summary import StreamSummary

# Numbers that medians are taken of. If the columns have more, rows are drawn.
MOST_NUMBERS, LEAST_ROWS = 4_000_000, 100_000


@dataclass(frozen=True)
class ScannedStream:
    """A stream after the first pass, with what is needed for the others.

    Attributes
    ----------
    stream, engine : the rows, and where the work on them is done
    summary : what the first pass found; it has the targets ``y`` and the sample weights
    standardize : as in `ColumnEncoder`
    """

    stream: RowStream
    engine: Engine
    summary: StreamSummary
    standardize: bool

    def learn_columns(self, weights: np.ndarray | None = None) -> ColumnEncoder:
        """How columns become coordinates: gaps and scales, for these weights of the fit.

        Two passes. The scales are those of the same rows in memory up to rounding, and the same to
        the last bit for any pieces and engine. Gaps count as the weighted median of all rows, if
        the table has no more than 4 million numbers; else of so many numbers (but at least 100,000
        rows) drawn by the hash of the row, and as 0 if none of these rows has the column.
        """
        summary = self.summary
        weights = np.ones(summary.n_rows) if weights is None else weights
        columns = replace(summary.columns, standardize=self.standardize)
        columns.missing = self._gaps(weights)
        columns.checks = columns.missing.words(summary.names)
        magnitude = np.append(summary.magnitude, np.ones(len(columns.shown)))
        learn_scales_in_blocks(
            columns, magnitude, lambda encode: self.blocks(encode, _no_targets(weights))
        )
        return columns

    def blocks(self, columns: ColumnEncoder, targets: Targets) -> BlockedRows:
        """The rows as a kernel sees them, in blocks, read and encoded again in every pass."""
        return self._blocks(Encoding(columns), targets)

    def _blocks(self, encode: Callable[[Piece], np.ndarray], targets: Targets) -> BlockedRows:
        return self.engine.blocks(self.stream.pieces(), self.summary.sizes, targets, encode)

    def _gaps(self, weights: np.ndarray) -> Gaps:
        summary = self.summary
        partly = np.flatnonzero((summary.gaps > 0) & (summary.gaps < summary.used))
        fill = np.zeros(len(summary.gaps))
        # Also of columns without gaps: a new row may have one.
        wanted = np.setdiff1d(
            np.flatnonzero(summary.gaps < summary.used), summary.columns.categorical
        )
        if len(wanted):
            count = max(MOST_NUMBERS // len(wanted), LEAST_ROWS)
            rows = drawn_rows(summary.n_rows, count, seed=0)
            numbers = self._blocks(RawNumbers(summary.columns, wanted), _no_targets(weights)).take(
                rows
            )
            fill[wanted] = Gaps.learn(numbers, weights[rows], show=False).fill
        return Gaps(fill, summary.gaps, summary.used, partly if self.standardize else partly[:0])


def learn_scales_in_blocks(
    columns: ColumnEncoder, magnitude: np.ndarray, blocks_of: Callable[[ColumnEncoder], BlockedRows]
) -> None:
    """Set the scales of columns from their moments: one pass, in the order of blocks.

    Parameters
    ----------
    columns : whose gaps are known
    magnitude : the largest of each coordinate
    blocks_of : the rows as columns encode them, with their weights
    """
    plain = np.full(len(magnitude), not columns.standardize)
    plain[columns.categorical] = True
    plain[len(magnitude) - len(columns.shown) :] = True
    columns.magnitude = np.where(plain, 1.0, magnitude)
    columns.center, columns.spread = np.zeros(len(magnitude)), np.ones(len(magnitude))
    if plain.all():
        return
    # Counted from the median, a column keeps the digits in which its rows differ.
    assert columns.missing is not None
    columns.center = np.where(plain, 0.0, columns.filled(columns.missing.fill[None])[0])
    columns.center /= columns.magnitude
    found = blocks_of(columns).reduce(Moments.of)
    spread = np.sqrt(found.squares / found.weight)
    columns.center = np.where(plain, 0.0, columns.center + found.mean)
    columns.spread = np.where(plain | (spread <= CONSTANT), 1.0, spread)


def scan_stream(
    stream: RowStream,
    categorical_features: Any = "from_dtype",
    *,
    takes_gaps: bool = True,
    standardize: bool = True,
    engine: Engine | None = None,
) -> ScannedStream:
    """Read all rows once: sizes, targets, levels of categories, ranges, gaps; errors are told.

    Parameters
    ----------
    stream : the rows
    categorical_features : as in the estimators
    takes_gaps : whether numbers may be missing
    standardize : whether columns are standardized, as for kernels by name
    engine : where the work is done; None: this thread
    """
    engine = engine or Engine()
    summary = StreamSummary.of(stream.pieces(), categorical_features, takes_gaps, engine)
    summary.refuse_equal_rows()
    return ScannedStream(stream, engine, summary, standardize)


def stream_outputs(
    stream: RowStream,
    columns: ColumnEncoder,
    function: Callable[[np.ndarray], np.ndarray],
    n_outputs: int,
    *,
    names: Sequence[str] | None = None,
    engine: Engine | None = None,
) -> Any:
    """``function(rows)`` of new rows, (rows, ``n_outputs``), as fitted columns encode them.

    An array; on a Dask cluster, or of a Dask collection, a Dask array that is still to be computed.

    Parameters
    ----------
    stream, columns : the new rows, and how columns become coordinates
    function, n_outputs : of rows as a kernel sees them, (rows, coordinates)
    names : of the columns of the fit, which data frames must have; None: not checked
    engine : where the work is done; None: this thread
    """
    engine = engine or Engine()
    encode = Encoding(columns, None if names is None else tuple(names))
    return engine.outputs(stream.pieces(), encode, function, n_outputs, stream.sizes)


@dataclass(frozen=True)
class Encoding:
    """The rows of a piece as a kernel sees them, (rows, coordinates).

    ``names`` are those of the columns of the fit, which a data frame must have in this order.
    """

    columns: ColumnEncoder
    names: tuple[str, ...] | None = None

    def __call__(self, piece: Piece) -> np.ndarray:
        X = piece.features
        if X.shape[1] != self.columns.n_columns:
            raise ValueError(
                f"X has {X.shape[1]} features, but there were {self.columns.n_columns} in fit"
            )
        if self.names is not None and is_frame(X) and tuple(X.columns) != self.names:
            raise ValueError(
                f"X has the columns {list(X.columns)}; they must be those of fit, in the same "
                f"order: {list(self.names)}"
            )
        if not len(X):
            return np.empty((0, len(self.columns.magnitude)))
        return self.columns.scaled(self.columns.numbers(X, None))


@dataclass(frozen=True)
class RawNumbers:
    """Some columns of a piece before anything is filled or scaled, (rows, columns)."""

    columns: ColumnEncoder
    which: np.ndarray

    def __call__(self, piece: Piece) -> np.ndarray:
        X = piece.features
        if not len(X):
            return np.empty((0, len(self.which)))
        return self.columns.numbers(X, None)[:, self.which]


@dataclass(frozen=True)
class Moments:
    """Weight, weighted mean and squared deviations from it, of columns of some rows.

    Two sets of rows join by the update of Chan, Golub & LeVeque (1983), without the loss of digits
    of a sum of squares less the square of a sum.
    """

    weight: float
    mean: np.ndarray
    squares: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, targets: Targets) -> Moments:
        weight = float(targets.weights.sum())
        shares = targets.weights / weight if weight else targets.weights
        mean = shares @ X
        return cls(weight, mean, targets.weights @ (X - mean) ** 2)

    def __add__(self, other: Moments) -> Moments:
        weight = self.weight + other.weight
        if not weight:
            return self
        share = other.weight / weight
        shift = other.mean - self.mean
        squares = self.squares + other.squares + shift**2 * (self.weight * share)
        return Moments(weight, self.mean + share * shift, squares)


def _no_targets(weights: np.ndarray) -> Targets:
    return Targets(np.empty((len(weights), 0)), weights, np.empty(0))
