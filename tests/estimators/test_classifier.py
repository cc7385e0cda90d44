"""LSSVMClassifier: what it predicts, how probably, and what it says about the features."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.base import clone
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.metrics import log_loss
from sklearn.metrics.pairwise import rbf_kernel

from kernelwise import LSSVMClassifier
from kernelwise.estimators.calibration import TwoSlopeSigmoid
from kernelwise.estimators.lssvm import SELECTIONS
from kernelwise.kernels import Gaussian, Laplacian, Linear, OnColumns, Scaled
from kernelwise.kernels.names import KERNEL_NAMES
from kernelwise.searchers import SearchTrace
from kernelwise.selections import FirstLevelSelection

NAMED = [name for name in KERNEL_NAMES if name != "precomputed"]
GIVEN = {"kernel": "gaussian", "selection": None, "regularization": 0.3}


def balanced_error(model, X, y):
    return np.mean([np.mean(model.predict(X[y == label]) != label) for label in model.classes_])


@pytest.mark.parametrize("kernel", NAMED)
def test_every_named_kernel_learns(binary, kernel):
    model = LSSVMClassifier(kernel, selection="loo").fit(binary.X, binary.y)
    # The best rule errs about 9 % (the noise); chance is 50 %.
    assert model.score(binary.X_test, binary.y_test) > 0.8
    assert model.relevance_.shape == (4,)
    assert model.relevance_.min() >= 0
    assert model.relevance_.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("selection", [*SELECTIONS, FirstLevelSelection("cv")], ids=str)
def test_every_selection_learns_two_and_three_classes(binary, three_classes, selection):
    model = LSSVMClassifier(selection=selection, random_state=0)
    for data, least in ((binary, 0.8), (three_classes, 0.85)):
        model.fit(data.X, data.y)
        assert model.score(data.X_test, data.y_test) > least
        assert model.predict(data.X_test).dtype == model.classes_.dtype


def test_default_fit_stores_what_it_did(binary):
    model = LSSVMClassifier().fit(binary.X, binary.y)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.n_features_in_ == 4
    assert isinstance(model.trace_, SearchTrace)
    assert len(model.trace_) > 1
    assert model.trace_.reason
    # The kernel kept is solved more tightly than the one judged during the search.
    assert model.criterion_ == pytest.approx(min(model.trace_.values), rel=0.01)
    assert model.n_factorizations_ >= len(model.trace_)
    assert model.regularization_ > 0
    assert model.dual_coef_.shape == (60, 1)
    assert model.intercept_.shape == (1,)
    rows = model.columns_.scaled(binary.X_test)
    outputs = model.kernel_(rows, model.X_fit_) @ model.dual_coef_ + model.intercept_
    # kernel_ may differ from the Gram matrix of the fit by a constant; coefficients sum to zero.
    np.testing.assert_allclose(outputs[:, 0], model.decision_function(binary.X_test), atol=1e-8)


@pytest.mark.parametrize("kernel", ["ard", "ard-laplacian", "ard-matern32", "ard-linear", "mixed"])
def test_relevance_ranks_the_informative_columns_first(binary, kernel):
    model = LSSVMClassifier(kernel).fit(binary.X, binary.y)
    assert set(np.argsort(model.relevance_)[-2:]) == {0, 1}
    assert model.relevance_[0] == model.relevance_.max()
    assert 0 in model.selected_features_


def test_decision_function_and_predict_agree(binary, three_classes):
    model = LSSVMClassifier(**GIVEN).fit(binary.X, binary.y)
    outputs = model.decision_function(binary.X_test)
    assert outputs.shape == (300,)
    np.testing.assert_array_equal(model.predict(binary.X_test), np.where(outputs > 0, "yes", "no"))
    assert np.corrcoef(outputs, binary.y_test == "yes")[0, 1] > 0.5

    model = LSSVMClassifier(**GIVEN).fit(three_classes.X, three_classes.y)
    outputs = model.decision_function(three_classes.X_test)
    assert outputs.shape == (300, 3)
    np.testing.assert_array_equal(
        model.predict(three_classes.X_test), model.classes_[outputs.argmax(axis=1)]
    )


def test_classes_share_one_kernel_and_outputs_of_all_classes_balance(three_classes):
    model = LSSVMClassifier(selection="loo").fit(three_classes.X, three_classes.y)
    # Targets of one-vs-rest sum to 2 - (number of classes); so do outputs of one linear machine.
    sums = model.decision_function(three_classes.X_test).sum(axis=1)
    np.testing.assert_allclose(sums, -1, atol=1e-8)
    assert model.dual_coef_.shape == (75, 3)


@pytest.mark.parametrize("fixture", ["binary", "three_classes"])
def test_probabilities_never_contradict_predict(fixture, request):
    data = request.getfixturevalue(fixture)
    model = LSSVMClassifier(**GIVEN).fit(data.X, data.y)
    probabilities = model.predict_proba(data.X_test)
    assert probabilities.min() >= 0
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-12)
    best = model.classes_[probabilities.argmax(axis=1)]
    np.testing.assert_array_equal(best, model.predict(data.X_test))


SIZES = [0.0, 5e-324, 1e-300, 1e-17, 1e-16, 1e-9, 0.5, 40.0, 1e4, 1e300]


@pytest.mark.parametrize("size", SIZES)
def test_probabilities_agree_with_predict_at_extreme_outputs(binary, three_classes, size):
    model = LSSVMClassifier(**GIVEN).fit(binary.X, binary.y)
    model._outputs = lambda X: np.array([[size], [-size]])
    best = model.predict_proba(None).argmax(axis=1)
    np.testing.assert_array_equal(model.classes_[best], model.predict(None))

    model = LSSVMClassifier(**GIVEN).fit(three_classes.X, three_classes.y)
    above = np.nextafter(0.3, 1) if size == 0 else 0.3 + size
    model._outputs = lambda X: np.array(
        [[0.3, above, 0.1], [above, 0.3, 0.3], [0.3, 0.3, above], [-size, size, 0.0]]
    )
    probabilities = model.predict_proba(None)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_array_equal(model.classes_[probabilities.argmax(1)], model.predict(None))


@pytest.mark.parametrize("noise", [0.05, 0.3, 1.0])
def test_probabilities_beat_the_bare_squashed_margin(draw_binary, noise):
    calibrated, bare, marginal = [], [], []
    for seed in range(4):
        data = draw_binary(seed, noise=noise)
        model = LSSVMClassifier("gaussian", selection="loo").fit(data.X, data.y)
        positive = expit(model.decision_function(data.X_test))
        calibrated.append(log_loss(data.y_test, model.predict_proba(data.X_test)))
        bare.append(log_loss(data.y_test, np.column_stack([1 - positive, positive])))
        share = np.full(300, np.mean(data.y == "yes"))
        marginal.append(log_loss(data.y_test, np.column_stack([1 - share, share])))
    assert np.mean(calibrated) < np.mean(bare)
    assert np.mean(calibrated) < np.mean(marginal)


def test_three_class_probabilities_beat_the_bare_softmax(three_classes):
    model = LSSVMClassifier("gaussian", selection="loo").fit(three_classes.X, three_classes.y)
    exponentials = np.exp(model.decision_function(three_classes.X_test))
    bare = exponentials / exponentials.sum(axis=1, keepdims=True)
    calibrated = model.predict_proba(three_classes.X_test)
    assert log_loss(three_classes.y_test, calibrated) < log_loss(three_classes.y_test, bare)


def test_selection_none_solves_the_linear_system_as_given(binary):
    """(K + lam / w) a + b = y, sum a = 0; and row weights divide the regularization."""
    weights = np.random.default_rng(3).uniform(0.5, 2, size=60)
    kernel, ridge = Gaussian(1.7), 0.4
    model = LSSVMClassifier(kernel, selection=None, regularization=ridge)
    model.fit(binary.X, binary.y, sample_weight=weights)
    system = np.zeros((61, 61))
    system[:60, :60] = rbf_kernel(binary.X, gamma=1 / (2 * 1.7**2)) + np.diag(ridge / weights)
    system[60, :60] = system[:60, 60] = 1
    solution = np.linalg.solve(system, np.append(np.where(binary.y == "yes", 1.0, -1.0), 0))
    expected = rbf_kernel(binary.X_test, binary.X, gamma=1 / (2 * 1.7**2)) @ solution[:60]
    np.testing.assert_allclose(
        model.decision_function(binary.X_test), expected + solution[60], atol=1e-10
    )
    assert model.regularization_ == ridge
    assert model.kernel_.length_scale == pytest.approx(1.7)


def test_sample_weight_moves_the_boundary_towards_the_light_class(binary):
    heavy_yes = np.where(binary.y == "yes", 20.0, 1.0)
    plain = LSSVMClassifier(**GIVEN).fit(binary.X, binary.y)
    model = clone(plain).fit(binary.X, binary.y, sample_weight=heavy_yes)
    assert (model.predict(binary.X_test) == "yes").sum() > (
        plain.predict(binary.X_test) == "yes"
    ).sum()


def test_class_weight_is_sample_weight_of_each_class(binary):
    model = LSSVMClassifier(**GIVEN, class_weight={"yes": 3.0, "no": 0.5})
    by_class = model.fit(binary.X, binary.y).decision_function(binary.X_test)
    weights = np.where(binary.y == "yes", 3.0, 0.5)
    by_row = LSSVMClassifier(**GIVEN).fit(binary.X, binary.y, sample_weight=weights)
    np.testing.assert_array_equal(by_class, by_row.decision_function(binary.X_test))


def test_balanced_class_weight_helps_the_rare_class(binary):
    random = np.random.default_rng(4)
    yes, no = np.flatnonzero(binary.y == "yes"), np.flatnonzero(binary.y == "no")
    rows = np.concatenate([random.choice(yes, 6, replace=False), no])
    X, y = binary.X[rows], binary.y[rows]
    plain = LSSVMClassifier(**GIVEN).fit(X, y)
    balanced = LSSVMClassifier(**GIVEN, class_weight="balanced").fit(X, y)
    assert balanced_error(balanced, binary.X_test, binary.y_test) < balanced_error(
        plain, binary.X_test, binary.y_test
    )
    totals = {label: len(y) / (2 * (y == label).sum()) for label in ("no", "yes")}
    same = LSSVMClassifier(**GIVEN, class_weight=totals).fit(X, y)
    np.testing.assert_allclose(
        balanced.decision_function(X), same.decision_function(X), rtol=0, atol=1e-12
    )


OBJECTS = {
    "kernelwise": Gaussian([2.0, 2.0, 2.0, 2.0]),
    "composite": Scaled(Laplacian(3.0)) + OnColumns(Linear(), [0]),
    "scikit-learn": ConstantKernel(1.0) * RBF(2.0),
    "scikit-learn per feature": RBF([2.0, 2.0, 2.0, 2.0]),
}


@pytest.mark.parametrize("selection", ["first-level", "loo"])
@pytest.mark.parametrize("kernel", OBJECTS.values(), ids=OBJECTS)
def test_kernel_objects_learn_and_stay_as_they_were(binary, kernel, selection):
    before = repr(kernel)
    model = LSSVMClassifier(kernel, selection=selection).fit(binary.X, binary.y)
    assert model.score(binary.X_test, binary.y_test) > 0.8
    assert repr(kernel) == before
    assert model.relevance_.sum() == pytest.approx(1)
    assert not np.array_equal(
        model.kernel_.values,
        LSSVMClassifier(kernel, selection=None).fit(binary.X, binary.y).kernel_.values,
    )


@pytest.mark.parametrize("selection", sorted({*SELECTIONS} - {"gcv"}, key=str), ids=str)
def test_precomputed_gram_is_the_same_as_the_kernel_itself(binary, selection):
    gram = rbf_kernel(binary.X, gamma=0.1)
    across = rbf_kernel(binary.X_test, binary.X, gamma=0.1)
    model = LSSVMClassifier("precomputed", selection, regularization=0.7).fit(gram, binary.y)
    ridge = model.regularization_
    same = LSSVMClassifier(Gaussian(np.sqrt(5)), selection=None, regularization=ridge)
    same.fit(binary.X, binary.y)
    np.testing.assert_allclose(
        model.decision_function(across), same.decision_function(binary.X_test), atol=1e-8
    )
    assert (ridge == 0.7) == (selection is None)


def test_fit_keeps_the_constructor_arguments(binary):
    model = LSSVMClassifier("gaussian", "loo", class_weight={"no": 1.0, "yes": 2.0})
    before = {name: (value, repr(value)) for name, value in model.get_params().items()}
    model.fit(binary.X, binary.y)
    for name, value in model.get_params().items():
        assert value is before[name][0]
        assert repr(value) == before[name][1]


def test_probabilities_are_calibrated_on_outputs_of_rows_left_out_by_class_weight(binary):
    """Each row's output without it, by refitting, and the class weights in the likelihood."""
    X, y = binary.X[:40], binary.y[:40]
    model = LSSVMClassifier(Gaussian(2.0), None, 0.3, class_weight={"no": 1.0, "yes": 5.0})
    fitted, outputs = model.fit(X, y), []
    for i in range(40):
        rest = np.arange(40) != i
        outputs.append(clone(model).fit(X[rest], y[rest]).decision_function(X[i : i + 1])[0])
    mass = np.where(y == "yes", 5.0, 1.0)[:, None] * np.column_stack([y == "no", y == "yes"])
    expected = TwoSlopeSigmoid().fit(np.array(outputs), mass)
    np.testing.assert_allclose(fitted.calibrator_.slopes_, expected.slopes_, rtol=1e-4)
    plain = TwoSlopeSigmoid().fit(np.array(outputs), np.sign(mass))
    assert np.abs(plain.slopes_ / expected.slopes_ - 1).max() > 0.05, "this test could not fail"
