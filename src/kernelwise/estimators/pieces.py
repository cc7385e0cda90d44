"""Tables in pieces: fits and predictions whose rows are never all in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.landmarks import LandmarkEstimator
from kernelwise.estimators.table_estimator import Reading, Source
from kernelwise.optional import import_optional
from kernelwise.scale import Engine
from kernelwise.tables.columns import is_frame
from kernelwise.tables.lazy_rows import LazyRows, is_collection, is_stream
from kernelwise.tables.row_stream import Piece, RowStream
from kernelwise.tables.rows import Observations, row_folds, unmerged
from kernelwise.tables.stream_columns import ScannedStream, scan_stream, stream_outputs


class PiecewiseEstimator(LandmarkEstimator):
    """A machine on landmarks that takes streams and Dask collections, too."""

    def _source(self, X: Any, y: Any, sample_weight: Any) -> Source:
        if not is_stream(X):
            return super()._source(X, y, sample_weight)
        stream = _stream(X, y, sample_weight)
        if self._precomputed or self.landmarks is None:
            raise ValueError("rows in pieces need landmarks, and a kernel of columns")
        scan = scan_stream(
            stream,
            self.categorical_features,
            takes_gaps=self._takes_gaps,
            standardize=self._is_named,
            engine=self._engine(stream),
        )
        summary = scan.summary
        if not self._uses_landmarks(summary.n_rows):
            return super()._source(in_memory(scan), summary.y, summary.weights)
        self.n_features_in_ = len(summary.gaps)
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        if summary.names is not None:
            self.feature_names_in_ = np.array(summary.names, dtype=object)
        without_columns = np.empty((summary.n_rows, 0))
        return Source(summary.columns, without_columns, summary.y, summary.weights, scan)

    def _engine(self, stream: RowStream) -> Engine:
        return Engine(effective_n_jobs(self.n_jobs), stream.client)

    def _read_stream(
        self, scan: ScannedStream, given: Observations, seed: int, fold_seed: int
    ) -> Reading:
        columns = scan.learn_columns(given.weights)
        every = np.arange(len(given.weights))
        fold = row_folds(self._wanted_folds, given.labels, fold_seed)
        # The parts have no columns: rows are read where they are needed.
        parts = unmerged(given, every, fold, len(every))
        return Reading(columns, given, parts, seed, rows=scan.blocks(columns, parts.targets))

    def _outputs(self, X: Any) -> Any:
        if not is_stream(X):
            return super()._outputs(X)
        check_is_fitted(self, "columns_")
        return self._of_all_rows(X, self._outputs_of, len(self.intercept_))

    def _outputs_and_deviations(self, X: Any) -> tuple[Any, Any]:
        if not is_stream(X):
            return super()._outputs_and_deviations(X)
        check_is_fitted(self, "columns_")
        width = len(self.intercept_)
        both = self._of_all_rows(X, self._both_of, 2 * width)
        return both[:, :width], both[:, width:]

    def _both_of(self, rows: np.ndarray) -> np.ndarray:
        deviations: Any = self._deviations_of(rows)
        return np.hstack([self._outputs_of(rows), deviations])

    def _of_all_rows(self, X: Any, function: Callable, n_outputs: int) -> Any:
        """``function(rows)`` of all rows of a stream or a Dask collection."""
        stream = _stream(X, None, None)
        names, engine = getattr(self, "feature_names_in_", None), self._engine(stream)
        return stream_outputs(
            stream, self.columns_, function, n_outputs, names=names, engine=engine
        )


def in_memory(scan: ScannedStream) -> Any:
    """The features of all rows: for a table that turns out to be small."""
    read = scan.engine.each(_features, scan.stream.pieces())
    filled = [features for features in read if len(features)]
    if not is_frame(filled[0]):
        return np.concatenate(filled)
    pandas = import_optional("pandas", extra="cli")
    return pandas.concat(filled, ignore_index=True)


def _features(piece: Piece) -> Any:
    return piece.features


def _stream(X: Any, y: Any, sample_weight: Any) -> RowStream:
    """The stream of what was given; that of a table from `open_rows` has its own targets."""
    if is_collection(X):
        return LazyRows(X, y, sample_weight)
    if y is not None or sample_weight is not None:
        raise ValueError(
            "a stream has its own target and weights: name their columns in open_rows, and give "
            "neither y nor sample_weight"
        )
    return X
