"""Dask arrays and data frames as they are given to `fit` or `predict`: their rows stay in Dask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelwise.scale.dask_cluster import DaskCluster, is_lazy
from kernelwise.tables.row_stream import Piece, RowStream


class LazyRows(RowStream):
    """A Dask array or data frame with targets and weights of its rows; its chunks are the pieces.

    Parameters
    ----------
    X : an array of numbers with chunks of known sizes, or a data frame
    y, weights : None, arrays (beside an array), or Dask's of the same rows
    """

    def __init__(self, X: Any, y: Any = None, weights: Any = None) -> None:
        if not is_collection(X):
            raise TypeError(f"X must be a Dask array or data frame, got {type(X).__name__}")
        parts = _array_parts(X, y, weights) if hasattr(X, "chunks") else _parts(X, y, weights)
        work = DaskCluster().task(Piece)
        self._pieces = [work(*part) for part in zip(*parts, strict=True)]
        self.sizes = X.chunks[0] if hasattr(X, "chunks") else None

    def pieces(self) -> Sequence[Any]:
        return self._pieces


def by_block(function: Any, outputs: Any, width: int | None = None) -> Any:
    """``function(outputs)``; of a Dask array block by block, when it is computed.

    Parameters
    ----------
    function : of outputs, (rows, outputs), to values, (rows,) or (rows, width)
    outputs : an array, or Dask's
    width : None: a value for each row
    """
    if not is_lazy(outputs):
        return function(outputs)
    sample = function(np.zeros((1, outputs.shape[1])))
    if width is None:
        return outputs.map_blocks(function, drop_axis=1, dtype=sample.dtype)
    chunks = (outputs.chunks[0], (width,))
    return outputs.map_blocks(function, chunks=chunks, dtype=sample.dtype)


def is_stream(X: Any) -> bool:
    """Whether rows are given in pieces: a stream, or a Dask collection."""
    return isinstance(X, RowStream) or is_collection(X)


def is_collection(X: Any) -> bool:
    """Whether X is a Dask array, data frame or series."""
    return is_lazy(X) and hasattr(X, "to_delayed")


def _array_parts(X: Any, y: Any, weights: Any) -> list[Sequence[Any]]:
    if X.ndim != 2 or any(size != size for size in X.chunks[0]):
        raise ValueError(
            "a Dask array must have two dimensions and chunks of known sizes; "
            "call its compute_chunk_sizes() first"
        )
    X = X.rechunk({1: -1})
    return [X.to_delayed().ravel(), *(_values_of_chunks(given, X) for given in (y, weights))]


def _values_of_chunks(values: Any, X: Any) -> Sequence[Any]:
    """The values of the rows of each chunk."""
    sizes = X.chunks[0]
    if values is None:
        return [None] * len(sizes)
    if len(values) != len(X):
        raise ValueError(f"X has {len(X)} rows, but there are {len(values)} targets or weights")
    if hasattr(values, "rechunk"):
        return values.rechunk({0: sizes}).to_delayed().ravel()
    return np.split(np.asarray(values), np.cumsum(sizes)[:-1])


def _parts(X: Any, y: Any, weights: Any) -> list[Sequence[Any]]:
    """The partitions of a data frame, whose numbers of rows are not known."""
    pieces = X.to_delayed()
    found = [pieces]
    for given in (y, weights):
        if given is not None and not is_collection(given):
            raise ValueError(
                "beside a Dask data frame, targets and weights must be Dask's, too, with the same "
                "partitions, such as another column of the same data frame"
            )
        parts = [None] * len(pieces) if given is None else given.to_delayed()
        if len(parts) != len(pieces):
            raise ValueError(
                f"X has {len(pieces)} partitions, but {len(parts)} of another are there"
            )
        found.append(parts)
    return found
