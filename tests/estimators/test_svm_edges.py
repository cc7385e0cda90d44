"""SVMClassifier: tables and settings at the edge of what is possible."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from kernelwise import SVMClassifier
from kernelwise.criteria import LaplaceEvidence
from kernelwise.estimators import NoBetterThanTrivialWarning
from kernelwise.estimators.svm import SELECTIONS
from kernelwise.kernels import Gaussian, Scaled
from kernelwise.selections import (
    AtLimitWarning,
    MinimizeCriterion,
    NoAlignmentWarning,
    NullModelWarning,
)

LOSSES = ["squared_hinge", "hinge"]
every_way = pytest.mark.parametrize(
    ("selection", "loss"),
    [
        (selection, loss)
        for selection in SELECTIONS
        for loss in LOSSES
        # Sampling only checks what propagation chose.
        if (selection, loss) != ("radius-margin", "hinge") and selection != "evidence-hmc"
    ],
)
EXPECTED = (
    ConvergenceWarning,
    AtLimitWarning,
    NoAlignmentWarning,
    NullModelWarning,
    NoBetterThanTrivialWarning,
)
every_loss = pytest.mark.parametrize("loss", LOSSES)


def table(n=25, d=3, seed=0):
    """Separable, by a plane through two of the columns."""
    X = np.random.default_rng(seed).normal(size=(n, d))
    return X, (X[:, 0] + 0.3 * X[:, 1] > 0).astype(int)


def of(selection, loss, kernel="mixed", **more):
    """Copies for probabilities choose again with one search: their code is the same for all."""
    honest = "auto" if selection == "span" else False
    return SVMClassifier(kernel, selection, loss, honest=honest, **more)


def fitted(model, X, y, **settings):
    """The fit, if nothing in it is NaN or overflows; a search may say that it ended early."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in EXPECTED:
            warnings.simplefilter("ignore", kind)
        model = clone(model).fit(X, y, **settings)
        probabilities = model.predict_proba(X)
    assert np.isfinite(model.decision_function(X)).all()
    assert np.isfinite(probabilities).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-12)
    decided = model.classes_[probabilities.argmax(axis=1)]
    np.testing.assert_array_equal(decided, model.predict(X))
    assert not np.isnan(model.trace_.values).any()
    assert np.isfinite(model.criterion_) and np.isfinite(model.C_)
    assert np.isfinite(model.relevance_).all()
    assert 0 <= model.held_out_error_ <= 1
    return model


@every_way
def test_separable_rows(selection, loss):
    X, y = table()
    model = fitted(of(selection, loss, "gaussian", cv=3), X, y)
    assert model.score(X, y) > 0.9
    # Every class has rows that support.
    assert model.n_support_.min() >= 1 and model.n_support_.sum() == len(model.support_)


@every_way
@pytest.mark.parametrize("n", [2, 3])
def test_a_row_of_each_class(selection, loss, n):
    X, _ = table(n=3)
    y = np.array([0, 1, 0])[:n]
    model = fitted(of(selection, loss), X[:n], y)
    assert model.support_.tolist() == list(range(n))
    assert model.n_support_.tolist() == [n - 1, 1]
    if n == 2:
        assert model.score(X[:2], y) == 1
        # By symmetry the boundary is halfway.
        middle = model.decision_function(X[:2].mean(axis=0, keepdims=True))
        np.testing.assert_allclose(middle, 0, atol=1e-9)


@every_way
def test_two_distinct_rows_repeated(selection, loss):
    X, y = np.repeat([[0.0, 1.0], [1.0, 3.0]], 10, axis=0), np.repeat([0, 1], 10)
    model = fitted(of(selection, loss), X, y)
    assert model.score(X, y) == 1
    assert len(model.X_fit_) == 2 and model.n_support_.tolist() == [10, 10]


@every_way
def test_every_row_with_both_labels(selection, loss):
    """There is nothing to say about them."""
    X, y = table(n=14)
    model = of(selection, loss, "gaussian", cv=3)
    model = fitted(model, np.vstack([X, X]), np.r_[y, 1 - y])
    np.testing.assert_allclose(model.decision_function(X), 0, atol=1e-9)
    np.testing.assert_allclose(model.predict_proba(X), 0.5, atol=1e-9)
    assert model.held_out_error_ >= 0.5 - 1e-12


@every_way
def test_a_row_that_contradicts(selection, loss):
    X, y = table(n=24)
    model = of(selection, loss, "gaussian", cv=3)
    model = fitted(model, np.vstack([X, X[:1]]), np.r_[y, 1 - y[0]])
    assert model.score(X, y) > 0.75
    assert {0, 24} <= set(model.support_)


@every_way
def test_equal_rows_are_refused(selection, loss):
    with pytest.raises(ValueError, match="all rows of X are equal"):
        of(selection, loss).fit(np.ones((8, 2)), np.arange(8) % 2)


@every_way
def test_a_class_of_one_row(selection, loss):
    """The fold that holds it out is learned from one class."""
    X, _ = table(n=20)
    y = np.arange(20) == 3
    model = fitted(of(selection, loss, "gaussian", cv=3), X, y)
    assert model.n_support_[1] == 1 and 3 in model.support_


