"""Moments of one loss factor: against adaptive quadrature, their bounds, and far tails."""

from itertools import pairwise

import numpy as np
import pytest
from finite_differences import CENTRAL
from posterior_problems import LOSSES, every_loss, tilted
from scipy.integrate import quad

from kernelwise.machines.posterior.sites import MOMENTS, mean_below

GOLDEN = {"hinge": (0.3, 0.5, 2.0), "squared_hinge": (-2.0, 4.0, 5.0)}
MEANS = [-200.0, -30.0, -2.0, 0.3, 1.0, 1.7, 8.0, 60.0]
VARIANCES = [1e-4, 0.5, 4.0, 3e3]
LEVELS = [1e-3, 0.7, 5.0, 1e3]
GRID = np.array([(m, v, C) for m in MEANS for v in VARIANCES for C in LEVELS])


def assert_moments(loss, m, v, C, tolerance):
    """In units of the mean's and the variance's own: ``E[z] = m + v slope``, ``1 / v - curvature``.

    ``Var[z] = v - v^2 curvature`` loses digits if the site leaves little of the variance, and the
    quadrature those of a large exponent.
    """
    found, expected = MOMENTS[loss](*map(np.asarray, (m, v, C))), tilted(m, v, C, loss)
    assert found.log_z == pytest.approx(expected.log_z, rel=tolerance, abs=tolerance)
    scale = max(abs(expected.mean_offset), v**0.5) / v
    assert found.slope == pytest.approx(expected.mean_offset / v, abs=tolerance * scale)
    assert found.C_slope == pytest.approx(-expected.mean_loss, rel=10 * tolerance, abs=1e-20)
    lost = 1 + C * v + 1e-4 * abs(expected.log_z)
    curvature = (1 - expected.variance / v) / v
    assert found.curvature == pytest.approx(curvature, abs=tolerance * lost / v)


@every_loss
def test_golden_moments(loss):
    assert_moments(loss, *GOLDEN[loss], tolerance=1e-12)


@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@every_loss
def test_moments_of_all_sizes(loss):
    for m, v, C in GRID:
        assert_moments(loss, m, v, C, tolerance=1e-11)


@every_loss
def test_derivatives_are_those_of_the_value(loss):
    m, v, C = (grid.ravel() for grid in np.meshgrid([-2.0, 0.3, 1.0, 2.5], [0.5, 4.0], [0.7, 5.0]))
    moments, step = MOMENTS[loss], 1e-3
    found = moments(m, v, C)
    in_m, in_C, in_slope = (
        sum(c * function(k * step) for k, c in CENTRAL.items()) / step
        for function in (
            lambda d: moments(m + d, v, C).log_z,
            lambda d: moments(m, v, C + d).log_z,
            lambda d: moments(m + d, v, C).slope,
        )
    )
    np.testing.assert_allclose(found.slope, in_m, atol=1e-9)
    np.testing.assert_allclose(found.C_slope, in_C, atol=1e-9)
    np.testing.assert_allclose(-found.curvature, in_slope, atol=1e-9)


@every_loss
def test_bounds(loss):
    random = np.random.default_rng(0)
    m = random.choice([-1, 1], 4000) * 10 ** random.uniform(-3, 4, 4000)
    v, C = 10 ** random.uniform(-6, 6, 4000), 10 ** random.uniform(-6, 6, 4000)
    found = MOMENTS[loss](m, v, C)
    assert all(np.isfinite(part).all() for part in found)
    assert (found.log_z < 1e-300).all() and (found.C_slope <= 0).all()
    assert (found.slope >= 0).all()
    assert (found.curvature >= 0).all() and (found.curvature * v < 1).all()
    steepest = 1.0 if loss == "hinge" else np.maximum(1 - m, 0) + np.sqrt(v)
    assert (found.slope <= C * steepest * (1 + 1e-12)).all()


@pytest.mark.parametrize("t", [-1e4, -51.0, -49.0, -8.0, 0.0, 3.0, 40.0])
def test_the_mean_below_a_bound(t):
    """``E[t - x | x < t]`` of a standard normal; far below 0 an exponential of rate ``|t|``."""
    mean, hazard = mean_below(np.array(t))
    rate = max(-t, 1.0)
    edges = np.append(0.0, 2.0 ** np.arange(-2, 7)) / rate

    def integral(power):
        def inside(x):
            return x**power * np.exp(-0.5 * (t - x) ** 2 if t > 0 else x * (t - 0.5 * x))

        return sum(quad(inside, *ends, epsabs=0, epsrel=1e-13)[0] for ends in pairwise(edges))

    total = integral(0)
    assert mean == pytest.approx(integral(1) / total, rel=1e-11)
    assert hazard == pytest.approx(np.exp(-0.5 * max(t, 0.0) ** 2) / total, rel=1e-11)


def test_every_loss_is_tested():
    assert set(LOSSES) == set(MOMENTS)
