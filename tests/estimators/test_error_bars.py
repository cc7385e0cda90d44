"""Standard deviations, intervals and sets: what they are, and how often they hold."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from kernelwise import (
    BEMKLClassifier,
    BEMKLRegressor,
    LSSVMClassifier,
    LSSVMRegressor,
    MKLRegressor,
    RVMRegressor,
)
from kernelwise.estimators.scores import Scores
from kernelwise.kernels import Gaussian
from kernelwise.searchers import QuasiNewton


def in_folds(n, k=4):
    return [(np.setdiff1d(np.arange(n), test), test) for test in np.array_split(np.arange(n), k)]


def table(seed, n, noise=0.3):
    random = np.random.default_rng(seed)
    X = random.uniform(-2, 2, size=(n, 2))
    return X, np.sin(2 * X[:, 0]) + noise * random.normal(size=n)


def test_quantiles_count_the_new_row_as_the_worst():
    scores = Scores(np.arange(1.0, 20.0)[:, None], np.ones(19), 19)
    assert scores.quantiles(0.9)[0] == 18  # 0.9 * 20 rows
    assert scores.quantiles(0.95)[0] == 19
    assert scores.quantiles(0.96)[0] == np.inf
    doubled = Scores(np.array([[1.0], [2.0], [3.0]]), np.array([2.0, 1.0, 1.0]), 4)
    again = Scores(np.array([[1.0], [1.0], [2.0], [3.0]]), np.ones(4), 4)
    assert doubled.quantiles(0.4) == again.quantiles(0.4) == 1
    for level in (1.0, "0.9"):
        with pytest.raises(ValueError, match="level must be between 0 and 1"):
            scores.quantiles(level)


def test_scores_are_those_of_copies_that_chose_without_the_rows():
    X, y = table(0, 40)
    # Searched to the end: where a search begins must not show.
    search = QuasiNewton(tolerance=1e-10)
    model = LSSVMRegressor(Gaussian(np.ones(2)), "loo", cv=in_folds(40), searcher=search).fit(X, y)
    relative = np.empty(40)
    for train, test in in_folds(40):
        copy = clone(model).set_params(honest=False, cv=3).fit(X[train], y[train])
        outputs, std = copy.predict(X[test], return_std=True)
        relative[test] = (y[test] - outputs) / (std / copy._stretch)
    np.testing.assert_allclose(
        np.sort(model._scores.values[:, 0]), np.sort(np.abs(relative)), rtol=1e-3
    )
    assert model._stretch[0] == pytest.approx(np.sqrt(np.mean(relative**2)), rel=1e-3)
    _, std = model.predict(X, return_std=True)
    lower, upper = model.predict_interval(X, level=0.8).T
    reach = np.sort(np.abs(relative))[int(np.ceil(0.8 * 41)) - 1]
    np.testing.assert_allclose(upper - lower, 2 * reach * std / model._stretch, rtol=2e-3)
    np.testing.assert_allclose((upper + lower) / 2, model.predict(X), rtol=1e-8)


REGRESSORS = {
    "first-level": LSSVMRegressor(),
    "loo": LSSVMRegressor("ard", "loo"),
    "evidence": LSSVMRegressor("ard", "evidence"),
    "rvm": RVMRegressor(),
    "mkl": MKLRegressor(),
    "bemkl": BEMKLRegressor(),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", REGRESSORS)
def test_intervals_of_heavy_tails_hold_as_often_as_they_say(name):
    covered = []
    for seed in range(4):
        random = np.random.default_rng(seed)
        X = random.normal(size=(560, 3))
        y = X[:, 0] + np.abs(X[:, 1]) + 0.5 * random.standard_t(3, 560)
        model = clone(REGRESSORS[name]).fit(X[:60], y[:60])
        lower, upper = model.predict_interval(X[60:]).T
        covered.append(np.mean((lower <= y[60:]) & (y[60:] <= upper)))
    assert 0.86 < np.mean(covered) < 0.96


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", [LSSVMClassifier(), BEMKLClassifier()], ids=["lssvm", "bemkl"])
def test_sets_hold_the_class_as_often_as_they_say(model):
    covered, sizes = [], []
    for seed in range(4):
        random = np.random.default_rng(seed)
        X = random.normal(size=(560, 3))
        y = np.digitize(X[:, 0] + 0.7 * random.normal(size=560), [-0.5, 0.5])
        fitted = clone(model).fit(X[:60], y[:60])
        sets = fitted.predict_set(X[60:], level=0.8)
        covered.append(sets[np.arange(500), y[60:]].mean())
        sizes.append(sets.sum(axis=1).mean())
        assert sets[np.arange(500), fitted.predict(X[60:])].all()
    assert 0.76 < np.mean(covered) < 0.9
    assert np.mean(sizes) < 2.5


def test_scores_of_labels_are_one_less_the_probability_of_the_true_class():
    """By copies fitted by hand, and the whole model's calibrator."""
    random = np.random.default_rng(4)
    X = random.normal(size=(40, 2))
    y = (X[:, 0] + random.normal(size=40) > 0).astype(int)
    model = LSSVMClassifier(Gaussian(np.ones(2)), "loo", cv=in_folds(40)).fit(X, y)
    outputs = np.empty(40)
    for train, test in in_folds(40):
        copy = clone(model).set_params(honest=False, cv=3).fit(X[train], y[train])
        outputs[test] = copy.decision_function(X[test])
    probabilities = model.calibrator_.probabilities(outputs)
    expected = np.sort(1 - probabilities[np.arange(40), y])
    np.testing.assert_allclose(np.sort(model._scores.values[:, 0]), expected, rtol=1e-4)
    sets = model.predict_set(X, level=0.7)
    reach = expected[int(np.ceil(0.7 * 41)) - 1]
    predicted = np.eye(2, dtype=bool)[model.predict(X)]
    np.testing.assert_array_equal(sets, (1 - model.predict_proba(X) <= reach) | predicted)
    # However low the level, the predicted class is in the set.
    np.testing.assert_array_equal(model.predict_set(X, level=0.02).argmax(axis=1), model.predict(X))


