"""Closed-form moments of one loss factor against a normal distribution of its margin.

A site is ``exp(-C loss(z))``; the margin z is normal with mean m and variance v before the site is
seen. All functions work on arrays, element by element, and stay exact for large ``C``, ``v`` and
``|m|``: Gaussian tails go through ``log_ndtr`` and ``erfcx``, never through a difference of large
exponents.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import erfcx, log_ndtr

SQRT_2 = np.sqrt(2.0)
LOG_SQRT_2_PI = 0.5 * np.log(2 * np.pi)
# Below this, ``t + hazard(t)`` is this series in ``1 / t^2``, divided by ``|t|``.
FAR_BELOW, SERIES = -50.0, (1.0, -2.0, 10.0, -74.0, 706.0)


class Moments(NamedTuple):
    """``log Z = log E[exp(-C loss(z))]`` and its derivatives.

    Attributes
    ----------
    log_z : never positive
    slope : ``d log Z / dm``, never negative
    curvature : ``-d2 log Z / dm2``, from 0 to ``1 / v``
    C_slope : ``d log Z / dC``, minus the mean loss once the site is seen
    """

    log_z: np.ndarray
    slope: np.ndarray
    curvature: np.ndarray
    C_slope: np.ndarray


def hinge_moments(m: np.ndarray, v: np.ndarray, C: np.ndarray) -> Moments:
    """Moments of ``exp(-C max(0, 1 - z))``.

    Beyond the margin the site is 1, below it the normal is shifted by ``C v``; ``r`` is the
    probability, once the site is seen, of a margin below 1. ``d log Z / dm = C r``,
    ``-d2 log Z / dm2 = C N(1; m, v) / Z - C^2 r (1 - r)``.
    """
    s = np.sqrt(v)
    a = (1 - m) / s
    u = a - C * s
    # exp(-C (1 - m) + C^2 v / 2) Phi(u), whose exponents cancel where u is negative. There both
    # sides have the factor exp(-a^2 / 2), which leaves their shares few digits if it is tiny.
    tail = (u < 0) & (a > 0)
    common = np.where(tail, -0.5 * a * a, 0.0)
    log_above = np.where(tail, log_scaled_tail(np.where(tail, a, 0.0)), log_ndtr(-a))
    log_below = np.where(
        u < 0,
        -0.5 * a * a - common + log_scaled_tail(-np.minimum(u, 0.0)),
        np.minimum(C * s * (0.5 * C * s - a), 0.0) + log_ndtr(u),
    )
    log_rest = np.logaddexp(log_below, log_above)
    r = np.exp(log_below - log_rest)
    density = np.exp(-0.5 * a * a - common - LOG_SQRT_2_PI - log_rest) / s
    curvature = C * density - C * C * r * np.exp(log_above - log_rest)
    log_z = common + log_rest
    return Moments(log_z, C * r, bounded(curvature, v), -r * s * mean_below(u)[0])


def squared_hinge_moments(m: np.ndarray, v: np.ndarray, C: np.ndarray) -> Moments:
    """Moments of ``exp(-C max(0, 1 - z)^2 / 2)``.

    Below the margin the product of site and normal is a normal of variance ``v' = v / (1 + C v)``
    and mean ``m' = (m + C v) / (1 + C v)``, cut off at 1; ``r`` is its share.
    ``d log Z / dm = C r E[1 - z]``, ``-d2 = (d log Z / dm)^2 - C^2 r E[(1 - z)^2] + C r``.
    """
    shrink = 1 / (1 + C * v)
    s, deviation = np.sqrt(v), np.sqrt(v * shrink)
    gap = (1 - m) * shrink  # 1 - m'
    t = gap / deviation
    log_below = 0.5 * np.log(shrink) - 0.5 * C * (1 - m) * gap + log_ndtr(t)
    log_above = log_ndtr((m - 1) / s)
    log_z = np.logaddexp(log_below, log_above)
    r = np.exp(log_below - log_z)
    mean, hazard = mean_below(t)
    first = deviation * mean  # E[1 - z] below the margin
    second = deviation**2 * np.maximum(1 + t * mean, 0.0)  # E[(1 - z)^2]
    # Var(1 - z) below the margin is deviation^2 (1 - hazard mean); 1 - C deviation^2 is ``shrink``,
    # so no large terms cancel.
    spread = shrink + C * deviation**2 * hazard * mean
    curvature = C * r * spread - (C * first) ** 2 * r * np.exp(log_above - log_z)
    return Moments(log_z, C * r * first, bounded(curvature, v), -0.5 * r * second)


MOMENTS = {"hinge": hinge_moments, "squared_hinge": squared_hinge_moments}


def mean_below(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``E[t - x | x < t]`` of a standard normal x, and its hazard ``N(t) / Phi(t)``.

    The mean is their sum ``t + hazard``; far below 0 both cancel, and it is its asymptotic series.
    """
    hazard = np.sqrt(2 / np.pi) / erfcx(-t / SQRT_2)
    far = t < FAR_BELOW
    if not far.any():
        return t + hazard, hazard
    x = np.where(far, -t, 1.0)
    series = np.polynomial.polynomial.polyval(x**-2.0, SERIES) / x
    return np.where(far, series, t + hazard), hazard


def log_scaled_tail(t: np.ndarray) -> np.ndarray:
    """``log(exp(t^2 / 2) Phi(-t))``, for t of 0 or more."""
    return np.log(0.5 * erfcx(t / SQRT_2))


def bounded(curvature: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The curvature within what log-concave sites allow, which rounding may leave."""
    return np.clip(curvature, 0.0, (1 - 1e-12) / v)
