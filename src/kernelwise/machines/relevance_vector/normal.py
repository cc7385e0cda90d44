"""Quantities with normal noise, whose variance is profiled out."""

from __future__ import annotations

import numpy as np

from kernelwise.machines.relevance_vector.posterior import (
    Posterior,
    cholesky_of,
    half_log_determinant,
    solved,
)

# The least share of the targets' sum of squares that is left to noise.
LEAST_NOISE = 1e-10


class Normal:
    """Targets with normal noise whose variance is always the most probable one.

    With ``misfit = t'C^-1 t``, ``C`` the covariance of the targets in units of the noise, that is
    ``noise = misfit / freedom``, and ``log p(t) = -freedom / 2 (log(2 pi noise) + 1) - 1/2 log det
    H``. So no loop re-estimates the noise. ``freedom`` is the sum of the weights, less 1 for a free
    bias. The targets must vary.
    """

    steps_at_once = 10**6
    free_bias_variance = np.inf
    start_columns = 60

    def __init__(self, targets: np.ndarray, weights: np.ndarray, within: float, free_bias: bool):
        self.targets, self.weights, self.within = targets, weights, within
        self.freedom = max(float(weights.sum()) - free_bias, 1.0)
        center = weights @ targets / weights.sum() if free_bias else 0.0
        squares = float(weights @ (targets - center) ** 2) + within
        self.least = LEAST_NOISE * squares / self.freedom

    @staticmethod
    def is_constant(targets: np.ndarray, within: float) -> bool:
        """Whether there is nothing to learn, and no noise."""
        return bool(np.ptp(targets) == 0 and within == 0)

    def posterior(self, scaled: np.ndarray, prior: np.ndarray, start: np.ndarray) -> Posterior:
        weighted = self.weights[:, None] * scaled
        factor = cholesky_of(scaled.T @ weighted, prior)
        mode = solved(factor, weighted.T @ self.targets)
        left = self.weights * (self.targets - scaled @ mode)
        noise = max((float(self.targets @ left) + self.within) / self.freedom, self.least)
        evidence = -0.5 * self.freedom * (np.log(2 * np.pi * noise) + 1)
        evidence -= half_log_determinant(factor)
        return Posterior(scaled, mode, factor, evidence, self.weights, left, noise)

    def best(
        self, rho: np.ndarray, left: np.ndarray, explained: np.ndarray, noise: float
    ) -> tuple[np.ndarray, np.ndarray]:
        freedom, misfit = self.freedom, noise * self.freedom
        rest = explained - rho  # the misfit if the column explained all that it can
        rest += misfit
        np.maximum(rest, self.least * freedom, out=rest)
        best = (freedom - 1) * rho
        best /= rest
        np.maximum(best, 1.0, out=best)
        rest += rho / best
        gains = np.log(rest / misfit)
        gains *= -freedom
        gains -= np.log(best * left)
        gains *= 0.5
        return best, gains

    def scaled_gradient(self, posterior: Posterior) -> np.ndarray:
        fitted = np.outer(posterior.residuals / posterior.noise, posterior.mode)
        return fitted - self.weights[:, None] * (posterior.scaled @ posterior.covariance)
