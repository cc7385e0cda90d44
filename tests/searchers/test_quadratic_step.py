"""Steps of a quadratic model within limits, against scipy's and the conditions of an optimum."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from kernelwise.searchers.quadratic_step import step_within


def model(seed, size=8):
    random = np.random.default_rng(seed)
    half = random.standard_normal((size + 2, size)) + random.standard_normal((size + 2, 1))
    low, high = -random.uniform(0, 1, size), random.uniform(0, 1, size)
    low[:2], high[2:4] = 0.0, 0.0
    return 3 * random.standard_normal(size), half.T @ half, low, high


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_optimum_within_the_limits(seed):
    gradient, curvature, low, high = model(seed)
    step = step_within(gradient, curvature, low, high)
    lower = np.linalg.cholesky(curvature)
    # |L'm + L^-1 g|^2 is twice the model, up to a constant.
    room = np.where(high > low, high, high + 1e-12)
    exact = lsq_linear(lower.T, -np.linalg.solve(lower, gradient), (low, room), method="bvls").x
    np.testing.assert_allclose(step, exact, atol=1e-7)
    assert (step >= low).all() and (step <= high).all()
    slope = gradient + curvature @ step
    assert abs(slope[(step > low) & (step < high)]).max(initial=0.0) < 1e-9


def test_a_clipped_newton_step_may_lead_uphill_and_this_one_does_not():
    gradient, curvature = np.array([1.0, -0.1]), np.array([[1.0, 0.95], [0.95, 1.0]])
    low, high = np.array([-0.01, -9.0]), np.array([9.0, 9.0])

    def value(step):
        return gradient @ step + 0.5 * step @ curvature @ step

    clipped = np.clip(-np.linalg.solve(curvature, gradient), low, high)
    assert value(clipped) > 0
    assert value(step_within(gradient, curvature, low, high)) < 0


def test_without_limits_it_is_the_newton_step():
    gradient, curvature, *_ = model(0)
    wide = np.full(len(gradient), 1e9)
    found = step_within(gradient, curvature, -wide, wide)
    np.testing.assert_allclose(found, -np.linalg.solve(curvature, gradient), rtol=1e-8)
