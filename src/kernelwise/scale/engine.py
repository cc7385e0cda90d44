"""Where the work on pieces of rows is done: threads of this machine, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from kernelwise.scale.dask_blocks import DaskBlocks
from kernelwise.scale.dask_cluster import DaskCluster, active_client, is_lazy, opened
from kernelwise.scale.row_blocks import BlockedRows, in_threads
from kernelwise.scale.row_pieces import RowPieces, cut_into_blocks
from kernelwise.solutions import Targets
from kernelwise.threads import one_blas_thread


@dataclass(frozen=True)
class Engine:
    """Threads of this process, or a cluster; results are the same to the last bit.

    Pieces are functions that read one, which can be pickled, or Dask's `Delayed` pieces. The latter
    are worked on by Dask even without a client.

    Attributes
    ----------
    n_threads : of this process
    client : of ``distributed``; None: for Dask's own pieces the active one, else this process
    """

    n_threads: int = 1
    client: Any = None

    def each(self, function: Callable[[Any], Any], pieces: Sequence[Any]) -> list[Any]:
        """``function(piece)`` of every piece, in order: one pass."""
        cluster = self._cluster(pieces)
        if cluster is not None:
            return cluster.each(function, pieces)
        read = ((function, piece) for piece in pieces)
        return list(in_threads(_on_opened, read, self.n_threads))

    def blocks(
        self,
        pieces: Sequence[Any],
        sizes: Sequence[int],
        targets: Targets,
        encode: Callable[[Any], np.ndarray],
    ) -> BlockedRows:
        """The rows of all pieces in blocks, read and encoded again in every pass.

        Parameters
        ----------
        pieces, sizes : and their numbers of rows
        targets : of all rows
        encode : turns a piece into rows, (rows, columns)
        """
        cluster = self._cluster(pieces)
        if cluster is not None:
            return DaskBlocks(pieces, sizes, targets, cluster, encode)
        read = [partial(_on_opened, encode, piece) for piece in pieces]
        return RowPieces(read, sizes, targets, self.n_threads)

    def outputs(
        self,
        pieces: Sequence[Any],
        encode: Callable[[Any], np.ndarray],
        function: Callable[[np.ndarray], np.ndarray],
        n_outputs: int,
        sizes: Sequence[int] | None = None,
    ) -> Any:
        """``function(rows)`` of all rows, (rows, ``n_outputs``), block by block.

        An array; for a cluster a Dask array with one chunk per piece, still to be computed, whose
        rows stay where they are. The function, with the model that it holds, is sent once.
        ``sizes`` are the numbers of rows of the pieces, where they are known.
        """
        cluster = self._cluster(pieces)
        if cluster is not None:
            return cluster.outputs(
                pieces, partial(_outputs, encode, function, n_outputs), n_outputs, sizes
            )
        rows = (encode(opened(piece)) for piece in pieces)
        blocks = ((block,) for block in cut_into_blocks(rows))
        with one_blas_thread():
            found = list(in_threads(function, blocks, self.n_threads))
        return np.concatenate([np.empty((0, n_outputs)), *found])

    def _cluster(self, pieces: Sequence[Any]) -> DaskCluster | None:
        if self.client is None and not any(map(is_lazy, pieces)):
            return None
        client = self.client if self.client is not None else active_client()
        return DaskCluster(client, self.n_threads)


def _on_opened(function: Callable[[Any], Any], piece: Any) -> Any:
    return function(opened(piece))


def _outputs(
    encode: Callable[[Any], np.ndarray],
    function: Callable[[np.ndarray], np.ndarray],
    n_outputs: int,
    piece: Any,
) -> np.ndarray:
    found = [function(block) for block in cut_into_blocks([encode(piece)])]
    return np.concatenate([np.empty((0, n_outputs)), *found])
