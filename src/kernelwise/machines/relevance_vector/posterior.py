"""The posterior of the weights of a few columns, and what its likelihoods share.

Weights are ``D u``, with ``D^2`` their prior variances, so that each ``u`` has the prior
``Normal(0, 1)``; with a flat prior (an infinite variance) ``D`` is 1. ``scaled`` is ``columns D``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import lapack


@dataclass(frozen=True)
class Posterior:
    """The posterior of ``u``; normal, or its normal approximation at the mode.

    Attributes
    ----------
    scaled : (rows, m), columns times prior deviations
    mode : (m,), the most probable ``u``
    factor : the lower Cholesky factor of ``H = prior + scaled' diag(precisions) scaled``
    evidence : the log marginal likelihood of the targets
    precisions : (rows,), minus the second derivative of the log likelihood in each output
    residuals : (rows,), its first derivative
    noise : the variance of the noise, of which all variances are multiples; 1 if logistic
    """

    scaled: np.ndarray
    mode: np.ndarray
    factor: np.ndarray
    evidence: float
    precisions: np.ndarray
    residuals: np.ndarray
    noise: float = 1.0

    @property
    def covariance(self) -> np.ndarray:
        """``H^-1``, the covariance of ``u`` in units of the noise."""
        inverse, _ = lapack.dpotri(self.factor, lower=1) if len(self.factor) else (self.factor, 0)
        return np.tril(inverse) + np.tril(inverse, -1).T


class Likelihood(Protocol):
    """What targets say about outputs.

    ``steps_at_once``: how many columns may change before the posterior must be computed anew.
    ``freedom``: the noise is a misfit divided by it; infinite if there is none to follow.
    ``free_bias_variance``: the prior variance of a bias that is not to be shrunk.
    ``start_columns``: how many columns the second start of an ascent has.
    """

    steps_at_once: int
    freedom: float
    free_bias_variance: float
    start_columns: int

    def posterior(self, scaled: np.ndarray, prior: np.ndarray, start: np.ndarray) -> Posterior:
        """The posterior with prior precisions ``prior`` (1, or 0 if flat); ``start``: a guess."""

    def best(
        self, rho: np.ndarray, left: np.ndarray, explained: np.ndarray, noise: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """The best ``1 + v s`` of each column, and what it would add to the evidence.

        Parameters
        ----------
        rho : ``q^2 / s``, the most that the column could explain
        left : ``1 / (1 + v s)`` as it is
        explained : what it explains now
        noise : that of the model as it is
        """

    def scaled_gradient(self, posterior: Posterior) -> np.ndarray:
        """The derivative of the evidence in ``scaled``, (rows, m), the mode following."""


def cholesky_of(cross: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """The lower factor of ``diag(prior) + cross``, which is overwritten.

    The prior makes it positive definite; rounding may still make it fail if prior variances span
    more than all digits, and then a trace of the mean diagonal is added.
    """
    if not len(cross):
        return cross
    np.einsum("ii->i", cross)[:] += prior
    factor, failed = lapack.dpotrf(cross, lower=1, clean=1)
    share = 1e-15
    while failed:
        share *= 10
        jitter = share * float(np.trace(cross)) / len(cross)
        factor, failed = lapack.dpotrf(cross + jitter * np.eye(len(cross)), lower=1, clean=1)
    return factor


def solved(factor: np.ndarray, right: np.ndarray) -> np.ndarray:
    """``H^-1 right`` from the factor."""
    return lapack.dpotrs(factor, right, lower=1)[0] if len(factor) else np.zeros(0)


def half_log_determinant(factor: np.ndarray) -> float:
    return float(np.log(np.diagonal(factor)).sum())
