"""Bayesian multiple kernel learning as scikit-learn estimators."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_digits, load_wine, make_classification, make_moons
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics import log_loss
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.preprocessing import scale

from kernelwise import BEMKLClassifier, BEMKLRegressor
from kernelwise.estimators.bayesian_kernels import copies
from kernelwise.estimators.many_kernels import OutputsOfKernels
from kernelwise.kernels import Gaussian, Linear, OnColumns
from kernelwise.multikernel import KernelBank, KernelStack
from kernelwise.multikernel.bank import bank_members

FEW = KernelBank(widths=[0.5, 1, 4], degrees=[1])


def wine():
    X, y = load_wine(return_X_y=True, as_frame=True)
    return X.iloc[:, [0, 6, 9, 11]], y


def noisy(n=120, seed=0):
    X, y = make_classification(
        n, 5, n_informative=2, n_redundant=0, flip_y=0.25, class_sep=1.0, random_state=seed
    )
    return X, y


@pytest.mark.parametrize("multi_class", ["shared", "ovr"])
@pytest.mark.parametrize("sparsity", ["dense", "sparse"])
def test_wines_are_told_apart(multi_class, sparsity):
    X, y = wine()
    model = BEMKLClassifier(FEW, sparsity, multi_class=multi_class, tolerance=1e-4)
    model.fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.9
    n_kernels = 4 * 5
    shape = (n_kernels,) if multi_class == "shared" else (3, n_kernels)
    assert model.kernel_weights_.shape == shape
    assert model.kernel_weight_intervals_.shape == (*shape, 2)
    low, high = np.moveaxis(model.kernel_weight_intervals_, -1, 0)
    assert ((low < model.kernel_weights_) & (model.kernel_weights_ < high)).all()
    assert model.kernel_shares_.sum() == pytest.approx(1)
    assert model.relevance_.sum() == pytest.approx(1)
    assert len(model.kernel_names_) == len(model.kernel_views_) == n_kernels


def test_a_sparse_prior_selects_fewer_kernels():
    X, y = noisy()
    selected = [
        len(BEMKLClassifier(FEW, sparsity).fit(X, y).selected_kernels_)
        for sparsity in ("sparse", "dense", (1e-10, 1e10))
    ]
    assert selected[0] < selected[1] / 2
    assert selected[2] == selected[0]


def test_columns_that_decide_are_found():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 5))
    y = np.where(X[:, 3] ** 2 > 0.5, "far", "near")
    model = BEMKLClassifier(FEW, "sparse").fit(X, y)
    assert model.relevance_.argmax() == 3 and model.relevance_[3] > 0.7
    views = [model.kernel_views_[m] for m in model.selected_kernels_]
    assert "column 3" in views


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("calibrate", [True, False])
def test_probabilities_agree_with_predictions(classes, calibrate):
    X, y = wine()
    kept = y < classes
    model = BEMKLClassifier(FEW, calibrate=calibrate, tolerance=1e-4)
    model.fit(X[kept][::3], y[kept][::3])
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-12)
    labels = model.classes_[probabilities.argmax(axis=1)]
    np.testing.assert_array_equal(labels, model.predict(X))


def test_calibration_lowers_the_log_loss_of_noisy_labels():
    losses = {True: [], False: []}
    for seed in range(3):
        X, y = noisy(400, seed)
        for calibrate, found in losses.items():
            model = BEMKLClassifier(FEW, calibrate=calibrate).fit(X[:150], y[:150])
            found.append(log_loss(y[150:], model.predict_proba(X[150:])))
    assert np.mean(losses[True]) < np.mean(losses[False]) - 0.02


def test_calibration_reads_rows_left_out_not_rows_fitted():
    X, y = noisy(100, 3)
    model = BEMKLClassifier(FEW).fit(X, y)
    fitted_error = 1 - model.score(X, y)
    assert model.held_out_error_ > fitted_error + 0.05


def test_held_out_errors_are_near_those_of_new_rows():
    found, true = [], []
    for seed in range(4):
        X, y = noisy(500, seed)
        model = BEMKLClassifier(["gaussian", "linear"]).fit(X[:120], y[:120])
        found.append(model.held_out_error_)
        true.append(1 - model.score(X[120:], y[120:]))
    assert abs(np.mean(found) - np.mean(true)) < 0.06


def test_the_published_method_makes_200_plain_sweeps():
    X, y = noisy(60)
    model = BEMKLClassifier(FEW, momentum=False, max_sweeps=200, tolerance=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        model.fit(X, y)
    assert model.n_sweeps_ == len(model.lower_bound_) == 200
    assert np.diff(model.lower_bound_).min() > 0


def test_sweeps_that_do_not_converge_are_warned_of():
    X, y = noisy(60)
    with pytest.warns(ConvergenceWarning, match="max_sweeps=5"):
        BEMKLClassifier(FEW, max_sweeps=5).fit(X, y)


@pytest.mark.parametrize("estimator", [BEMKLClassifier(FEW), BEMKLRegressor(FEW)], ids=str)
def test_order_of_rows_and_units_of_columns_do_not_count(estimator):
    X, y = noisy(70)
    order = np.random.default_rng(1).permutation(len(y))
    units = np.array([1.0, 1e6, 1e-5, -3.0, 10.0])
    first = clone(estimator).fit(X, y)
    other = clone(estimator).fit(X[order] * units + 5, y[order])
    assert other.lower_bound_[-1] == pytest.approx(first.lower_bound_[-1], rel=1e-7)
    np.testing.assert_allclose(other.kernel_weights_, first.kernel_weights_, atol=1e-5)
    outputs = [
        model.decision_function(rows) if hasattr(model, "classes_") else model.predict(rows)
        for model, rows in ((first, X[:9]), (other, X[:9] * units + 5))
    ]
    np.testing.assert_allclose(*outputs, atol=1e-4)


def test_swapped_labels_give_swapped_probabilities():
    X, y = noisy(70)
    first, swapped = (BEMKLClassifier(FEW).fit(X, labels) for labels in (y, 1 - y))
    np.testing.assert_allclose(
        first.predict_proba(X[:9]), swapped.predict_proba(X[:9])[:, ::-1], atol=1e-6
    )
    np.testing.assert_allclose(first.kernel_weights_, swapped.kernel_weights_, atol=1e-6)


def test_a_stack_of_gram_matrices_is_split_by_cases():
    X, y = load_wine(return_X_y=True)
    rows = scale(X)
    stack = KernelStack([rbf_kernel(rows[:, :6], gamma=0.1), rbf_kernel(rows[:, 6:], gamma=0.1)])
    model = BEMKLClassifier(stack, tolerance=1e-4)
    assert cross_val_score(model, stack.cases, y, cv=3).mean() > 0.9
    search = GridSearchCV(model, {"sparsity": ["dense", "sparse"]}, cv=2).fit(stack.cases, y)
    fitted = search.best_estimator_
    assert fitted.kernels is stack and not hasattr(fitted, "relevance_")
    assert fitted.kernel_names_ == ["kernel 0", "kernel 1"]
    with pytest.raises(ValueError, match="no case of the stack"):
        fitted.predict([[len(y)]])
    with pytest.raises(ValueError, match="column of case numbers"):
        clone(fitted).fit(X, y)


def test_kernels_on_groups_of_columns_are_views():
    X, y = wine()
    views = KernelBank([1], [1], views={"grape": ["alcohol", "flavanoids"], "rest": [2, 3]})
    model = BEMKLClassifier(views, tolerance=1e-4).fit(X, y)
    assert model.kernel_views_ == ["grape", "grape", "rest", "rest"]
    objects = [OnColumns(Gaussian(1.0), [0, 1]), OnColumns(Linear(), [2, 3])]
    other = BEMKLClassifier(objects, tolerance=1e-4).fit(scale(X), y)
    assert other.score(scale(X), y) > 0.9
    with pytest.raises(ValueError, match="flavanoids"):
        model.predict(X.drop(columns="flavanoids"))  # a view without its column


def two_moons(n_labeled, seed=0):
    X, y = make_moons(200, noise=0.12, random_state=0)
    labels = y.copy()
    rest = np.random.default_rng(seed).permutation(200)[n_labeled:]
    labels[rest] = -1
    return X, y, labels, rest


def test_rows_without_a_label_help_to_tell_digits_apart():
    """Threes and eights, twenty of 200 with a label: the shape of the rest helps."""
    X, y = load_digits(return_X_y=True)
    kept = np.isin(y, [3, 8])
    X, y, scores = X[kept], (y[kept] == 8).astype(int), []
    for seed in range(3):
        rows = np.random.default_rng(seed).permutation(len(y))[:200]
        labels = np.where(np.arange(200) < 20, y[rows], -1)
        model = BEMKLClassifier(["gaussian", "laplacian", "linear"], semi_supervised=True)
        model.fit(X[rows], labels)
        np.testing.assert_array_equal(model.classes_, [0, 1])
        alone = clone(model).fit(X[rows[:20]], labels[:20])
        scores.append([one.score(X[rows[20:]], y[rows[20:]]) for one in (model, alone)])
    gained = np.diff(scores, axis=1)
    assert gained.max() <= 0 and gained.mean() < -0.01  # the second score is the lower one


@pytest.mark.parametrize("multi_class", ["shared", "ovr"])
def test_rows_without_a_label_with_several_classes(multi_class):
    X, y = wine()
    labels = np.where(np.arange(len(y)) % 4, -1, y)
    model = BEMKLClassifier(
        ["gaussian", "linear"], multi_class=multi_class, semi_supervised=True, tolerance=1e-4
    ).fit(X, labels)
    np.testing.assert_array_equal(model.classes_, [0, 1, 2])
    assert model.score(X, y) > 0.85


def test_the_label_minus_one_is_not_guessed_at():
    X, y, labels, _ = two_moons(40)
    two = BEMKLClassifier(["gaussian"]).fit(X, 2 * y - 1)
    np.testing.assert_array_equal(two.classes_, [-1, 1])
    with pytest.raises(ValueError, match="semi_supervised=True"):
        BEMKLClassifier(["gaussian"]).fit(X, labels)
    three = BEMKLClassifier(["gaussian"], semi_supervised=False).fit(X, labels)
    np.testing.assert_array_equal(three.classes_, [-1, 0, 1])
    with pytest.raises(ValueError, match="is the only class"):
        BEMKLClassifier(["gaussian"], semi_supervised=True).fit(X, 2 * y - 1)


def test_quantities_have_honest_error_bars():
    X, y = load_diabetes(return_X_y=True)
    model = BEMKLRegressor(FEW).fit(X[::2], y[::2])
    predicted, std = model.predict(X[1::2], return_std=True)
    assert model.score(X[1::2], y[1::2]) > 0.4
    covered = np.mean(np.abs(predicted - y[1::2]) < 1.96 * std)
    assert 0.88 < covered < 1
    error = np.sqrt(np.mean((predicted - y[1::2]) ** 2))
    assert model.held_out_error_ == pytest.approx(error, rel=0.15)


def test_several_quantities_share_kernel_weights():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = np.column_stack([np.sin(2 * X[:, 0]), 100 * X[:, 0] ** 2]) + 0.1 * rng.normal(size=(90, 2))
    model = BEMKLRegressor(FEW, tolerance=1e-5).fit(X[:60], y[:60])
    predicted, std = model.predict(X[60:], return_std=True)
    assert predicted.shape == std.shape == (30, 2)
    assert model.score(X[60:], y[60:]) > 0.6
    assert model.kernel_weights_.shape == (16,) and model.noise_.shape == (2,)
    assert model.relevance_.argmax() == 0


def test_relevance_skips_kernels_that_see_no_change():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 3))
    members = bank_members(FEW, 3, np.empty(0, int))
    coef, weights = rng.normal(size=(20, 2)), rng.normal(size=(len(members), 2))

    def plainly(rows):
        return sum(w * (m.kernel(rows, X) @ coef) for m, w in zip(members, weights, strict=True))

    outputs, held = OutputsOfKernels(members, X, coef, weights), X.copy()
    np.testing.assert_allclose(outputs(X), plainly(X), rtol=1e-12)
    held[:, 1] = 0.3
    np.testing.assert_allclose(outputs(held), plainly(held), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(outputs(X), plainly(X), rtol=1e-12)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"kernels": []}, "empty list"),
        ({"kernels": "gaussian"}, "kernels must be"),
        ({"kernels": ["gaussian", Linear()]}, "mixes names and kernel objects"),
        ({"kernels": ["precomputed"]}, "KernelStack"),
        ({"sparsity": "thin"}, "sparsity must be one of"),
        ({"sparsity": (0, 1)}, "positive shape and scale"),
        ({"coef_prior": 3}, "coef_prior must be a shape and a scale"),
        ({"multi_class": "ovo"}, "multi_class must be"),
        ({"semi_supervised": "yes"}, "semi_supervised must be"),
        ({"margin": -1}, "margin must be"),
        ({"sigma_g": 0}, "sigma_g must be"),
        ({"max_sweeps": 0}, "max_sweeps must be"),
        ({"tolerance": 2}, "tolerance must be"),
    ],
)
def test_bad_settings_are_refused_in_words(settings, words):
    X, y = noisy(30)
    with pytest.raises(ValueError, match=words):
        BEMKLClassifier(**settings).fit(X, y)


def test_categories_are_refused_by_banks_and_taken_by_names():
    X, y = noisy(60)
    frame = pd.DataFrame(X).rename(columns=str)
    frame["color"] = np.where(X[:, 0] > 0, "red", "blue")
    with pytest.raises(ValueError, match="these columns are categorical: color"):
        BEMKLClassifier().fit(frame, y)
    model = BEMKLClassifier(["gaussian", "laplacian"]).fit(frame, y)
    assert len(model.relevance_) == 6


def test_equal_and_constant_kernels_do_no_harm():
    X, y = noisy(60)
    X[:, 4] = 7.0  # every kernel of this column is constant
    same = [Gaussian(1.0)] * 3
    for kernels in (FEW, same):
        model = BEMKLClassifier(kernels, "sparse").fit(X, y)
        assert np.isfinite(model.lower_bound_).all()
        assert model.score(X, y) > 0.6


@pytest.mark.parametrize("estimator", [BEMKLClassifier(FEW), BEMKLRegressor(FEW)], ids=str)
def test_copies_of_rows_do_not_make_errors_look_small(estimator):
    X, y = noisy(60, 5)
    y = y if hasattr(estimator, "margin") else X[:, 0] + np.random.default_rng(0).normal(size=60)
    once = clone(estimator).fit(X, y)
    twice = clone(estimator).fit(np.vstack([X, X]), np.tile(y, 2))
    assert twice.held_out_error_ > 0.8 * once.held_out_error_


def test_equal_rows_that_disagree_are_left_out_one_by_one():
    rows = np.repeat(np.arange(3.0), 4)[:, None]
    targets = np.tile([0.0, 1.0], 6)[:, None]
    assert [len(group) for group in copies(rows, targets)] == [1] * 12
    agreed = copies(rows[[0, 5, 1, 9, 4]], np.zeros((5, 1)))
    assert [group.tolist() for group in agreed] == [[0, 2], [1, 4], [3]]


def test_rows_without_a_label_among_text():
    X, y = wine()
    labels = np.array(["red", "white", "rose"], dtype=object)[y]
    labels[::2] = -1
    model = BEMKLClassifier(["gaussian"], semi_supervised=True, tolerance=1e-4).fit(X, labels)
    assert list(model.classes_) == ["red", "rose", "white"]
    with pytest.raises(ValueError, match="array of objects with the number -1"):
        BEMKLClassifier(FEW, semi_supervised=True).fit(X, labels.astype(str))
    with pytest.raises(ValueError, match="no row has a label"):
        BEMKLClassifier(FEW, semi_supervised=True).fit(X, np.full(len(y), -1))


@pytest.mark.parametrize("method", ["predict", "predict_proba", "decision_function"])
def test_nothing_is_predicted_before_fit(method):
    with pytest.raises(NotFittedError):
        getattr(BEMKLClassifier(FEW), method)(np.zeros((2, 2)))


def test_categories_outside_the_views_do_no_harm():
    X, y = noisy(60)
    frame = pd.DataFrame(X).rename(columns=str)
    frame["color"] = np.where(X[:, 0] > 0, "red", "blue")
    model = BEMKLClassifier(KernelBank([1], [1], views={"first": ["0", "1"]})).fit(frame, y)
    assert model.relevance_[-1] == 0
    with pytest.raises(ValueError, match="categorical: color"):
        BEMKLClassifier(KernelBank([1], [1], views={"all": ["0", "color"]})).fit(frame, y)
