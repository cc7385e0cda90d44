"""Input that is odd but sound: constant columns, repeated rows, more columns than rows, units."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from kernelwise import LSSVMClassifier, LSSVMRegressor, RVMClassifier, RVMRegressor, SVMClassifier
from kernelwise.estimators.lssvm import SELECTIONS
from kernelwise.kernels.names import KERNEL_NAMES

BOTH = [LSSVMClassifier, LSSVMRegressor]
NAMED = [name for name in KERNEL_NAMES if name != "precomputed"]
# Searches of tables this small may stop early, and say so.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(params=BOTH, ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


def table(n=40, d=3, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, d))
    return X, (X[:, 0] + 0.3 * X[:, 1] > 0).astype(float)


def of(kind, selection, kernel=None):
    """Copies for probabilities choose again with the cheapest search: their code is the same."""
    honest = "auto" if selection == "loo" else False
    kernel = {} if kernel is None else {"kernel": kernel}
    return kind(selection=selection, random_state=0, honest=honest, **kernel)


def outputs(model, X):
    return getattr(model, "decision_function", model.predict)(X)


@pytest.mark.parametrize("kernel", NAMED)
def test_constant_columns_have_no_relevance(kind, kernel):
    X, y = table()
    X[:, 2] = 0.1
    model = kind(kernel, "loo").fit(X, y)
    assert model.relevance_[2] == 0
    assert 2 not in model.selected_features_
    assert model.relevance_.sum() == pytest.approx(1)


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_constant_column_changes_no_prediction(kind, selection):
    """It says nothing, so the model is that of the other columns."""
    X, y = table()
    with_constant = np.column_stack([X, np.full(40, 1e6)])
    model = of(kind, selection, "gaussian")
    alone = outputs(clone(model).fit(X, y), X)
    together = outputs(clone(model).fit(with_constant, y), with_constant)
    # As given, the length scale follows the number of columns; the outer search of first-level
    # learning ends at a trust region of 0.1; the others search by gradients to the end.
    close = {None: 0.3, "first-level": 0.05, "auto": 0.05}.get(selection, 1e-3)
    np.testing.assert_allclose(together, alone, atol=close)


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_more_columns_than_rows(kind, selection):
    X, y = table(n=20, d=60)
    model = of(kind, selection).fit(X, y)
    assert np.isfinite(outputs(model, X)).all()
    assert model.relevance_.shape == (60,)
    assert model.relevance_.sum() == pytest.approx(1)


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_handful_of_rows(kind, selection, n):
    X, _ = table(n=4)
    y = np.array([0.0, 1.0, 0.0, 1.0])[:n]
    model = of(kind, selection).fit(X[:n], y)
    assert np.isfinite(outputs(model, X)).all()


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_rows_repeated_with_contradicting_targets(kind, selection):
    """Each row appears with both targets: the mean is all there is to say."""
    X, y = table(n=20)
    model = of(kind, selection)
    model.fit(np.vstack([X, X]), np.concatenate([y, 1 - y]))
    middle = 0.0 if kind is LSSVMClassifier else 0.5
    np.testing.assert_allclose(outputs(model, X), middle, atol=1e-9)
    if kind is LSSVMClassifier:
        np.testing.assert_allclose(model.predict_proba(X), 0.5, atol=1e-9)


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_two_distinct_rows_repeated(kind, selection):
    X, y = np.repeat([[0.0, 1.0], [1.0, 3.0]], 10, axis=0), np.repeat([0.0, 1.0], 10)
    model = of(kind, selection).fit(X, y)
    np.testing.assert_array_equal(np.round(model.predict(X)), y)


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_scales_of_1e298_fit_to_the_same_bits(kind, selection):
    """Powers of two are exact, so nothing at all may change."""
    X, y = table()
    model = of(kind, selection)
    plain = clone(model).fit(X, y)
    # Only the columns' scales see the power: once is enough if there is a long search.
    for power in (990, -990) if selection in (None, "loo") else (990,):
        scaled = clone(model).fit(X * 2.0**power, y)
        np.testing.assert_array_equal(outputs(scaled, X * 2.0**power), outputs(plain, X))
        np.testing.assert_array_equal(scaled.relevance_, plain.relevance_)


@pytest.mark.parametrize("kernel", ["ard", "ard-laplacian", "mixed", "ard-linear", "polynomial"])
def test_columns_of_wildly_different_scales_fit_to_the_same_predictions(kind, kernel):
    X, y = table()
    units = np.array([1e-300, 1e300, 1.0])
    model = kind(kernel, None)
    plain, scaled = clone(model).fit(X, y), clone(model).fit(X * units, y)
    np.testing.assert_allclose(outputs(scaled, X * units), outputs(plain, X), atol=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("largest", [1e308, 1.7e308])
def test_numbers_near_the_largest_one(kind, largest):
    X, y = table()
    X /= np.abs(X).max()
    plain, scaled = kind("gaussian", None).fit(X, y), kind("gaussian", None).fit(X * largest, y)
    np.testing.assert_allclose(outputs(scaled, X * largest), outputs(plain, X), atol=1e-9)


def test_integers_booleans_and_float32_are_numbers(kind):
    X, y = table()
    whole = np.round(4 * X)
    model = kind("gaussian", None)
    expected = outputs(clone(model).fit(whole, y), whole)
    for dtype in (np.int64, np.int8, np.float32, object):
        other = whole.astype(dtype)
        np.testing.assert_array_equal(outputs(clone(model).fit(other, y), other), expected)
    signs = X > 0
    as_float = outputs(clone(model).fit(signs.astype(float), y), signs.astype(float))
    np.testing.assert_array_equal(outputs(clone(model).fit(signs, y), signs), as_float)


def test_input_arrays_are_not_changed(kind):
    X, y = table()
    weights = np.ones(40)
    copies = X.copy(), y.copy(), weights.copy()
    for array in (X, y, weights):
        array.flags.writeable = False
    kind("gaussian", "loo").fit(X, y, sample_weight=weights).predict(X)
    for array, copy in zip((X, y, weights), copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_new_rows_far_out_are_predicted_without_overflow(kind):
    X, y = table()
    far = np.array([[1e300, 0.0, -1e300], [1e308, 1e308, 1e308]])
    for kernel in ("ard", "ard-laplacian"):
        model = kind(kernel, "loo").fit(X, y)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert np.isfinite(outputs(model, far)).all()


def test_gram_matrix_that_is_not_symmetric_is_refused(kind):
    X, y = table()
    with pytest.raises(ValueError, match="symmetric"):
        kind("precomputed").fit(np.triu(X @ X.T), y)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_column_from_the_smallest_to_the_largest_number(kind):
    X, y = table()
    X[:, 0] = np.where(X[:, 0] > 0, 1.0, -1.0) * np.finfo(float).max
    signs = np.column_stack([np.sign(X[:, 0]), X[:, 1:]])
    found, plain = (kind("gaussian", None).fit(rows, y) for rows in (X, signs))
    np.testing.assert_allclose(outputs(found, X), outputs(plain, signs), atol=1e-9)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.full(40, 1e300), "must be 0, or between"),
        (np.full(40, 5e-324), "must be 0, or between"),
        (np.where(np.arange(40) % 3, 1e-15, 1e15), "count for nothing"),
    ],
)
def test_weights_that_cannot_be_added_up_are_refused(kind, weights, message):
    X, y = table()
    with pytest.raises(ValueError, match=message):
        kind("gaussian", None).fit(X, y, sample_weight=weights)


def test_weights_too_heavy_for_sparse_machines_are_refused():
    X, y = table()
    for model, weights in (
        (RVMClassifier("gaussian", None), np.full(40, 1e8)),
        (SVMClassifier("gaussian", None), np.full(40, 2.0**60)),
        (RVMRegressor("gaussian", None), np.where(np.arange(40) % 2, 1e-8, 1e8)),
    ):
        with pytest.raises(ValueError, match="sample_weight"):
            model.fit(X, y, sample_weight=weights)


def test_whole_weights_too_large_to_count_are_no_copies(kind):
    X, y = table()
    model = kind("gaussian", "cv").fit(X, y, sample_weight=np.full(40, 2.0**60))
    assert np.isfinite(outputs(model, X)).all()


def test_two_columns_of_one_name_are_refused_in_one_line(kind):
    X, y = table()
    frame = pd.DataFrame(X, columns=["a", "b", "a"])
    with pytest.raises(ValueError, match=r"^X has two columns named 'a': rename one$"):
        kind("gaussian", None).fit(frame, y)


def test_a_whole_number_beyond_doubles_is_refused(kind):
    X, y = table()
    X = X.astype(object)
    X[3, 1] = 10**400
    with pytest.raises(ValueError, match="X holds a whole number too large"):
        kind("gaussian", None).fit(X, y)
