"""Derivatives of the support vector machine, and its continuity where rows change sets."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from support_vector_problems import draw, every_kind

from kernelwise.kernels import Gaussian, Laplacian, Linear
from kernelwise.machines import SupportVector
from kernelwise.solutions import Targets


def reading(coef, intercept, outputs):
    """A smooth function of all that a criterion may read, and its derivatives."""
    value = np.sin(coef).sum() + (intercept**2).sum() + np.cos(2 * outputs).sum()
    return value, np.cos(coef), 2 * intercept, -2 * np.sin(2 * outputs)


def value_and_gradients(machine, gram, targets):
    solution = machine.solve([gram], targets)
    value, coef, intercept, outputs = reading(solution.coef, solution.intercept, solution.outputs)
    through = solution.outputs_gradient(outputs)
    gradient = replace(
        through, coef=through.coef + coef, intercept=through.intercept + intercept, C=0.3
    )
    (gram_gradient,), (C_gradient,) = solution.pullback(gradient)
    return value + 0.3 * machine.C, gram_gradient, C_gradient, solution


@every_kind
@pytest.mark.parametrize("C", [0.3, 3.0, 1e4])
def test_gradients(loss, bias, C):
    """In every entry of the Gram matrix and in C."""
    X, targets = draw(12, seed=5, n_outputs=2, weighted=True)
    gram, machine = Laplacian([1.0, 2.0, 1.5])(X), SupportVector(C, loss, bias)
    _, gram_gradient, C_gradient, solution = value_and_gradients(machine, gram, targets)
    np.testing.assert_array_equal(gram_gradient, gram_gradient.T)
    step, scale = 1e-5, max(1.0, np.abs(gram_gradient).max())
    for i in range(12):
        for j in range(i + 1):
            change = np.zeros_like(gram)
            change[i, j] = change[j, i] = step
            up, down = (value_and_gradients(machine, gram + s * change, targets) for s in (1, -1))
            assert (up[3].hard == solution.hard).all() and (down[3].hard == solution.hard).all()
            expected = (up[0] - down[0]) / (2 * step)
            found = gram_gradient[i, j] * (1 if i == j else 2)
            assert found == pytest.approx(expected, rel=1e-6, abs=1e-6 * scale)
    up, down = (
        value_and_gradients(SupportVector(C * factor, loss, bias), gram, targets)[0]
        for factor in (1 + step, 1 - step)
    )
    expected = (up - down) / (2 * step * C)
    assert C_gradient == pytest.approx(expected, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_gradient_with_no_free_row(loss):
    """All rows at their ceilings: the intercept is the middle of what two rows allow."""
    X, targets = draw(10, seed=2)
    y = np.tile([1.0, -1.0], 5)
    gram, targets = Gaussian(1.5)(X), Targets.plain(y)
    machine = SupportVector(0.01, loss, bias=True)
    _, gram_gradient, C_gradient, solution = value_and_gradients(machine, gram, targets)
    assert solution.hard.all() == (loss == "hinge")
    direction = np.cov(X) * gram
    step = 1e-5
    up, down = (
        value_and_gradients(machine, gram + s * step * direction, targets)[0] for s in (1, -1)
    )
    assert (gram_gradient * direction).sum() == pytest.approx((up - down) / (2 * step), rel=1e-6)
    up, down = (
        value_and_gradients(SupportVector(0.01 + s * 1e-6, loss, True), gram, targets)[0]
        for s in (1, -1)
    )
    assert C_gradient == pytest.approx((up - down) / 2e-6, rel=1e-6)


@every_kind
@pytest.mark.parametrize("kernel", [Gaussian([0.8, 1.5, 3.0]), Linear([1.0, 2.0, 1.5])], ids=repr)
def test_gradient_of_copies(loss, bias, kernel):
    """The kernel keeps copies alike, and the least-norm solution moves with it."""
    X, targets = draw(14, seed=8, weighted=True)
    where = np.r_[:14, :5]
    X, targets = X[where], targets.take(where)
    machine, theta = SupportVector(2.0, loss, bias), kernel.theta

    def value(point):
        return value_and_gradients(machine, kernel.with_theta(point)(X), targets)[0]

    gram, pullback = kernel.gram_and_pullback(X)
    found = pullback(value_and_gradients(machine, gram, targets)[1])
    steps = 1e-5 * np.eye(len(theta))
    expected = [(value(theta + step) - value(theta - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@every_kind
def test_coefficients_are_continuous_where_the_sets_change(loss, bias):
    """Closes in on each change of the sets between two values of C."""
    X, targets = draw(25, weighted=True)
    gram = Gaussian(1.2)(X)

    def solve(log_C):
        solution = SupportVector(np.exp(log_C), loss, bias).solve([gram], targets)
        return solution, solution.support.astype(int) + solution.hard

    grid = np.linspace(np.log(0.05), np.log(50), 40)
    n_changes = 0
    for low, high in pairwise(grid):
        (left, left_sets), (right, right_sets) = solve(low), solve(high)
        if (left_sets == right_sets).all():
            continue
        n_changes += 1
        while high - low > 1e-9:
            middle, sets = solve((low + high) / 2)
            if (sets == left_sets).all():
                low, left = (low + high) / 2, middle
            else:
                high, right = (low + high) / 2, middle
        np.testing.assert_allclose(right.coef, left.coef, atol=1e-6 * abs(left.coef).max())
    assert n_changes >= 5


@pytest.mark.parametrize("kind", ["rank one", "few levels"])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_derivative_in_the_bound_where_free_rows_depend(kind, bias, seed):
    """A gradient, unlike a right-hand side, may be out of reach of dependent rows."""
    random = np.random.default_rng(seed)
    x, levels = random.normal(size=12), random.integers(3, size=12)
    gram = (
        0.7 * np.outer(x, x) if kind == "rank one" else np.exp(-1.0 * (levels[:, None] != levels))
    )
    y, weights = np.sign(random.normal(size=(12, 1))), random.uniform(0.5, 2.5, 12)
    targets = Targets.plain(y, weights)
    of_coef, of_intercept = random.normal(size=(12, 1)), random.normal(size=1)

    def value(C):
        solution = SupportVector(C, bias=bias).solve([gram], targets)
        return float((of_coef * solution.coef).sum() + of_intercept @ solution.intercept)

    solution = SupportVector(0.8, bias=bias).solve([gram], targets)
    _, slope = solution.pullback(solution.gradient(coef=of_coef, intercept=of_intercept))
    step = 1e-6
    expected = (value(0.8 + step) - value(0.8 - step)) / (2 * step)
    assert slope[0] == pytest.approx(expected, rel=1e-5, abs=1e-6)
