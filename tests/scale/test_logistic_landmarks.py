"""Logistic regression on landmarks: against a general minimizer."""

import numpy as np
import pytest
from scipy.optimize import check_grad, minimize

from kernelwise.kernels import Gaussian
from kernelwise.machines import Nystrom
from kernelwise.scale import RowBlocks, logistic
from kernelwise.scale.folds import FoldedTargets, hashed_folds
from kernelwise.scale.landmark_fit import MOST_DIRECT, fitted_on_landmarks
from kernelwise.scale.logistic import CURVATURE, logistic_on_landmarks, newton_targets
from kernelwise.solutions import Targets

random = np.random.default_rng(0)
X = random.normal(size=(400, 3))
SIGNAL = 2 * X[:, 0] + np.sin(3 * X[:, 1])
CLASSES = np.where(random.uniform(size=(2, 400)) < 1 / (1 + np.exp(-SIGNAL * [[1], [2]])), 1.0, -1)
WEIGHTS = random.uniform(0.5, 2.0, 400)
KERNEL, LANDMARKS, LAM = Gaussian([1.0, 1.0, 2.0]), X[:30], 0.3


@pytest.fixture(scope="module")
def fits():
    targets = FoldedTargets.of(Targets.plain(CLASSES.T, WEIGHTS), hashed_folds(400, 4, 0))
    rows = RowBlocks(X, targets)
    least_squares = fitted_on_landmarks(KERNEL, Nystrom(LANDMARKS, LAM), rows, False)
    return rows, least_squares, logistic_on_landmarks(least_squares, rows)


def penalized_loss(parameters, gram, own, y, weights, lam):
    coef, bias = parameters[:-1], parameters[-1]
    outputs = gram @ coef + bias
    value = weights @ np.logaddexp(0, -y * outputs) + lam / 2 * coef @ own @ coef
    pull = -weights * y / (1 + np.exp(y * outputs))
    return value, np.append(gram.T @ pull + lam * own @ coef, pull.sum())


@pytest.mark.parametrize("column", [0, 1])
def test_it_is_the_minimum_of_the_penalized_loss(fits, column):
    _, _, found = fits
    gram, own = KERNEL(X, LANDMARKS), KERNEL(LANDMARKS)
    how = gram, own, CLASSES[column], WEIGHTS, CURVATURE * LAM
    start = np.zeros(31)
    assert (
        check_grad(
            lambda p: penalized_loss(p, *how)[0], lambda p: penalized_loss(p, *how)[1], start
        )
        < 1e-4
    )
    best = minimize(penalized_loss, start, how, jac=True, method="L-BFGS-B", tol=1e-12)
    best = minimize(penalized_loss, best.x, how, jac=True, method="BFGS", tol=1e-9)
    here = np.append(found.expansion.coef[:, column], found.expansion.intercept[column])
    assert penalized_loss(here, *how)[0] < best.fun * (1 + 1e-4)
    expected = gram @ best.x[:-1] + best.x[-1]
    outputs = (gram @ found.expansion.coef + found.expansion.intercept)[:, column]
    np.testing.assert_allclose(outputs, expected, atol=0.1)


def test_folds_are_predicted_without_themselves(fits):
    """One step from the solution of all rows is close to a fit without the fold."""
    rows, least_squares, found = fits
    gram, own = KERNEL(X, LANDMARKS), KERNEL(LANDMARKS)
    assert found.n_passes > least_squares.n_passes and 1 < found.freedom < 31
    for number in range(4):
        seen = rows.targets.fold != number
        lam = CURVATURE * LAM * WEIGHTS[seen].sum() / WEIGHTS.sum()
        how = gram[seen], own, CLASSES[0, seen], WEIGHTS[seen], lam
        alone = minimize(penalized_loss, np.zeros(31), how, jac=True, method="L-BFGS-B", tol=1e-12)
        expected = gram[~seen] @ alone.x[:-1] + alone.x[-1]
        one = found.without[number]
        outputs = (gram[~seen] @ one.coef + one.intercept)[:, 0]
        whole = (gram[~seen] @ found.expansion.coef + found.expansion.intercept)[:, 0]
        assert np.abs(outputs - expected).mean() < 0.5 * np.abs(whole - expected).mean()


def test_some_rows_take_most_of_the_steps(fits, monkeypatch):
    rows, least_squares, found = fits
    gram = KERNEL(X, LANDMARKS)
    best = gram @ found.expansion.coef + found.expansion.intercept
    monkeypatch.setattr(logistic, "FIRST_ROWS", 190)
    again = logistic_on_landmarks(least_squares, rows).expansion
    np.testing.assert_allclose(gram @ again.coef + again.intercept, best, atol=0.05)
    # The start alone is closer than that of least squares.
    monkeypatch.setattr(logistic._Newton, "run", only_on(len(X), logistic._Newton.run))
    start = logistic_on_landmarks(least_squares, rows).expansion
    far = 2 * (gram @ least_squares.expansion.coef + least_squares.expansion.intercept)
    near = gram @ start.coef + start.intercept
    assert np.abs(near - best).mean() < 0.95 * np.abs(far - best).mean()


def only_on(n_rows, run):
    """The search on fewer rows as it is, and none on all."""

    def run_or_not(newton):
        newton.without = {number: newton.best for number in newton.fit.without}
        return newton if newton.rows.n_rows == n_rows else run(newton)

    return run_or_not


def test_newton_targets_give_the_newton_step():
    outputs, y = random.normal(size=50), np.where(random.uniform(size=50) < 0.5, 1.0, -1.0)
    targets, curvature = newton_targets(y, outputs)
    probability = 1 / (1 + np.exp(-outputs))
    np.testing.assert_allclose(curvature, probability * (1 - probability))
    # The gradient of the squared loss at the outputs is that of the logistic one.
    np.testing.assert_allclose(curvature * (outputs - targets), probability - (y > 0))
    assert np.isfinite(newton_targets(y, 1e3 * outputs)[0]).all()


def test_too_many_landmarks_are_refused(fits):
    rows, least_squares, _ = fits
    many = Nystrom(np.zeros((MOST_DIRECT + 1, 3)), LAM)
    with pytest.raises(ValueError, match="at most 2500 landmarks, not 2501"):
        logistic_on_landmarks(type(least_squares)(**{**vars(least_squares), "machine": many}), rows)