def test_a_level_that_needs_more_rows_is_infinite():
    X, y = table(1, 40)
    model = LSSVMRegressor("gaussian", "loo").fit(X, y)
    assert np.isinf(model.predict_interval(X, level=0.99)).all()
    assert np.isfinite(model.predict_interval(X, level=0.9)).all()


def test_equal_rows_that_disagree_widen_the_deviations():
    """The same as with a column that differs too little to matter, so that nothing is merged."""
    random = np.random.default_rng(0)
    X = np.repeat(random.uniform(-2, 2, (15, 1)), 4, axis=0)
    y = np.sin(X[:, 0]) + random.normal(size=60)
    merged = LSSVMRegressor(Gaussian(1.0), None, 0.5).fit(X, y)
    apart = LSSVMRegressor(Gaussian(1.0), None, 0.5).fit(X + 1e-9 * np.arange(60)[:, None], y)
    assert len(merged.X_fit_) < 60 == len(apart.X_fit_)
    np.testing.assert_allclose(merged.amplitude_, apart.amplitude_, rtol=1e-5)
    rows = merged._rows_to_compare(X[:5])
    np.testing.assert_allclose(merged._deviations_of(rows), apart._deviations_of(rows), rtol=1e-5)


def test_deviations_factorize_once_and_are_not_saved():
    X, y = table(2, 60)
    model = LSSVMRegressor("gaussian", "loo").fit(X, y)
    _, first = model.predict(X, return_std=True)
    system = model._factored[0]
    _, second = model.predict(X, return_std=True)
    assert model._factored[0] is system
    np.testing.assert_array_equal(first, second)
    assert "_system" not in pickle.loads(pickle.dumps(model)).__dict__
    _, loaded = pickle.loads(pickle.dumps(model)).predict(X, return_std=True)
    np.testing.assert_array_equal(first, loaded)
    model.fit(X[:30], y[:30])
    fresh = LSSVMRegressor("gaussian", "loo").fit(X[:30], y[:30])
    np.testing.assert_array_equal(
        model.predict(X, return_std=True)[1], fresh.predict(X, return_std=True)[1]
    )


def test_several_outputs_have_intervals_of_their_own():
    X, y = table(3, 60)
    both = np.column_stack([y, 100 * y + np.random.default_rng(0).normal(size=60)])
    model = LSSVMRegressor("gaussian", "loo").fit(X, both)
    intervals = model.predict_interval(X[:7])
    assert intervals.shape == (7, 2, 2)
    outputs, std = model.predict(X[:7], return_std=True)
    assert outputs.shape == std.shape == (7, 2)
    assert (intervals[..., 0] < outputs).all() and (outputs < intervals[..., 1]).all()
    widths = np.diff(intervals)[..., 0]
    assert (widths[:, 1] > 50 * widths[:, 0]).all()
