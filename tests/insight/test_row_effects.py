"""Row effects against changed tables, functions whose effects are known, and sums of models."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification

from kernelwise import (
    BEMKLClassifier,
    BEMKLRegressor,
    KernelAligner,
    LSSVMClassifier,
    LSSVMRegressor,
    MKLClassifier,
    RVMClassifier,
    RVMRegressor,
    SVMClassifier,
)
from kernelwise.insight import describe, row_effects
from kernelwise.insight.row_effects import Seen, row_effects_of, stacked
from kernelwise.kernels import Gaussian
from kernelwise.multikernel import KernelBank
from kernelwise.persistence import load_model, save_model
from kernelwise.tables.columns import UnseenLevelWarning

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::kernelwise.estimators.trivial.NoBetterThanTrivialWarning"),
]
MODELS = Path(__file__).parents[1] / "models"
CLASSIFIERS = [
    LSSVMClassifier("ard", "loo", honest=False),
    LSSVMClassifier("gaussian", landmarks=20),
    LSSVMClassifier(Gaussian(2.0), None, honest=False),
    SVMClassifier("gaussian", "cv", honest=False),
    RVMClassifier("gaussian", None, honest=False),
    MKLClassifier(KernelBank(widths=[1, 4], degrees=[1]), method="uniform", honest=False),
    BEMKLClassifier(["gaussian", "laplacian"]),
]
REGRESSORS = [
    LSSVMRegressor("laplacian", "loo", honest=False),
    RVMRegressor("gaussian", None, honest=False),
    BEMKLRegressor(["gaussian", "linear"]),
]


def assert_adds_up(found):
    np.testing.assert_allclose(
        found.effects.sum(axis=1) + found.interactions, found.outputs - found.typical, atol=1e-12
    )


def by_changed_tables(outputs_of, X, train):
    """Effects and the typical output from tables in which a column is its mean in ``train``."""
    effects = []
    for r in range(X.shape[1]):
        held = X.copy()
        held[:, r] = train[:, r].mean()
        effects.append(outputs_of(X) - outputs_of(held))
    return np.column_stack(effects), outputs_of(train.mean(axis=0)[None, :])[0]


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
def test_effects_on_two_classes_are_those_of_a_changed_table(model, binary):
    model.fit(binary.X, binary.y)
    X = binary.X_test[:9]
    found = row_effects(model, X)
    assert_adds_up(found)
    if not isinstance(model, BEMKLClassifier):  # its log odds are no sum of kernels
        effects, typical = by_changed_tables(model.decision_function, X, binary.X)
        np.testing.assert_allclose(found.outputs, model.decision_function(X), atol=1e-9)
        np.testing.assert_allclose(found.effects, effects, atol=1e-9)
        np.testing.assert_allclose(found.typical, typical, atol=1e-9)
    assert found.predictions.tolist() == model.predict(X).tolist()
    np.testing.assert_allclose(found.probabilities, model.predict_proba(X).max(axis=1))
    assert found.sides == [("yes", "no")] * 9
    said = describe(found[4], ["a", "b", "c", "d"], X[4]).splitlines()
    assert said[0].startswith(f"Row 4: predicted {str(found.predictions[4])!r} (")
    assert 3 <= len(said) <= 6
    assert found.effects[:, 0].std() > found.effects[:, 3].std()


@pytest.mark.parametrize("model", REGRESSORS, ids=str)
def test_effects_on_quantities_are_in_their_units(model, smooth):
    model.fit(smooth.X, 1000 * smooth.y + 5)
    X = smooth.X_test[:9]
    found = row_effects(model, X)
    effects, typical = by_changed_tables(model.predict, X, smooth.X)
    np.testing.assert_allclose(found.outputs, model.predict(X), rtol=1e-9)
    np.testing.assert_allclose(found.effects, effects, atol=1e-6)
    np.testing.assert_allclose(found.typical, typical, rtol=1e-9)
    np.testing.assert_allclose(found.predictions, found.outputs)
    assert found.probabilities is None and found.sides is None


def test_of_many_classes_the_predicted_one_is_explained(three_classes):
    model = LSSVMClassifier("gaussian", "loo", honest=False).fit(three_classes.X, three_classes.y)
    X = three_classes.X_test[:9]
    outputs, codes = model.decision_function(X), model.decision_function(X).argmax(axis=1)
    assert len(set(codes)) == 3
    found = row_effects(model, X)
    np.testing.assert_allclose(found.outputs, outputs[np.arange(9), codes])
    for c in range(3):
        own = codes == c
        effects, typical = by_changed_tables(
            lambda rows, c=c: model.decision_function(rows)[:, c], X[own], three_classes.X
        )
        np.testing.assert_allclose(found.effects[own], effects, atol=1e-9)
        np.testing.assert_allclose(found.typical[own], typical, atol=1e-9)
    assert found.sides == [(model.classes_[c], None) for c in codes]
    np.testing.assert_allclose(row_effects(model, X, output=2).outputs, outputs[:, 2])


@pytest.mark.parametrize("kernel", ["linear", "ard-linear"])
def test_effects_of_a_linear_machine_add_up(kernel, binary, smooth):
    for model, table in ((LSSVMRegressor, smooth), (LSSVMClassifier, binary)):
        fitted = model(kernel, "loo", honest=False).fit(table.X, table.y)
        found = row_effects(fitted, table.X_test)
        assert np.abs(found.effects).max() > 0.1
        np.testing.assert_allclose(found.interactions, 0, atol=1e-10)
        np.testing.assert_allclose(found.pair_interactions, 0, atol=1e-10)


@pytest.fixture(scope="module")
def odd_frame():
    """Numbers with gaps, a category, a number; the weights make "b" the most common level."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"gappy": random.normal(size=60), "kind": list("aab" * 20), "x": random.normal(size=60)}
    )
    y = frame["gappy"] + (frame["kind"] == "b") + 0.5 * frame["x"] ** 2
    frame.loc[::7, "gappy"] = np.nan
    return frame, y.to_numpy(), np.where(frame["kind"] == "b", 5.0, 1.0)


