"""scikit-learn's tools around the estimators: clone, pickle, cross-validation, grids, pipelines."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.gaussian_process.kernels import RBF
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernelwise import LSSVMClassifier, LSSVMRegressor
from kernelwise.kernels import Gaussian
from kernelwise.searchers import NelderMead
from kernelwise.selections import FirstLevelSelection

MODELS = [
    LSSVMClassifier("gaussian", "loo"),
    LSSVMClassifier(Gaussian(2.0), FirstLevelSelection(), searcher=NelderMead(20)),
    LSSVMRegressor(RBF(1.0), "loo", n_restarts=1, random_state=3),
    LSSVMRegressor("ard", "cv", cv=3, random_state=0),
]


@pytest.fixture
def table(request, binary, smooth):
    """The table for the ``model`` of the test."""
    classifies = isinstance(request.getfixturevalue("model"), LSSVMClassifier)
    return binary if classifies else smooth


def outputs(model, X):
    return getattr(model, "decision_function", model.predict)(X)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_clone_and_pickle_give_the_same_predictions(model, table):
    fitted = clone(model).fit(table.X, table.y)
    expected = outputs(fitted, table.X_test)
    np.testing.assert_array_equal(
        outputs(clone(fitted).fit(table.X, table.y), table.X_test), expected
    )
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(outputs(again, table.X_test), expected)
    assert repr(again.get_params()) == repr(fitted.get_params())
    assert again.trace_.values == fitted.trace_.values


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_parameters_round_trip(model):
    copy = type(model)().set_params(**model.get_params(deep=False))
    assert repr(copy.get_params()) == repr(model.get_params())


@pytest.mark.parametrize("model", MODELS[:1] + MODELS[3:], ids=str)
def test_cross_validation_beats_the_trivial_rule(model, table):
    scores = cross_val_score(model, table.X, table.y, cv=3)
    assert scores.shape == (3,)
    assert scores.mean() > (0.7 if isinstance(model, LSSVMClassifier) else 0.5)


@pytest.mark.parametrize("model", [LSSVMClassifier(), LSSVMRegressor()], ids=str)
def test_grid_search_over_kernels_and_selections(model, table):
    grid = {"kernel": ["linear", "gaussian", Gaussian(1.0)], "selection": ["loo", None]}
    search = GridSearchCV(model, grid, cv=4, error_score="raise").fit(table.X, table.y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert len(set(search.cv_results_["mean_test_score"].round(12))) > 1
    assert search.best_score_ > 0.5


def test_pipeline_with_standard_scaler_changes_nothing(binary):
    """Named kernels standardize themselves, so standardizing first has no effect."""
    model = LSSVMClassifier("gaussian", selection=None)
    piped = make_pipeline(StandardScaler(), model).fit(binary.X * [1, 10, 100, 1e3], binary.y)
    plain = clone(model).fit(binary.X, binary.y)
    np.testing.assert_allclose(
        piped.decision_function(binary.X_test * [1, 10, 100, 1e3]),
        plain.decision_function(binary.X_test),
        atol=1e-9,
    )


def test_sample_weight_goes_through_a_pipeline(binary):
    weights = np.where(binary.y == "yes", 5.0, 1.0)
    model = LSSVMClassifier("linear", selection=None)
    piped = make_pipeline(StandardScaler(), model)
    piped.fit(binary.X, binary.y, lssvmclassifier__sample_weight=weights)
    unweighted = make_pipeline(StandardScaler(), clone(model)).fit(binary.X, binary.y)
    assert (piped.predict(binary.X_test) == "yes").sum() > (
        unweighted.predict(binary.X_test) == "yes"
    ).sum()


def test_precomputed_gram_is_cut_on_both_sides_by_cross_validation(binary):
    """The pairwise tag: folds of a Gram matrix are folds of its rows and of its columns."""
    scaled = StandardScaler().fit_transform(binary.X)
    by_gram = cross_val_predict(
        LSSVMClassifier("precomputed", selection=None),
        rbf_kernel(scaled, gamma=0.1),
        binary.y,
        cv=3,
        method="decision_function",
    )
    by_rows = cross_val_predict(
        LSSVMClassifier(Gaussian(np.sqrt(5)), selection=None),
        scaled,
        binary.y,
        cv=3,
        method="decision_function",
    )
    np.testing.assert_allclose(by_gram, by_rows, atol=1e-9)


def test_one_vs_rest_wrapper_agrees_with_the_built_in_coding(three_classes):
    """At a fixed kernel the shared factorization gives what separate machines would."""
    model = LSSVMClassifier("gaussian", selection=None, regularization=0.5)
    own = clone(model).fit(three_classes.X, three_classes.y)
    wrapped = OneVsRestClassifier(model).fit(three_classes.X, three_classes.y)
    np.testing.assert_allclose(
        own.decision_function(three_classes.X_test),
        wrapped.decision_function(three_classes.X_test),
        atol=1e-9,
    )
