"""Alignment against the definitions with n x n matrices, and its invariances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelwise.criteria import Alignment
from kernelwise.kernels import Gaussian, Precomputed
from kernelwise.machines import NoMachine
from kernelwise.objective import Objective
from kernelwise.solutions import Targets


def by_definition(gram, ideal, centered):
    """Cosine of the angle between two Gram matrices, every matrix written out."""
    if centered:
        H = np.eye(len(gram)) - 1 / len(gram)
        gram, ideal = H @ gram @ H, H @ ideal @ H
    return (gram * ideal).sum() / np.sqrt((gram**2).sum() * (ideal**2).sum())


def gradient_by_definition(gram, ideal, centered):
    """Eq. (7) of the paper: the derivative in every entry of the Gram matrix."""
    H = np.eye(len(gram)) - 1 / len(gram) * centered
    K, Y = H @ gram @ H, H @ ideal @ H
    size, target = np.linalg.norm(K), np.linalg.norm(Y)
    return (Y / size - (K * Y).sum() * K / size**3) / target


def draw(seed, n=15, n_targets=1):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    return X, random.choice([-1.0, 1.0], size=(n, n_targets))


def weighted_by_definition(gram, y, weights):
    """Value and gradient of the centered alignment of weighted rows, every matrix written out."""
    H, W = np.eye(len(gram)) - weights / weights.sum(), np.outer(weights, weights)
    K, Y = H @ gram @ H.T, H @ y @ y.T @ H.T
    size, target = np.sqrt((W * K * K).sum()), np.sqrt((W * Y * Y).sum())
    value = (W * K * Y).sum() / size / target
    return value, H.T @ (W * (Y / target - value * K / size) / size) @ H


def alignment(gram, y, centered=True, weights=None):
    solution = NoMachine(centered).solve([gram], Targets.plain(y, weights))
    value, gradient = Alignment()(solution)
    ((gram_gradient,), _) = solution.pullback(gradient)
    return -value, -gram_gradient


@pytest.mark.parametrize("centered", [True, False])
@pytest.mark.parametrize("n_targets", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_value_and_gradient_by_definition(seed, n_targets, centered):
    X, y = draw(seed, n_targets=n_targets)
    gram, ideal = Gaussian(1.3)(X), y @ y.T
    value, gradient = alignment(gram, y, centered)
    assert value == pytest.approx(by_definition(gram, ideal, centered), abs=1e-12)
    np.testing.assert_allclose(
        gradient, gradient_by_definition(gram, ideal, centered), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("n", [15, 500])
@pytest.mark.parametrize("n_targets", [1, 3])
def test_weighted_rows_by_definition(n, n_targets):
    """At 500 rows the Gram matrix is worked through in several blocks."""
    X, y = draw(3, n, n_targets)
    weights = np.random.default_rng(3).uniform(0.5, 3, n)
    gram = Gaussian(1.3)(X)
    value, gradient = alignment(gram, y, weights=weights)
    expected, slope = weighted_by_definition(gram, y, weights)
    assert value == pytest.approx(expected, abs=1e-12)
    np.testing.assert_allclose(gradient, slope, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", [15, 500])
def test_the_way_back_of_centring_is_its_transpose(n):
    """``<G, centered K> = <back(G), K>`` for any G: alignment's own is already centered."""
    random = np.random.default_rng(n)
    gram, gradient = (half @ half.T for half in random.normal(size=(2, n, 3)))
    targets = Targets.plain(random.normal(size=n), random.uniform(0.5, 3, n))
    solution = NoMachine().solve([gram], targets)
    expected = np.vdot(gradient, solution.gram)
    assert np.vdot(solution.back(gradient), gram) == pytest.approx(expected, rel=1e-12)


def test_the_gram_matrix_given_is_left_alone():
    X, y = draw(4)
    gram = Gaussian(1.3)(X)
    before = gram.copy()
    alignment(gram, y)
    assert (gram == before).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.floats(-5, 5), st.floats(1e-3, 1e3))
def test_labels_order_constants_and_units(seed, constant, unit):
    X, y = draw(seed)
    gram = Gaussian(1.3)(X)
    expected, _ = alignment(gram, y)
    order = np.random.default_rng(seed).permutation(len(X))
    assert alignment(gram, -y)[0] == pytest.approx(expected, abs=1e-12)
    assert alignment(gram[np.ix_(order, order)], y[order])[0] == pytest.approx(expected, abs=1e-12)
    assert alignment(gram + constant, y)[0] == pytest.approx(expected, abs=1e-12)
    assert alignment(unit * gram, unit * y)[0] == pytest.approx(expected, abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_weight_two_is_a_repeated_row(seed, centered):
    X, y = draw(seed)
    weights = np.random.default_rng(seed).integers(1, 4, size=len(X))
    rows = np.repeat(np.arange(len(X)), weights)
    repeated, _ = alignment(Gaussian(1.3)(X[rows]), y[rows], centered)
    weighted, _ = alignment(Gaussian(1.3)(X), y, centered, weights)
    assert weighted == pytest.approx(repeated, abs=1e-12)


def test_the_ideal_gram_matrix_is_aligned():
    _, y = draw(0)
    assert alignment(y @ y.T, y)[0] == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("constant", [0.1, 0.3, np.pi])
def test_constants_point_nowhere(constant):
    """Even if rounding is left of them: with weights, means are not exact."""
    X, y = draw(0)
    weights = np.random.default_rng(0).uniform(0.5, 3, 15)
    cases = [(np.full((15, 15), constant), y), (Gaussian(1.3)(X), np.full((15, 1), constant))]
    for gram, targets in cases:
        value, gradient = alignment(gram, targets, weights=weights)
        assert value == 0 and not gradient.any()


@pytest.mark.parametrize("width", [1e-3, 1e3, 1e6])
def test_plateaus_are_finite(width):
    """Very narrow: 1 / sqrt(n - 1) and no slope; very wide: the linear kernel's alignment."""
    X, y = draw(1)
    objective = Objective(
        Gaussian(np.full(3, width)), NoMachine(), Alignment(), X, Targets.plain(y)
    )
    found = objective(objective.point)
    value, gradient = found.value, found.gradient
    assert np.isfinite(gradient).all()
    if width < 1:
        assert -value == pytest.approx(1 / np.sqrt(14), rel=1e-12)
        np.testing.assert_allclose(gradient, 0, atol=1e-9)
    else:
        assert -value == pytest.approx(by_definition(X @ X.T, y @ y.T, True), rel=1e-4)
    assert objective.n_factorizations == 0


def test_a_precomputed_gram_matrix_has_nothing_to_search():
    X, y = draw(2)
    objective = Objective(
        Precomputed(), NoMachine(), Alignment(), Gaussian(1.0)(X), Targets.plain(y)
    )
    assert len(objective.point) == 0 and -1 <= objective.value(objective.point) < 0


def test_merged_rows_that_disagree_are_the_repeated_ones():
    """Three rows appear twice, with both labels: the mean target, and what it hides."""
    X, y = draw(0, n=12)
    copies, other = np.vstack([X, X[:3]]), np.concatenate([y, -y[:3]])
    weights = np.ones(12)
    weights[:3] = 2
    means = y.copy()
    means[:3] = 0
    merged = Targets(means, weights, np.array([6.0]))
    solution = NoMachine().solve([Gaussian(1.3)(X)], merged)
    gram = Gaussian(1.3)(copies)
    expected = by_definition(gram, other @ other.T, centered=True)
    assert -Alignment()(solution)[0] == pytest.approx(expected, abs=1e-12)
