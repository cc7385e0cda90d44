"""Multiple kernel learning as estimators: what they learn, invariances, what they refuse."""

import numpy as np
import pandas as pd
import pytest

from kernelwise import MKLClassifier, MKLRegressor
from kernelwise.kernels import Gaussian, Laplacian, Linear
from kernelwise.multikernel import KernelBank, KernelStack
from kernelwise.selections import NullModelWarning

SMALL = KernelBank(widths=[0.5, 2.0], degrees=[1])
# Every method, on kernels that are few enough for a test.
CLASSIFIERS = [
    MKLClassifier(SMALL),
    MKLClassifier(SMALL, method="simple", C=1.0),
    MKLClassifier(SMALL, method="aligned"),
    MKLClassifier(SMALL, method="uniform"),
    MKLClassifier(method="infinite", price=0.02),
]
REGRESSORS = [
    MKLRegressor(SMALL),
    MKLRegressor(SMALL, method="aligned"),
    MKLRegressor(SMALL, method="uniform"),
    MKLRegressor(method="infinite", family="separate", dissimilarity="squared", price=1e-3),
]


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
def test_classes_are_learned(model, binary):
    model.fit(binary.X, binary.y)
    assert model.score(binary.X_test, binary.y_test) > 0.82
    assert 0.03 < model.held_out_error_ < 0.25  # of 60 rows
    probabilities = model.predict_proba(binary.X_test)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    chosen = model.classes_[probabilities.argmax(axis=1)]
    assert (chosen == model.predict(binary.X_test)).all()
    assert model.relevance_[:2].sum() > 0.6 and model.relevance_.sum() == pytest.approx(1)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
def test_attributes_agree_with_each_other(model, binary):
    model.fit(binary.X, binary.y)
    n_kernels = len(model.weights_)
    assert len(model.kernels_) == len(model.kernel_names_) == len(model.kernel_views_) == n_kernels
    assert (model.weights_ >= 0).all()
    np.testing.assert_array_equal(model.selected_kernels_, np.flatnonzero(model.weights_))
    rows = model.columns_.scaled(binary.X_test[:20])
    by_kernel = model.kernel_(rows, model.X_fit_) @ model.dual_coef_ + model.intercept_
    np.testing.assert_allclose(by_kernel[:, 0], model.decision_function(binary.X_test[:20]))
    assert len(model.trace_) >= 1 and model.trace_.reason
    assert hasattr(model, "C_") == (model.method == "simple") != hasattr(model, "regularization_")


@pytest.mark.parametrize("model", CLASSIFIERS[:3], ids=str)
def test_three_classes(model, three_classes):
    model.fit(three_classes.X, three_classes.y)
    assert model.score(three_classes.X_test, three_classes.y_test) > 0.85
    assert model.dual_coef_.shape[1] == 3 and model.weights_.ndim == 1


@pytest.mark.parametrize("model", REGRESSORS, ids=str)
def test_quantities_are_learned(model, smooth):
    model.fit(smooth.X, smooth.y)
    assert model.score(smooth.X_test, smooth.y_test) > 0.75
    residuals = model.predict(smooth.X_test) - smooth.y_test
    assert 0.5 < model.held_out_error_ / np.sqrt((residuals**2).mean()) < 2


def test_several_quantities_one_of_them_constant(smooth):
    y = np.column_stack([smooth.y, 1000 * smooth.y, np.full(len(smooth.y), 7.0)])
    model = MKLRegressor(SMALL).fit(smooth.X, y)
    outputs = model.predict(smooth.X_test)
    np.testing.assert_allclose(outputs[:, 1], 1000 * outputs[:, 0], rtol=1e-6)
    np.testing.assert_allclose(outputs[:, 2], 7.0)


@pytest.mark.parametrize("model", REGRESSORS, ids=str)
def test_a_constant_target_is_predicted(model, smooth):
    with pytest.warns(NullModelWarning, match="predicts the same for every row"):
        model.fit(smooth.X, np.full(len(smooth.X), 3.5))
    np.testing.assert_allclose(model.predict(smooth.X_test), 3.5)
    assert not model.weights_.any()


