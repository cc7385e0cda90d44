"""Relevance vector machines where there is little or nothing to learn, and what must not matter."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelwise import RVMClassifier, RVMRegressor
from kernelwise.criteria import PricedEvidence
from kernelwise.kernels import Gaussian
from kernelwise.selections import NullModelWarning, WidthScan

QUICK = settings(max_examples=2, deadline=None, derandomize=True)
SEEDS = st.integers(0, 10**6)
pytestmark = [
    pytest.mark.filterwarnings("error"),
    # Tables of a few rows, or without a signal, are no accident here.
    pytest.mark.filterwarnings("ignore::kernelwise.estimators.NoBetterThanTrivialWarning"),
]


def table(seed, n=40, labels=False):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    y = X[:, 0] + 0.5 * np.sin(2 * X[:, 1]) + 0.4 * random.normal(size=n)
    return X, np.where(y > 0, 1, 0) if labels else y, random


def of(kind, **more):
    return kind(cv=3, random_state=0, **more)


both = pytest.mark.parametrize("kind", [RVMClassifier, RVMRegressor])


@both
@QUICK
@given(seed=SEEDS)
def test_row_order_does_not_matter(kind, seed):
    """Rows are sorted before anything else; only the mean of quantities is rounded otherwise."""
    X, y, random = table(seed, labels=kind is RVMClassifier)
    order = random.permutation(len(X))
    straight, shuffled = of(kind).fit(X, y), of(kind).fit(X[order], y[order])
    np.testing.assert_allclose(shuffled.predict(X), straight.predict(X), atol=1e-6)
    np.testing.assert_array_equal(np.sort(order[shuffled.support_]), straight.support_)
    assert shuffled.evidence_ == pytest.approx(straight.evidence_, abs=1e-8)
    if kind is RVMClassifier:
        np.testing.assert_array_equal(shuffled.predict_proba(X), straight.predict_proba(X))


@both
@QUICK
@given(seed=SEEDS)
def test_weight_two_is_a_repeated_row(kind, seed):
    X, y, random = table(seed, labels=kind is RVMClassifier)
    weights = random.integers(0, 3, size=len(X))
    rows = np.repeat(np.arange(len(X)), weights)
    # So close to the maximum a fit takes long: two widths are enough.
    scan = WidthScan(PricedEvidence(), factors=(0.1, 1.0), refine=False)
    weighted = of(kind, selection=scan, tolerance=1e-8, honest=False).fit(
        X, y, sample_weight=weights
    )
    repeated = of(kind, selection=scan, tolerance=1e-8, honest=False).fit(X[rows], y[rows])
    name = "decision_function" if kind is RVMClassifier else "predict"
    outputs, expected = (getattr(model, name)(X) for model in (repeated, weighted))
    np.testing.assert_allclose(outputs, expected, rtol=1e-5, atol=1e-5)
    assert repeated.evidence_ == pytest.approx(weighted.evidence_, abs=1e-6)
    assert repeated.held_out_error_ == pytest.approx(weighted.held_out_error_)


@QUICK
@given(seed=SEEDS)
def test_swapping_the_labels_flips_the_decision(seed):
    X, y, _ = table(seed, labels=True)
    one, other = (of(RVMClassifier, honest=False).fit(X, labels) for labels in (y, 1 - y))
    assert other.kernel_.length_scale == pytest.approx(one.kernel_.length_scale, rel=0.1)
    # The folds are others; so are the sigmoids, a little.
    np.testing.assert_allclose(other.decision_function(X), -one.decision_function(X), atol=0.02)


@both
@QUICK
@given(seed=SEEDS)
def test_units_of_features_do_not_matter(kind, seed):
    X, y, _ = table(seed, labels=kind is RVMClassifier)
    moved = X * [1e3, 1e-3, 7.0] + [0.0, 5.0, 1e4]
    one, other = (of(kind, honest=False).fit(rows, y) for rows in (X, moved))
    np.testing.assert_allclose(other.relevance_, one.relevance_, atol=1e-3)
    assert other.evidence_ == pytest.approx(one.evidence_, abs=1e-3)


@QUICK
@given(seed=SEEDS)
def test_units_of_the_target(seed):
    X, y, _ = table(seed)
    one, other = (of(RVMRegressor, honest=False).fit(X, t) for t in (y, 1e6 * y - 3e7))
    np.testing.assert_allclose(other.predict(X), 1e6 * one.predict(X) - 3e7, rtol=1e-6)
    assert other.evidence_ == pytest.approx(one.evidence_ - 39 * np.log(1e6), rel=1e-6)


@both
def test_a_null_model_is_said_in_a_sentence(kind):
    """Both values of the only column have the same targets: no column can help."""
    X = np.repeat([0.0, 1.0], 30)[:, None]
    values = np.random.default_rng(0).normal(size=30)
    y = np.tile(values > 0.3 if kind is RVMClassifier else values, 2)
    with pytest.warns(NullModelWarning, match="no relevance vector was found"):
        model = of(kind).fit(X, y)
    assert model.n_relevance_vectors_ == 0 and len(model.support_) == 0
    new = np.array([[-3.0], [0.5], [1.0]])
    assert len(np.unique(model.predict(new))) == 1
    np.testing.assert_allclose(model.relevance_, 1.0)
    if kind is RVMClassifier:
        np.testing.assert_allclose(model.predict_proba(new)[:, 1], y.mean(), atol=0.01)
    else:
        outputs, std = model.predict(new, return_std=True)
        np.testing.assert_allclose(outputs, y.mean())
        plain = std / model._stretch
        np.testing.assert_allclose(plain, y.std(ddof=1) * np.sqrt(1 + 1 / 60), rtol=1e-6)


def test_a_constant_target():
    X, _, _ = table(0)
    with pytest.warns(NullModelWarning):
        model = of(RVMRegressor).fit(X, np.full(40, 7.5))
    outputs, std = model.predict(X, return_std=True)
    np.testing.assert_array_equal(outputs, 7.5)
    np.testing.assert_array_equal(std, 0.0)


def test_a_constant_output_among_others():
    X, y, _ = table(0)
    model = of(RVMRegressor).fit(X, np.column_stack([y, np.full(40, -2.0), 2 * y]))
    outputs, std = model.predict(X, return_std=True)
    np.testing.assert_array_equal(outputs[:, 1], -2.0)
    np.testing.assert_array_equal(std[:, 1], 0.0)
    np.testing.assert_allclose(outputs[:, 2], 2 * outputs[:, 0], rtol=1e-6)


@pytest.mark.parametrize("bias", ["free", "penalized"])
@pytest.mark.parametrize("algorithm", ["sequential", "reestimation"])
@pytest.mark.parametrize("n", [2, 3, 6])
def test_few_rows(n, bias, algorithm):
    X = np.arange(n, dtype=float)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NullModelWarning)
        classes = RVMClassifier(bias=bias, algorithm=algorithm, cv=2).fit(X, np.arange(n) % 2)
        quantities = RVMRegressor(bias=bias, algorithm=algorithm, cv=2).fit(X, X[:, 0] ** 2)
    assert np.isfinite(classes.predict_proba(X)).all()
    assert np.isfinite(quantities.predict(X)).all() and np.isfinite(quantities.evidence_)


@pytest.mark.parametrize("bias", ["free", "penalized"])
@pytest.mark.parametrize(
    "algorithm", ["sequential", pytest.param("reestimation", marks=pytest.mark.slow)]
)
def test_separable_classes(bias, algorithm):
    """The evidence stays below 0, a log probability, and outputs stay finite."""
    random = np.random.default_rng(0)
    X = np.vstack([random.normal(-5, 1, (20, 2)), random.normal(5, 1, (20, 2))])
    y = np.repeat([0, 1], 20)
    model = RVMClassifier(bias=bias, algorithm=algorithm).fit(X, y)
    assert model.score(X, y) == 1 and model.evidence_ < 0
    assert np.isfinite(model.decision_function(X)).all()
    assert 1 <= model.n_relevance_vectors_ <= 3


@pytest.mark.parametrize("width", [1e-3, 1e3, 1e7])
@both
def test_kernels_that_are_almost_constant_or_diagonal(kind, width):
    X, y, _ = table(1, labels=kind is RVMClassifier)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NullModelWarning)
        model = of(kind, kernel=Gaussian(width), selection=None).fit(X, y)
    assert np.isfinite(model.predict(X).astype(float)).all()
    if width == 1e3:  # almost linear, and still learned
        assert model.score(X, y) > 0.6


@both
def test_columns_in_the_span_of_others(kind):
    """Three distinct rows: whatever else is given, the model needs no more than two columns."""
    X = np.repeat([[0.0], [1.0], [2.0]], 20, axis=0)
    random = np.random.default_rng(0)
    values = X[:, 0] + 0.1 * random.normal(size=60)
    y = (values > 0.5).astype(int) if kind is RVMClassifier else values
    y[:2] = 1 - y[:2]
    model = of(kind, kernel=Gaussian(1.0), selection=None).fit(X, y)
    assert 1 <= model.n_relevance_vectors_ <= 3
    assert np.isfinite(model.predict(X).astype(float)).all()


def test_exact_targets_leave_almost_no_noise():
    """A kernel expansion without noise is found, and nothing divides by 0."""
    X, _, _ = table(2)
    kernel = Gaussian(1.5)
    y = kernel(X, X[:2]) @ [2.0, -1.0]
    model = of(RVMRegressor, kernel=kernel, selection=None).fit(X, y)
    assert model.score(X, y) > 1 - 1e-6 and model.noise_[0] < 1e-3


def test_a_class_without_rows_of_weight():
    X, y, _ = table(3, n=60, labels=True)
    labels = y.copy()
    labels[:5] = 2
    weights = np.where(labels == 2, 0.0, 1.0)
    model = of(RVMClassifier).fit(X, labels, sample_weight=weights)
    assert set(model.predict(X)) <= {0, 1}
    assert model.predict_proba(X)[:, 2].max() < 0.05
