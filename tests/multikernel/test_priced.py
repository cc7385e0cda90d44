"""Priced weights: optimality, invariances, and leave-one-out against learning again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from kernelwise.kernels import Gaussian, Laplacian, Linear, OnColumns
from kernelwise.multikernel import GramBank
from kernelwise.multikernel.priced import PricedProblem, price_path
from kernelwise.solutions import Targets

KERNELS = [
    Gaussian(1.0),
    Gaussian(3.0),
    Laplacian(4.0),
    Linear(),
    *(OnColumns(Gaussian(width), [r]) for r in range(3) for width in (0.5, 2.0)),
]


def draw(seed=0, n=40, outputs=1):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    score = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.5 * random.normal(size=n)
    y = np.column_stack([np.sign(score), *random.normal(size=(outputs - 1, n))])
    return X, y


def problem_of(X, y, weights=None, kernels=KERNELS):
    return PricedProblem(GramBank(kernels, X), Targets.plain(y, weights))


def misfit(grams, beta, y, weights):
    """``J`` by the normal equations of the bordered system, written out."""
    n = len(y)
    system = np.zeros((n + 1, n + 1))
    system[:n, :n] = np.tensordot(beta, grams, axes=1) + np.diag(1 / weights)
    system[:n, n] = system[n, :n] = 1
    right = np.vstack([y, np.zeros((1, y.shape[1]))])
    coef = np.linalg.solve(system, right)[:n]
    return float((y * coef).sum()) / (2 * weights.sum())


def assert_optimal(found, tolerance=1e-5):
    gaps = found.pulls / found.price - 1
    assert gaps.max() < tolerance
    assert np.abs(gaps[found.weights > 0]).max(initial=0) < tolerance
    assert (found.weights >= 0).all()


@pytest.mark.parametrize("share", [0.5, 0.1, 1e-2, 1e-4])
@pytest.mark.parametrize("outputs", [1, 3])
def test_weights_satisfy_the_conditions_of_an_optimum(share, outputs):
    X, y = draw(outputs=outputs)
    problem = problem_of(X, y, np.random.default_rng(1).uniform(0.5, 3, 40))
    found = problem.weights_at(share * problem.highest_price)
    assert_optimal(found)
    assert 0 < (found.weights > 0).sum() < len(KERNELS)
    grams = np.array([kernel(X) for kernel in KERNELS])
    coef = found.solution.coef
    by_definition = np.einsum("io,mij,jo->m", coef, grams, coef) / (2 * problem.total)
    np.testing.assert_allclose(found.pulls, by_definition, rtol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_objective_and_weights_of_another_optimizer(seed):
    X, y = draw(seed)
    weights = np.random.default_rng(seed).uniform(0.5, 2, len(X))
    problem = problem_of(X, y, weights)
    price = 0.05 * problem.highest_price
    found = problem.weights_at(price)
    grams = np.array([kernel(X) for kernel in KERNELS])
    other = minimize(
        lambda beta: misfit(grams, beta, y, weights) + price * beta.sum(),
        np.full(len(KERNELS), 0.1),
        bounds=[(0, None)] * len(KERNELS),
        options={"maxfun": 10**5, "maxiter": 10**4, "ftol": 1e-14},
    )
    at_found = misfit(grams, found.weights, y, weights) + price * found.weights.sum()
    assert found.objective == pytest.approx(at_found, rel=1e-10)
    assert found.objective <= other.fun * (1 + 1e-9)
    assert found.objective == pytest.approx(other.fun, rel=1e-4)


def test_pulls_are_slopes_of_the_objective():
    X, y = draw(1, outputs=2)
    grams, ones = np.array([kernel(X) for kernel in KERNELS]), np.ones(len(X))
    found = problem_of(X, y).weights_at(0.01)
    for m in range(len(KERNELS)):
        step = 1e-5 * np.eye(len(KERNELS))[m]
        # One-sided where the weight is 0: J is smooth there, too.
        rise = misfit(grams, found.weights + step, y, ones)
        fall = misfit(grams, found.weights - step, y, ones)
        assert -(rise - fall) / 2e-5 == pytest.approx(found.pulls[m], rel=1e-5)


def test_no_kernel_has_a_weight_above_the_highest_price():
    X, y = draw(2)
    problem = problem_of(X, y)
    assert not problem.weights_at(problem.highest_price * 1.0001).weights.any()
    assert problem.weights_at(problem.highest_price * 0.99).weights.any()
    null = problem.weights_at(problem.highest_price * 2)
    # Without a kernel, each row is predicted by the others' mean.
    others = (y.sum() - y) / (len(y) - 1)
    np.testing.assert_allclose(null.held_out, y - others)


def test_a_repeated_kernel_changes_nothing_but_whose_weight_it_is():
    X, y = draw(3)
    once, twice = problem_of(X, y), problem_of(X, y, kernels=[*KERNELS, *KERNELS])
    price = 0.02 * once.highest_price
    expected, found = once.weights_at(price), twice.weights_at(price)
    assert_optimal(found)
    assert found.objective == pytest.approx(expected.objective, rel=1e-9)
    summed = found.weights[: len(KERNELS)] + found.weights[len(KERNELS) :]
    np.testing.assert_allclose(summed, expected.weights, rtol=1e-3, atol=1e-4)


def test_a_start_changes_only_the_work():
    X, y = draw(4)
    problem = problem_of(X, y)
    expected = problem.weights_at(0.01)
    random = np.random.default_rng(0)
    found = problem.weights_at(0.01, random.exponential(size=len(KERNELS)))
    assert found.objective == pytest.approx(expected.objective, rel=1e-9)
    again = problem.weights_at(0.01, expected.weights)
    assert again.n_factorizations == 1


@settings(max_examples=10)
@given(st.integers(0, 1000), st.floats(0.01, 100))
def test_order_sign_and_units(seed, unit):
    X, y = draw(seed, n=25)
    problem = problem_of(X, y)
    price = 0.05 * problem.highest_price
    expected = problem.weights_at(price)
    order = np.random.default_rng(seed).permutation(len(X))
    shuffled = problem_of(X[order], y[order]).weights_at(price)
    swapped = problem_of(X, -y).weights_at(price)
    # Targets in other units: J and every pull are in their squares.
    stretched = problem_of(X, unit * y).weights_at(unit**2 * price)
    for found in (shuffled, swapped, stretched):
        np.testing.assert_allclose(found.weights, expected.weights, rtol=1e-3, atol=1e-4)
    scaled = problem_of(X, y, kernels=[unit * kernel for kernel in KERNELS]).weights_at(
        unit * price
    )
    np.testing.assert_allclose(unit * scaled.weights, expected.weights, rtol=1e-3, atol=1e-4)
    assert scaled.objective == pytest.approx(expected.objective, rel=1e-9)


@settings(max_examples=10)
@given(st.integers(0, 1000))
def test_weight_two_is_a_repeated_row(seed):
    X, y = draw(seed, n=20)
    weights = np.random.default_rng(seed).integers(1, 4, size=len(X))
    rows = np.repeat(np.arange(len(X)), weights)
    weighted, repeated = problem_of(X, y, weights), problem_of(X[rows], y[rows])
    price = 0.05 * weighted.highest_price
    assert repeated.highest_price == pytest.approx(weighted.highest_price, rel=1e-9)
    one, other = weighted.weights_at(price), repeated.weights_at(price)
    assert one.objective == pytest.approx(other.objective, rel=1e-9)
    np.testing.assert_allclose(one.weights, other.weights, rtol=1e-3, atol=1e-4)


def learned_again(X, y, price, kernels):
    """Held-out residuals with weights and machine learned without each row, at its own price."""
    residuals = np.empty_like(y)
    for i in range(len(X)):
        rest = np.delete(np.arange(len(X)), i)
        # The price of all weights together stays what it was: J divides by the number of rows.
        found = problem_of(X[rest], y[rest], kernels=kernels).weights_at(price * len(X) / len(rest))
        gram = np.zeros((1, len(rest)))
        for m in np.flatnonzero(found.weights):
            gram += found.weights[m] * kernels[m](X[i : i + 1], X[rest])
        residuals[i] = y[i] - gram @ found.solution.coef - found.solution.intercept
    return residuals


def test_tangent_leave_one_out_comes_near_learning_again():
    """Many kernels on few rows: squares somewhat too large, against far too small at fixed weights,
    and almost the right number of wrong labels.
    """
    kernels = [OnColumns(Gaussian(width), [r]) for r in range(20) for width in (0.5, 2.0)]
    squares, errors = [], []
    for seed in range(2):
        random = np.random.default_rng(seed)
        X = random.normal(size=(40, 20))
        score = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.5 * random.normal(size=40)
        y = np.sign(score)[:, None]
        problem = problem_of(X, y, kernels=kernels)
        price = 0.01 * problem.highest_price
        found = problem.weights_at(price)
        estimates = (found.held_out, found.solution.left_out)
        true = learned_again(X, y, price, kernels)
        squares.append([(one**2).sum() / (true**2).sum() for one in estimates])
        errors.append([((y - one) * y <= 0).mean() for one in (true, *estimates)])
        assert np.corrcoef(found.held_out[:, 0], true[:, 0])[0, 1] > 0.95
    tangent, plain = np.mean(squares, axis=0)
    assert plain < 0.85 and abs(tangent - 1) < abs(plain - 1)
    true_errors, tangent_errors, plain_errors = np.mean(errors, axis=0)
    assert abs(tangent_errors - true_errors) < 0.5 * (true_errors - plain_errors)


@pytest.mark.parametrize("outputs", [1, 2])
def test_tangent_leave_one_out_is_exact_to_first_order(outputs):
    """How a coefficient follows its target is what the held-out residual divides by."""
    X, y = draw(3, outputs=outputs)
    price = 0.01 * problem_of(X, y).highest_price
    found, step = problem_of(X, y).weights_at(price), 1e-4
    for i in (0, 7, 21):
        slopes = np.empty((outputs, outputs))
        for o in range(outputs):
            ends = []
            for sign in (1, -1):
                moved = y.copy()
                moved[i, o] += sign * step
                again = problem_of(X, moved).weights_at(price, found.weights)
                assert ((again.weights > 0) == (found.weights > 0)).all()
                ends.append(again.solution.coef[i])
            slopes[:, o] = (ends[0] - ends[1]) / (2 * step)
        expected = np.linalg.solve(slopes, found.solution.coef[i])
        np.testing.assert_allclose(found.held_out[i], expected, rtol=1e-4)


def test_the_price_of_least_held_out_loss():
    X, y = draw(5)
    path = price_path(problem_of(X, y))
    assert path.losses[path.prices.index(path.best.price)] == min(path.losses)
    assert path.best.held_out_loss == pytest.approx(0.5 * (path.best.held_out**2).sum())
    assert sorted(path.prices, reverse=True) == path.prices
    assert_optimal(path.best)


@pytest.mark.parametrize("factor", [2.0, 0.3, 1e-3])
def test_a_given_price_is_reached(factor):
    X, y = draw(6)
    problem = problem_of(X, y)
    price = factor * problem.highest_price
    path = price_path(problem, price)
    assert path.prices == [price]
    np.testing.assert_allclose(
        path.best.weights, problem.weights_at(price).weights, rtol=1e-3, atol=1e-4
    )
