"""What the record of a fit knows of held-out rows and of the copies, against direct counts."""

import os
from datetime import UTC, datetime
from types import SimpleNamespace

import numpy as np
import pytest

from kernelwise import AutoKernelClassifier, AutoKernelRegressor
from kernelwise.auto import learning_curve
from kernelwise.auto.held_out_rows import GRID_LINES, MANY_ROWS, class_recalls, squares_of_pairs
from kernelwise.auto.recording import (
    error_record,
    feature_records,
    is_weighted,
    stability,
    whole_groups,
)
from kernelwise.estimators import NoBetterThanTrivialWarning
from kernelwise.evaluation import Unseen
from kernelwise.evaluation.row_intervals import SHARED_TRAINING, Rows, share_interval
from kernelwise.insight import record_in_words
from kernelwise.report.fit_document import fit_document
from kernelwise.report.markdown import as_markdown


def unseen_classes(truth, predictions, folds=5, weights=None):
    truth, predictions = np.array(truth), np.array(predictions)
    counted = None if weights is None else Rows(np.array(weights, float), float(len(truth)))
    classes, rows = np.unique(truth), np.arange(len(truth))
    return Unseen(rows, truth, predictions, None, truth, classes, folds, counted)


def test_recalls_are_shares_of_each_class_with_their_intervals():
    truth = ["a"] * 40 + ["b"] * 10
    said = ["a"] * 36 + ["b"] * 4 + ["b"] * 5 + ["a"] * 5
    a, b = class_recalls(unseen_classes(truth, said), None)
    assert (a.label, a.share, b.label, b.share) == ("a", 0.9, "b", 0.5)
    right = np.repeat([1.0, 0.0], [36, 4])
    ends = share_interval(right, SHARED_TRAINING, Rows(np.ones(40), 40.0))
    assert (a.low, a.high) == pytest.approx(ends[:2])
    (alone, _) = class_recalls(unseen_classes(truth, said, folds=1), None)
    assert a.low < alone.low < 0.9 < alone.high < a.high, "one machine, no shared training rows"


def test_recalls_count_weights_and_groups():
    truth, said = ["a"] * 8 + ["b"] * 2, ["a", "b"] * 4 + ["b", "b"]
    (weighed, _) = class_recalls(unseen_classes(truth, said, weights=[3, 1] * 5), None)
    assert weighed.share == pytest.approx(0.75)
    (plain, _) = class_recalls(unseen_classes(truth, said), None)
    groups = np.array([0, 1] * 4 + [2, 3])  # all rows of a group are right, or wrong
    (grouped, _) = class_recalls(unseen_classes(truth, said), groups)
    assert grouped.share == plain.share and grouped.high - grouped.low > plain.high - plain.low


def test_many_rows_are_counted_in_squares_and_few_are_not():
    random = np.random.default_rng(0)
    truth = random.normal(size=MANY_ROWS + 1)
    said = truth + random.normal(size=MANY_ROWS + 1)
    rows = np.arange(MANY_ROWS + 1)
    found = squares_of_pairs(Unseen(rows, truth, said, None, truth, None))
    assert sum(one.rows for one in found) == len(truth) and len(found) < GRID_LINES**2
    half = [(0.5 + 1e-9) * np.ptp(values) / GRID_LINES for values in (truth, said)]
    for one in found[::50]:
        near = (abs(truth - one.true) <= half[0]) & (abs(said - one.predicted) <= half[1])
        assert near.sum() == one.rows
    few = Unseen(rows[1:], truth[1:], said[1:], None, truth[1:], None)
    assert squares_of_pairs(few) == ()


def test_stability_counts_copies_that_agree():
    model = SimpleNamespace(
        relevance_=np.array([0.1, 0.5, 0.3, 0.05, 0.03, 0.02]),
        relevance_interval_=np.full((6, 2), np.nan),
        selected_features_=np.array([1]),
    )
    copies = [
        np.array([0.1, 0.5, 0.3, 0.05, 0.03, 0.02]),
        np.array([0.3, 0.5, 0.1, 0.05, 0.03, 0.02]),
        np.array([0.0, 0.1, 0.1, 0.5, 0.2, 0.1]),
    ]
    found = stability(copies, np.argsort(-model.relevance_))
    assert (found.copies, found.n_first, found.order_held) == (3, 2, 1)
    first = {one.name: one.among_first for one in feature_records(model, [*"abcdef"], copies)}
    assert first == {"a": 1, "b": 2, "c": 1, "d": 1, "e": 1, "f": 0}
    (alone, *_) = feature_records(model, [*"abcdef"], [])
    assert alone.name == "b" and alone.among_first is None


