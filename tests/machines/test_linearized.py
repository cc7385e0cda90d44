"""The evidence of a machine made linear in its kernel, against dense algebra and differences."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from kernelwise.criteria import Evidence
from kernelwise.kernels import Gaussian, Linear
from kernelwise.machines import LeastSquares
from kernelwise.solutions import LinearizedLeastSquares, Targets

N, RIDGE, PENALTY = 9, 0.3, 0.7
WEIGHTS = np.array([0.4, 1.1, 0.2])


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(N, 3))


def linearized(kernel, X, targets, ridge=RIDGE, penalty=PENALTY):
    solution = LeastSquares(ridge).solve([kernel(X)], targets)
    tangents = kernel.in_coordinates("natural").output_tangents(X, X, solution.coef)
    return LinearizedLeastSquares(solution, tangents, penalty)


def across_the_constant(n):
    """Orthonormal rows orthogonal to the constant: a flat prior of the bias leaves these."""
    return np.linalg.svd(np.ones((1, n)))[2][1:]


def profiled(kernel, X, y, weights, ridge, penalty):
    """``min over machines of E`` with ``E = |y - f|^2 + ridge |f|^2 + penalty |weights|^2``."""
    own = kernel.with_values(weights)
    return LeastSquares(ridge).solve([own(X)], Targets.plain(y)).penalized_errors.sum() + (
        penalty * weights @ weights
    )


@pytest.mark.parametrize("n_targets", [1, 2])
def test_evidence_is_laplace_by_brute_force(X, n_targets):
    """Curvature by differences: in a linear kernel's weights Gauss-Newton is exact."""
    y = np.random.default_rng(1).normal(size=(N, n_targets)) + X[:, :1]
    kernel = Linear(1 / np.sqrt(WEIGHTS))
    found = linearized(kernel, X, Targets.plain(y))
    size, step = float(WEIGHTS @ WEIGHTS), 2e-4
    error = profiled(kernel, X, y, WEIGHTS, RIDGE, PENALTY)
    noise = error / (n_targets * (N - 1))  # the most likely variance

    # - log p(y, weights) but for the determinants: half the error, in units of the noise.
    def energy(weights):
        return profiled(kernel, X, y, weights, RIDGE, PENALTY) / (2 * noise)

    moves = step * np.eye(3)
    hessian = [
        [
            (
                energy(WEIGHTS + a + b)
                - energy(WEIGHTS + a - b)
                - energy(WEIGHTS - a + b)
                + energy(WEIGHTS - a - b)
            )
            / (4 * step**2)
            for b in moves
        ]
        for a in moves
    ]
    across = across_the_constant(N)
    covariance = noise * across @ (kernel(X) / RIDGE + np.eye(N)) @ across.T
    expected = 0.0
    for own in (across @ y).T:
        expected -= multivariate_normal(cov=covariance).logpdf(own)
    prior = multivariate_normal(cov=noise / PENALTY * np.eye(3)).logpdf(WEIGHTS)
    expected -= prior + 1.5 * np.log(2 * np.pi) - 0.5 * np.linalg.slogdet(hessian)[1]
    assert found.minus_log_evidence(size) == pytest.approx(expected, rel=2e-6)


def test_a_kernel_without_parameters_has_the_evidence_of_its_machine(X):
    """Weights and repeated rows too."""
    random = np.random.default_rng(2)
    y, weights = random.normal(size=(N, 1)), random.integers(1, 4, N).astype(float)
    targets = Targets(np.asfortranarray(y), weights, np.array([0.6]))
    solution = LeastSquares(RIDGE).solve([Gaussian(2.0)(X)], targets)
    found = LinearizedLeastSquares(solution, np.empty((N, 1, 0)), PENALTY)
    value = Evidence()(solution)[0]
    assert found.minus_log_evidence(0.0) == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(found.left_out, solution.left_out, rtol=1e-12)


def test_repeated_rows_count_as_often(X):
    y, kernel = np.random.default_rng(3).normal(size=(N, 2)), Gaussian([1.0, 2.0, 3.0])
    weights = np.arange(N) % 3 + 1
    once = linearized(kernel, X, Targets.plain(y, weights))
    rows = np.repeat(np.arange(N), weights)
    often = linearized(kernel, X[rows], Targets.plain(y[rows]))
    assert once.evidence_error(0.4) == pytest.approx(often.evidence_error(0.4), rel=1e-9)


def test_the_error_is_that_of_plain_noise_with_this_evidence(X):
    found = linearized(Gaussian([1.0, 2.0, 3.0]), X, Targets.plain(X[:, 0]))
    value = found.minus_log_evidence(0.4)
    error = found.evidence_error(0.4)
    noise = 2 * error / (N - 1)
    outputs = np.full(N - 1, np.sqrt(noise))  # their squares sum to twice the error
    plain = multivariate_normal(cov=noise * np.eye(N - 1)).logpdf(outputs)
    assert value == pytest.approx(-plain, rel=1e-12)
