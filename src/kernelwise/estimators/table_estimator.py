"""Tables in: what every estimator does with a user's rows before it learns from them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, validate_data

from kernelwise.estimators.progress import CallbackSupportMixin
from kernelwise.searchers import Searcher
from kernelwise.tables.columns import ColumnEncoder, find_categorical, is_frame
from kernelwise.tables.rows import Parts, merge_equal_rows


class TableEstimator(CallbackSupportMixin, BaseEstimator):
    """Reads, standardises and merges the rows of a table.

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

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        return tags

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    @property
    def _is_named(self) -> bool:
        """Named kernels act on standardised columns, kernel objects on columns as they are."""
        kernels = self.kernel if isinstance(self.kernel, (list, tuple)) else [self.kernel]
        return all(isinstance(kernel, str) for kernel in kernels) and not self._precomputed

    def _check_search(self) -> None:
        self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        # Without a random state the folds are always the same, as those of scikit-learn are.
        self._fold_seed = 0 if self.random_state is None else self._seed
        if not isinstance(self.n_restarts, (int, np.integer)) or self.n_restarts < 0:
            raise ValueError(f"n_restarts must be 0, 1, 2, ..., got {self.n_restarts!r}")
        if self.searcher is not None and not isinstance(self.searcher, Searcher):
            raise ValueError(
                "searcher must be None or a searcher object, such as "
                f"kernelwise.searchers.QuasiNewton(), got {self.searcher!r}"
            )

    def _read_columns(self, X: Any, reset: bool) -> np.ndarray:
        """The float matrix a kernel sees, before standardising; learns the categories on reset."""
        if not is_frame(X):
            rows = 2 if reset else 1
            X = validate_data(self, X, reset=reset, dtype=None, ensure_min_samples=rows)
        else:
            validate_data(self, X, reset=reset, skip_check_array=True)
            if reset and len(X) < 2:
                raise ValueError(f"Found {len(X)} sample(s); at least 2 are needed to learn from")
        if reset:
            categorical = find_categorical(X, self.categorical_features)
            self.columns_ = ColumnEncoder(categorical, standardize=self._is_named)
            self.columns_.learn_levels(X)
        return self.columns_.numbers(X, self)

    def _problem(
        self,
        X: np.ndarray,
        y: np.ndarray,
        counts: np.ndarray,
        weights: np.ndarray,
        labels: np.ndarray,
    ) -> Parts:
        """Standardised rows with equal ones merged, their targets and folds.

        ``counts`` are sample weights, ``weights`` the same times class weights; folds are
        stratified by ``labels``.
        """
        if self._precomputed:
            return self._precomputed_problem(X, y, counts, weights, labels)
        parts = self._merged(X, y, counts, weights, labels)
        if not np.ptp(parts.X, axis=0).any():
            raise ValueError(
                "all rows of X are equal: there is nothing to learn from. Add a column that varies."
            )
        self.columns_.learn_scales(parts.X, parts.targets.weights)
        return replace(parts, X=self.columns_.scaled(parts.X))

    def _precomputed_problem(self, X, y, counts, weights, labels) -> Parts:
        if X.shape[0] != X.shape[1]:
            raise ValueError(
                f"kernel='precomputed' needs a square Gram matrix, got shape {X.shape}"
            )
        if not np.allclose(X, X.T, rtol=1e-6, atol=1e-8 * np.abs(X).max()):
            raise ValueError("kernel='precomputed' needs a symmetric Gram matrix; X is not")
        # Without columns no two rows are known to be equal: each is told by its number.
        number = np.arange(len(X), dtype=float)[:, None]
        parts = self._merged(number, y, counts, weights, labels)
        self._kept_columns = parts.X[:, 0].astype(int)
        self.columns_.learn_scales(X, weights)
        return replace(parts, X=X[np.ix_(self._kept_columns, self._kept_columns)])

    def _merged(self, X, y, counts, weights, labels) -> Parts:
        return merge_equal_rows(
            X, y, counts, weights, labels, self.cv, self._fold_seed, self._mixes_labels
        )

    def _weights(self, sample_weight: Any, X: np.ndarray) -> np.ndarray:
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if not (weights > 0).any():
            raise ValueError("sample_weight is zero for every row: there is nothing to learn from")
        return weights
