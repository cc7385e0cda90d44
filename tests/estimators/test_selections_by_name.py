"""Selections by name: what a name minimizes, recomputed from its definition.

That a search ends in a minimum does not say whose minimum it is.
"""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from kernelwise import LSSVMClassifier, SVMClassifier
from kernelwise.criteria import GACV, SmoothedSpan
from kernelwise.machines import SupportVector
from kernelwise.solutions import Targets


@pytest.fixture(scope="module")
def noisy():
    """Standardized rows, in the order in which estimators keep them; one label in ten is wrong."""
    random = np.random.default_rng(2)
    X = np.unique(random.normal(size=(60, 3)), axis=0)
    wrong = random.uniform(size=60) < 0.1
    y = np.where((X[:, 0] + np.sin(2 * X[:, 1]) > 0) ^ wrong, 1.0, -1.0)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def residuals_without(K, y, ridge, rows):
    """Of rows that the bordered linear system has not seen."""
    kept = np.setdiff1d(np.arange(len(y)), rows)
    system = np.ones((len(kept) + 1, len(kept) + 1))
    system[:-1, :-1], system[-1, -1] = K[np.ix_(kept, kept)] + ridge * np.eye(len(kept)), 0.0
    *coef, intercept = np.linalg.solve(system, np.append(y[kept], 0.0))
    return y[rows] - K[np.ix_(rows, kept)] @ coef - intercept


def press(K, y, ridge):
    return 0.5 * sum(residuals_without(K, y, ridge, [i])[0] ** 2 for i in range(len(y)))


def log_evidence(K, y, ridge):
    """Of a Gaussian process with a flat prior on its bias, the amplitude at its maximum."""
    contrasts = np.linalg.svd(np.ones((1, len(y))))[2][1:]
    covariance = contrasts @ (K + ridge * np.eye(len(y))) @ contrasts.T
    z, n = contrasts @ y, len(y) - 1
    amplitude = z @ np.linalg.solve(covariance, z) / n
    return -0.5 * (n * np.log(2 * np.pi * np.e * amplitude) + np.linalg.slogdet(covariance)[1])


def test_loo_is_leave_one_out(noisy):
    X, y = noisy
    model = LSSVMClassifier("ard", "loo").fit(X, y)
    assert model.criterion_ == pytest.approx(press(model.kernel_(X), y, model.regularization_))


def test_loo_bayes_is_leave_one_out_with_a_penalty_and_a_floor(noisy):
    """The floor: a hundredth of the kernel's squared size at the start of the search."""
    X, y = noisy
    model = LSSVMClassifier("ard", "loo-bayes").fit(X, y)
    values, first = model.kernel_.values, np.exp(model.trace_.points[0][:3])
    penalty = 3 / 2 * np.log(0.5 * (values @ values + 0.01 * first @ first))
    fit = 60 / 2 * np.log(press(model.kernel_(X), y, model.regularization_))
    assert model.criterion_ == pytest.approx(fit + penalty)


def test_loo_bayes_may_move_the_regularization_threefold(noisy):
    model = LSSVMClassifier("ard", "loo-bayes").fit(*noisy)
    moves = np.array(model.trace_.points)[:, -1] - model.trace_.points[0][-1]
    assert 0.05 < np.abs(moves).max() <= np.log(3.0) * (1 + 1e-12)


def test_cv_is_half_the_squares_of_held_out_rows(noisy):
    X, y = noisy
    splits = list(StratifiedKFold(4, shuffle=True, random_state=0).split(X, y))
    model = LSSVMClassifier("gaussian", "cv", cv=splits).fit(X, y)
    K = model.kernel_(X)
    held_out = [residuals_without(K, y, model.regularization_, rows) for _, rows in splits]
    assert model.criterion_ == pytest.approx(0.5 * (np.concatenate(held_out) ** 2).sum())


def test_evidence_is_highest_at_its_regularization(noisy):
    X, y = noisy
    model = LSSVMClassifier("gaussian", "evidence").fit(X, y)
    K, ridge = model.kernel_(X), model.regularization_
    here = log_evidence(K, y, ridge)
    assert model.criterion_ == pytest.approx(-here)
    assert here > max(log_evidence(K, y, 1.1 * ridge), log_evidence(K, y, ridge / 1.1))


@pytest.mark.parametrize(("selection", "criterion"), [("span", SmoothedSpan()), ("gacv", GACV())])
def test_support_vectors_prefer_equal_scales_by_a_hundredth(noisy, selection, criterion):
    """Ten times as much, and useless features are no longer switched off."""
    X, y = noisy
    model = SVMClassifier("ard", selection).fit(X, y)
    points, size = model.trace_.points, len(model.kernel_.values)

    def plain(point):
        kernel = model.kernel_.with_values(np.exp(point[:size]))
        machine = SupportVector(np.exp(point[size]), "squared_hinge", bias=True)
        return criterion(machine.solve([kernel(X)], Targets.plain(y)))[0]

    start, best = points[0], points[model.trace_.best]
    way = np.append(0.5 * (best - start)[:size], (best - start)[size])
    assert np.ptp(start[:size]) < 1e-12 and np.abs(way).max() > 0.1
    expected = plain(best) + 0.01 * abs(plain(start)) * np.mean(way**2)
    assert model.criterion_ == pytest.approx(expected, rel=1e-7)
