"""Probabilities from the posterior of a support vector machine's outputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from kernelwise.kernels import Kernel
from kernelwise.machines.posterior.sites import MOMENTS
from kernelwise.solutions import NormalOutput

# Nodes at which a standard normal is summed up, in standard deviations.
NODES = np.linspace(-6.0, 6.0, 241)
NODE_WEIGHTS = np.exp(-0.5 * NODES**2) / np.exp(-0.5 * NODES**2).sum()


@dataclass(frozen=True)
class FittedPosterior:
    """A machine with the normal posterior of each output.

    The means are ``kernel(X, X_fit_) @ dual_coef + intercept``; ``posteriors`` are on rows of
    ``X_fit_``.
    """

    kernel: Kernel
    C: float
    loss: str
    dual_coef: np.ndarray
    intercept: np.ndarray
    posteriors: tuple[NormalOutput, ...]

    def moments(self, gram: np.ndarray, diagonal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Posterior means and variances of the outputs, (rows, outputs)."""
        means = [output.mean(gram) for output in self.posteriors]
        variances = [output.variance(gram, diagonal) for output in self.posteriors]
        return np.column_stack(means), np.column_stack(variances)


def log_odds(means: np.ndarray, variances: np.ndarray, C: float, loss: str) -> np.ndarray:
    """How much more likely the label +1 is than -1, each averaged over the posterior.

    ``log E[exp(-C loss(f))] - log E[exp(-C loss(-f))]``, in closed form. It has the sign of the
    mean, and is the nearer to 0 the wider the posterior is.
    """
    spread = np.maximum(variances, np.finfo(float).tiny)
    moments, levels = MOMENTS[loss], np.full(means.shape, C)
    return moments(means, spread, levels).log_z - moments(-means, spread, levels).log_z


def probability_deviations(
    means: np.ndarray, variances: np.ndarray, C: float, loss: str
) -> np.ndarray:
    """The standard deviation, over the posterior, of the probability of the label +1."""
    outputs = means[..., None] + np.sqrt(variances)[..., None] * NODES
    below, above = np.maximum(1 - outputs, 0.0), np.maximum(1 + outputs, 0.0)
    if loss == "squared_hinge":
        below, above = 0.5 * below**2, 0.5 * above**2
    probabilities = expit(C * (above - below))
    mean = probabilities @ NODE_WEIGHTS
    return np.sqrt(np.maximum(probabilities**2 @ NODE_WEIGHTS - mean**2, 0.0))