def test_gaps_and_categories_are_held_at_what_is_typical_by_weight(odd_frame):
    frame, y, weights = odd_frame
    model = LSSVMRegressor("ard", "loo", honest=False).fit(frame, y, weights)
    found = row_effects(model, frame)
    assert_adds_up(found)
    kinds = model.predict(frame) - model.predict(frame.assign(kind="b"))
    np.testing.assert_allclose(found.effects[:, 1], kinds, atol=1e-9)
    assert not found.effects[frame["kind"] == "b", 1].any()
    mean = np.average(frame["x"], weights=weights)
    numbers = model.predict(frame) - model.predict(frame.assign(x=mean))
    np.testing.assert_allclose(found.effects[:, 2], numbers, atol=1e-9)
    gap = frame["gappy"].isna()
    held = model._rows_to_compare(frame)
    assert held.shape[1] == 4
    held[:, 0] = np.average(held[:, 0], weights=weights)
    held[:, 3] = np.average(gap, weights=weights)  # the second coordinate of the first column
    gaps = model.predict(frame) - model._outputs_of(held)[:, 0]
    np.testing.assert_allclose(found.effects[:, 0], gaps, atol=1e-9)
    assert np.abs(found.effects[gap, 0]).min() > 1e-3


def test_the_pair_that_acts_together_is_found_with_the_whole_interaction():
    def outputs(rows):
        return np.column_stack([rows[:, 0], rows[:, 1] * rows[:, 3] + rows[:, 2] ** 2 - rows[:, 0]])

    rows, typical = np.array([[1.0, 2.0, 3.0, 4.0], [7.0, -2.0, 0.0, 0.5]]), np.full(4, 0.5)
    found = row_effects_of(Seen(outputs, np.arange(4), typical), rows, np.array([1, 1]))
    assert found.outputs.tolist() == [16.0, -8.0]
    assert found.typical.tolist() == [0.0, 0.0]
    assert found.effects.tolist() == [[-0.5, 6.0, 8.75, 7.0], [-6.5, -1.25, -0.25, 0.0]]
    assert found.interactions.tolist() == [-5.25, 0.0]
    assert found.pair_interactions.tolist() == [-5.25, 0.0]
    assert sorted(found.pairs[0]) == [1, 3]
    assert found[0].pair_interaction == -5.25 and found[0].difference == 16.0
    other = row_effects_of(Seen(outputs, np.arange(4), typical), rows, np.array([0, 1]))
    assert other.effects[0].tolist() == [0.5, 0, 0, 0] and not other.interactions.any()


def test_coordinates_of_one_feature_are_held_together():
    seen = Seen(lambda rows: rows.prod(axis=1, keepdims=True), np.array([0, 1, 0]), np.ones(3))
    found = row_effects_of(seen, np.array([[2.0, 3.0, 5.0]]), np.array([0]))
    assert found.effects.tolist() == [[27.0, 20.0]]
    assert found.interactions.tolist() == [29 - 47] == found.pair_interactions.tolist()


def test_one_feature_has_no_pair():
    seen = Seen(lambda rows: rows**2, np.array([0]), np.zeros(1))
    found = row_effects_of(seen, np.array([[3.0]]), np.array([0]))
    assert found[0].pair is None and found.effects.tolist() == [[9.0]]


