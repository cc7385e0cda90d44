"""The least and the largest number of each column of a table in pieces."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelwise.data.columns import numeric_names
from kernelwise.scale.engine import Engine
from kernelwise.tables.row_stream import Piece


def number_ranges(
    pieces: Sequence[Any], engine: Engine
) -> tuple[dict[str, float], dict[str, float]]:
    """The least and the largest number of each column that has any: one pass."""
    lowest: dict[str, float] = {}
    highest: dict[str, float] = {}
    for low, high in engine.each(ends_of, pieces):
        for name in low:
            lowest[name] = min(lowest.get(name, np.inf), low[name])
            highest[name] = max(highest.get(name, -np.inf), high[name])
    return lowest, highest


def ends_of(piece: Piece) -> tuple[dict[str, float], dict[str, float]]:
    """The least and the largest number of each column of a piece."""
    numbers = piece.features[list(numeric_names(piece.features))]
    lowest, highest = (
        {str(name): float(value) for name, value in ends.dropna().items()}
        for ends in (numbers.min(), numbers.max())
    )
    return lowest, highest
