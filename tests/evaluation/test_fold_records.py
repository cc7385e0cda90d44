"""What one fit is recorded as; above all the error that a selection claims for itself."""

import json
import time
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifierCV, RidgeCV
from sklearn.metrics import mean_squared_error
from sklearn.model_selection import (
    GridSearchCV,
    LeaveOneOut,
    RandomizedSearchCV,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from kernelwise import LSSVMClassifier
from kernelwise.evaluation import measure_fold
from kernelwise.evaluation.fold_records import Learnt, inner_error, learnt, mean_error, row_losses

GRID = {"C": [0.01, 1.0]}
ALPHAS = {"alpha": [1e-3, 10.0]}


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    return X, 20 + 5 * X[:, 0] + 3 * rng.normal(size=60)


@pytest.mark.parametrize("scoring", [None, "accuracy"])
@pytest.mark.parametrize("search", [GridSearchCV, RandomizedSearchCV])
def test_searches_by_accuracy_claim_a_share_of_wrong_labels(table, search, scoring):
    X, y = table[0], table[1] > 20
    options = {"n_iter": 2} if search is RandomizedSearchCV else {}
    fitted = search(LogisticRegression(), GRID, cv=4, scoring=scoring, **options).fit(X, y)
    best = LogisticRegression(**fitted.best_params_)
    assert inner_error(fitted) == pytest.approx(1 - cross_val_score(best, X, y, cv=4).mean())


@pytest.mark.parametrize("scoring", ["neg_mean_squared_error", "neg_root_mean_squared_error"])
def test_searches_by_squares_claim_a_root_mean_square(table, scoring):
    X, y = table
    fitted = GridSearchCV(Ridge(), ALPHAS, cv=4, scoring=scoring).fit(X, y)
    scores = -cross_val_score(Ridge(**fitted.best_params_), X, y, cv=4, scoring=scoring)
    rooted = scoring == "neg_root_mean_squared_error"
    expected = scores.mean() if rooted else np.sqrt(scores.mean())
    assert inner_error(fitted) == pytest.approx(expected)
    assert 2.5 < expected < 4


def test_ridge_by_leave_one_out_claims_its_root_mean_square(table):
    X, y = table
    fitted = RidgeCV([0.1, 1.0, 10.0]).fit(X, y)
    left_out = cross_val_predict(Ridge(fitted.alpha_), X, y, cv=LeaveOneOut())
    assert inner_error(fitted) == pytest.approx(np.sqrt(mean_squared_error(y, left_out)))


@pytest.mark.parametrize(
    "model",
    [
        GridSearchCV(LogisticRegression(), GRID, scoring="roc_auc"),
        GridSearchCV(LogisticRegression(), GRID, scoring=["accuracy"], refit="accuracy"),
        RidgeClassifierCV(),
        LogisticRegression(),
    ],
    ids=str,
)
def test_classifiers_with_another_unit_claim_nothing(table, model):
    assert inner_error(model.fit(table[0], table[1] > 20)) is None


@pytest.mark.parametrize(
    "model",
    [
        GridSearchCV(Ridge(), ALPHAS),
        GridSearchCV(Ridge(), ALPHAS, scoring="r2"),
        RidgeCV(cv=3),
        Ridge(),
    ],
    ids=str,
)
def test_regressors_with_another_unit_claim_nothing(table, model):
    assert inner_error(model.fit(*table)) is None


def test_one_score_per_output_claims_nothing(table):
    X, y = table
    assert inner_error(RidgeCV(alpha_per_target=True).fit(X, np.column_stack([y, -y]))) is None


def test_a_score_that_is_not_a_number_claims_nothing(table):
    X, y = table[0], table[1] > 20
    search = GridSearchCV(LogisticRegression(), GRID, scoring="accuracy").fit(X, y)
    search.best_score_ = np.float64(np.nan)
    assert inner_error(search) is None


def test_a_record_holds_what_a_fit_gave(table):
    X, y = table[0], np.where(table[1] > 20, "high", "low")
    model = make_pipeline(StandardScaler(), LSSVMClassifier("ard", "loo"))
    record = measure_fold(model, X[:40], y[:40], X[40:], y[40:])
    np.testing.assert_array_equal(record.predictions, model.predict(X[40:]))
    assert record.error == pytest.approx(np.mean(record.predictions != y[40:]))
    commonest = max(set(y[:40]), key=list(y[:40]).count)
    assert record.baseline == pytest.approx(np.mean(y[40:] != commonest))
    assert record.inner_error == model[-1].held_out_error_
    assert (record.n_train, record.n_test) == (40, 20)
    assert record.counters["factorizations"] == model[-1].n_factorizations_
    assert record.learnt.regularization == model[-1].regularization_


def test_the_baseline_knows_the_training_rows_only():
    X, train, test = np.zeros((10, 1)), np.array(list("aaaaaaabbb")), np.array(list("aabbbbbbbb"))
    model = DummyClassifier(strategy="constant", constant="b")
    assert measure_fold(model, X, train, X, test).baseline == 0.8
    numbers, others = np.arange(10.0), np.full(10, 7.5)
    assert measure_fold(DummyRegressor(), X, numbers, X, others).baseline == pytest.approx(3.0)


def test_times_are_those_of_the_fit_alone(table):
    """Not the clock's: this process has run for longer than the fit."""
    began = time.perf_counter(), time.thread_time()
    record = measure_fold(Ridge(), *table, *table)
    elapsed = time.perf_counter() - began[0], time.thread_time() - began[1]
    assert 0 < record.wall_seconds <= elapsed[0] < began[0]
    assert 0 < record.cpu_seconds <= elapsed[1] < began[1]


@pytest.mark.parametrize(
    ("grid", "chosen"),
    [
        ({"model": [Ridge(2.0)]}, {"model": "Ridge(alpha=2.0)"}),
        ({"scaler__feature_range": [(0, 2)]}, {"scaler__feature_range": "(0, 2)"}),
        ({"model__alpha": [np.array([1.0, 2.0])]}, {"model__alpha": "[1. 2.]"}),
        (
            {"model__alpha": np.logspace(0, 0, 1), "model__max_iter": [np.int64(7)]},
            {"model__alpha": 1.0, "model__max_iter": 7.0},
        ),
        (
            {"model__solver": ["svd"], "model__copy_X": [True], "model__max_iter": [None]},
            {"model__solver": "svd", "model__copy_X": True, "model__max_iter": None},
        ),
    ],
    ids=["estimator", "tuple", "array", "numbers", "plain"],
)
def test_what_a_search_chose_is_ready_for_json(table, grid, chosen):
    X, y = table[0], np.column_stack([table[1], -table[1]])
    pipeline = Pipeline([("scaler", MinMaxScaler()), ("model", Ridge())])
    found = learnt(GridSearchCV(pipeline, grid, cv=2).fit(X, y))
    assert found == Learnt(parameters=chosen)
    assert json.loads(json.dumps(found.parameters)) == found.parameters


def test_errors_of_many_outputs_are_means_over_rows_and_outputs():
    truth, predictions = np.array([[0.0, 1.0], [2.0, 5.0]]), np.array([[1.0, 1.0], [0.0, 5.0]])
    np.testing.assert_allclose(row_losses(Ridge(), truth, predictions), [0.5, 2.0])
    assert mean_error(Ridge(), truth, predictions) == pytest.approx(np.sqrt(1.25))


class Complaining(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        for _ in range(2):
            warnings.warn("hard to learn", UserWarning, stacklevel=2)
        return self

    def predict(self, X):
        return np.full(len(X), "a")


def test_warnings_are_kept_once_and_predictions_have_a_hash():
    X, y = np.zeros((4, 1)), np.array(["a", "b", "a", "a"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = measure_fold(Complaining(), X[:2], y[:2], X[2:], y[2:])
        other = measure_fold(Complaining(), X[:1], y[:1], X[1:], y[1:])
    assert first.messages == ("hard to learn",)
    assert first.inner_error is None
    assert first.predictions_hash != other.predictions_hash
    assert len(first.predictions_hash) == 16


def test_a_gap_that_is_new_in_a_fold_is_no_message(table):
    X, y = table
    X = X.copy()
    X[50, 1] = np.nan
    model = LSSVMClassifier("gaussian", None)
    record = measure_fold(model, X[:40], y[:40] > 20, X[40:], y[40:] > 20)
    assert record.messages == ()
