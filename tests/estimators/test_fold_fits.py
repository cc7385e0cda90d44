"""Copies without a fold: what they are fitted to, and which features they tell from nothing."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import LeaveOneOut

from kernelwise import LSSVMClassifier, LSSVMRegressor, SVMClassifier
from kernelwise.estimators import NoBetterThanTrivialWarning
from kernelwise.estimators import fold_fits as module
from kernelwise.estimators.relevance import ONE_SIDED
from kernelwise.kernels import Gaussian
from kernelwise.tables.rows import Observations, merge_equal_rows


def in_folds(n, k=4):
    return [(np.setdiff1d(np.arange(n), test), test) for test in np.array_split(np.arange(n), k)]


@pytest.mark.parametrize("weight", [1.0, 2.0])
def test_parts_without_a_fold_are_those_of_the_other_rows(weight):
    """Equal rows that disagree have hidden squares, which must be those of the rows left."""
    random = np.random.default_rng(0)
    X = random.integers(0, 4, size=(40, 1)).astype(float)
    counts = np.full(40, weight)
    y = random.normal(size=(40, 1))
    given = Observations(X, y, counts, 3.0 * counts, np.zeros(40, int))
    folds = np.arange(40) % 4
    splits = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(4)]
    parts = merge_equal_rows(given, splits, 0)
    found = parts.without(parts.folds[1], given)
    kept = folds != 1
    expected = merge_equal_rows(
        given.take(np.flatnonzero(kept)),
        [(np.flatnonzero(folds[kept] != k), np.flatnonzero(folds[kept] == k)) for k in (0, 2, 3)],
        0,
    )
    np.testing.assert_array_equal(found.X, expected.X)
    np.testing.assert_allclose(found.targets.values, expected.targets.values)
    np.testing.assert_allclose(found.targets.weights, expected.targets.weights)
    np.testing.assert_allclose(found.targets.within, expected.targets.within)
    assert found.n_observations == pytest.approx(expected.n_observations)
    assert parts.targets.within[0] > 1.1 * found.targets.within[0] > 0
    assert len(found.folds) == 3
    np.testing.assert_array_equal(np.sort(np.concatenate(found.folds)), np.arange(len(found.X)))


def test_the_last_fold_is_cut_in_two():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(20, 2)), random.normal(size=(20, 1))
    given = Observations(X, y, np.ones(20), np.ones(20), np.zeros(20, int))
    parts = merge_equal_rows(given, 2, 0)
    found = parts.without(parts.folds[0], given)
    assert [len(fold) for fold in found.folds] == [5, 5]


def test_many_folds_are_left_out_several_at_a_time():
    random = np.random.default_rng(1)
    X = random.normal(size=(40, 2))
    y = X[:, 0] + 0.1 * random.normal(size=40)
    groups = module.left_out_together([np.array([k]) for k in range(37)])
    assert len(groups) == 10
    np.testing.assert_array_equal(np.sort(np.concatenate(groups)), np.arange(37))
    model = LSSVMRegressor("gaussian", "loo", cv=LeaveOneOut()).fit(X, y)
    assert len(model._scores.values) == 40 and model.honest_error_ < 0.5 * y.std()


@pytest.mark.parametrize("selection", ["loo", None])
def test_features_are_told_by_rows_that_a_copy_has_not_seen(selection):
    """By hand: the loss of each unseen row as it is and with the feature held at its mean."""
    random = np.random.default_rng(2)
    X = random.normal(size=(48, 5))
    y = X[:, 0] + 0.45 * X[:, 1] + 0.3 * X[:, 2] + random.normal(size=48)
    model = LSSVMRegressor(Gaussian(2 * np.ones(5)), selection, 0.5, cv=in_folds(48)).fit(X, y)
    changes = np.empty((48, 5))
    for train, test in in_folds(48):
        copy = clone(model).set_params(honest=False, cv=3).fit(X[train], y[train])
        for r in range(5):
            held = X[test].copy()
            held[:, r] = X[train, r].mean()
            plain, without = (copy.predict(rows) - y[test] for rows in (X[test], held))
            changes[test, r] = without**2 - plain**2
    ratio = changes.mean(axis=0) / (changes.std(axis=0) / np.sqrt(48))
    np.testing.assert_array_equal(model.selected_features_, np.flatnonzero(ratio > ONE_SIDED))
    assert 0 < len(model.selected_features_) < 5
    assert pytest.approx(1.8755, abs=1e-4) == ONE_SIDED


def test_small_tables_choose_again_without_each_fold_and_large_ones_without_one():
    assert [module.chooses_again("auto", 1000, k) for k in range(3)] == [True, True, True]
    assert [module.chooses_again("auto", 1001, k) for k in range(3)] == [True, False, False]
    assert module.chooses_again(True, 10**6, 3) and not module.chooses_again(False, 10, 0)


@pytest.mark.parametrize("kind", [LSSVMClassifier, LSSVMRegressor])
def test_a_large_table_is_judged_by_the_rows_of_one_fold(kind, monkeypatch):
    """Noise that a kernel with many scales seems to predict where it was chosen."""
    monkeypatch.setattr(module, "AUTO_ROWS", 100)
    random = np.random.default_rng(2)
    X, y = random.normal(size=(160, 15)), random.normal(size=160)
    y = y if kind is LSSVMRegressor else y > 0
    with pytest.warns(NoBetterThanTrivialWarning):
        model = kind("ard", "loo").fit(X, y)
    assert not len(model.selected_features_)
    assert np.isfinite(model.relevance_interval_).all()
    judged = model._scores.weights > 0
    assert judged.sum() == 32
    trivial = 0.5 if kind is LSSVMClassifier else y.std()
    assert model.held_out_error_ < 0.85 * trivial
    assert model.honest_error_ > 0.85 * trivial
    kept = kind("ard", "loo", honest=False).fit(X, y)
    assert kept.honest_error_ < 0.9 * model.honest_error_, "this test could not fail"


@pytest.mark.filterwarnings("ignore")
def test_copies_of_one_case_are_one_case():
    """Repeated rows that never disagree, as rows or as weights, are no more evidence."""
    random = np.random.default_rng(1)
    X, y = random.normal(size=(60, 4)), random.random(60) < 0.5
    once = LSSVMClassifier("gaussian", "loo").fit(X, y)
    heavy = LSSVMClassifier("gaussian", "loo").fit(X, y, sample_weight=np.full(60, 100))
    assert once._scores.n_cases == heavy._scores.n_cases == pytest.approx(60)
    disagreeing = np.repeat(X[:10], 6, axis=0)
    several = LSSVMClassifier("gaussian", "loo").fit(disagreeing, y)
    assert several._scores.n_cases == pytest.approx(60)


@pytest.mark.filterwarnings("ignore")
def test_without_copies_nothing_is_said():
    X = np.arange(6.0)[:, None]
    model = LSSVMRegressor("gaussian", "loo").fit(X, np.arange(6.0))
    assert np.isnan(model.honest_error_) and np.isnan(model.relevance_interval_).all()
    assert not len(model.selected_features_)
    constant = LSSVMRegressor("gaussian", "loo").fit(np.arange(80.0).reshape(40, 2), np.ones(40))
    assert not len(constant.selected_features_)


def test_a_rare_class_is_judged_where_it_can_be():
    """Without its only fold there is one class: its rows are judged as the selection saw them."""
    random = np.random.default_rng(3)
    X = np.vstack([random.normal(size=(30, 2)), random.normal(4, 0.1, size=(3, 2))])
    y = np.repeat([0, 1], [30, 3])
    folds = np.r_[np.arange(30) % 3, 3, 3, 3]
    splits = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(4)]
    model = SVMClassifier("gaussian", "evidence", cv=splits).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert model.predict(X[-3:]).all()


def test_honest_is_checked():
    with pytest.raises(ValueError, match="honest must be True, False or 'auto'"):
        LSSVMRegressor(honest="yes").fit(np.eye(5), np.arange(5.0))
