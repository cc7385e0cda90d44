"""The stack of AutoKernel: what it is made of, and numbers recomputed by hand."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from kernelwise import AutoKernelClassifier, AutoKernelRegressor, LSSVMClassifier, LSSVMRegressor
from kernelwise.estimators.stacking import combination
from kernelwise.estimators.trivial import NoBetterThanTrivialWarning
from kernelwise.report import LeaderboardDisplay

FEW = ["gaussian", "linear", "ard-laplacian"]


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    X = random.normal(size=(110, 3))
    return X, X[:, 0] + X[:, 1] ** 2 + 0.3 * random.normal(size=110)


@pytest.fixture(scope="module")
def classifier(table):
    X, z = table
    return AutoKernelClassifier(FEW).fit(X, z > 0.8)


@pytest.fixture(scope="module")
def regressor(table):
    X, z = table
    return AutoKernelRegressor([*FEW, "laplacian"]).fit(X, z)


def alone(name, kind, **options):
    selection = "first-level" if name.startswith("ard") else "loo"
    return kind(name, selection, honest=False, **options)


def test_outputs_are_the_weighted_sum_of_machines_fitted_alone(table, classifier):
    X, z = table
    machines = [alone(name, LSSVMClassifier).fit(X, z > 0.8) for name in FEW[:2]]
    weights = dict(zip(classifier.cv_results_["candidate"], classifier.weights_, strict=True))
    # The third starts from a search that was done before, so it may end a little elsewhere.
    third = classifier._members[2].outputs_of(classifier.columns_.scaled(X))[:, 0]
    outputs = weights["ard-laplacian"] * third + classifier._offsets
    for name, machine in zip(FEW, machines, strict=False):
        outputs = outputs + weights[name] * machine.decision_function(X)
    np.testing.assert_allclose(classifier.decision_function(X), outputs, atol=1e-9)
    assert classifier.weights_.sum() == pytest.approx(1) and (classifier.weights_ >= 0).all()


def test_weights_are_those_of_the_held_out_outputs(table):
    X, z = table
    y = np.where(z > 0.8, 1.0, -1.0)
    model = AutoKernelClassifier(["gaussian", "linear"], folds=0).fit(X, y)
    held_out = []
    for name in ("gaussian", "linear"):
        machine = alone(name, LSSVMClassifier).fit(X, y)
        gram = machine.kernel_(machine.X_fit_)
        n = len(gram)
        bordered = np.block(
            [[gram + machine.regularization_ * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), 0]]
        )
        inverse = np.linalg.inv(bordered)
        order = np.lexsort(X.T[::-1])
        coef = inverse[:n, :n] @ y[order]
        held_out.append((y[order] - coef / np.diag(inverse)[:n])[:, None])
    found = combination(np.stack(held_out), y[order][:, None], np.ones(len(y)), classes=True)
    np.testing.assert_allclose(model.weights_, found.weights, atol=1e-6)
    np.testing.assert_allclose(model._offsets, found.offsets, atol=1e-6)


def test_the_error_is_that_of_copies_that_chose_again_without_the_fold(table):
    X, z = table
    y = z > 0.8
    folds = [(np.setdiff1d(np.arange(110), S), S) for S in np.array_split(np.arange(110), 3)]
    model = AutoKernelClassifier(["gaussian", "linear"], cv=folds).fit(X, y)
    wrong = np.zeros(110, bool)
    for train, test in folds:
        # All rows standardize the columns, so a copy alone must get the same ones.
        scaled = model.columns_.scaled(X)
        copy = AutoKernelClassifier(["gaussian", "linear"], folds=0)
        copy.fit(scaled[train], y[train])
        wrong[test] = copy.predict(scaled[test]) != y[test]
    assert model.error_estimate_.value == pytest.approx(wrong.mean(), abs=0.02)
    assert model.error_estimate_.folds == 3
    assert model.error_estimate_.lower < wrong.mean() < model.error_estimate_.upper
    assert np.sum(model.error_estimate_.confusion) == 110


def test_the_baseline_is_that_of_all_rows(table):
    """Where classes are of equal size, the majority of other folds would be wrong in most rows."""
    X, z = table
    weights = np.random.default_rng(3).integers(1, 4, len(X))
    y = z > np.median(z)
    model = AutoKernelClassifier(["linear"]).fit(X, y, weights)
    share = np.average(y, weights=weights)
    assert model.error_estimate_.baseline == pytest.approx(min(share, 1 - share))
    other = AutoKernelRegressor(["linear"], folds=3).fit(X, z, weights)
    spread = np.sqrt(np.average((z - np.average(z, weights=weights)) ** 2, weights=weights))
    assert other.error_estimate_.baseline == pytest.approx(spread)
    assert other.n_splits_ == 3
    # What counts rows counts them by their weight, too.
    assert other.error_estimate_.measures["RMSE"] == pytest.approx(other.error_estimate_.value)
    wrong = 1 - np.trace(model.error_estimate_.confusion) / np.sum(model.error_estimate_.confusion)
    assert wrong == pytest.approx(model.error_estimate_.value)


def test_quantities_are_in_their_own_units(table, regressor):
    X, z = table
    large = AutoKernelRegressor([*FEW, "laplacian"]).fit(X, 1000 * z + 5)
    np.testing.assert_allclose(large.predict(X), 1000 * regressor.predict(X) + 5, rtol=1e-6)
    assert large.error_estimate_.value == pytest.approx(1000 * regressor.error_estimate_.value)
    np.testing.assert_allclose(large.relevance_, regressor.relevance_, atol=1e-8)
    outputs, deviations = large.predict(X, return_std=True)
    # About the noise of 0.3, and what is not known besides.
    assert 250 < np.median(deviations) < 600
    interval = large.predict_interval(X, level=0.5)
    assert (interval[:, 0] < outputs).all() and (outputs < interval[:, 1]).all()


def test_leaderboard_has_the_stack_first_and_all_numbers(classifier):
    board = classifier.leaderboard_
    assert board["candidate"][0] == "stack" and set(board["candidate"][1:]) == set(FEW)
    assert (np.diff(board["error"][1:]) >= 0).all()
    assert ((board["low"] <= board["error"]) & (board["error"] <= board["high"])).all()
    np.testing.assert_allclose(board["optimism"], board["error"] - board["seen"])
    assert board["weight"][1:].sum() == pytest.approx(1)
    assert board["error"][0] == classifier.error_estimate_.value
    assert board["seen"][0] == pytest.approx(classifier.held_out_error_)
    assert board["factorizations"][0] == classifier.n_factorizations_
    worse = board[board["candidate"] == "linear"][0]
    assert worse["verdict"] == "worse" and worse["low"] > board["error"][0]


def test_search_results_follow_scikit_learn(classifier):
    results, best = classifier.cv_results_, classifier.best_index_
    assert results["rank_test_score"][best] == 1
    assert classifier.best_score_ == results["mean_test_score"].max()
    assert classifier.best_params_ == {"candidate": results["candidate"][best]}
    splits = [results[f"split{k}_test_score"] for k in range(classifier.n_splits_)]
    np.testing.assert_allclose(np.mean(splits, axis=0), results["mean_test_score"], rtol=0.02)
    np.testing.assert_allclose(np.std(splits, axis=0), results["std_test_score"])


def test_best_candidate_is_an_estimator_of_its_own(table, regressor):
    X, z = table
    best = regressor.best_estimator_
    name = regressor.best_params_["candidate"]
    same = alone(name, LSSVMRegressor).fit(X, z)
    np.testing.assert_allclose(best.predict(X), same.predict(X), rtol=0.02, atol=0.02)
    number = list(regressor.cv_results_["candidate"]).index(name)
    row = regressor.leaderboard_[regressor.leaderboard_["candidate"] == name][0]
    assert best.honest_error_ == pytest.approx(row["error"])
    assert best.held_out_error_ == pytest.approx(row["seen"])
    np.testing.assert_allclose(
        best.predict(X), regressor._members[number].outputs_of(best.columns_.scaled(X))[:, 0]
    )
    assert best.relevance_.sum() == pytest.approx(1)


def test_best_combination_is_the_best_candidate(table):
    X, z = table
    model = AutoKernelRegressor(FEW, combine="best", folds=0).fit(X, z)
    assert sorted(model.weights_) == [0, 0, 1]
    np.testing.assert_array_equal(model.predict(X), model.best_estimator_.predict(X))


def test_without_a_stack_the_chosen_candidate_leads_the_board_and_the_record(table):
    X, z = table
    model = AutoKernelClassifier(FEW, combine="best", folds=3).fit(X, z > 0.8)
    stack = AutoKernelClassifier(FEW, folds=3).fit(X, z > 0.8)
    board, name = model.leaderboard_, model.best_params_["candidate"]
    assert board["candidate"][0] == name and sorted(board["candidate"]) == sorted(FEW)
    assert list(board["weight"]) == [1, 0, 0] and board["verdict"][0] == "chosen"
    # Copies chose among the candidates again.
    assert board["error"][0] == model.error_estimate_.value == model.honest_error_
    same = {row["candidate"]: row for row in stack.leaderboard_}
    for field in ("seen", "factorizations"):
        assert board[field][0] == pytest.approx(same[name][field])
    assert [one.name for one in model.record_.tried] == list(board["candidate"])
    assert [one.name for one in stack.record_.tried] == list(stack.leaderboard_["candidate"][1:])
    said = " ".join(model.explain().split())
    assert f"Chosen {name}: {model.record_.candidates[0].words}." in said
    assert "stack" not in said and "the least held-out squared error of 3 candidates" in said
    assert LeaderboardDisplay.from_estimator(model).names == list(board["candidate"])


@pytest.mark.parametrize("folds", [0, 3])
def test_a_row_of_weight_two_is_a_repeated_row(table, folds):
    X, z = table
    weights = np.random.default_rng(1).integers(1, 4, len(X))
    twice = np.repeat(np.arange(len(X)), weights)
    one = AutoKernelClassifier(["gaussian", "linear"], folds=folds).fit(X, z > 0.8, weights)
    other = AutoKernelClassifier(["gaussian", "linear"], folds=folds)
    other.fit(X[twice], z[twice] > 0.8)
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-12)
    if folds:
        for name in ("value", "lower", "upper", "baseline", "difference_upper", "balanced_upper"):
            a, b = (getattr(model.error_estimate_, name) for model in (one, other))
            assert a == pytest.approx(b, abs=1e-12)
        assert one.error_estimate_.confusion == other.error_estimate_.confusion
        assert one.error_estimate_.measures == pytest.approx(other.error_estimate_.measures)


def test_same_bits_for_any_n_jobs(table, classifier):
    X, z = table
    other = clone(classifier).set_params(n_jobs=2).fit(X, z > 0.8)
    np.testing.assert_array_equal(other.decision_function(X), classifier.decision_function(X))
    assert other.error_estimate_ == classifier.error_estimate_


def test_any_estimator_may_be_a_candidate(table):
    X, z = table
    forest = RandomForestClassifier(15, random_state=0)
    model = AutoKernelClassifier([("forest", forest), "linear"], folds=3).fit(X, z > 0.8)
    assert model.weights_[0] > 0.5
    assert model.best_params_ == {"candidate": "forest"}
    inside = model.best_estimator_
    np.testing.assert_array_equal(inside.predict(X), inside[-1].predict(model.columns_.scaled(X)))
    assert inside.predict(X).dtype == bool
    only = AutoKernelRegressor([("forest", RandomForestRegressor(5, random_state=0))], folds=0)
    only.fit(X, z)
    np.testing.assert_allclose(only.predict(X), only.best_estimator_.predict(X))
    assert only.kernel_ is None and only.explain()


def test_noise_is_not_believed(table):
    X, _ = table
    y = np.random.default_rng(5).integers(0, 2, len(X))
    with pytest.warns(NoBetterThanTrivialWarning) as caught:
        model = AutoKernelClassifier(FEW).fit(X, y)
    assert caught[0].filename == __file__
    assert "may say nothing about the target, or" in str(caught[0].message)
    share = y.mean()
    # Half, where the label is that of the rarer class.
    assert np.abs(model.predict_proba(X)[:, 1] - share).max() < 0.03
    assert not len(model.selected_features_)
    assert "do not use this model" in " ".join(model.explain().split())
    assert not model.error_estimate_.is_useful


def test_several_targets_and_one_that_does_not_vary(table):
    X, z = table
    Y = np.column_stack([z, 100 * X[:, 1], np.full(len(X), 7.0)])
    model = AutoKernelRegressor(["gaussian", "linear"], folds=3).fit(X, Y)
    assert model.predict(X).shape == Y.shape
    np.testing.assert_allclose(model.predict(X)[:, 2], 7)
    assert model.score(X[:, :], Y) > 0.6
    assert model.leaderboard_["error"][0] == pytest.approx(model.honest_error_)


def test_held_out_by_folds_with_groups(table):
    X, z = table
    groups = np.repeat(np.arange(11), 10)
    # Every group has a level of its own that no column tells of other groups.
    shifted = z + np.random.default_rng(0).normal(size=11)[groups]
    marked = np.column_stack([X, groups + 0.01 * X[:, 0]])
    plain = AutoKernelRegressor(["gaussian", "laplacian"]).fit(marked, shifted)
    honest = AutoKernelRegressor(["gaussian", "laplacian"]).fit(marked, shifted, groups=groups)
    assert honest.error_estimate_.value > plain.error_estimate_.value
    assert honest.held_out_error_ > plain.held_out_error_
    with pytest.raises(ValueError, match="repeats"):
        AutoKernelRegressor(repeats=2).fit(X, z, groups=groups)


def test_repeated_folds_say_more_of_the_same(table):
    X, z = table
    once = AutoKernelClassifier(["linear"]).fit(X, z > 0.8)
    more = AutoKernelClassifier(["linear"], repeats=3).fit(X, z > 0.8)
    np.testing.assert_array_equal(once.decision_function(X), more.decision_function(X))
    assert more.error_estimate_.folds == 15
    assert more.error_estimate_.value != once.error_estimate_.value
    width = [m.error_estimate_.upper - m.error_estimate_.lower for m in (once, more)]
    assert width[1] == pytest.approx(width[0], rel=0.2)
    assert more.error_estimate_.confusion == once.error_estimate_.confusion


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"candidates": "all"}, "'auto', 'core'"),
        ({"candidates": []}, "a list of names"),
        ({"candidates": ["gauss"]}, "unknown candidate 'gauss'"),
        ({"candidates": ["precomputed"]}, "unknown candidate"),
        ({"candidates": ["linear", "linear"]}, "'linear' twice"),
        ({"candidates": [("stack", RandomForestClassifier())]}, "'stack' is what all"),
        ({"candidates": [("x", RandomForestRegressor())]}, "must be a classifier"),
        ({"candidates": [("x", 3)]}, r"\(name, estimator\)"),
        ({"folds": 1}, "folds must be"),
        ({"folds": True}, "folds must be"),
        ({"repeats": 0}, "repeats must be"),
        ({"repeats": 2, "cv": [(np.arange(5), np.arange(5))]}, "repeats deals"),
        ({"max_time": 0}, "max_time must be"),
        ({"max_time": "1m"}, "max_time must be"),
        ({"estimate": "loo"}, "estimate must be one of"),
        ({"combine": "average"}, "combine must be one of"),
        ({"landmarks": 1}, "landmarks must be"),
    ],
)
def test_bad_parameters_are_refused_before_any_work(table, options, words):
    X, z = table
    with pytest.raises(ValueError, match=words):
        AutoKernelClassifier(**options).fit(X, z > 0.8)


def test_estimate_by_folds_differs_from_leave_one_out(table):
    X, z = table
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one = AutoKernelRegressor(["gaussian", "ard"], estimate="cv", folds=0).fit(X, z)
        other = AutoKernelRegressor(["gaussian", "ard"], folds=0).fit(X, z)
    assert one.held_out_error_ != other.held_out_error_
    assert one.held_out_error_ == pytest.approx(other.held_out_error_, rel=0.2)
