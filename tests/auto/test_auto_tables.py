"""AutoKernel on tables as people have them: categories, gaps, many rows, little time."""

import pickle
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.inspection import partial_dependence
from sklearn.model_selection import GroupKFold, cross_validate

from kernelwise import AutoKernelClassifier, AutoKernelRegressor, SVMClassifier
from kernelwise.auto import TimeBudgetWarning, base, time_budget
from kernelwise.estimators.stacking import combination
from kernelwise.persistence import load_model, save_model
from kernelwise.selections import growing


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(0)
    color = random.choice(["red", "green", "blue"], 90)
    table = pd.DataFrame(
        {"size": random.normal(size=90), "color": color, "noise": random.normal(size=90)}
    )
    label = np.where((table["size"] > 0) ^ (table["color"] == "red"), "yes", "no")
    table.loc[3:7, "noise"] = np.nan
    return table, label


@pytest.fixture(scope="module")
def model(frame):
    return AutoKernelClassifier("core", folds=3).fit(*frame)


def test_categories_and_gaps(frame, model):
    table, label = frame
    assert not model.skipped_ and "linear" in model.leaderboard_["candidate"]
    assert model.error_estimate_.value < 0.2
    assert model.best_estimator_.score(table, label) > 0.9
    columns = {column.name: column for column in model.record_.columns}
    assert columns["color"].kind == "category" and columns["color"].distinct == 3
    assert columns["noise"].missing == 5
    assert [check.code for check in model.checks_] == ["KW219"]
    assert "noise" in model.checks_[0].text


def test_partial_dependence_through_scikit_learn(frame, model):
    table, _ = frame
    found = partial_dependence(model, table, ["size"], grid_resolution=5)
    assert np.ptp(found["average"]) < 1 and found["average"].shape == (1, 5)
    own = {one.name: one for one in model.record_.dependence}
    assert own["color"].values == ("blue", "green", "red")
    assert all(sum(line) == pytest.approx(1) for line in own["size"].outputs)


def test_rows_are_explained_in_words(frame, model):
    table, _ = frame
    text = model.explain(table[:2])
    assert (text.count("Row ") == 2 and "'color' = 'green'" in text) or "'color'" in text
    assert max(map(len, model.explain(width=60).splitlines())) <= 60


def test_models_survive_pickling_and_saving(frame, model, tmp_path):
    table, _ = frame
    save_model(model, tmp_path / "model.skops")
    for other in (pickle.loads(pickle.dumps(model)), load_model(tmp_path / "model.skops")[0]):
        np.testing.assert_array_equal(other.predict_proba(table), model.predict_proba(table))
        assert other.record_ == model.record_
        assert other.explain() == model.explain()


def test_a_support_vector_machine_may_be_a_candidate(frame, tmp_path):
    table, label = frame
    svm = SVMClassifier("gaussian", "span")
    weights = np.arange(len(label)) % 3
    model = AutoKernelClassifier(["linear", ("svm", svm)], folds=0).fit(table, label, weights)
    assert model.best_params_ == {"candidate": "svm"} and model.weights_[1] > 0.9
    save_model(model, tmp_path / "model.skops")
    other = load_model(tmp_path / "model.skops")[0]
    np.testing.assert_array_equal(other.predict_proba(table), model.predict_proba(table))


def test_normal_scores_help_where_columns_are_skewed():
    random = np.random.default_rng(0)
    hidden = random.normal(size=(120, 2))
    X, y = np.exp(3 * hidden), hidden[:, 0] + np.abs(hidden[:, 1])
    model = AutoKernelRegressor(folds=0).fit(X, y)
    weights = dict(zip(model.cv_results_["candidate"], model.weights_, strict=True))
    assert weights["gaussian-scores"] + weights["laplacian-scores"] > 0.7
    fresh = random.normal(size=(500, 2))
    truth = fresh[:, 0] + np.abs(fresh[:, 1])
    errors = [
        np.sqrt(np.mean((one.predict(np.exp(3 * fresh)) - truth) ** 2))
        for one in (model, AutoKernelRegressor(["gaussian", "laplacian"], folds=0).fit(X, y))
    ]
    assert errors[0] < 0.7 * errors[1]
    best = model.best_estimator_
    assert np.sqrt(np.mean((best.predict(np.exp(3 * fresh)) - truth) ** 2)) < 0.8 * errors[1]