@pytest.mark.parametrize("kind", [AutoKernelClassifier, AutoKernelRegressor])
def test_a_fit_records_all_of_it(kind):
    random = np.random.default_rng(0)
    X = random.normal(size=(90, 4))
    z = X[:, 0] + 0.3 * random.normal(size=90)
    start = datetime.now(UTC).replace(microsecond=0)
    model = kind(["gaussian", "linear"]).fit(X, z > 0 if kind is AutoKernelClassifier else z)
    record = model.record_
    assert start <= datetime.fromisoformat(record.date) <= datetime.now(UTC)
    assert f"{os.cpu_count()} cores" in record.machine
    assert record.stability.copies == 5 and record.features[0].among_first == 5
    assert "held in" in record_in_words(record)
    for label, recall, line in zip(record.classes, record.recalls, record.confusion, strict=True):
        place = record.classes.index(label)
        assert recall.share == pytest.approx(line[place] / sum(line))
        assert recall.low < recall.share < recall.high or recall.share in (0, 1)
    # All rows of the other folds: the copies as they are.
    *fewer, whole = record.curve
    assert whole.error == pytest.approx(record.error.value) and whole.uncertain == 0
    assert [one.rows for one in record.curve] == [18, 36, 54, 72]
    assert all(one.uncertain > 0 for one in fewer[:2])
    assert not any(name.startswith("_copied") for name in vars(model))


def test_weights_and_whole_groups_are_recorded():
    assert is_weighted(np.array([1.0, 0.5])) and is_weighted(np.array([2.0, 2.0]))
    assert not is_weighted(np.array([1.0, 0.0, 1.0])), "a row of no weight is no row"
    groups = np.array([0, 0, 1, 1, 2])
    whole, split = (np.array([0, 1]), np.array([2, 3, 4])), (np.array([0, 2]), np.array([1, 3]))
    assert whole_groups(groups, [whole]) == 3 and whole_groups(groups, [whole, split]) is None
    assert whole_groups(None, [whole]) is None


def test_a_fit_knows_its_weights_and_groups():
    random = np.random.default_rng(0)
    X, groups = random.normal(size=(60, 2)), np.arange(60) % 12
    model = AutoKernelRegressor(["linear"]).fit(X, X[:, 0], np.arange(60) % 3 + 1, groups=groups)
    assert model.record_.weighted and model.record_.groups == 12
    plain = AutoKernelRegressor(["linear"], folds=0).fit(X, X[:, 0]).record_
    assert not plain.weighted and plain.groups is None


def test_a_fit_that_weighs_classes_alike_is_judged_so():
    X = np.random.default_rng(0).normal(size=(60, 2))
    model = AutoKernelClassifier(["linear"], class_weight="balanced").fit(X, X[:, 0] > 0.8)
    error = model.record_.error
    assert error.balanced_low <= error.measures["balanced error"] <= error.balanced_high
    assert "if every class counts alike" in model.explain().replace("\n" + 14 * " ", " ")


@pytest.mark.parametrize("folds", ["auto", 0])
def test_of_a_constant_target_it_is_said_that_nothing_was_learned(folds):
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(NoBetterThanTrivialWarning, match="every row has the same y"):
        model = AutoKernelRegressor(["linear"], folds=folds).fit(X, np.full(40, 0.1))
    said = model.explain()
    assert "Nothing was learned, because every row has the same 'y'." in said
    assert "flatters" not in said and "not estimated" not in said
    page = as_markdown(fit_document(model.record_))
    assert "folds=0, so" not in page and "had folds=0" not in page
    varying = AutoKernelRegressor(["linear"], folds=0).fit(X, X[:, 0]).record_
    assert not varying.constant


def test_uncertainty_of_a_curve_is_that_of_differences_between_folds(monkeypatch):
    """A hard fold is hard for few rows and for many: only how folds change tells of chance."""
    errors = {0.25: [0.5, 0.3], 0.5: [0.4, 0.2], 0.75: [0.4, 0.1], 1.0: [0.3, 0.1]}
    told = [SimpleNamespace(chose_again=True, choice=SimpleNamespace(fits=()))] * 2
    monkeypatch.setattr(
        learning_curve, "_error", lambda model, reading, judge, share, k: (errors[share][k], 80)
    )
    model = SimpleNamespace(_mean_of_errors=np.mean)
    table = SimpleNamespace(parts=SimpleNamespace(X=np.zeros((100, 1))))
    found = learning_curve.learning_curve(model, table, SimpleNamespace(judges=told))
    assert [one.error for one in found] == pytest.approx([0.4, 0.3, 0.25, 0.2])
    assert [one.uncertain for one in found] == pytest.approx([0, 0, 0.05, 0])
    alone = learning_curve.learning_curve(model, table, SimpleNamespace(judges=told[:1]))
    assert [one.uncertain for one in alone] == [None] * 4


@pytest.mark.parametrize(("beats", "apart"), [(True, False), (False, True), (False, False)])
def test_a_record_knows_in_which_way_a_model_is_useful(beats, apart):
    names = ("value", "lower", "upper", "baseline", "balanced_lower", "balanced_upper")
    known = dict.fromkeys(names, 0.2) | {"folds": 5, "measures": {}}
    error = SimpleNamespace(beats_trivial=beats, is_useful=beats or apart, **known)
    found = error_record(error, 0.1, SimpleNamespace(rows=np.arange(9)))
    assert (found.beats_constant, found.is_useful) == (beats, beats or apart)
