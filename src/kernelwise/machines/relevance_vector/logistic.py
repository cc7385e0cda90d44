"""Labels with a logistic likelihood, by Laplace's approximation."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from kernelwise.machines.relevance_vector.posterior import (
    Posterior,
    cholesky_of,
    half_log_determinant,
    solved,
)

NEWTON_STEPS = 100
# A Newton step that promises less than this is the last: rounding hides what it gains.
LAST_GAIN = 1e-10
# That of a free bias: log odds of 10 are nothing unusual. With a flat prior the evidence of
# separable classes would have no upper bound.
FREE_BIAS_VARIANCE = 100.0


class Logistic:
    """Labels with ``p = 1 / (1 + exp(-f))``; the evidence is Laplace's approximation.

    ``sum_i w_i [t_i log p_i + (1 - t_i) log(1 - p_i)] - u'u / 2 - 1/2 log det H`` at the mode.
    Targets are from -1 to 1; one in between is the mean of equal rows of both labels, which loses
    nothing. Both labels must occur.
    """

    steps_at_once = 4
    freedom = np.inf
    free_bias_variance = FREE_BIAS_VARIANCE
    start_columns = 25

    def __init__(self, targets: np.ndarray, weights: np.ndarray, within: float, free_bias: bool):
        self.shares, self.weights = (1 + targets) / 2, weights

    @staticmethod
    def is_constant(targets: np.ndarray, within: float) -> bool:
        """Whether only one label occurs."""
        return bool(np.ptp(targets) == 0 and abs(targets[0]) == 1)

    def posterior(self, scaled: np.ndarray, prior: np.ndarray, start: np.ndarray) -> Posterior:
        """The mode by Newton's method; steps that do not rise are halved."""
        mode, last = start, False
        outputs = scaled @ mode
        height = self._height(outputs, mode, prior)
        for _ in range(NEWTON_STEPS):
            p = expit(outputs)
            precisions, residuals = self.weights * p * (1 - p), self.weights * (self.shares - p)
            factor = cholesky_of(scaled.T @ (precisions[:, None] * scaled), prior)
            if last:
                break
            slope = scaled.T @ residuals - prior * mode
            step = solved(factor, slope)
            promised = float(slope @ step)
            last = promised < LAST_GAIN
            size = 2.0
            while size > 1e-8:
                size /= 2
                trial = mode + size * step
                outputs = scaled @ trial
                risen = self._height(outputs, trial, prior)
                if last or risen >= height + 1e-4 * size * promised:
                    break
            mode, height = trial, risen
        evidence = height - half_log_determinant(factor)
        return Posterior(scaled, mode, factor, evidence, precisions, residuals)

    def _height(self, outputs: np.ndarray, mode: np.ndarray, prior: np.ndarray) -> float:
        """Log likelihood minus half the squares of ``u``."""
        losses = np.logaddexp(0, outputs) - self.shares * outputs
        return -float(self.weights @ losses) - 0.5 * float(prior @ mode**2)

    def best(
        self, rho: np.ndarray, left: np.ndarray, explained: np.ndarray, noise: float
    ) -> tuple[np.ndarray, np.ndarray]:
        best = np.maximum(1.0, rho)
        return best, 0.5 * (rho * (left - 1 / best) - np.log(best * left))

    def scaled_gradient(self, posterior: Posterior) -> np.ndarray:
        scaled, u, covariance = posterior.scaled, posterior.mode, posterior.covariance
        b, g = posterior.precisions, posterior.residuals
        spread = scaled @ covariance
        # The determinant moves with the precisions, and these with the mode.
        p = self.shares - g / self.weights
        r = -0.5 * np.einsum("ij,ij->i", spread, scaled) * b * (1 - 2 * p)
        z = covariance @ (scaled.T @ r)
        return np.outer(g, u + z) + np.outer(r - b * (scaled @ z), u) - b[:, None] * spread
