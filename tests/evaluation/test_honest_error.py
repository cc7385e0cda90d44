"""The honest error against scikit-learn's own held-out predictions."""

import warnings
from dataclasses import fields

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_wine, make_classification, make_regression
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernelwise import LSSVMClassifier
from kernelwise.estimators import base
from kernelwise.evaluation import honest_error, possible_folds
from kernelwise.evaluation.row_intervals import share_difference, share_interval


def test_classifier_errors_are_counted_on_held_out_rows():
    X, y = make_classification(120, flip_y=0.3, weights=[0.7], random_state=0)
    calls = []
    result = honest_error(
        LogisticRegression(), X, y, folds=4, random_state=7, on_fold=lambda: calls.append(1)
    )
    splitter = StratifiedKFold(4, shuffle=True, random_state=7)
    wrong = cross_val_predict(LogisticRegression(), X, y, cv=splitter) != y
    trivial = cross_val_predict(DummyClassifier(), X, y, cv=splitter) != y
    assert result.value == pytest.approx(wrong.mean())
    assert result.baseline == pytest.approx(trivial.mean())
    assert (result.lower, result.upper, result.standard_error) == share_interval(wrong)
    difference = share_difference(wrong.astype(float), trivial)
    assert (result.difference_lower, result.difference_upper) == pytest.approx(difference[:2])
    assert result.beats_trivial == (difference.upper < 0)
    assert len(calls) == result.folds == 4


def test_regressor_errors_are_root_mean_squares():
    X, y = make_regression(90, 5, noise=20, random_state=0)
    result = honest_error(Ridge(), X, y, folds=3, random_state=7, n_jobs=2)
    splitter = KFold(3, shuffle=True, random_state=7)
    squares = (cross_val_predict(Ridge(), X, y, cv=splitter) - y) ** 2
    trivial = (cross_val_predict(DummyRegressor(), X, y, cv=splitter) - y) ** 2
    assert result.value == pytest.approx(np.sqrt(squares.mean()))
    assert result.baseline == pytest.approx(np.sqrt(trivial.mean()))
    # The root's standard error, by resampling the rows, widened for the rows that fits share.
    rows = np.random.default_rng(0).integers(90, size=(4000, 90))
    resampled = np.sqrt(squares[rows].mean(axis=1)).std()
    assert result.standard_error == pytest.approx(np.sqrt(1.7) * resampled, rel=0.1)
    assert result.lower < result.value < result.upper
    assert result.beats_trivial and result.difference_upper < 0


class Complaining(ClassifierMixin, BaseEstimator):
    """Warns in each fit, and learns only the labels' names."""

    def fit(self, X, y):
        warnings.warn("hard to learn", UserWarning, stacklevel=2)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_warnings_of_the_folds_are_kept_once():
    X, y = np.zeros((10, 1)), np.array(["a", "b"] * 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = honest_error(Complaining(), X, y, folds=5)
    assert result.messages == ("hard to learn",)
    assert result.value == 0.5
    assert not result.beats_trivial
    others = {"messages", "measures", "confusion"}
    numbers = {field.name for field in fields(result)} - others
    assert set(result.numbers()) == numbers | set(result.measures)


def test_folds_that_rows_and_classes_allow():
    assert possible_folds(np.array([0] * 9 + [1] * 3), 5, stratified=True) == 3
    assert possible_folds(np.array([0] * 9 + [1]), 5, stratified=True) == 0
    assert possible_folds(np.arange(2.0), 5, stratified=False) == 0
    assert possible_folds(np.arange(4.0), 5, stratified=False) == 4
    assert possible_folds(np.arange(40.0), 5, stratified=False) == 5
    assert possible_folds(np.arange(40.0), 0, stratified=False) == 0


def test_folds_do_not_rank_features(monkeypatch):
    """The errors are those of whole fits; what only a reader of the model needs is left out."""
    X, y = load_wine(return_X_y=True)
    model = make_pipeline(StandardScaler(), LSSVMClassifier("gaussian", "loo"))
    splitter = StratifiedKFold(3, shuffle=True, random_state=0)
    wrong = cross_val_predict(model, X, y, cv=splitter) != y
    with monkeypatch.context() as patch:  # whoever calls these fails
        patch.setattr(base, "knockout_squares", None)
        assert honest_error(model, X, y, folds=3).value == pytest.approx(wrong.mean())
    assert len(model.fit(X, y)[-1].relevance_) == X.shape[1], "the estimator itself is as it was"


def test_a_step_that_needs_relevances_gets_them():
    X, y = load_wine(return_X_y=True)
    chosen = SelectFromModel(LSSVMClassifier("ard", "loo"), max_features=4)
    model = make_pipeline(StandardScaler(), chosen, LSSVMClassifier("gaussian", "loo"))
    assert honest_error(model, X, y, folds=2).value < 0.2
