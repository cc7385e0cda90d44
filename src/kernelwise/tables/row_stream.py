"""Rows that are not in memory: what `fit` and `predict` take besides arrays and data frames."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np


class Piece(NamedTuple):
    """Some neighboring rows of a table, read.

    Attributes
    ----------
    features : a data frame, or an array of numbers
    target : a label or quantities for each row; None where there is none
    weights : sample weights; None: all rows count the same
    """

    features: Any
    target: np.ndarray | None = None
    weights: np.ndarray | None = None


class RowStream(ABC):
    """A table of any length, in pieces that are read again in every pass.

    `kernelwise.data.open_rows` makes one of a file or of a Dask collection.

    Attributes
    ----------
    client : of ``distributed``, whose cluster is to read the pieces; None: this process does, or
        where they are Dask's, the active client's cluster
    sizes : numbers of rows of the pieces, where they are known beforehand
    """

    client: Any = None
    sizes: Sequence[int] | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.pieces())} pieces)"

    def on(self, client: Any) -> Self:
        """The same rows, read by the cluster of a client of ``distributed``."""
        other = copy.copy(self)
        object.__setattr__(other, "client", client)  # a stream may be frozen
        return other

    @abstractmethod
    def pieces(self) -> Sequence[Any]:
        """The pieces in order: functions that read a `Piece` each, and can be pickled; or Dask's
        `Delayed` pieces.
        """
