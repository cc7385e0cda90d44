"""Scales learned on growing parts of a table: against what is known of generated rows."""

import numpy as np
import pytest

from kernelwise.kernels import Gaussian, Laplacian, Linear
from kernelwise.machines import LeastSquares, Nystrom
from kernelwise.objective import evaluated
from kernelwise.scale.folds import hashed_folds
from kernelwise.selections import GrowingLandmarks, Problem
from kernelwise.solutions import Targets, regularization_path

random = np.random.default_rng(0)
X = random.normal(size=(900, 4))
WEIGHTS = random.uniform(0.5, 2.0, 900)
TRUTH = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 / 2
Y = TRUTH + 0.1 * random.normal(size=900)
STAGES = ((200, 40, 10), (400, 60, 10))


@pytest.fixture(scope="module")
def choice():
    problem = Problem(Gaussian(np.full(4, 2.0)), LeastSquares(), X, Targets.plain(Y, WEIGHTS))
    return GrowingLandmarks(120, STAGES)(problem)


def test_it_finds_the_features_and_the_function(choice):
    used, useless = choice.kernel.values[:2], choice.kernel.values[2:]
    assert used.min() > 10 * useless.max()
    expansion = choice.expansion
    outputs = choice.kernel(X, expansion.rows) @ expansion.coef + expansion.intercept
    assert np.sqrt(np.mean((outputs[:, 0] - TRUTH) ** 2)) < 0.06
    assert expansion.rows.shape == (120, 4)


def test_each_fold_is_predicted_by_a_machine_that_has_not_seen_it(choice):
    assert set(choice.fold) == set(range(5)) == set(choice.without)
    for number in range(5):
        seen, held_out = choice.fold != number, choice.fold == number
        lam = choice.machine.regularization * WEIGHTS[seen].sum() / WEIGHTS.sum()
        machine = choice.machine.with_values(np.array([lam]))
        targets = Targets.plain(Y[seen], WEIGHTS[seen])
        fitted = evaluated(choice.kernel, machine, X[seen], targets).solution
        gram = choice.kernel(X[held_out], machine.landmarks)
        expected = Y[held_out, None] - gram @ fitted.coef - fitted.intercept
        np.testing.assert_allclose(choice.held_out[held_out], expected, rtol=0, atol=5e-5)
    assert 0.09 < np.sqrt(np.mean(choice.held_out**2)) < 0.13


def test_a_fold_apart_has_no_part_in_the_kernel():
    """Other targets of its rows change the final machine, but not the kernel."""
    first = hashed_folds(900, 5, 3) == 0
    kernels = []
    for y in (Y, np.where(first, -Y, Y)):
        problem = Problem(Gaussian(np.full(4, 2.0)), LeastSquares(), X, Targets.plain(y))
        apart = GrowingLandmarks(60, STAGES, apart=0)(problem)
        assert apart.learned_without == 0
        kernels.append(apart.kernel.values)
    np.testing.assert_array_equal(*kernels)


def test_the_kernel_with_the_least_criterion_goes_on():
    rough = np.sign(np.sin(6 * X[:, 0])) + 0.1 * random.normal(size=900)
    smooth = X[:, 0] * X[:, 1] + 0.1 * random.normal(size=900)
    gaussian, laplacian = Gaussian(np.full(4, 2.0)), Laplacian(np.full(4, 4.0))
    for y, given, rival in ((rough, gaussian, laplacian), (smooth, laplacian, gaussian)):
        problem = Problem(given, LeastSquares(), X, Targets.plain(y), rivals=(rival,))
        assert type(GrowingLandmarks(200, STAGES)(problem).kernel) is type(rival)


def test_the_path_is_that_of_single_solutions(choice):
    for regularization in (1e-3, 0.1, 10.0):
        machine = Nystrom(choice.machine.landmarks, regularization)
        solution = evaluated(choice.kernel, machine, X, Targets.plain(Y, WEIGHTS)).solution
        (on_path,) = regularization_path(solution, [regularization])
        for name in ("squared_error", "freedom", "penalized_errors", "log_determinant"):
            assert getattr(solution, name) == pytest.approx(getattr(on_path, name), rel=1e-4), name


def test_a_kernel_without_parameters_is_ridge_regression():
    """Forty landmarks span four columns, so nothing is lost, and only the ridge is searched."""
    y = X @ [1.0, -2.0, 0.0, 0.5] + 0.3 * random.normal(size=900)
    problem = Problem(Linear(), LeastSquares(), X, Targets.plain(y))
    choice = GrowingLandmarks(40, STAGES)(problem)
    expansion = choice.expansion
    outputs = choice.kernel(X, expansion.rows) @ expansion.coef + expansion.intercept
    centered = X - X.mean(axis=0)
    ridge = choice.machine.regularization * np.eye(4)
    slopes = np.linalg.solve(centered.T @ centered + ridge, centered.T @ y)
    np.testing.assert_allclose(outputs[:, 0], y.mean() + centered @ slopes, atol=1e-5)
