"""First-level learning on landmarks: gradient, curvature and freedom by brute force."""

import numpy as np
import pytest
from finite_differences import assert_derivatives

from kernelwise.criteria import FirstLevel
from kernelwise.kernels import Gaussian, Polynomial
from kernelwise.machines import LeastSquares, Nystrom
from kernelwise.objective import evaluated
from kernelwise.scale import RowBlocks, first_level_evaluation, row_blocks
from kernelwise.solutions import Targets

random = np.random.default_rng(0)
N, MU, RIDGE = 80, 0.7, 0.3
X = np.column_stack([random.normal(size=(N, 2)), random.integers(3, size=N)])
MIXED = Gaussian([1.0, 1.5, 2.0], dissimilarity=("squared", "absolute", "overlap"))
KERNEL = (MIXED + Polynomial(2, 0.5, [1.0, 2.0, 3.0])).in_coordinates("natural")
Z = X[::8]


def targets(n_targets=2, weighted=True):
    values = np.column_stack([np.sin(2 * X[:, 0]), X[:, 1] ** 2])[:, :n_targets]
    values = values + 0.2 * np.random.default_rng(1).normal(size=values.shape)
    if not weighted:
        return Targets.plain(values)
    weights = np.random.default_rng(2).uniform(0.5, 2.0, N)
    return Targets(np.asfortranarray(values), weights, np.array([0.3, 0.7])[:n_targets])


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(row_blocks, "ROWS_IN_BLOCK", 32)


def found_at(wanted, kernel=KERNEL, landmarks=Z, jitter=1e-6):
    machine = Nystrom(landmarks, RIDGE, jitter)
    return first_level_evaluation(kernel, machine, MU, RowBlocks(X, wanted))


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("n_targets", [1, 2])
def test_value_and_gradient(n_targets, weighted):
    wanted = targets(n_targets, weighted)
    criterion = FirstLevel(MU)

    def value(values):
        kernel = KERNEL.with_theta(values)
        solution = evaluated(kernel, Nystrom(Z, RIDGE), X, wanted).solution
        return criterion(solution)[0] + criterion.penalty(values, np.array([RIDGE]))[0]

    found = found_at(wanted).evaluation
    fit = evaluated(KERNEL, Nystrom(Z, RIDGE), X, wanted).solution
    squares = (wanted.weights[:, None] * fit.residuals**2).sum() + wanted.within.sum()
    norm = RIDGE * (fit.coef * (KERNEL(Z) @ fit.coef)).sum()
    norm += MU * (KERNEL.values**2).sum()
    assert found.value == pytest.approx((squares + norm) / 2, rel=1e-6)
    assert found.value == pytest.approx(value(KERNEL.theta), rel=1e-12)
    assert_derivatives(found.gradient, value, KERNEL.theta, rtol=1e-6, step=1e-3)


def test_the_gradient_is_right_in_logarithms_too():
    natural, log = (found_at(targets(), KERNEL.in_coordinates(kind)) for kind in ("natural", "log"))
    np.testing.assert_allclose(
        log.evaluation.gradient, KERNEL.values * natural.evaluation.gradient, rtol=1e-9
    )


def test_the_curvature_with_all_rows_as_landmarks_is_that_of_least_squares():
    kernel, wanted = Gaussian([0.4, 0.5, 0.6]).in_coordinates("natural"), targets()
    found = found_at(wanted, kernel, X, jitter=0.0)
    exact = evaluated(kernel, LeastSquares(RIDGE), X, wanted)
    expected = MU * np.eye(3)
    for tangent in exact.output_tangents().transpose(1, 0, 2):
        expected += RIDGE * tangent.T @ exact.solution.system.apply(tangent)
    np.testing.assert_allclose(found.evaluation.curvature, expected, rtol=1e-5)


def augmented_freedom(found, wanted):
    """The trace of the hat matrix of ridge regression on kernel values, tangents and a bias."""
    gram, own, T = KERNEL(X, Z), KERNEL(Z), wanted.values.shape[1]
    own = own + found.linearized.solution.added_jitter * np.eye(len(Z))
    ways, coef = KERNEL.gram_and_ways(X, Z), found.linearized.solution.coef
    tangents = np.vstack(ways.output_tangents(coef).transpose(1, 0, 2))
    design = np.kron(np.eye(T), np.column_stack([gram, np.ones(N)]))
    design = np.hstack([design, tangents])
    penalty = np.zeros((design.shape[1], design.shape[1]))
    for t in range(T):
        start = t * (len(Z) + 1)
        penalty[start : start + len(Z), start : start + len(Z)] = RIDGE * own
    p = tangents.shape[1]
    penalty[-p:, -p:] = MU * np.eye(p)
    weighted = np.tile(wanted.weights, T)[:, None] * design
    return np.trace(np.linalg.solve(design.T @ weighted + penalty, design.T @ weighted)) / T


@pytest.mark.parametrize("n_targets", [1, 2])
def test_the_freedom_is_that_of_ridge_regression_with_tangents(n_targets):
    wanted = targets(n_targets)
    found = found_at(wanted)
    freedom = augmented_freedom(found, wanted)
    plain = found.linearized.solution.freedom
    assert plain + 0.5 < freedom < plain + len(KERNEL.values) / n_targets
    every = np.arange(len(KERNEL.values))
    assert found.linearized.freedom(MU, every) == pytest.approx(freedom, rel=1e-7)
    left = 1 - freedom / wanted.weights.sum()
    expected = 0.5 * found.linearized.solution.squared_error / left**2
    assert found.cross_validation == pytest.approx(expected, rel=1e-7)


def test_parameters_at_zero_are_not_charged():
    values = KERNEL.values
    values[1] = 0.0
    kernel, wanted = KERNEL.with_theta(values), targets()
    found = found_at(wanted, kernel)
    others = np.delete(np.arange(len(values)), 1)
    expected = found.linearized.cross_validation(MU, others)
    assert found.cross_validation == expected
    assert found.linearized.cross_validation(MU, np.arange(len(values))) > 1.0001 * expected
