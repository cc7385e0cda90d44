"""Probabilities: what they are fitted to, and that noise is not believed."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, log_softmax
from sklearn.base import clone
from sklearn.metrics import log_loss, roc_auc_score

from kernelwise import (
    AutoKernelClassifier,
    LSSVMClassifier,
    MKLClassifier,
    RVMClassifier,
    SVMClassifier,
)
from kernelwise.estimators import NoBetterThanTrivialWarning
from kernelwise.estimators.calibration import Temperature, TwoSlopeSigmoid
from kernelwise.kernels import Gaussian


def in_folds(n, k=4):
    return [(np.setdiff1d(np.arange(n), test), test) for test in np.array_split(np.arange(n), k)]


def log_odds_loss(trust, claim, base, outputs, positive):
    """Negative log likelihood of two classes at a trust, written out for one row at a time."""
    total = 0.0
    for z, f, is_positive in zip(claim, outputs, positive, strict=True):
        drawn = trust * z + (1 - trust) * base
        drawn = max(drawn, 0) if f > 0 else min(drawn, 0)
        total -= np.log(expit(drawn if is_positive else -drawn))
    return total


@pytest.mark.parametrize("noise", [0.3, 3.0])
def test_trust_is_fitted_to_copies_that_chose_without_the_rows(noise):
    """Each copy is fitted by hand to the other rows, its kernel chosen again."""
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 4))
    positive = X[:, 0] + noise * random.normal(size=60) > 0.4
    # A kernel object acts on the columns as they are: copies need no scales of the whole table.
    model = LSSVMClassifier(Gaussian(np.ones(4)), "loo", cv=in_folds(60)).fit(X, positive)
    outputs = np.empty(60)
    for train, test in in_folds(60):
        copy = clone(model).set_params(honest=False, cv=3).fit(X[train], positive[train])
        outputs[test] = copy.decision_function(X[test])
    assert model.honest_error_ == pytest.approx(np.mean((outputs > 0) != positive))
    slopes = model.calibrator_.slopes_
    claim = np.where(outputs > 0, slopes[1], slopes[0]) * outputs
    base = np.log((positive.sum() + 1) / ((~positive).sum() + 1))
    trusts = np.linspace(0, 1, 401)
    losses = [log_odds_loss(trust, claim, base, outputs, positive) for trust in trusts]
    share = (positive.sum() + 1) / 62
    gain = -np.log(np.where(positive, share, 1 - share)).sum() - min(losses)
    best = trusts[np.argmin(losses)] * (1 - (0.5 / gain) ** 2)
    assert gain > 0.5
    assert model.calibrator_.trust_ == pytest.approx(best, abs=5e-3)
    assert model.calibrator_.gain_ == pytest.approx(gain, abs=1e-3)
    kept = clone(model).set_params(honest=False).fit(X, positive)
    assert abs(kept.calibrator_.trust_ - model.calibrator_.trust_) > 0.02, "could not fail"


def test_both_slopes_are_of_greatest_likelihood():
    random = np.random.default_rng(0)
    outputs = random.normal(size=400)
    positive = random.random(400) < expit(np.where(outputs > 0, 4 * outputs, outputs))
    found = TwoSlopeSigmoid().fit(outputs, np.column_stack([~positive, positive]) * 1.0)
    for side, slope in zip((outputs < 0, outputs > 0), found.slopes_, strict=True):
        typical = np.median(np.abs(outputs[side]))

        def loss(t, side=side, typical=typical):
            signs = np.where(positive[side], 1, -1)
            likelihood = np.log(expit(np.exp(t) * signs * outputs[side])).sum()
            both = np.log(expit(np.exp(t) * typical)) + np.log(expit(-np.exp(t) * typical))
            return -likelihood - both

        best = minimize(lambda t, loss=loss: loss(t[0]), [0.0], tol=1e-10)
        assert slope == pytest.approx(np.exp(best.x[0]), rel=1e-4)
    assert found.slopes_[1] > 2 * found.slopes_[0], "one slope for both would not do"


def test_the_temperature_is_of_greatest_likelihood():
    random = np.random.default_rng(1)
    outputs = random.normal(size=(300, 3))
    codes = (2.5 * outputs + random.gumbel(size=(300, 3))).argmax(axis=1)
    mass = np.eye(3)[codes] * random.uniform(0.5, 2, (300, 1))
    slope = Temperature().fit(outputs, mass).slope_
    slopes = slope * np.exp([-1e-3, 0.0, 1e-3])
    losses = [-(mass * log_softmax(s * outputs, axis=1)).sum() for s in slopes]
    assert losses[1] < min(losses[0], losses[2])
    assert slope == pytest.approx(2.5, rel=0.2)


def test_three_classes_are_trusted_as_far_as_their_copies():
    random = np.random.default_rng(2)
    X, y = random.normal(size=(60, 3)), random.integers(3, size=60)
    model = LSSVMClassifier(Gaussian(np.ones(3)), "loo", cv=in_folds(60)).fit(X, y)
    outputs = np.empty((60, 3))
    for train, test in in_folds(60):
        copy = clone(model).set_params(honest=False, cv=3).fit(X[train], y[train])
        outputs[test] = copy.decision_function(X[test])
    base = np.log((np.bincount(y) + 1) / 63)

    def loss(trust):
        scores = trust * model.calibrator_.slope_ * outputs + (1 - trust) * base
        winner = outputs.argmax(axis=1)
        scores[np.arange(60), winner] = scores.max(axis=1)
        return -log_softmax(scores, axis=1)[np.arange(60), y].sum()

    trusts = np.linspace(0, 1, 401)
    losses = [loss(trust) for trust in trusts]
    gain = -base[y].sum() - min(losses)
    best = trusts[np.argmin(losses)] * (1 - (0.5 / max(gain, 0.5)) ** 2)
    assert model.calibrator_.trust_ == pytest.approx(best, abs=5e-3)


MODELS = {
    "first-level": LSSVMClassifier(),
    "loo": LSSVMClassifier("ard", "loo"),
    "loo-bayes": LSSVMClassifier("ard", "loo-bayes"),
    "evidence": LSSVMClassifier("ard", "evidence"),
    "alignment": LSSVMClassifier("ard", "alignment"),
    "svm evidence": SVMClassifier(),
    "svm gacv": SVMClassifier("ard", "gacv", loss="hinge"),
    "rvm": RVMClassifier(),
    "mkl": MKLClassifier(),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_noise_is_not_believed(name):
    """A coin has a log loss of 0.693; outputs held out at the chosen kernel alone give 0.7 to 1."""
    losses = []
    for seed in range(3):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(560, 8)), random.random(560) < 0.5
        model = clone(MODELS[name]).fit(X[:60], y[:60])
        losses.append(log_loss(y[60:], model.predict_proba(X[60:])))
    assert np.mean(losses) < 0.72


@pytest.mark.filterwarnings("ignore")
def test_rows_keep_their_order_where_a_claim_is_not_trusted():
    """A rare class with an effect that copies cannot show: probabilities rank as outputs do."""
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 6))
    y = random.random(300) < expit(X[:, 0] - 3)
    model = AutoKernelClassifier(["gaussian", "linear"]).fit(X[:150], y[:150])
    assert model.calibrator_.trust_ < 0.01
    rare, outputs = model.predict_proba(X[150:])[:, 1], model.decision_function(X[150:])
    assert np.ptp(rare) < 0.01 and len(np.unique(rare)) == 150
    assert roc_auc_score(y[150:], rare) == roc_auc_score(y[150:], outputs)


def test_without_trust_noise_would_be_believed():
    """That the test above can fail: the same outputs, trusted."""
    honest, claimed = [], []
    for seed in range(3):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(560, 8)), random.random(560) < 0.5
        with pytest.warns(NoBetterThanTrivialWarning, match="than the shares of the classes"):
            model = LSSVMClassifier("ard", "loo").fit(X[:60], y[:60])
        honest.append(log_loss(y[60:], model.predict_proba(X[60:])))
        model.calibrator_.trust_ = 1.0
        claimed.append(log_loss(y[60:], model.predict_proba(X[60:])))
    assert np.mean(claimed) > np.mean(honest) + 0.05


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("share", [0.1, 0.3])
def test_probabilities_agree_with_predict_where_they_are_drawn_to_the_shares(classes, share):
    random = np.random.default_rng(5)
    X = random.normal(size=(80, 3))
    y = np.where(random.random(80) < share, random.integers(1, classes, 80), 0)
    model = LSSVMClassifier("ard", "loo").fit(X, y)
    for trust in (0.0, 0.3, model.calibrator_.trust_):
        model.calibrator_.trust_ = trust
        probabilities = model.predict_proba(X)
        np.testing.assert_array_equal(
            model.classes_[probabilities.argmax(axis=1)], model.predict(X)
        )
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)


def test_weights_are_repeated_rows_to_the_calibrator():
    random = np.random.default_rng(6)
    X = random.normal(size=(50, 3))
    y, weights = X[:, 0] + random.normal(size=50) > 0, random.integers(1, 4, 50)
    folds = np.arange(50) % 5
    splits = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(5)]
    one = LSSVMClassifier("ard", "loo", cv=splits).fit(X, y, sample_weight=weights)
    again = np.repeat(folds, weights)
    splits = [(np.flatnonzero(again != k), np.flatnonzero(again == k)) for k in range(5)]
    two = LSSVMClassifier("ard", "loo", cv=splits)
    two.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert one.calibrator_.trust_ == pytest.approx(two.calibrator_.trust_, rel=1e-5)
    np.testing.assert_allclose(one.calibrator_.slopes_, two.calibrator_.slopes_, rtol=1e-5)
    plain = LSSVMClassifier("ard", "loo").fit(X, y)
    assert np.abs(plain.calibrator_.slopes_ / one.calibrator_.slopes_ - 1).max() > 0.01
