"""Evidence of support vector machines, by a Laplace approximation."""

from __future__ import annotations

import numpy as np
from scipy.linalg import blas

from kernelwise.criteria.base import Criterion
from kernelwise.criteria.likelihood import LabelEvidence, log_normalizer
from kernelwise.linalg import scaled_log_determinant
from kernelwise.solutions import SupportVectorGradient, SupportVectorSolution

# exp(-t) beyond this is zero, and so are its derivatives.
LARGEST_EXPONENT = 700.0


class LaplaceEvidence(LabelEvidence):
    """Minus the log evidence per row, the posterior expanded around the machine's solution.

    ``(dual + 1/2 ln det(I + L K)) / n - ln kappa(C)``, ``dual`` the machine's optimal value.
    Hinge: ``L = 2 pi [alpha (C - alpha) / C]^2``, on marginal rows. Squared hinge: ``L = C exp(-a /
    (1 - z))`` on supporting rows, ``z`` the margin and ``a`` the ``smoothing``; without smoothing
    it jumps where a row begins to support. n is the total weight, a row of weight m is m equal rows
    that share its alpha equally. A free bias is taken as it is, not integrated out.

    **It has a false supremum**: as the kernel's amplitude grows, the smoothed evidence rises to
    ``ln kappa(C)``, near 0, whatever the data; search the amplitude within limits. Cost: m^3 for m
    marginal (squared hinge: supporting) rows.

    References
    ----------
    Gold & Sollich (2003), Neurocomputing 55, eq. (15)-(17).
    """

    reads = SupportVectorSolution

    def __init__(self, smoothing: float = 0.1):
        if not smoothing >= 0:
            raise ValueError(f"smoothing must not be negative, got {smoothing}")
        self.smoothing = float(smoothing)

    @property
    def jumps(self) -> bool:  # type: ignore[override]  # elsewhere the same for all of a class
        """True without smoothing: it jumps where a row begins to support (squared hinge)."""
        return self.smoothing == 0

    def why_at_limit(self, solution: SupportVectorSolution, amplitude: bool) -> str:
        if not amplitude or (solution.loss == "squared_hinge" and self.jumps):
            return super().why_at_limit(solution, amplitude)
        return (
            "evidence of the hinge, and smoothed evidence, rise with the amplitude whatever the "
            "data: this is a false optimum. Use the squared hinge without smoothing, or another "
            "selection"
        )

    def __call__(self, solution: SupportVectorSolution) -> tuple[float, SupportVectorGradient]:
        coef, y, C = solution.coef, solution.targets.values, solution.C
        n = float(solution.targets.weights.sum())
        in_volumes = np.zeros(solution.gram.shape)
        coef_gradient = y - (solution.outputs - solution.intercept)
        C_gradient = 0.0
        if solution.loss == "squared_hinge":
            slacks = coef / (C * solution.targets.weights[:, None])
            coef_gradient = coef_gradient - slacks
            C_gradient = 0.5 * float((slacks * coef).sum()) / C
        value = 0.5 * float(((y + coef_gradient) * coef).sum())
        scales, slopes, C_slopes = self.curvatures(solution)
        for t in range(coef.shape[1]):
            volume, in_scales = scaled_log_determinant(solution.gram, scales[:, t], in_volumes)
            value += 0.5 * volume
            coef_gradient[:, t] += 0.5 * y[:, t] * slopes[:, t] * in_scales
            C_gradient += 0.5 * float(C_slopes[:, t] @ in_scales)
        gram_gradient = blas.dgemm(
            -0.5 / n, coef, coef, trans_b=1, beta=0.5 / n, c=in_volumes.T, overwrite_c=1
        )
        normalizer, normalizer_slope = log_normalizer(C, solution.loss)
        return value / n - coef.shape[1] * normalizer, solution.gradient(
            gram=gram_gradient.T,
            coef=coef_gradient / n,
            C=C_gradient / n - coef.shape[1] * normalizer_slope,
        )

    def curvatures(
        self, solution: SupportVectorSolution
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """``L`` of every row and output, and its derivatives in alpha and in C."""
        weights, C = solution.targets.weights[:, None], solution.C
        if solution.loss == "hinge":
            share = np.where(solution.marginal, solution.alpha / weights, 0.0)
            room = share * (1 - share / C)
            slopes = 4 * np.pi * room * (1 - 2 * share / C)
            return (
                2 * np.pi * weights * room**2,
                slopes,
                4 * np.pi * weights * room * (share / C) ** 2,
            )
        slacks = solution.alpha / (C * weights)
        active = slacks * LARGEST_EXPONENT > self.smoothing
        slacks = np.where(active, slacks, 1.0)
        exponents = self.smoothing / slacks
        steps = np.where(active, np.exp(-exponents), 0.0)
        return (weights * C * steps, steps * exponents / slacks, weights * steps * (1 - exponents))


class DampedEvidence(Criterion):
    """Log determinant per row and log mean alpha: evidence as in the code of Chapelle (2005).

    ``ln det(K~) / n + ln mean(alpha)``, ``K~_ij = v_i v_j K_ij`` off the diagonal and ``K_ii +
    1/C`` on it; ``v`` rises from 0 at ``alpha = 0`` to 1 where alpha is ``threshold`` times its
    mean, ``v = 1 - min(0, alpha / (threshold mean) - 1)^2``, so nothing jumps where a row begins to
    support. For the squared hinge with bias. A row of weight m is m equal rows. Cost: m^3 for
    m supporting rows.

    References
    ----------
    Pérez-Ortiz et al., multi-scale alignment, "EVID" and "MSEVID".
    """

    reads = SupportVectorSolution

    def __init__(self, threshold: float = 0.1):
        if not threshold > 0:
            raise ValueError(f"threshold must be positive, got {threshold}")
        self.threshold = float(threshold)

    def __call__(self, solution: SupportVectorSolution) -> tuple[float, SupportVectorGradient]:
        gram, weights, y = solution.gram, solution.targets.weights, solution.targets.values
        n, alpha = float(weights.sum()), solution.alpha
        value, gram_gradient, C_gradient = 0.0, np.zeros(gram.shape), 0.0
        coef_gradient = np.zeros(alpha.shape)
        for t in np.flatnonzero(alpha.any(axis=0)):
            mean = alpha[:, t].sum() / n
            relative = alpha[:, t] / weights / mean / self.threshold
            below = np.minimum(0.0, relative - 1)
            damping = 1 - below**2
            floors = (1 - damping**2) * np.diagonal(gram) + 1 / solution.C
            scales = weights * damping**2 / floors
            volume, in_scales = scaled_log_determinant(gram, scales, gram_gradient)
            value += (volume + weights @ np.log(floors)) / n + np.log(mean)
            in_floors = (weights - in_scales * scales) / floors
            in_damping = 2 * damping * (in_scales * weights / floors)
            in_damping -= 2 * damping * np.diagonal(gram) * in_floors
            in_relative = -2 * below * in_damping / n
            np.einsum("ii->i", gram_gradient)[:] += (1 - damping**2) * in_floors
            C_gradient -= float(in_floors.sum()) / n / solution.C**2
            in_alpha = in_relative / (weights * mean * self.threshold)
            in_alpha += (1 - in_relative @ relative) / (mean * n)
            coef_gradient[:, t] = y[:, t] * in_alpha
        return float(value), solution.gradient(
            gram=gram_gradient / n, coef=coef_gradient, C=C_gradient
        )
