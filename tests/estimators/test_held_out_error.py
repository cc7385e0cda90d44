"""``held_out_error_`` against brute force: every part left out in turn, at the chosen kernel."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel

from kernelwise import LSSVMClassifier, LSSVMRegressor
from kernelwise.estimators.lssvm import SELECTIONS
from kernelwise.kernels import Gaussian
from kernelwise.tables.rows import Observations, merge_equal_rows


def draw(seed, outputs=1, rows=40):
    """Rows on a coarse grid, so that some are equal, and targets that differ between them."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(rows, 2)), 0)
    y = 50 + 9 * np.sin(X[:, :1]) + rng.normal(size=(rows, outputs)) * np.arange(3, 3 + outputs)
    return X, y[:, 0] if outputs == 1 else y, rng.integers(1, 4, size=rows).astype(float)


def left_out_predictions(model, X, y, weights):
    """Predictions of each part by a refit without it, and the parts.

    Equal rows disagree here, so their copies are dealt to three folds; a part is what one fold has
    of one row.
    """
    given = clone(model).set_params(
        kernel=model.kernel_, selection=None, regularization=model.regularization_
    )
    codes, targets = np.zeros(len(y), int), y
    if y.dtype.kind == "U":
        codes = np.unique(y, return_inverse=True)[1]
        targets = np.eye(codes.max() + 1)[codes][:, -model.dual_coef_.shape[1] :]
    rows = Observations(X, targets.reshape(len(y), -1), weights, weights, codes)
    parts = merge_equal_rows(rows, cv=3, seed=model._draw_seed())
    found = []
    for number, row in enumerate(parts.X):
        rest = parts.part != number
        rows = parts.source[rest]
        fitted = clone(given).fit(X[rows], y[rows], sample_weight=parts.share[rest])
        found.append(fitted.predict(row[None])[0])
    return np.array(found), parts


@pytest.mark.parametrize("selection", ["loo", "cv", "evidence", None])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_share_of_wrong_labels(selection, classes):
    X, scores, weights = draw(seed=classes)
    y = np.array(["low", "high", "amid"])[np.digitize(scores, [50, 56][: classes - 1])]
    class_weight = {"low": 1.0, "high": 2.0, "amid": 0.5}
    class_weight = {label: class_weight[label] for label in np.unique(y)}
    model = LSSVMClassifier(
        Gaussian(1.5), selection, 0.1, class_weight=class_weight, cv=3, random_state=0
    ).fit(X, y, sample_weight=weights)
    predictions, parts = left_out_predictions(model, X, y, weights)
    wrong = predictions[parts.part] != y[parts.source]
    assert len(np.unique(X, axis=0)) < len(parts.X)
    assert 0 < wrong.mean() < 1
    assert model.held_out_error_ == pytest.approx(np.average(wrong, weights=parts.share))


@pytest.mark.parametrize("selection", ["loo", "cv", "evidence", None])
@pytest.mark.parametrize("outputs", [1, 2])
def test_the_root_mean_squared_error_in_units_of_y(selection, outputs):
    X, y, weights = draw(seed=outputs, outputs=outputs)
    model = LSSVMRegressor(Gaussian(1.5), selection, 0.1, cv=3, random_state=0)
    model.fit(X, y, sample_weight=weights)
    predictions, parts = left_out_predictions(model, X, y, weights)
    squares = (predictions[parts.part] - y[parts.source]) ** 2
    squares = squares.reshape(len(squares), -1).mean(axis=1)
    expected = np.sqrt(np.average(squares, weights=parts.share))
    assert model.held_out_error_ == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("kind", [LSSVMClassifier, LSSVMRegressor])
def test_a_precomputed_kernel_has_the_same(kind):
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = (X[:, 0] + X[:, 1] ** 3 > 0).astype(float)
    weights = np.arange(40) % 3.0
    by_name = kind(Gaussian(1.0), None).fit(X, y, sample_weight=weights)
    gram = kind("precomputed", None).fit(rbf_kernel(X, gamma=0.5), y, sample_weight=weights)
    assert gram.held_out_error_ == pytest.approx(by_name.held_out_error_, rel=1e-9)


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
@pytest.mark.parametrize("kind", [LSSVMClassifier, LSSVMRegressor])
def test_it_is_a_plain_float_of_a_sensible_size(kind, selection, binary):
    """Close to the error on new rows: the table is easy and has four columns."""
    targets = [np.where(labels == "yes", 1.0, -1.0) for labels in (binary.y, binary.y_test)]
    model = kind("gaussian", selection, random_state=0).fit(binary.X, targets[0])
    assert type(model.held_out_error_) is float
    residuals = model.predict(binary.X_test) - targets[1]
    new = np.mean(residuals != 0) if kind is LSSVMClassifier else np.sqrt(np.mean(residuals**2))
    # 60 rows: the standard error of a share of 0.15 is 0.046.
    assert model.held_out_error_ == pytest.approx(new, abs=0.14)


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 1000),
    st.sampled_from([1e-6, 1e-3, 7.0, 1e9]),
    st.floats(-100, 100),
    st.booleans(),
)
def test_units_shifts_order_and_copies(seed, unit, shift, repeat):
    X, y, weights = draw(seed)
    model = LSSVMRegressor(Gaussian(1.5), None, 0.1)
    expected = clone(model).fit(X, y, sample_weight=weights).held_out_error_
    order = np.random.default_rng(seed).permutation(len(X))
    if repeat:
        order = np.repeat(order, weights[order].astype(int))
        weights = np.ones(len(X))
    other = clone(model).fit(X[order], unit * (y[order] + shift), sample_weight=weights[order])
    assert other.held_out_error_ == pytest.approx(unit * expected, rel=1e-7)


def test_large_and_constant_targets_are_measured_without_overflow():
    X, y, _ = draw(seed=0)
    model = LSSVMRegressor(Gaussian(1.5), None, 0.1)
    expected = clone(model).fit(X, y).held_out_error_
    large = clone(model).fit(X, 1e200 * y).held_out_error_
    assert large == pytest.approx(1e200 * expected)
    with_constant = clone(model).fit(X, np.column_stack([y, np.full(len(y), 3.0)]))
    assert with_constant.held_out_error_ == pytest.approx(expected / np.sqrt(2))
