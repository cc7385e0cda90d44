"""Problems for the tests of the support vector machine, and a quadratic program to judge it by."""

import numpy as np
import pytest
from hypothesis import strategies as st

from kernelwise.kernels import Gaussian, Laplacian, Linear, Polynomial
from kernelwise.solutions import Targets

KINDS = [(loss, bias) for loss in ("hinge", "squared_hinge") for bias in (False, True)]
every_kind = pytest.mark.parametrize(("loss", "bias"), KINDS)


def draw(n, seed=0, n_outputs=1, weighted=False, noise=0.7):
    """Rows in three columns, labels of both classes in each output, weights."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    y = np.sign(X @ random.normal(size=(3, n_outputs)) + noise * random.normal(size=(n, n_outputs)))
    y[:2] = [[-1.0] * n_outputs, [1.0] * n_outputs]
    return X, Targets.plain(y, random.uniform(0.2, 3, n) if weighted else None)


def interior_point(gram, y, limits, ridge, bias, steps=60):
    """``max sum a - 1/2 (ya)'(gram + ridge)(ya)``, ``0 <= a <= limits``: by the central path.

    Infinite limits are none. Returns the multipliers and the intercept.
    """
    Q = (gram + np.diag(ridge)) * np.outer(y, y)
    upper = np.isfinite(limits)
    a = np.where(upper, limits / 2, 1.0)
    low, high, intercept = np.ones_like(a), 1.0 * upper, 0.0
    for _ in range(steps):
        room = np.where(upper, limits - a, 1.0)
        gap = (low @ a + high @ room) / (len(a) + upper.sum())
        aim = 0.1 * gap
        misses = 1 - Q @ a - intercept * y * bias
        right = misses + aim / a - upper * aim / room
        system = np.zeros((len(a) + 1, len(a) + 1))
        system[:-1, :-1] = Q + np.diag(low / a + high / room)
        system[:-1, -1] = system[-1, :-1] = y * bias
        system[-1, -1] = 0.0 if bias else 1.0
        solved = np.linalg.solve(system, np.append(right, -(y @ a) * bias))
        move, shift = solved[:-1], solved[-1] * bias
        low_move = aim / a - low - low / a * move
        high_move = upper * (aim / room - high + high / room * move)
        pairs = [(a, move), (low, low_move), (room, -move * upper), (high, high_move)]
        ratios = [-(v / d)[d < 0].max(initial=-np.inf) for v, d in pairs if (d < 0).any()]
        length = min(1.0, 0.99 * min(ratios, default=1.0))
        a, low, high = a + length * move, low + length * low_move, high + length * high_move
        intercept += length * shift
        if gap < 1e-13:
            break
    return a, intercept


def violation(solution):
    """The largest violation of the conditions of optimality, relative to the sums in the margins.

    A hinge's multipliers are within ``[0, C w]`` exactly.
    """
    y, alpha = solution.targets.values, solution.alpha
    limits = solution.C * solution.targets.weights[:, None] * np.ones_like(alpha)
    outputs = solution.gram @ solution.coef + solution.intercept
    np.testing.assert_allclose(solution.outputs, outputs, rtol=1e-12, atol=1e-12)
    if solution.loss == "squared_hinge":
        outputs = outputs + solution.coef / limits
        limits[:] = np.inf
    assert (alpha >= 0).all() and (alpha <= limits).all()
    sizes = np.sqrt(np.diagonal(solution.gram))[:, None]
    sums = 1 + sizes * (sizes * np.abs(solution.coef)).sum(axis=0)
    slack = (1 - y * outputs) / (sums.max(axis=0) if solution.has_bias else sums)
    wrong = np.select([alpha == 0, alpha == limits], [slack, -slack], np.abs(slack))
    total = np.abs(solution.coef.sum(axis=0)) / np.maximum(np.abs(solution.coef).sum(axis=0), 1)
    if not solution.has_bias:
        assert (solution.intercept == 0).all()
        total = np.zeros(1)
    return max(wrong.max(), total.max())


def assert_same(found, expected, tolerance=1e-10):
    """The same coefficients, intercepts and sets of rows."""
    scale = np.abs(expected.coef).max(initial=1e-300)
    np.testing.assert_allclose(found.coef, expected.coef, rtol=0, atol=tolerance * scale)
    np.testing.assert_allclose(found.intercept, expected.intercept, rtol=0, atol=tolerance)
    np.testing.assert_array_equal(found.hard, expected.hard)
    np.testing.assert_array_equal(found.support, expected.support)


# Against other solvers


@st.composite
def problems(draw_from):
    """Random rows (some repeated), kernels (some of low rank), weights and C."""
    n = draw_from(st.integers(5, 60))
    random = np.random.default_rng(draw_from(st.integers(0, 2**32 - 1)))
    X = random.normal(size=(n, 3))
    if draw_from(st.booleans()):
        X = np.round(X)
    kernels = [Laplacian(2.0), Gaussian(1.0), Gaussian(30.0), Linear(1.0), Polynomial(3, 1.0, 1.0)]
    gram = kernels[draw_from(st.integers(0, len(kernels) - 1))](X)
    gram = gram + draw_from(st.sampled_from([0.0, 1e-6, 1.0, 1e4]))
    y = np.where(random.random((n, 2)) < random.uniform(0.1, 0.9), 1.0, -1.0)
    weights = 10 ** random.uniform(-3, 1, n) if draw_from(st.booleans()) else None
    return (gram + gram.T) / 2, Targets.plain(y, weights), 10 ** draw_from(st.floats(-3, 6))