def test_effects_of_a_sum_of_models_are_the_sum_of_their_effects(binary):
    """Models that scale columns, that take them as they are, and with one scale per column."""
    models = [
        LSSVMClassifier(kernel, "loo", honest=False).fit(binary.X, binary.y)
        for kernel in ("gaussian", Gaussian(2.0), "ard-laplacian")
    ]
    weights, X = np.array([0.2, 0.3, 1.5]), binary.X_test[:7]
    found = row_effects(models, X, weights=weights)
    single = [row_effects(model, X) for model in models]
    for name in ("outputs", "typical", "effects", "interactions"):
        expected = sum(w * getattr(one, name) for w, one in zip(weights, single, strict=True))
        np.testing.assert_allclose(getattr(found, name), expected, atol=1e-10)
    assert found.predictions.tolist() == np.where(found.outputs > 0, "yes", "no").tolist()
    assert found.probabilities is None
    equal = row_effects(models, X)
    np.testing.assert_allclose(equal.outputs, np.mean([one.outputs for one in single], axis=0))


def test_a_stack_splits_its_rows():
    double = Seen(lambda rows: 2 * rows[:, :1], np.array([0, 1]), np.array([1.0, 2.0]))
    last = Seen(lambda rows: rows[:, -1:], np.array([0]), np.array([3.0]))
    both = stacked([double, last], np.array([10.0, 1.0]))
    assert both.outputs(np.array([[1.0, 7.0, 5.0]])).tolist() == [[25.0]]
    assert both.column_of.tolist() == [0, 1, 0] and both.typical.tolist() == [1.0, 2.0, 3.0]


def test_a_saved_model_has_the_same_effects(tmp_path, odd_frame):
    frame, y, weights = odd_frame
    model = LSSVMRegressor("ard", None, honest=False).fit(frame, y, weights)
    save_model(model, tmp_path / "model.skops")
    again, _ = load_model(tmp_path / "model.skops")
    expected = row_effects(model, frame)
    np.testing.assert_array_equal(row_effects(again, frame).effects, expected.effects)
    del again._typical_row  # as in files of earlier versions: every row of the fit counts alike
    other = row_effects(again, frame)
    assert_adds_up(other)
    assert not np.allclose(other.typical, expected.typical)


@pytest.mark.filterwarnings("ignore::kernelwise.tables.columns.UnseenLevelWarning")
@pytest.mark.parametrize(
    "path", sorted(MODELS.glob("format-1-*.skops")), ids=lambda path: path.stem
)
def test_models_of_the_first_version_have_row_effects(path):
    pipeline, _ = load_model(path)
    table = pd.DataFrame(json.loads((MODELS / "format-1.json").read_text())["table"])
    with pytest.warns(UnseenLevelWarning) as warned:
        found = row_effects(pipeline[-1], pipeline[:-1].transform(table))
    assert len(warned) == 1
    assert_adds_up(found)
    assert found.predictions.tolist() == list(pipeline.predict(table))
    assert (np.abs(found.effects).max(axis=0) > 0).all()


def test_what_has_no_row_effects_is_refused(binary, smooth):
    fitted = LSSVMRegressor("linear", None, honest=False)
    two = np.column_stack([smooth.y, -smooth.y])
    with pytest.raises(ValueError, match="2 targets: say which one, output=0 to 1"):
        row_effects(fitted.fit(smooth.X, two), smooth.X)
    first, second = (row_effects(fitted, smooth.X, output=c).outputs for c in (0, 1))
    np.testing.assert_allclose(first, -second)
    with pytest.raises(ValueError, match="number from 0 to 1, got 2"):
        row_effects(fitted, smooth.X, output=2)
    with pytest.raises(ValueError, match="weights must be 1 finite numbers"):
        row_effects([fitted], smooth.X, weights=[1, 2], output=0)
    with pytest.raises(ValueError, match="empty list"):
        row_effects([], smooth.X)
    with pytest.raises(ValueError, match="not a KernelAligner"):
        row_effects(KernelAligner("gaussian").fit(binary.X, binary.y), binary.X)
    gram = LSSVMClassifier("precomputed", None, honest=False).fit(binary.X @ binary.X.T, binary.y)
    with pytest.raises(ValueError, match="fitted to Gram matrices"):
        row_effects(gram, binary.X @ binary.X.T)


def test_the_strongest_pair_is_among_the_five_largest_effects():
    X, y = make_classification(80, 8, n_informative=6, random_state=0)
    model = LSSVMClassifier("gaussian", "loo", honest=False).fit(X, y)
    found = row_effects(model, X[:6])
    largest = np.argsort(-np.abs(found.effects), axis=1)[:, :5]
    for row, (pair, strength) in enumerate(zip(found.pairs, found.pair_interactions, strict=True)):
        assert set(pair) <= set(largest[row])
        strengths = []
        for a in largest[row]:
            for b in largest[row][largest[row] > a]:
                held = X[row : row + 1].copy()
                held[:, [a, b]] = X[:, [a, b]].mean(axis=0)
                both = found.outputs[row] - model.decision_function(held)[0]
                strengths.append(both - found.effects[row, a] - found.effects[row, b])
        assert strength == pytest.approx(max(strengths, key=abs), abs=1e-9)
