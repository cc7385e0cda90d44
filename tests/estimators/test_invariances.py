"""What must not matter: row order, label names, repetition against weight, units, column order."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from kernelwise import LSSVMClassifier, LSSVMRegressor

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
QUICK = settings(
    max_examples=4,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
SEEDS = st.integers(0, 10**6)
# How far rounding may carry: nothing is searched; a search by gradients to 1e-7 of its criterion;
# a trust region of 0.1 around the best two regularizers.
CLOSE = {None: 1e-8, "loo": 2e-5, "evidence": 2e-5, "first-level": 2e-2}


def of(kind, kernel, selection):
    """Copies for probabilities choose again with the cheapest search and with the default one."""
    honest = "auto" if selection == "loo" else False
    return kind(kernel, selection, random_state=0, honest=honest)


def models(selections=(None, "loo")):
    return [
        pytest.param(of(kind, kernel, selection), id=f"{kind.__name__}-{selection}")
        for kind in (LSSVMClassifier, LSSVMRegressor)
        for kernel, selection in (("ard" if s is None else "gaussian", s) for s in selections)
    ]


def table(seed, n=30, d=3):
    """A learnable table with blur, so that no search runs to a limit."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    score = X[:, 0] + 0.5 * np.sin(2 * X[:, 1]) + 0.5 * random.normal(size=n)
    return X, score, random


def targets(model, score):
    return score if isinstance(model, LSSVMRegressor) else np.where(score > 0, "b", "a")


def outputs(model, X):
    return getattr(model, "decision_function", model.predict)(X)


@pytest.mark.parametrize("model", models((None, "loo", "loo-bayes", "cv", "evidence")))
@QUICK
@given(seed=SEEDS)
def test_row_order_does_not_matter(model, seed):
    """Rows are sorted before anything else, so a classifier keeps its bits."""
    X, score, random = table(seed)
    y, order = targets(model, score), random.permutation(30)
    straight = outputs(clone(model).fit(X, y), X)
    shuffled = outputs(clone(model).fit(X[order], y[order]), X)
    if isinstance(model, LSSVMClassifier):
        np.testing.assert_array_equal(shuffled, straight)
    else:
        # The target's mean is a sum over rows in their order.
        np.testing.assert_allclose(shuffled, straight, atol=CLOSE.get(model.selection, 2e-5))


@settings(QUICK, max_examples=3)
@given(seed=SEEDS)
def test_row_order_does_not_matter_to_the_default_classifier(seed):
    X, score, random = table(seed)
    y, order = np.where(score > 0, "b", "a"), random.permutation(30)
    straight, shuffled = (LSSVMClassifier().fit(X[rows], y[rows]) for rows in (slice(None), order))
    np.testing.assert_array_equal(shuffled.predict_proba(X), straight.predict_proba(X))
    np.testing.assert_array_equal(shuffled.relevance_, straight.relevance_)


@pytest.mark.parametrize("selection", [None, "loo", "cv", "evidence", "first-level"])
@QUICK
@given(seed=SEEDS)
def test_swapping_the_labels_flips_the_decision(selection, seed):
    X, score, _ = table(seed)
    model = of(LSSVMClassifier, "gaussian", selection)
    one = clone(model).fit(X, score > 0)
    other = clone(model).fit(X, score <= 0)
    np.testing.assert_allclose(other.decision_function(X), -one.decision_function(X), atol=1e-12)
    np.testing.assert_allclose(other.predict_proba(X)[:, ::-1], one.predict_proba(X), atol=1e-6)


@QUICK
@given(seed=SEEDS)
def test_names_of_three_classes_do_not_matter(seed):
    X, score, random = table(seed, n=36)
    codes, names = np.digitize(score, [-0.5, 0.5]), random.permutation(3)
    model = LSSVMClassifier("gaussian", None)
    plain = clone(model).fit(X, codes).decision_function(X)
    renamed = clone(model).fit(X, names[codes]).decision_function(X)
    np.testing.assert_allclose(renamed[:, names], plain, atol=1e-10)


