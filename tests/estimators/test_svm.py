"""SVMClassifier: what it predicts, which rows support it, and with which probability."""

import functools
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC
from support_vector_problems import interior_point

from kernelwise import SVMClassifier
from kernelwise.data import Dataset
from kernelwise.data.pipeline import table_pipeline
from kernelwise.estimators.svm import SELECTIONS
from kernelwise.kernels import Gaussian, Laplacian, Linear, OnColumns, Scaled
from kernelwise.persistence import ModelMetadata, load_model, save_model
from kernelwise.searchers import SearchTrace

# Some fits below are meant to be odd, and say so.
pytestmark = [
    pytest.mark.filterwarnings("ignore::kernelwise.selections.AtLimitWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]
LOSSES = ["squared_hinge", "hinge"]
WAYS = [
    (selection, loss)
    for selection in SELECTIONS
    for loss in LOSSES
    # Sampling only checks what propagation chose.
    if (selection, loss) != ("radius-margin", "hinge") and selection != "evidence-hmc"
]
EVIDENCE = ("evidence", "evidence-ep")
GIVEN = {"kernel": "gaussian", "selection": None}
every_way = pytest.mark.parametrize(("selection", "loss"), WAYS)
every_loss = pytest.mark.parametrize("loss", LOSSES)
both_tables = pytest.mark.parametrize("table", ["binary", "three_classes"])


@pytest.fixture(scope="module")
def learnt(request):
    """``learnt(selection, loss, table) -> model, data``; each is fitted once."""

    @functools.cache
    def fit(selection, loss, table):
        data = request.getfixturevalue(table)
        if table == "three_classes":
            data = replace(data, X=data.X[:45], y=data.y[:45])
        # A scale per column if that is quick.
        slow = table != "binary" or selection in ("cv", *EVIDENCE)
        kernel = "gaussian" if slow else "ard"
        model = SVMClassifier(kernel, selection, loss, cv=3, random_state=0, prediction="mode")
        return model.fit(data.X, data.y), data

    return fit


def reference(gram, y, model, weights):
    """Coefficients and intercept of one output, by LIBSVM, or without a bias by a central path.

    A squared hinge is a hard margin in ``gram + 1 / (C w)``.
    """
    squared = model.loss == "squared_hinge"
    ridge = 1 / (model.C_ * weights) if squared else np.zeros(len(y))
    if not model._has_bias:
        limits = np.full(len(y), np.inf) if squared else model.C_ * weights
        alpha, _ = interior_point(gram, y, limits, ridge, bias=False, steps=200)
        return alpha * y, 0.0
    svc = SVC(C=1e10 if squared else model.C_, kernel="precomputed", tol=1e-12)
    svc.fit(gram + np.diag(ridge), y, sample_weight=None if squared else weights)
    coef = np.zeros(len(y))
    coef[svc.support_] = svc.dual_coef_[0]
    return coef, svc.intercept_[0]


def signs_of(y, classes):
    """Targets -1 and +1, one column per output."""
    positive = classes[1:] if len(classes) == 2 else classes
    return np.where(y[:, None] == positive, 1.0, -1.0)


@every_way
def test_every_selection_learns_two_and_three_classes(learnt, selection, loss):
    # The best rule errs about 9 % on two classes (the noise); chance is 50 % and 67 %.
    for table, least in (("binary", 0.8), ("three_classes", 0.85)):
        model, data = learnt(selection, loss, table)
        assert model.score(data.X_test, data.y_test) > least
        assert model.predict(data.X_test).dtype == model.classes_.dtype
        assert model.held_out_error_ < 0.35


@every_way
@both_tables
def test_what_is_stored_makes_the_outputs(learnt, selection, loss, table):
    model, data = learnt(selection, loss, table)
    outputs = model.kernel_(model.columns_.scaled(data.X_test), model.X_fit_) @ model.dual_coef_
    outputs += model.intercept_
    shown = model.decision_function(data.X_test)
    n_outputs = 1 if table == "binary" else 3
    assert shown.shape == ((300,) if n_outputs == 1 else (300, 3))
    np.testing.assert_allclose(shown.reshape(300, -1), outputs, rtol=1e-9, atol=1e-9)
    assert model.dual_coef_.shape == (len(model.X_fit_), n_outputs)
    assert (model.dual_coef_ != 0).any(axis=1).all()
    assert len(model.machines_) == 1 and model.machines_[0].C == model.C_
    assert isinstance(model.trace_, SearchTrace) and model.trace_.reason
    assert model.criterion_ <= min(model.trace_.values)
    assert model.n_factorizations_ >= len(model.trace_) or selection == "alignment"
    assert model._has_bias or not model.intercept_.any()
    assert model._has_bias == (selection not in EVIDENCE)


@every_way
@both_tables
def test_the_rows_named_meet_the_conditions_of_optimality(learnt, selection, loss, table):
    """Karush, Kuhn and Tucker's, from what a user can see; only one machine meets them."""
    model, data = learnt(selection, loss, table)
    rows = model.columns_.scaled(data.X)
    carriers = [np.flatnonzero((rows == row).all(axis=1)) for row in model.X_fit_]
    np.testing.assert_array_equal(model.support_, np.sort(np.concatenate(carriers)))
    counts = [(data.y[model.support_] == label).sum() for label in model.classes_]
    np.testing.assert_array_equal(model.n_support_, counts)
    signs = signs_of(data.y, model.classes_)
    alpha = np.zeros(signs.shape)
    alpha[np.concatenate(carriers)] = model.dual_coef_
    alpha *= signs
    margins = signs * model.decision_function(data.X).reshape(signs.shape)
    if loss == "squared_hinge":
        margins = margins + alpha / model.C_
    hard = (alpha == model.C_) if loss == "hinge" else np.zeros(alpha.shape, bool)
    missed = np.select([alpha == 0, hard], [1 - margins, margins - 1], np.abs(1 - margins))
    rounding = 1e-9 + 1e-12 * np.diagonal(model.kernel_(rows)).max() * alpha.sum(axis=0)
    assert alpha.min() >= 0 and (loss != "hinge" or alpha.max() <= model.C_)
    assert (missed <= rounding).all()
    if model._has_bias:
        assert (np.abs((signs * alpha).sum(axis=0)) <= 1e-12 * alpha.sum(axis=0)).all()


@every_loss
@pytest.mark.parametrize("bias", [True, False])
@both_tables
def test_support_and_outputs_as_another_solver_finds_them(table, loss, bias, request):
    """Weighted rows; LIBSVM works in single precision, hence 1e-6."""
    data = request.getfixturevalue(table)
    weights = np.random.default_rng(3).uniform(0.3, 3, size=len(data.y))
    model = SVMClassifier(**GIVEN, C=2.0, loss=loss, bias=bias).fit(data.X, data.y, weights)
    rows, new = (model.columns_.scaled(X) for X in (data.X, data.X_test))
    gram, across = model.kernel_(rows), model.kernel_(new, rows)
    outputs = model.decision_function(data.X_test).reshape(len(new), -1)
    supporting = np.zeros(len(rows), bool)
    for t, y in enumerate(signs_of(data.y, model.classes_).T):
        coef, intercept = reference(gram, y, model, weights)
        np.testing.assert_allclose(outputs[:, t], across @ coef + intercept, atol=1e-6)
        supporting |= np.abs(coef) > 1e-6
    assert model.C_ == 2.0
    np.testing.assert_array_equal(model.support_, np.flatnonzero(supporting))


@every_way
@both_tables
def test_probabilities_never_contradict_predict(learnt, selection, loss, table):
    model, data = learnt(selection, loss, table)
    probabilities = model.predict_proba(data.X_test)
    assert probabilities.min() >= 0
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-12)
    best = model.classes_[probabilities.argmax(axis=1)]
    np.testing.assert_array_equal(best, model.predict(data.X_test))
    outputs = model.decision_function(data.X_test)
    codes = (outputs > 0).astype(int) if outputs.ndim == 1 else outputs.argmax(axis=1)
    np.testing.assert_array_equal(model.predict(data.X_test), model.classes_[codes])


@every_way
def test_relevance_ranks_the_informative_columns_first(learnt, selection, loss):
    for table in ("binary", "three_classes"):
        model, _ = learnt(selection, loss, table)
        assert model.relevance_.min() >= 0
        assert model.relevance_.sum() == pytest.approx(1, abs=1e-12)
        assert set(np.argsort(model.relevance_)[-2:]) == {0, 1}
        # The false supremum of the hinge's Laplace evidence leads some copies astray.
        assert 0 in model.selected_features_ or (selection, loss) == ("evidence", "hinge")


@pytest.mark.parametrize("selection", [None, "span", "alignment"])
@every_loss
def test_a_row_of_weight_two_is_a_repeated_row_and_of_weight_zero_is_absent(
    binary, selection, loss
):
    X, y = binary.X[:40], binary.y[:40]
    model = SVMClassifier("gaussian", selection, loss, cv=3, random_state=0)
    weights = np.ones(40)
    weights[:20], weights[30:] = 2, 0
    weighted = clone(model).fit(X, y, sample_weight=weights)
    rows = np.r_[np.arange(30), np.arange(20)]
    repeated = clone(model).fit(X[rows], y[rows])
    for method in ("decision_function", "predict_proba"):
        one, other = (getattr(fit, method)(binary.X_test) for fit in (weighted, repeated))
        np.testing.assert_array_equal(one, other)
    # Both copies of a row that supports are named.
    np.testing.assert_array_equal(weighted.support_, np.unique(rows[repeated.support_]))
    both = np.flatnonzero(weighted.support_ < 20)
    assert len(repeated.support_) == len(weighted.support_) + len(both) > len(weighted.support_)
    assert repeated.held_out_error_ == weighted.held_out_error_


@every_loss
@pytest.mark.parametrize("selection", [None, "span"])
def test_class_weight_is_sample_weight_of_each_class(binary, selection, loss):
    model = SVMClassifier("gaussian", selection, loss, class_weight={"yes": 3.0, "no": 0.5})
    by_class = model.fit(binary.X, binary.y).decision_function(binary.X_test)
    weights = np.where(binary.y == "yes", 3.0, 0.5)
    by_row = SVMClassifier("gaussian", selection, loss).fit(binary.X, binary.y, weights)
    np.testing.assert_array_equal(by_class, by_row.decision_function(binary.X_test))
    plain = SVMClassifier("gaussian", selection, loss).fit(binary.X, binary.y)
    assert (model.predict(binary.X_test) == "yes").sum() > (
        plain.predict(binary.X_test) == "yes"
    ).sum()


@every_loss
def test_balanced_class_weight_is_that_of_scikit_learn(binary, loss):
    rows = np.r_[np.flatnonzero(binary.y == "yes")[:6], np.flatnonzero(binary.y == "no")]
    X, y = binary.X[rows], binary.y[rows]
    totals = {label: len(y) / (2 * (y == label).sum()) for label in ("no", "yes")}
    one, other = (
        SVMClassifier(**GIVEN, loss=loss, class_weight=weight).fit(X, y).decision_function(X)
        for weight in ("balanced", totals)
    )
    np.testing.assert_allclose(one, other, atol=1e-9)


@every_loss
@pytest.mark.parametrize("bias", [True, False])
def test_equal_rows_with_contradicting_labels_stay_apart(binary, loss, bias):
    """The mean of -1 and +1 is not a label: LIBSVM is given all rows as they are."""
    X, y = np.vstack([binary.X[:30], binary.X[:5]]), np.r_[binary.y[:30], binary.y[:5]]
    y[30:] = np.where(y[30:] == "yes", "no", "yes")
    model = SVMClassifier(Gaussian(2.0), None, loss, C=1.5, bias=bias).fit(X, y)
    signs, gram = np.where(y == "yes", 1.0, -1.0), rbf_kernel(X, gamma=1 / 8)
    coef, intercept = reference(gram, signs, model, np.ones(35))
    expected = rbf_kernel(binary.X_test, X, gamma=1 / 8) @ coef + intercept
    np.testing.assert_allclose(model.decision_function(binary.X_test), expected, atol=1e-6)


@every_loss
def test_every_copy_of_a_supporting_row_is_named(binary, loss):
    X, y = np.vstack([binary.X[:20]] + [binary.X[:3]] * 2), np.r_[binary.y[:20], [""] * 6]
    y[20:23], y[23:] = np.where(y[:3] == "yes", "no", "yes"), y[:3]
    model = SVMClassifier(**GIVEN, loss=loss).fit(X, y)
    assert {0, 1, 2} <= set(model.support_)
    assert {23, 24, 25} <= set(model.support_)


@pytest.mark.parametrize("selection", [None, "span", "alignment"])
@every_loss
def test_precomputed_gram_is_the_same_as_the_kernel_itself(binary, selection, loss):
    gram = rbf_kernel(binary.X, gamma=0.1)
    across = rbf_kernel(binary.X_test, binary.X, gamma=0.1)
    model = SVMClassifier("precomputed", selection, loss, C=0.7, cv=3).fit(gram, binary.y)
    same = SVMClassifier(Gaussian(np.sqrt(5)), None, loss, C=model.C_).fit(binary.X, binary.y)
    np.testing.assert_allclose(
        model.decision_function(across), same.decision_function(binary.X_test), atol=1e-8
    )
    np.testing.assert_array_equal(model.support_, same.support_)
    np.testing.assert_array_equal(model.n_support_, same.n_support_)
    assert (model.C_ == 0.7) == (selection is None)
    assert not hasattr(model, "relevance_")


OBJECTS = {
    "kernelwise": Gaussian([2.0, 2.0, 2.0, 2.0]),
    "composite": Scaled(Laplacian(3.0)) + OnColumns(Linear(), [0]),
    "scikit-learn": ConstantKernel(1.0) * RBF(2.0),
}


@pytest.mark.parametrize("selection", ["span", "gacv"])
@pytest.mark.parametrize("kernel", OBJECTS.values(), ids=OBJECTS)
def test_kernel_objects_learn_and_stay_as_they_were(binary, kernel, selection):
    before = repr(kernel)
    model = SVMClassifier(kernel, selection, honest=False).fit(binary.X[:40], binary.y[:40])
    assert model.score(binary.X_test, binary.y_test) > 0.8
    assert repr(kernel) == before
    assert model.relevance_.sum() == pytest.approx(1)
    given = SVMClassifier(kernel, None).fit(binary.X[:40], binary.y[:40])
    assert not np.array_equal(
        model.kernel_.values[-len(given.kernel_.values) :], given.kernel_.values
    )


def frame():
    """The label is the group's, one in ten wrong; a number that says nothing."""
    random = np.random.default_rng(3)
    group = random.choice(list("abcd"), size=60)
    label = np.isin(group, ["a", "c"]) ^ (random.uniform(size=60) < 0.1)
    return pd.DataFrame(
        {
            "x": [np.nan, *random.normal(size=59)],
            "group": [*group[:59], None],
            "y": np.where(label, "yes", "no"),
        }
    )


def test_a_categorical_frame():
    table = frame().fillna({"x": 0.0})
    X, y = table[["x", "group"]], table["y"]
    model = SVMClassifier(selection="span").fit(X[:40], y[:40])
    assert model.score(X[40:], y[40:]) > 0.75
    assert model.relevance_[1] > 0.8
    assert model.predict_proba(X).shape == (60, 2)


@pytest.mark.parametrize(
    "model",
    [
        SVMClassifier("mixed", "radius-margin"),
        SVMClassifier("gaussian", "evidence"),
        SVMClassifier("gaussian", "span", n_restarts=1, combine="average", random_state=0),
        SVMClassifier("ard", "alignment", "hinge"),
    ],
    ids=["mixed", "evidence", "average", "alignment"],
)
def test_a_saved_model_comes_back_the_same(model, tmp_path):
    dataset = Dataset.from_frame(frame(), "y")
    pipeline = table_pipeline(dataset, model).fit(dataset.features, dataset.target)
    metadata = ModelMetadata(
        target="y",
        task=dataset.task,
        numeric_columns=dataset.numeric_columns,
        categorical_columns=dataset.categorical_columns,
        classes=("no", "yes"),
        rows=60,
    )
    save_model(pipeline, tmp_path / "model.skops", metadata)
    loaded, loaded_metadata = load_model(tmp_path / "model.skops")
    assert loaded_metadata == metadata
    for method in ("predict", "predict_proba"):
        expected = getattr(pipeline, method)(dataset.features)
        np.testing.assert_array_equal(getattr(loaded, method)(dataset.features), expected)


def test_clone_and_pickle(learnt):
    model, data = learnt("span", "hinge", "binary")
    same = pickle.loads(pickle.dumps(model))
    for method in ("decision_function", "predict_proba", "predict"):
        np.testing.assert_array_equal(
            getattr(same, method)(data.X_test), getattr(model, method)(data.X_test)
        )
    copy = clone(model)
    assert copy.get_params() == model.get_params() and not hasattr(copy, "machines_")
    again = copy.fit(data.X, data.y).decision_function(data.X_test)
    np.testing.assert_array_equal(again, model.decision_function(data.X_test))