def test_little_time_leaves_candidates_out():
    random = np.random.default_rng(0)
    X = random.normal(size=(250, 4))
    with pytest.warns(TimeBudgetWarning, match="1 of 7 candidates") as caught:
        model = AutoKernelClassifier(max_time=1e-3).fit(X, X[:, 0] > 0)
    assert caught[0].filename == __file__
    assert any("0 of 5 folds" in str(warning.message) for warning in caught)
    assert list(model.skipped_.values()) == ["the time was up"] * 6
    assert list(model.weights_) == [1.0]
    assert model.error_estimate_ is None and "not estimated" in model.explain()


@pytest.mark.parametrize(("n_jobs", "expected"), [(1, 4), (8, 3)])
def test_copies_in_threads_keep_to_the_time(n_jobs, expected, monkeypatch):
    """Time for 4.5 copies one after the other: beside another one a copy may take twice as long."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(time_budget, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    model = AutoKernelClassifier(max_time=100.0, n_jobs=n_jobs)
    model._budget = time_budget.TimeBudget(100.0)
    model._budget.searched(20 / time_budget.SHARE_OF_COPY)
    at_a_time = min(n_jobs, model._most_copies_at_a_time)
    for number in range(5):
        clock.now += 20 * model._has_time_for_copy(number, at_a_time)
    assert model._judged_folds == expected


def test_metadata_are_routed(frame):
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 2))
    groups = np.repeat(np.arange(16), 5)
    model = AutoKernelClassifier(["linear"], cv=GroupKFold(4))
    with sklearn.config_context(enable_metadata_routing=True):
        model.set_fit_request(sample_weight=True, groups=True)
        model.set_score_request(sample_weight=True)
        given = {"sample_weight": np.ones(80), "groups": groups}
        found = cross_validate(
            model, X, X[:, 0] > 0, params=given, cv=GroupKFold(3), return_estimator=True
        )
    assert (found["test_score"] > 0.8).all()
    assert found["estimator"][0].n_splits_ == 4


def test_many_rows_are_learned_on_landmarks(monkeypatch):
    monkeypatch.setattr(growing, "FIRST_ROWS", 200)
    random = np.random.default_rng(0)
    X = random.normal(size=(3300, 3))
    z = np.sin(2 * X[:, 0]) + X[:, 1] + 0.2 * random.normal(size=3300)
    shown = []

    def recorded(outputs, targets, weights, **options):
        shown.append(len(targets))
        return combination(outputs, targets, weights, **options)

    monkeypatch.setattr(base, "combination", recorded)
    model = AutoKernelRegressor(landmarks=60).fit(X, z)
    # Those that judge the stack have no part in its weights.
    assert shown == [3300 - np.sum(model.record_.error.rows)]
    board = {row["candidate"]: row for row in model.leaderboard_}
    assert set(board) == {"stack", "ard", "ard-laplacian", "linear"}
    assert board["linear"]["verdict"] == "worse"
    assert model.error_estimate_.folds == 1
    fresh = random.normal(size=(4000, 3))
    truth = np.sin(2 * fresh[:, 0]) + fresh[:, 1] + 0.2 * random.normal(size=4000)
    error = np.sqrt(np.mean((model.predict(fresh) - truth) ** 2))
    assert model.error_estimate_.lower < error < model.error_estimate_.upper
    members = dict(zip(model.cv_results_["candidate"], model.weights_, strict=True))
    parts = [
        weight * member.outputs_of(model.columns_.scaled(fresh))[:, 0]
        for weight, member in zip(model.weights_, model._members, strict=True)
    ]
    np.testing.assert_allclose(model.predict(fresh), sum(parts), rtol=1e-9)
    assert members["ard"] + members["ard-laplacian"] > 0.99
    assert set(model.selected_features_) == {0, 1}
    assert model.predict_interval(fresh[:3]).shape == (3, 2)


def test_landmarks_of_a_linear_kernel_span_every_level():
    """Five for each column would be 15, fewer than the levels."""
    random = np.random.default_rng(0)
    levels, effects = random.integers(40, size=3100), random.normal(size=40)
    table = pd.DataFrame({"x": random.normal(size=3100), "level": levels.astype(str)})
    y = table["x"].to_numpy() + effects[levels] + 0.1 * random.normal(size=3100)
    model = AutoKernelRegressor(["linear"]).fit(table, y)
    assert model.error_estimate_.value < 0.12


def test_a_rare_class_is_told_and_balancing_is_advised_once():
    random = np.random.default_rng(0)
    y = np.arange(100) < 8
    X = random.normal(size=(100, 2)) + 1.5 * y[:, None]
    for weight, advised in ((None, True), ("balanced", False)):
        model = AutoKernelClassifier(["linear"], folds=0, class_weight=weight).fit(X, y)
        (check,) = model.checks_
        assert check.code == "KW306" and "8.0 %" in check.text
        assert ("or balance the classes" in check.advice) == advised
