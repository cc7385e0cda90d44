"""Scales learned on growing parts of a table: against what is known of generated rows."""

import numpy as np
import pytest

from kernelwise.kernels import Gaussian
from kernelwise.machines import LeastSquares, Nystrom
from kernelwise.objective import evaluated
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


def test_rows_are_left_out_of_the_final_machine(choice):
    targets = Targets.plain(Y, WEIGHTS)
    whole = evaluated(choice.kernel, choice.machine, X, targets)
    np.testing.assert_allclose(choice.held_out, whole.held_out(None).held_out, rtol=1e-6, atol=1e-9)
    assert 0.09 < np.sqrt(np.mean(choice.held_out**2)) < 0.13


def test_the_path_is_that_of_single_solutions(choice):
    for regularization in (1e-3, 0.1, 10.0):
        machine = Nystrom(choice.machine.landmarks, regularization)
        solution = evaluated(choice.kernel, machine, X, Targets.plain(Y, WEIGHTS)).solution
        (on_path,) = regularization_path(solution, [regularization])
        for name in ("squared_error", "freedom", "penalized_errors", "log_determinant"):
            assert getattr(solution, name) == pytest.approx(getattr(on_path, name), rel=1e-4), name
