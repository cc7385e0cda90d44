"""Relevance: its definition, its interval, and which features are told apart from noise."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_friedman1

from kernelwise import LSSVMClassifier, LSSVMRegressor, SVMClassifier
from kernelwise.estimators import NoBetterThanTrivialWarning, base
from kernelwise.estimators.relevance import jackknife_intervals
from kernelwise.estimators.trivial import GAIN_BY_CHANCE, normal_gain


@pytest.mark.parametrize("weighted", [False, True])
def test_relevance_is_the_share_of_squared_changes_when_a_feature_is_held(weighted):
    """By predictions of the fitted model: at the weighted mean, or the most common level."""
    random = np.random.default_rng(0)
    n = 60
    frame = pd.DataFrame(
        {
            "a": random.exponential(size=n),
            "b": random.normal(5, 2, size=n),
            "c": random.choice(["x", "y", "z"], n, p=[0.2, 0.5, 0.3]),
        }
    )
    y = frame["a"] ** 2 + 0.5 * frame["b"] + (frame["c"] == "z") + 0.2 * random.normal(size=n)
    # The rarest level has the most weight.
    weights = random.integers(1, 6, n) + 9 * (frame["c"] == "x") if weighted else np.ones(n)
    model = LSSVMRegressor("gaussian", "loo").fit(frame, y, sample_weight=weights)
    plain, squares = model.predict(frame), []
    for name in frame:
        held = frame.copy()
        if name == "c":
            totals = pd.Series(weights).groupby(frame["c"]).sum()
            held[name] = totals.idxmax()
        else:
            held[name] = np.average(frame[name], weights=weights)
        squares.append(np.average((model.predict(held) - plain) ** 2, weights=weights))
    np.testing.assert_allclose(model.relevance_, np.array(squares) / np.sum(squares), rtol=1e-4)


def test_intervals_are_those_of_the_jackknife():
    found = jackknife_intervals(
        np.array([0.5, 0.5, 0.0]),
        [np.array([0.4, 0.6, 0.0]), np.array([0.5, 0.5, 0.0]), np.array([0.6, 0.4, 0.0])],
    )
    # variance = 2/3 * (0.01 + 0 + 0.01); Student's 97.5 % point with 2 degrees of freedom
    reach = 4.302653 * np.sqrt(2 / 3 * 0.02)
    expected = [[max(0.5 - reach, 0), min(0.5 + reach, 1)]] * 2 + [[0.0, 0.0]]
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert np.isnan(jackknife_intervals(np.ones(2), [])).all()


@pytest.mark.parametrize("selection", ["first-level", "evidence"])
def test_the_five_features_of_friedman_are_told_and_no_others(selection):
    told = np.zeros(10)
    for seed in range(4):
        X, y = make_friedman1(150, 10, noise=1.0, random_state=seed)
        model = LSSVMRegressor(selection=selection).fit(X, y)
        told[model.selected_features_] += 1
        lower, upper = model.relevance_interval_.T
        assert (lower <= model.relevance_).all() and (model.relevance_ <= upper).all()
        assert (lower[:5] > 0).sum() >= 4, "what matters is told by its interval, too"
    assert (told[:5] == 4).all()
    assert told[5:].sum() <= 2


@pytest.mark.filterwarnings("always")
@pytest.mark.parametrize("kind", [LSSVMRegressor, LSSVMClassifier, SVMClassifier])
def test_noise_is_warned_of_and_tells_no_feature(kind, recwarn):
    told = 0
    for seed in range(5):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(50, 5)), random.normal(size=50)
        model = kind("ard").fit(X, y if kind is LSSVMRegressor else y > 0)
        np.testing.assert_allclose(model.relevance_.sum(), 1)
        told += len(model.selected_features_)
    warned = sum(w.category is NoBetterThanTrivialWarning for w in recwarn)
    assert warned >= 4
    assert told <= 3, "5 % of 25, and chance"


def test_a_model_that_is_not_better_than_chance_tells_no_feature(monkeypatch):
    """Not even one that its copies would tell."""
    monkeypatch.setattr(base, "told_from_noise", lambda *given: np.ones(4, bool))
    random = np.random.default_rng(2)
    X, y = random.normal(size=(40, 4)), random.random(40) < 0.5
    with pytest.warns(NoBetterThanTrivialWarning, match="do not read anything into"):
        model = LSSVMClassifier("gaussian", "loo").fit(X, y)
    assert not len(model.selected_features_)
    better = LSSVMClassifier("gaussian", "loo").fit(X, X[:, 0] > 0)
    assert len(better.selected_features_) == 4, "this test could not fail"


def test_a_real_effect_is_not_warned_of(recwarn):
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 3))
    LSSVMRegressor("gaussian", "loo").fit(X, X[:, 0] + random.normal(size=60))
    LSSVMClassifier("gaussian", "loo").fit(X, X[:, 0] + 0.5 * random.normal(size=60) > 0)
    assert not [w for w in recwarn if w.category is NoBetterThanTrivialWarning]


def test_the_gain_of_trusting_outputs_is_that_of_the_best_trust():
    random = np.random.default_rng(0)
    y, weights = random.normal(size=(40, 1)), random.uniform(0.5, 2, 40)
    f = 0.4 * y + random.normal(size=(40, 1))
    mean = np.average(y[:, 0], weights=weights)

    def deviance(trust):
        return weights @ (y[:, 0] - mean - trust * (f[:, 0] - mean)) ** 2

    best = min(deviance(trust) for trust in np.linspace(0, 1, 2001))
    expected = weights.sum() / 2 * np.log(deviance(0.0) / best)
    assert normal_gain(y, f, weights) == pytest.approx(expected, rel=1e-4)
    assert normal_gain(y, -f, weights) < 0.5
    assert pytest.approx(1.3528, abs=1e-3) == GAIN_BY_CHANCE


def test_the_gain_of_noise_passes_the_limit_in_a_twentieth_of_all_tables():
    random = np.random.default_rng(1)
    gains = [
        normal_gain(random.normal(size=(60, 1)), random.normal(size=(60, 1)), np.ones(60))
        for _ in range(2000)
    ]
    assert np.mean(np.array(gains) > GAIN_BY_CHANCE) == pytest.approx(0.05, abs=0.015)