@pytest.mark.parametrize("model", models((None, "loo", "loo-bayes", "evidence", "first-level")))
@QUICK
@given(seed=SEEDS)
def test_a_repeated_row_is_a_row_of_weight_two(model, seed):
    X, score, random = table(seed)
    y, twice = targets(model, score), random.choice(30, 8, replace=False)
    repeated = clone(model).fit(np.vstack([X, X[twice]]), np.concatenate([y, y[twice]]))
    weights = np.ones(30)
    weights[twice] = 2
    weighted = clone(model).fit(X, y, sample_weight=weights)
    if isinstance(model, LSSVMClassifier):
        np.testing.assert_array_equal(outputs(repeated, X), outputs(weighted, X))
        np.testing.assert_array_equal(repeated.predict_proba(X), weighted.predict_proba(X))
    else:
        close = CLOSE.get(model.selection, 2e-5)
        np.testing.assert_allclose(outputs(repeated, X), outputs(weighted, X), atol=close)
        std = (fitted.predict(X, return_std=True)[1] for fitted in (repeated, weighted))
        np.testing.assert_allclose(*std, rtol=10 * close)


@pytest.mark.parametrize("model", models((None, "loo", "loo-bayes", "cv", "evidence")))
@QUICK
@given(seed=SEEDS)
def test_a_row_of_weight_zero_is_not_there(model, seed):
    X, score, random = table(seed)
    y, weights = targets(model, score), np.ones(30)
    weights[random.choice(30, 6, replace=False)] = 0
    kept = weights > 0
    X[~kept] *= 100  # it must not even leave its mark on the scales
    ignored = clone(model).fit(X, y, sample_weight=weights)
    removed = clone(model).fit(X[kept], y[kept])
    np.testing.assert_array_equal(outputs(ignored, X[kept]), outputs(removed, X[kept]))


@pytest.mark.parametrize("model", models((None, "loo", "evidence")))
@QUICK
@given(seed=SEEDS)
def test_units_of_the_columns_do_not_matter(model, seed):
    """x -> a x + b in each column; a in 1e-6 .. 1e6 and b up to ten times the spread."""
    X, score, random = table(seed)
    y = targets(model, score)
    factors = 10 ** random.uniform(-6, 6, size=3)
    moved = X * factors + factors * random.uniform(-10, 10, size=3)
    plain, other = clone(model).fit(X, y), clone(model).fit(moved, y)
    close = CLOSE[model.selection]
    np.testing.assert_allclose(outputs(other, moved), outputs(plain, X), atol=close)
    np.testing.assert_allclose(other.relevance_, plain.relevance_, atol=close)


@pytest.mark.parametrize(
    "kernel", ["ard", "ard-laplacian", "ard-linear", "mixed", "ard-polynomial"]
)
@QUICK
@given(seed=SEEDS)
def test_mirrored_columns_do_not_matter(kernel, seed):
    X, score, random = table(seed)
    signs = random.choice([-1.0, 1.0], size=3)
    model = LSSVMRegressor(kernel, None)
    plain, other = clone(model).fit(X, score), clone(model).fit(X * signs, score)
    np.testing.assert_allclose(other.predict(X * signs), plain.predict(X), atol=1e-8)


@pytest.mark.parametrize("model", models((None, "loo", "evidence")))
@QUICK
@given(seed=SEEDS)
def test_order_of_the_columns_permutes_the_relevance(model, seed):
    X, score, random = table(seed)
    y, order = targets(model, score), random.permutation(3)
    plain, other = clone(model).fit(X, y), clone(model).fit(X[:, order], y)
    close = CLOSE[model.selection]
    np.testing.assert_allclose(other.relevance_, plain.relevance_[order], atol=close)
    np.testing.assert_allclose(outputs(other, X[:, order]), outputs(plain, X), atol=close)


@settings(QUICK, max_examples=3)
@given(seed=SEEDS)
def test_order_of_the_columns_permutes_the_default_relevance(seed):
    X, score, random = table(seed)
    y, order = np.where(score > 0, "b", "a"), random.permutation(3)
    plain, other = LSSVMClassifier().fit(X, y), LSSVMClassifier().fit(X[:, order], y)
    close = CLOSE["first-level"]
    np.testing.assert_allclose(other.relevance_, plain.relevance_[order], atol=close)
    np.testing.assert_allclose(outputs(other, X[:, order]), outputs(plain, X), atol=close)


@pytest.mark.parametrize("model", models((None,)))
@QUICK
@given(seed=SEEDS, factor=st.floats(0.1, 10))
def test_weights_and_regularisation_scale_together(model, seed, factor):
    """Only the ratio of regularization to weight enters the fit."""
    X, score, random = table(seed)
    y, weights = targets(model, score), random.uniform(0.5, 2, size=30)
    one = clone(model).fit(X, y, sample_weight=weights)
    other = clone(model).set_params(regularization=factor)
    other.fit(X, y, sample_weight=factor * weights)
    np.testing.assert_allclose(outputs(other, X), outputs(one, X), atol=1e-9)