@pytest.mark.parametrize("method", ["least-squares", "infinite"])
def test_the_price_is_what_every_kernel_in_use_pulls(method, binary):
    kernels = "widths-and-degrees" if method == "infinite" else SMALL
    model = MKLClassifier(kernels, method=method).fit(binary.X, binary.y)
    coef = model.dual_coef_[:, 0]
    pulls = [coef @ kernel(model.X_fit_) @ coef / (2 * len(coef)) for kernel in model.kernels_]
    assert max(pulls) < model.price_ * (1 + 1e-4)
    np.testing.assert_allclose(np.array(pulls)[model.selected_kernels_], model.price_, rtol=1e-4)


def test_simple_has_weights_of_sum_one_at_the_given_C(binary):
    model = MKLClassifier(SMALL, method="simple", C=3.0).fit(binary.X, binary.y)
    assert model.weights_.sum() == pytest.approx(1) and model.C_ == 3.0
    assert np.abs(model.dual_coef_).max() <= 3.0 * (1 + 1e-9)
    chosen = MKLClassifier(SMALL, method="simple").fit(binary.X, binary.y)
    assert np.log(chosen.C_) in np.ravel(chosen.trace_.points)


def test_another_method_leaves_nothing_of_the_last(binary):
    model = MKLClassifier(SMALL, method="simple", C=3.0).fit(binary.X, binary.y)
    model.set_params(method="uniform", C=None).fit(binary.X, binary.y)
    assert hasattr(model, "regularization_") and not hasattr(model, "C_")
    assert np.isnan(model.price_)


def test_simple_learns_its_weights_again_in_every_fold(binary):
    """Kernel objects see columns as they are, so that refitting from outside is the same."""
    kernels = [Gaussian(1.0), Gaussian(4.0), Linear()]
    folds = np.array_split(np.random.default_rng(0).permutation(len(binary.X)), 4)
    splits = [(np.setdiff1d(np.arange(len(binary.X)), S), S) for S in folds]
    model = MKLClassifier(kernels, method="simple", C=1.0, cv=splits).fit(binary.X, binary.y)
    wrong = 0
    for T, S in splits:
        again = MKLClassifier(kernels, method="simple", C=1.0).fit(binary.X[T], binary.y[T])
        wrong += (again.predict(binary.X[S]) != binary.y[S]).sum()
    assert model.held_out_error_ == pytest.approx(wrong / len(binary.X))


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
def test_order_of_rows_and_units_of_columns(model, binary):
    expected = model.fit(binary.X, binary.y).decision_function(binary.X_test)
    order = np.random.default_rng(0).permutation(len(binary.X))
    shuffled = model.fit(binary.X[order], binary.y[order]).decision_function(binary.X_test)
    units = np.array([1e-3, 1.0, 50.0, 1e4])
    scaled = model.fit(binary.X * units + 3, binary.y).decision_function(binary.X_test * units + 3)
    for found in (shuffled, scaled):
        np.testing.assert_allclose(found, expected, rtol=0, atol=2e-3)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
def test_swapped_labels(model, binary):
    expected = model.fit(binary.X, binary.y).decision_function(binary.X_test)
    swapped = np.where(binary.y == "yes", "a", "b")
    found = model.fit(binary.X, swapped).decision_function(binary.X_test)
    np.testing.assert_allclose(found, -expected, rtol=0, atol=2e-3)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
def test_weight_two_is_a_repeated_row(model, binary):
    counts = np.random.default_rng(0).integers(0, 3, size=len(binary.X))
    rows = np.repeat(np.arange(len(binary.X)), counts)
    weighted = model.fit(binary.X, binary.y, counts).decision_function(binary.X_test)
    repeated = model.fit(binary.X[rows], binary.y[rows]).decision_function(binary.X_test)
    np.testing.assert_allclose(weighted, repeated, rtol=0, atol=2e-3)


def test_class_weights_move_the_border(binary):
    rare = binary.X[:, 0] > -0.5
    X, y = binary.X[rare], binary.y[rare]
    plain = MKLClassifier(SMALL).fit(X, y)
    heavy = MKLClassifier(SMALL, class_weight={"no": 10.0}).fit(X, y)
    assert (heavy.predict(binary.X_test) == "no").mean() > (
        plain.predict(binary.X_test) == "no"
    ).mean()


