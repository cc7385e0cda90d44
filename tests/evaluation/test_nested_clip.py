"""Intervals of nested cross-validation end where errors do: at 0, and at 1 if they are shares."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from kernelwise.evaluation import corrected_resampled_interval, nested_cross_validation


class WrongUnlessMarked(ClassifierMixin, BaseEstimator):
    """The other label of two, but for rows whose second column says otherwise."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.where(X[:, 1] > 0, X[:, 0], 1 - X[:, 0])


class OffByTheSecondColumn(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:, 0] + X[:, 1]


def rows_of(second):
    """The first column is what a model predicts, right or wrong."""
    first = np.arange(len(second)) % 2
    return np.column_stack([first, second]).astype(float), first


@pytest.mark.parametrize(("marked", "end"), [(4, "upper"), (36, "lower")])
def test_shares_are_between_0_and_1(marked, end):
    X, y = rows_of(np.arange(40) < marked)
    found = nested_cross_validation(WrongUnlessMarked(), X, y, folds=4, repeats=1)
    errors = [record.error for record in found.records]
    plain = corrected_resampled_interval(errors, 30, 10)
    assert plain.upper > 1 if end == "upper" else plain.lower < 0, "this test could not fail"
    lower, upper = max(plain.lower, 0.0), min(plain.upper, 1.0)
    assert (found.interval.lower, found.interval.upper) == (lower, upper)
    assert f"{100 * lower:.1f} to {100 * upper:.1f} %" in found.interval.sentence
    assert found.error == plain.value == pytest.approx(1 - marked / 40)


def test_errors_of_quantities_have_no_upper_end():
    X, y = rows_of(np.where(np.arange(40) < 2, 90.0, 1.0))
    found = nested_cross_validation(OffByTheSecondColumn(), X, y, folds=4, repeats=1)
    plain = corrected_resampled_interval([record.error for record in found.records], 30, 10)
    assert plain.lower < 0
    assert (found.interval.lower, found.interval.upper) == (0.0, plain.upper) and plain.upper > 1
