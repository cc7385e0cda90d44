"""The best step of a quadratic model within limits."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve


def step_within(
    gradient: np.ndarray, curvature: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """``argmin g'm + m'Cm / 2`` over ``low <= m <= high``, for ``low <= 0 <= high``.

    An active-set method: coordinates that would leave their limits stop there, all at once; then
    those that the model pulls back inward are set free, one by one. A clipped Newton step, in
    contrast, may lead uphill. Cost: a Cholesky of the free coordinates for each change, at most
    three for each coordinate.

    Parameters
    ----------
    gradient, curvature : of the model at no step; the curvature is positive definite
    low, high : limits of each coordinate of the step
    """
    step = np.zeros_like(gradient)
    fixed = ((low >= 0) & (gradient > 0)) | ((high <= 0) & (gradient < 0))
    for _ in range(3 * len(step) + 1):
        free = np.flatnonzero(~fixed)
        if len(free):
            pull = gradient[free] + curvature[np.ix_(free, fixed)] @ step[fixed]
            factor = cho_factor(curvature[np.ix_(free, free)], lower=True)
            wanted = -cho_solve(factor, pull)
            step[free] = np.clip(wanted, low[free], high[free])
            if (step[free] != wanted).any():
                fixed[free] = step[free] != wanted
                continue
        slope = gradient + curvature @ step
        inward = np.where(fixed, np.where(step <= low, -slope, slope), 0.0)
        if not (inward > 0).any():
            break
        # In units of what each coordinate alone would gain.
        fixed[np.argmax(inward / np.sqrt(np.diagonal(curvature)))] = False
    return step