def test_columns_and_views_have_the_names_of_a_frame(binary):
    X = pd.DataFrame(binary.X, columns=["a", "b", "c", "d"])
    bank = KernelBank(widths=[1.0], degrees=[], views={"told": ["a", "b"], "noise": ["c", "d"]})
    model = MKLClassifier(bank).fit(X, binary.y)
    assert model.kernel_views_ == ["told", "noise"]
    assert model.weights_[0] > 3 * model.weights_[1]


@pytest.mark.parametrize("model", [MKLClassifier(["gaussian", "laplacian"]), CLASSIFIERS[4]])
def test_categorical_columns(model, binary):
    X = pd.DataFrame({"x": binary.X[:, 0], "kind": pd.Categorical(binary.y)})
    assert model.fit(X, binary.y).score(X, binary.y) == 1


def test_names_act_on_standardized_columns_and_objects_on_columns_as_they_are(binary):
    named = MKLClassifier(["gaussian", "linear"], price=0.1).fit(1e3 * binary.X, binary.y)
    assert named.score(1e3 * binary.X_test, binary.y_test) > 0.8
    objects = [Gaussian(1e3), Laplacian(1e3), 1e-6 * Linear()]
    model = MKLClassifier(objects, price=0.1).fit(1e3 * binary.X, binary.y)
    np.testing.assert_allclose(model.X_fit_, np.unique(1e3 * binary.X, axis=0))


def test_a_table_that_says_nothing_gets_a_warning():
    random = np.random.default_rng(3)
    X, y = random.normal(size=(30, 2)), np.arange(30) % 2
    with pytest.warns(NullModelWarning, match="no kernel is worth its price"):
        model = MKLClassifier(SMALL, price=1e3).fit(X, y)
    assert not len(model.selected_kernels_) and len(set(model.predict(X))) == 1


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (MKLClassifier(method="best"), "method must be one of"),
        (MKLClassifier(method=None), "method must be one of"),
        (MKLRegressor(method="simple"), "support vectors are for classes"),
        (MKLClassifier(SMALL, method="infinite"), "makes its own kernels"),
        (MKLClassifier(price=0.0), "price must be None or a positive number, got 0.0"),
        (MKLClassifier(price="low"), "price must be None or a positive number"),
        (MKLClassifier(price=1.0, method="simple"), "price is for method 'least-squares' or"),
        (MKLClassifier(C=1.0), "C is for method 'simple', not for 'least-squares'"),
        (MKLClassifier(C=-1.0, method="simple"), "C must be None or a positive number"),
        (MKLClassifier(family="ard", method="infinite"), "family must be one of"),
        (MKLClassifier(dissimilarity="cosine", method="infinite"), "dissimilarity must be one of"),
        (MKLClassifier("gaussian"), "kernels must be 'widths-and-degrees'"),
        (MKLClassifier([]), "kernels is an empty list"),
    ],
    ids=str,
)
def test_bad_parameters(model, message, binary):
    with pytest.raises(ValueError, match=message):
        model.fit(binary.X, binary.y)


@pytest.mark.parametrize("estimator", [MKLClassifier, MKLRegressor])
def test_kernels_that_do_not_vary_give_the_null_model(estimator):
    y = np.arange(20) % 2
    ones = KernelStack([np.ones((20, 20))])
    late = np.eye(40)
    late[:20, :20] = 0  # nothing but zeros among the cases of the fit
    for stack in (ones, KernelStack([late])):
        with pytest.warns(NullModelWarning):
            model = estimator(stack).fit(np.arange(20)[:, None], y)
        assert not model.weights_.any()


def test_kernels_that_were_made_are_named_after_their_columns():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 4)), columns=["dose", "age", "site", "day"])
    y = np.sin(3 * frame["age"]) > 0
    model = MKLClassifier(method="infinite", price=0.01).fit(frame, y)
    strongest = model.weights_.argmax()
    assert model.kernel_views_[strongest].split(", ")[0] == "age"
    assert model.kernel_names_[strongest].startswith("Laplacian of age")
