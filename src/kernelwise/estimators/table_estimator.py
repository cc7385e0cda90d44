"""The base class of all estimators: what happens to a user's rows before learning."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, validate_data

from kernelwise.estimators.progress import CallbackSupportMixin
from kernelwise.memory import check_memory
from kernelwise.scale import BlockedRows
from kernelwise.searchers import AdaptiveGradient, Searcher
from kernelwise.tables.columns import (
    ColumnEncoder,
    as_frame,
    find_categorical,
    is_frame,
    quiet_check,
    refuse_equal_names,
)
from kernelwise.tables.lazy_rows import is_stream
from kernelwise.tables.rows import Observations, Parts, merge_equal_rows
from kernelwise.tables.stream_columns import ScannedStream

# Sums of squares of weights below this vanish.
LIGHTEST = 1e-100
# Searchers that have a name of their own.
SEARCHERS: dict[str, Searcher] = {"ascent": AdaptiveGradient()}


@dataclass(frozen=True)
class Reading:
    """A table as an estimator has read it.

    Attributes
    ----------
    columns : how columns become the numbers that a kernel sees
    given : the rows, gaps filled, before standardizing
    parts : distinct rows, standardized, with their targets and folds
    seed : of the random choices of this fit
    kept_columns : for a precomputed kernel, the columns of the Gram matrix that are used
    rows : the distinct rows in blocks, where they are not in memory
    """

    columns: ColumnEncoder
    given: Observations
    parts: Parts
    seed: int
    kept_columns: np.ndarray | None = None
    rows: BlockedRows | None = None

    @property
    def n_coordinates(self) -> int:
        """The columns that a kernel sees."""
        return self.parts.X.shape[1] if self.rows is None else len(self.columns.magnitude)

    def take(self, parts: np.ndarray) -> np.ndarray:
        """Some of the distinct rows, standardized."""
        return self.parts.X[parts] if self.rows is None else self.rows.take(parts)


@dataclass(frozen=True)
class Source:
    """A table as it was given to ``fit``: not yet coded, merged or standardized.

    Attributes
    ----------
    columns, numbers : how columns become numbers, and the numbers; of a stream there are none
    y, sample_weight : as given
    scan : of a stream
    """

    columns: ColumnEncoder
    numbers: np.ndarray
    y: Any
    sample_weight: Any
    scan: ScannedStream | None = None


class TableEstimator(CallbackSupportMixin, BaseEstimator):
    """An estimator that reads, standardizes and merges the rows of a table.

    A subclass's constructor sets ``kernel``, ``searcher``, ``n_restarts``, ``random_state`` and
    ``categorical_features``.
    """

    kernel: Any
    searcher: Any
    n_restarts: int
    random_state: Any
    categorical_features: Any
    cv: Any = 5
    # Equal rows of different labels: one part with their mean target, or a part for each label.
    _mixes_labels = True
    # Sums of squares of heavier weights overflow.
    _heaviest = 1e100
    # Beside a weight so many times as large, another one is lost in rounding.
    _most_apart = 1e20
    # Which deal of the folds this is, where there are several.
    _fold_round = 0
    columns_: ColumnEncoder

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        tags.input_tags.allow_nan = self._takes_gaps
        return tags

    @property
    def feature_importances_(self) -> np.ndarray:
        """Another name for ``relevance_``, which `sklearn.feature_selection` reads."""
        return self.relevance_

    @property
    def checks_(self) -> tuple[str, ...]:
        """What there is to know about the columns: a sentence for each one with gaps."""
        return self.columns_.checks

    @property
    def _takes_gaps(self) -> bool:
        """Whether numbers may be missing; those of a Gram matrix may not."""
        return not self._precomputed

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    @property
    def _is_named(self) -> bool:
        """Whether the kernel acts on standardized columns; objects act on columns as they are."""
        kernels = self.kernel if isinstance(self.kernel, (list, tuple)) else [self.kernel]
        return all(isinstance(kernel, str) for kernel in kernels) and not self._precomputed

    def _check_search(self) -> None:
        if not isinstance(self.n_restarts, (int, np.integer)) or self.n_restarts < 0:
            raise ValueError(f"n_restarts must be 0, 1, 2, ..., got {self.n_restarts!r}")
        if self._searcher is not None and not isinstance(self._searcher, Searcher):
            raise ValueError(
                f"searcher must be None, one of {list(SEARCHERS)} or a searcher object, such as "
                f"kernelwise.searchers.QuasiNewton(), got {self.searcher!r}"
            )

    @property
    def _wanted_folds(self) -> Any:
        """A number of folds, a splitter or a list of splits."""
        return self.cv

    @property
    def _searcher(self) -> Any:
        """The searcher, where it was given by name."""
        named = isinstance(self.searcher, str)
        return SEARCHERS.get(self.searcher, self.searcher) if named else self.searcher

    def _draw_seed(self) -> int:
        """A seed for all random choices of one fit; a RandomState gives another each time."""
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _source(self, X: Any, y: Any, sample_weight: Any) -> Source:
        """The table that was given to ``fit``."""
        return Source(*self._learn_columns(X), y, sample_weight)

    def _learn_columns(self, X: Any) -> tuple[ColumnEncoder, np.ndarray]:
        """How the columns of X become numbers, and the numbers, before standardizing."""
        if is_stream(X):
            raise ValueError(
                f"{type(self).__name__} needs all rows in memory; LSSVMClassifier and "
                "LSSVMRegressor take tables in pieces"
            )
        X = self._validated(X, reset=True)
        categorical = find_categorical(X, self.categorical_features)
        columns = ColumnEncoder(
            categorical, standardize=self._is_named, takes_gaps=self._takes_gaps
        )
        columns.learn_levels(X)
        return columns, columns.numbers(X, self)

    def _numbers(self, X: Any) -> np.ndarray:
        """New rows as the fitted columns read them, before standardizing."""
        return self.columns_.numbers(self._validated(X, reset=False), self)

    def _validated(self, X: Any, reset: bool) -> Any:
        X = as_frame(X)
        if not is_frame(X):
            rows, finite = 2 if reset else 1, "allow-nan" if self._takes_gaps else True
            with quiet_check():
                return validate_data(
                    self,
                    X,
                    reset=reset,
                    dtype=None,
                    ensure_min_samples=rows,
                    ensure_all_finite=finite,
                )
        refuse_equal_names(X)
        validate_data(self, X, reset=reset, skip_check_array=True)
        if reset and len(X) < 2:
            raise ValueError(f"Found {len(X)} sample(s); at least 2 are needed to learn from")
        return X

    def _coordinates(
        self, columns: ColumnEncoder, numbers: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """The numbers of a fit with their gaps filled, as ``columns`` learns to do it."""
        columns.learn_gaps(numbers, weights, getattr(self, "feature_names_in_", None))
        return columns.filled(numbers)

    def _reading(self, source: Source, given: Observations) -> Reading:
        """The given rows with equal ones merged, standardized, and dealt to folds."""
        columns, seed = source.columns, self._draw_seed()
        # Without a random state the folds are always the same, as in scikit-learn.
        fold_seed = self._fold_round + (0 if self.random_state is None else seed)
        if source.scan is not None:
            return self._read_stream(source.scan, given, seed, fold_seed)
        if self._precomputed:
            return self._read_gram(columns, given, seed, fold_seed)
        given = replace(given, X=self._coordinates(columns, given.X, given.weights))
        parts = self._merged(given, fold_seed)
        refuse_equal_rows(parts.X)
        self._learn_scales(columns, parts)
        return Reading(columns, given, replace(parts, X=columns.standardized(parts.X)), seed)

    def _learn_scales(self, columns: ColumnEncoder, parts: Parts) -> None:
        columns.learn_scales(parts.X, parts.targets.weights)

    def _read_stream(
        self, scan: ScannedStream, given: Observations, seed: int, fold_seed: int
    ) -> Reading:
        raise NotImplementedError

    def _merged(self, given: Observations, fold_seed: int) -> Parts:
        """The given rows with equal ones merged."""
        parts = merge_equal_rows(given, self._wanted_folds, fold_seed, self._mixes_labels)
        check_memory(len(parts.X))
        return parts

    def _read_gram(
        self, columns: ColumnEncoder, given: Observations, seed: int, fold_seed: int
    ) -> Reading:
        X = given.X
        if X.shape[0] != X.shape[1]:
            raise ValueError(
                f"kernel='precomputed' needs a square Gram matrix, got shape {X.shape}"
            )
        if not np.allclose(X, X.T, rtol=1e-6, atol=1e-8 * np.abs(X).max()):
            raise ValueError("kernel='precomputed' needs a symmetric Gram matrix; X is not")
        # Without columns no two rows are known to be equal: a number identifies each.
        numbered = replace(given, X=np.arange(len(X), dtype=float)[:, None])
        parts = merge_equal_rows(numbered, self._wanted_folds, fold_seed, self._mixes_labels)
        check_memory(len(parts.X))
        kept = parts.X[:, 0].astype(int)
        columns.learn_scales(X, given.weights)
        return Reading(columns, given, replace(parts, X=X[np.ix_(kept, kept)]), seed, kept)

    def _weights(self, sample_weight: Any, X: np.ndarray) -> np.ndarray:
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if not (weights > 0).any():
            raise ValueError("sample_weight is zero for every row: there is nothing to learn from")
        odd = (weights > self._heaviest) | ((weights > 0) & (weights < LIGHTEST))
        if odd.any():
            row = int(odd.argmax())
            raise ValueError(
                f"sample_weight is {weights[row]:g} in row {row}: weights must be 0, or between "
                f"{LIGHTEST:g} and {self._heaviest:g}"
            )
        heaviest, lightest = weights.max(), weights[weights > 0].min()
        if heaviest > self._most_apart * lightest:
            raise ValueError(
                f"sample_weight goes from {lightest:g} to {heaviest:g}: rows of so little weight "
                "beside others count for nothing; give them a weight of 0"
            )
        return weights


def refuse_equal_rows(X: np.ndarray) -> None:
    """Refuse a table in which no column varies."""
    # Not by differences, which overflow between numbers near the largest one.
    if not (X[0] != X).any():
        raise ValueError(
            "all rows of X are equal: there is nothing to learn from. Add a column that varies."
        )
