"""The kernel that one estimator has learned, for another to use."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted


class LearnedColumns(TransformerMixin, BaseEstimator):
    """Columns on which the Gaussian of unit width is the kernel that an estimator has learned.

    Parameters
    ----------
    estimator : one of ours that learns a Gaussian kernel, with one width or a width per feature
    """

    def __init__(self, estimator: BaseEstimator):
        self.estimator = estimator

    def fit(self, X: Any, y: Any) -> "LearnedColumns":
        """Learn the kernel.

        Parameters
        ----------
        X, y : array of numbers, and labels or quantities

        Returns
        -------
        self
        """
        self.estimator_ = clone(self.estimator).fit(X, y)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The columns as the kernel sees them, each divided by its length scale.

        Parameters
        ----------
        X : array of numbers

        Returns
        -------
        columns : array of the same shape
        """
        check_is_fitted(self, "estimator_")
        rows = self.estimator_.columns_.scaled(np.asarray(X, dtype=float))
        return rows * self.estimator_.kernel_.column_factors(rows.shape[1])
