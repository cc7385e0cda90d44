"""What a first pass over the pieces of a table finds: sizes, targets, levels, ranges, gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from kernelwise.scale.engine import Engine
from kernelwise.tables.columns import (
    ColumnEncoder,
    find_categorical,
    is_frame,
    is_missing,
    refuse_equal_names,
)
from kernelwise.tables.row_stream import Piece

# A column with more levels names rows, and its levels would fill the memory.
MOST_LEVELS = 1_000_000


@dataclass(frozen=True)
class PieceSummary:
    """What is known of the rows of a piece; of ranges and gaps, of its rows of positive weight.

    Attributes
    ----------
    piece : its target and weights, without features
    size, used : how many rows it has, and how many of positive weight
    names : of its columns; None: they are numbered
    columns : its categorical columns and their levels
    lowest, highest, gaps : of each column; without a number, infinity and minus infinity
    """

    piece: Piece
    size: int
    used: int
    names: tuple | None
    columns: ColumnEncoder
    lowest: np.ndarray
    highest: np.ndarray
    gaps: np.ndarray


def summary_of(piece: Piece, categorical_features: Any, takes_gaps: bool) -> PieceSummary:
    """Look at one piece; text where numbers must be, and infinite numbers, are errors."""
    X = piece.features
    names = tuple(X.columns) if is_frame(X) else None
    if names is not None:
        refuse_equal_names(X)
    columns = ColumnEncoder(find_categorical(X, categorical_features), takes_gaps=takes_gaps)
    size, width = X.shape
    weights = np.ones(size) if piece.weights is None else np.asarray(piece.weights, float)
    used = weights > 0
    lowest, highest, gaps = np.full(width, np.inf), np.full(width, -np.inf), np.zeros(width, int)
    if size:
        columns.learn_levels(X)
        numbers = columns.numbers(X, None)[used]
        gaps = np.isnan(numbers).sum(axis=0)
        lowest = np.min(np.where(np.isnan(numbers), np.inf, numbers), axis=0, initial=np.inf)
        highest = np.max(np.where(np.isnan(numbers), -np.inf, numbers), axis=0, initial=-np.inf)
    target = None if piece.target is None else np.asarray(piece.target)
    known = Piece(None, target, piece.weights)
    return PieceSummary(known, size, int(used.sum()), names, columns, lowest, highest, gaps)


@dataclass(frozen=True)
class StreamSummary:
    """What is known of all rows.

    Attributes
    ----------
    y, weights : targets and sample weights of all rows, None if there are none
    sizes, used : rows of each piece, and rows of positive weight of all
    names : of the columns; None: they are numbered
    columns : the categorical columns and the levels of each
    lowest, highest, gaps : of each column, among rows of positive weight
    """

    y: np.ndarray | None
    weights: np.ndarray | None
    sizes: tuple[int, ...]
    used: int
    names: tuple | None
    columns: ColumnEncoder
    lowest: np.ndarray
    highest: np.ndarray
    gaps: np.ndarray

    @classmethod
    def of(
        cls, pieces: Sequence[Any], categorical_features: Any, takes_gaps: bool, engine: Engine
    ) -> StreamSummary:
        """One pass; a second if a column has text only in some of the pieces."""
        look = partial(summary_of, categorical_features=categorical_features, takes_gaps=takes_gaps)
        found = engine.each(look, pieces)
        if sum(part.size for part in found) < 2:
            rows = sum(part.size for part in found)
            raise ValueError(f"Found {rows} sample(s); at least 2 are needed to learn from")
        _refuse_other_columns(found)
        filled = [part for part in found if part.size]
        categorical = np.unique(np.concatenate([part.columns.categorical for part in filled]))
        if any(len(part.columns.categorical) < len(categorical) for part in filled):
            look = partial(summary_of, categorical_features=categorical, takes_gaps=takes_gaps)
            found = engine.each(look, pieces)
            filled = [part for part in found if part.size]
        return cls(
            y=_joined([part.piece.target for part in filled], "target"),
            weights=_joined([part.piece.weights for part in filled], "weights"),
            sizes=tuple(part.size for part in found),
            used=sum(part.used for part in filled),
            names=found[0].names,
            columns=_columns(filled, categorical.astype(int), takes_gaps),
            lowest=np.min([part.lowest for part in filled], axis=0),
            highest=np.max([part.highest for part in filled], axis=0),
            gaps=np.sum([part.gaps for part in filled], axis=0),
        )

    @property
    def n_rows(self) -> int:
        return sum(self.sizes)

    @property
    def magnitude(self) -> np.ndarray:
        """The largest magnitude of each column; 1 without one."""
        found = np.maximum(np.abs(self.lowest), np.abs(self.highest))
        return np.where((found > 0) & np.isfinite(found), found, 1.0)

    def refuse_equal_rows(self) -> None:
        """Refuse a table in which no column varies."""
        gaps = self.columns.gaps or []
        several = [len(self.columns.levels[r]) + (r in gaps) > 1 for r in self.columns.levels]
        varies = (self.lowest < self.highest) | ((self.gaps > 0) & (self.gaps < self.used))
        varies[self.columns.categorical] = False
        if not varies.any() and not any(several):
            raise ValueError(
                "all rows of X are equal: there is nothing to learn from. Add a column that varies."
            )


def _refuse_other_columns(parts: Sequence[PieceSummary]) -> None:
    for number, part in enumerate(parts):
        if part.names != parts[0].names or len(part.gaps) != len(parts[0].gaps):
            shown = [len(p.gaps) if p.names is None else list(p.names) for p in (part, parts[0])]
            raise ValueError(f"piece {number} has the columns {shown[0]}, piece 0 has {shown[1]}")


def _joined(parts: Sequence[np.ndarray | None], what: str) -> np.ndarray | None:
    """The values of all rows; texts in the compact form that has no room for other objects."""
    known = [part for part in parts if part is not None]
    if not known:
        return None
    if len(known) < len(parts):
        raise ValueError(f"some pieces have {what}, and others have none")
    return np.concatenate([compact(part) for part in known])


def compact(values: np.ndarray) -> np.ndarray:
    """An array of texts instead of text objects, if all are texts; other values as they are."""
    if values.dtype != object or any(is_missing(value) for value in values):
        return values
    return values.astype(str) if all(isinstance(value, str) for value in values) else values


def _columns(
    parts: Sequence[PieceSummary], categorical: np.ndarray, takes_gaps: bool
) -> ColumnEncoder:
    """The levels of all pieces together, in the order that an encoder gives them."""
    columns = ColumnEncoder(categorical, takes_gaps=takes_gaps, gaps=[])
    assert columns.gaps is not None
    for index in map(int, categorical):
        found: set = set()
        for part in parts:
            found.update(part.columns.levels[index])
            if len(found) > MOST_LEVELS:
                name = index if part.names is None else repr(part.names[index])
                raise ValueError(
                    f"column {name} has more than {MOST_LEVELS} levels: it seems to name rows; "
                    "leave it out"
                )
        columns.levels[index] = sorted(found, key=lambda x: (type(x).__name__, x))
        if any(index in (part.columns.gaps or ()) for part in parts):
            columns.gaps.append(index)
    return columns