@pytest.mark.parametrize("selection", [None, "span", "alignment"])
@every_loss
def test_a_class_of_one_row_among_three(selection, loss):
    X, y = table(n=24)
    y[5] = 2
    model = fitted(of(selection, loss, "gaussian", cv=3), X, y)
    assert model.decision_function(X).shape == (24, 3) and model.n_support_[2] == 1


@pytest.mark.parametrize("combine", ["best", "average"])
def test_a_class_without_weight_is_never_predicted(combine):
    X, y = table(n=24)
    y[:4] = 2
    weights = np.where(y == 2, 0.0, 1.0)
    model = SVMClassifier("gaussian", n_restarts=1, combine=combine, random_state=0)
    model = fitted(model, X, y, sample_weight=weights)
    assert model.classes_.tolist() == [0, 1, 2]
    assert not (model.predict(X) == 2).any() and model.n_support_[2] == 0
    np.testing.assert_allclose(model.decision_function(X)[:, 2], -1, atol=1e-12)


@every_way
def test_constant_columns_have_no_relevance(selection, loss):
    X, y = table()
    X[:, 2] = 0.1
    kernel = "gaussian" if selection in ("cv", "evidence") else "ard"
    model = fitted(of(selection, loss, kernel, cv=3), X, y)
    assert model.relevance_[2] == 0 and 2 not in model.selected_features_
    assert model.relevance_.sum() == pytest.approx(1)


@every_way
def test_more_columns_than_rows(selection, loss):
    X, y = table(n=14, d=30)
    kernel = "gaussian" if selection in ("cv", "evidence") else "ard"
    model = fitted(of(selection, loss, kernel, cv=3), X, y)
    assert model.relevance_.shape == (30,) and model.relevance_.sum() == pytest.approx(1)


@every_loss
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [1e-4, 1e-2, 1e2, 1e5, 1e8])
def test_every_bound(loss, bias, C):
    X, y = table()
    model = fitted(SVMClassifier("gaussian", None, loss, C=C, bias=bias), X, y)
    assert model.C_ == C
    if C >= 1e5:
        # No row is given up: the margins of all are met, the nearest exactly.
        margins = (2 * y - 1) * model.decision_function(X)
        assert margins.min() == pytest.approx(1, abs=1e-3)
    if C == 1e-4 and loss == "hinge" and not bias:
        np.testing.assert_allclose(np.abs(model.dual_coef_), C, rtol=1e-12)
        assert len(model.support_) == len(X)


@every_loss
@pytest.mark.parametrize("amplitude", [1e-12, 1e-6, 1e6, 1e12])
def test_amplitude_and_bound_are_one(loss, amplitude):
    """A huge kernel with a tiny C, or the reverse, is the plain machine."""
    X, y = table()
    plain = fitted(SVMClassifier(Gaussian(1.5), None, loss, C=2.0), X, y)
    model = SVMClassifier(Scaled(Gaussian(1.5), amplitude), None, loss, C=2 / amplitude)
    model = fitted(model, X, y)
    np.testing.assert_allclose(model.decision_function(X), plain.decision_function(X), atol=1e-7)
    np.testing.assert_array_equal(model.support_, plain.support_)


@every_loss
@pytest.mark.parametrize("amplitude", [1e-150, 1e-12, 1e12, 1e100])
def test_any_amplitude_is_survived(loss, amplitude):
    X, y = table()
    fitted(SVMClassifier(Scaled(Gaussian(1.5), amplitude), None, loss), X, y)


@every_loss
@pytest.mark.parametrize("within", [(1e-4, 1e-3), (10.0, 20.0), (0.5, 0.5001)])
def test_amplitudes_stay_within_their_bounds(loss, within):
    X, y = table()
    evidence = LaplaceEvidence(smoothing=0.0)
    selection = MinimizeCriterion(evidence, amplitude=True, limits={"amplitude": within})
    model = fitted(SVMClassifier("gaussian", selection, loss, bias=False), X, y)
    low, high = np.log(within)
    assert low - 1e-9 <= np.log(model.kernel_.values[0]) <= high + 1e-9
    first = np.array([point[0] for point in model.trace_.points])
    assert (first >= low - 1e-9).all() and (first <= high + 1e-9).all()


@every_way
def test_scales_of_1e298_fit_to_the_same_bits(selection, loss):
    """Powers of two are exact, so nothing at all may change."""
    X, y = table(n=16)
    model = of(selection, loss, "gaussian", cv=2, random_state=0)
    plain = fitted(model, X, y)
    # Only the columns' scales see the power: once is enough if there is a search.
    for power in (990, -990) if selection is None else (990,):
        scaled = fitted(model, X * 2.0**power, y)
        outputs = scaled.decision_function(X * 2.0**power)
        np.testing.assert_array_equal(outputs, plain.decision_function(X))
        np.testing.assert_array_equal(scaled.support_, plain.support_)


def test_new_rows_far_out_are_predicted_without_overflow():
    X, y = table()
    far = np.array([[1e300, 0.0, -1e300], [1e308, 1e308, 1e308]])
    for kernel in ("ard", "ard-laplacian"):
        model = SVMClassifier(kernel).fit(X, y)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert np.isfinite(model.predict_proba(far)).all()
