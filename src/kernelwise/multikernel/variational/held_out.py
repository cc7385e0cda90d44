"""Outputs of rows that are left out, with the kernel weights kept: closed form, no refit."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernelwise.multikernel.gram_bank import GramBank
from kernelwise.multikernel.variational.likelihoods import Labels, Quantities, hazard
from kernelwise.multikernel.variational.posterior import Posterior

# Newton steps for the outputs of labeled rows; a handful is usual.
MOST_STEPS = 100


def left_out_outputs(
    bank: GramBank, posterior: Posterior, likelihood: Labels | Quantities, groups: list[np.ndarray]
) -> np.ndarray:
    """Mean output of each row without the labels or quantities of its group, (N, L).

    Groups are rows that are left out together: a row by itself, or with its copies.

    With the kernel weights fixed, the outputs are a Gaussian process of covariance ``A = K_e
    diag(1 / lambda) K_e' + I E[e'e] / spread + E[b^2]``, ``K_e = sum_m e_m K_m``; leaving a row out
    of such a process has a closed form: exact for quantities, by Laplace's approximation for
    labels. The weights of the kernels were learned with the row, so errors are optimistic where
    they were many. Cost: ``2 N^3`` for each output, and for labels ``N^3 / 3`` per Newton step.

    References
    ----------
    Rasmussen & Williams (2006), Gaussian Processes for Machine Learning, sections 3.4 and 5.4.2;
    Vehtari et al. (2016), Bayesian leave-one-out cross-validation approximations, JMLR 17.
    """
    combined = bank.weighted(posterior.weights)
    squares = posterior.weights @ posterior.weights + posterior.weight_variances.sum()
    found = np.empty_like(posterior.coef)
    for o, spread in enumerate(posterior.spread):
        covariance = (combined / posterior.coef_precisions[:, o]) @ combined.T
        covariance += posterior.bias[o] ** 2 + posterior.bias_variances[o]
        np.fill_diagonal(covariance, np.diagonal(covariance) + squares / spread)
        if isinstance(likelihood, Quantities):
            found[:, o] = _without_quantities(
                covariance, likelihood.values[:, o], 1 / posterior.noise[o], groups
            )
        else:
            signs = likelihood.signs[:, o]
            found[:, o] = _without_labels(covariance, signs, likelihood.margin, groups)
    return found


def _without_quantities(
    covariance: np.ndarray, y: np.ndarray, noise: float, groups: list[np.ndarray]
) -> np.ndarray:
    """``y_S - ((C^-1)_SS)^-1 (C^-1 y)_S`` of each group S, ``C`` the covariance plus noise."""
    np.fill_diagonal(covariance, np.diagonal(covariance) + noise)
    inverse = np.linalg.inv(covariance)
    solved = inverse @ y
    residuals = np.empty_like(y)
    for S in groups:
        residuals[S] = np.linalg.solve(inverse[np.ix_(S, S)], solved[S])
    return y - residuals


def _without_labels(
    covariance: np.ndarray, signs: np.ndarray, margin: float, groups: list[np.ndarray]
) -> np.ndarray:
    """The mean of each group's cavity, ``z_S - (V_SS^-1 - W_S)^-1 slope_S``.

    ``z`` are the most probable outputs, ``V`` their covariance, and ``W`` minus the second
    derivative of the log likelihood there, by which the group's own labels narrow it.
    """
    z = np.zeros(len(signs))
    for _ in range(MOST_STEPS):
        slope, W = _label_slopes(z, signs, margin)
        root = np.sqrt(W)
        B = root[:, None] * covariance * root
        np.fill_diagonal(B, np.diagonal(B) + 1)
        factor = cho_factor(B, lower=True, check_finite=False)
        right = W * z + slope
        solved = cho_solve(factor, root * (covariance @ right), check_finite=False)
        new = covariance @ (right - root * solved)
        step = np.abs(new - z).max()
        z = new
        if step < 1e-8 * (1 + np.abs(z).max()):
            break
    slope, W = _label_slopes(z, signs, margin)
    scaled = root[:, None] * covariance
    posterior = covariance - scaled.T @ cho_solve(factor, scaled, check_finite=False)
    found = z.copy()
    for S in groups:
        V = posterior[np.ix_(S, S)]
        # (V^-1 - W)^-1 slope, without inverting V.
        found[S] -= V @ np.linalg.solve(np.eye(len(S)) - W[S, None] * V, slope[S])
    return found


def _label_slopes(z: np.ndarray, signs: np.ndarray, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """First derivative of ``log Phi(sign z - margin)`` and minus the second; 0 without a sign."""
    inside = signs * z - margin
    slope = hazard(inside)
    known = signs != 0
    return np.where(known, signs * slope, 0.0), np.where(known, slope * (slope + inside), 0.0)
