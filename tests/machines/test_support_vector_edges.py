"""The support vector machine in extreme cases: few rows, copies, extreme C, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from support_vector_problems import draw, every_kind, problems, violation

from kernelwise.kernels import Constant, Gaussian, Linear
from kernelwise.linalg import NotPositiveDefiniteError
from kernelwise.machines import SupportVector
from kernelwise.machines.support_vector.dual_problem import ACCEPTED, DualProblem
from kernelwise.machines.support_vector.hinge import solve_hinge
from kernelwise.machines.support_vector.row_by_row import climb
from kernelwise.solutions import Targets


@every_kind
def test_separable_rows_and_a_huge_bound(loss, bias):
    X = np.r_[np.random.default_rng(0).normal(size=(30, 2)) + 4, -4 + np.eye(2)]
    y = np.r_[np.ones(30), -np.ones(2)]
    solution = SupportVector(1e8, loss, bias).solve([Linear(1.0)(X)], Targets.plain(y))
    assert violation(solution) < 1e-10
    assert not solution.hard.any() and 1 <= solution.support.sum() <= 4
    assert (y * solution.outputs[:, 0]).min() == pytest.approx(1, abs=1e-5)


def test_a_single_support_vector():
    """Without a bias, ``k(x, x) = 4`` and a copy further out: ``alpha = 1 / 4``."""
    x = np.array([[2.0], [5.0], [-6.0]])
    solution = SupportVector(10.0).solve([x @ x.T], Targets.plain(np.array([1.0, 1.0, -1.0])))
    np.testing.assert_array_equal(solution.coef[:, 0], [0.25, 0, 0])
    assert solution.marginal.sum() == 1


@every_kind
def test_two_rows(loss, bias):
    """By hand: ``alpha = 1 / k`` or ``2 / |a - b|^2`` with the squared hinge's ridge."""
    a, b, C = 1.5, -0.5, 100.0
    x = np.array([[a], [b]])
    solution = SupportVector(C, loss, bias).solve([x @ x.T], Targets.plain(np.array([1.0, -1.0])))
    assert violation(solution) < 1e-12
    if bias:
        ridge = 2 / C if loss == "squared_hinge" else 0.0
        np.testing.assert_allclose(solution.alpha, 2 / ((a - b) ** 2 + ridge), rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("bias", [False, True])
def test_a_tiny_bound(bias, weighted):
    """Without a bias every row is hard; with one, all of the lighter class."""
    X, targets = draw(25, weighted=weighted)
    solution = SupportVector(1e-4, bias=bias).solve([Gaussian(1.5)(X)], targets)
    assert violation(solution) < 1e-10
    if not bias:
        assert solution.hard.all()
        np.testing.assert_array_equal(solution.alpha[:, 0], 1e-4 * targets.weights)
    else:
        sums = {sign: targets.weights[targets.values[:, 0] == sign].sum() for sign in (-1, 1)}
        lighter = targets.values == min(sums, key=sums.get)
        assert solution.hard[lighter].all()


@every_kind
@pytest.mark.parametrize("C", [0.5, 1e3])
def test_contradictory_copies(loss, bias, C):
    """The same row with both labels: it misses with one of them, whatever C is."""
    X, targets = draw(20, noise=0)
    X = np.r_[X, X[:4]]
    y = np.r_[targets.values, -targets.values[:4]]
    solution = SupportVector(C, loss, bias).solve([Gaussian(1.5)(X)], Targets.plain(y))
    assert violation(solution) < 1e-10
    assert np.isfinite(solution.coef).all()
    losing = solution.hard if loss == "hinge" else solution.support
    assert (losing[:4] | losing[20:]).all()


@every_kind
def test_only_contradictions(loss, bias):
    """Every row with both labels: nothing can be learned, all outputs are 0."""
    X = np.random.default_rng(0).normal(size=(6, 2))
    gram = Gaussian(1.0)(np.r_[X, X])
    y = np.r_[np.ones(6), -np.ones(6)]
    solution = SupportVector(2.0, loss, bias).solve([gram], Targets.plain(y))
    np.testing.assert_allclose(solution.outputs, 0, atol=1e-12)
    np.testing.assert_allclose(solution.alpha, 2.0, rtol=1e-12)


@every_kind
def test_one_class(loss, bias):
    X = np.random.default_rng(0).normal(size=(9, 2))
    y = -np.ones((9, 1))
    solution = SupportVector(2.0, loss, bias).solve([Gaussian(1.0)(X)], Targets.plain(y))
    assert violation(solution) < 1e-10
    (gram_gradient,), bound_gradient = solution.pullback(solution.outputs_gradient(np.ones((9, 1))))
    assert np.isfinite(gram_gradient).all() and np.isfinite(bound_gradient).all()
    if bias:
        assert not solution.support.any() and solution.intercept == [-1]
        assert not gram_gradient.any()


@every_kind
def test_tiny_weights(loss, bias):
    """Rows of almost no weight change almost nothing, and stay within their ceilings."""
    X, targets = draw(30)
    weights = np.where(np.arange(30) < 15, 1.0, 1e-9)
    gram, machine = Gaussian(1.5)(X), SupportVector(3.0, loss, bias)
    solution = machine.solve([gram], Targets.plain(targets.values, weights))
    assert violation(solution) < 1e-10
    without = machine.solve([gram[:15, :15]], targets.take(np.arange(15)))
    np.testing.assert_allclose(solution.coef[:15], without.coef, atol=1e-6)


@every_kind
@pytest.mark.parametrize("offset", [1e-8, 1e8])
def test_a_tiny_or_huge_offset(loss, bias, offset):
    """With a bias it changes nothing; without one, a huge offset acts as a bias."""
    X, targets = draw(30)
    gram = Gaussian(1.5)(X)
    solution = SupportVector(3.0, loss, bias).solve([gram + offset], targets)
    assert violation(solution) < 1e-10
    plain = SupportVector(3.0, loss, bias or offset > 1).solve([gram], targets)
    np.testing.assert_allclose(solution.coef, plain.coef, atol=1e-5)


def test_a_constant_kernel():
    """All rows are the same row: those of a class share its multipliers by weight."""
    targets = Targets.plain(np.array([1.0, 1, 1, -1]), np.array([1.0, 2, 3, 1]))
    gram = Constant(1.0)(np.zeros((4, 1)))
    solution = SupportVector(5.0).solve([gram], targets)
    np.testing.assert_allclose(solution.outputs, 1, rtol=1e-12)
    np.testing.assert_allclose(solution.alpha[:, 0], [1, 2, 3, 5], rtol=1e-12)


@given(problems())
@settings(max_examples=30, deadline=None)
def test_row_by_row_finds_the_same(problem):
    """The solver that always ends, from nothing, against the quick one."""
    gram, targets, C = problem
    y, weights = targets.values[:, 0], targets.weights
    for bias in (False, abs(y.sum()) < len(y)):
        dual = DualProblem(gram, y, C * weights, np.zeros(len(y)), weights, bias)
        slow, quick = climb(dual, np.zeros(len(y))), solve_hinge(dual, None)
        objectives = [(y * p.coef).sum() - 0.5 * p.coef @ gram @ p.coef for p in (slow, quick)]
        size = (y * slow.coef).sum()
        # Margins are met to ACCEPTED of the sums that make them, so objectives to size times that.
        margin = ACCEPTED * (1 + dual.sizes.max() * (dual.sizes @ np.abs(quick.coef)))
        assert objectives[0] == pytest.approx(objectives[1], abs=size * (1e-9 + margin))


@every_kind
@pytest.mark.parametrize("shape", ["negative diagonal", "negative along the labels"])
def test_a_matrix_that_is_no_gram_matrix_is_refused(loss, bias, shape):
    y = np.tile([1.0, -1.0], 10)
    matrix = np.random.default_rng(0).normal(size=(20, 20))
    matrix = matrix + matrix.T
    words = "positive semi-definite: -.* is on its diagonal"
    if shape == "negative along the labels":
        matrix, words = np.eye(20) - 0.1 * np.outer(y, y), "positive semi-definite"
    with pytest.raises(NotPositiveDefiniteError, match=words):
        SupportVector(1e3, loss, bias).solve([matrix], Targets.plain(y))


@every_kind
def test_a_gram_matrix_that_is_not_finite_is_refused(loss, bias):
    with pytest.raises(NotPositiveDefiniteError, match="not finite"):
        SupportVector(1e3, loss, bias).solve([np.full((20, 20), np.nan)], draw(20)[1])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"C": 0.0}, "C must be positive"),
        ({"C": np.inf}, "C must be positive"),
        ({"C": np.nan}, "C must be positive"),
        ({"loss": "squared"}, "loss must be one of"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        SupportVector(**settings)


def test_other_targets_than_labels_are_refused():
    with pytest.raises(ValueError, match="must be -1 or \\+1"):
        SupportVector().solve([np.eye(3)], Targets.plain(np.array([1.0, 0.0, -1.0])))
