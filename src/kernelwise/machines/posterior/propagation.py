"""Expectation propagation: the normal distribution whose moments agree with every loss factor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas, lapack
from scipy.optimize import brentq

from kernelwise.linalg import NotPositiveDefiniteError, cholesky, mirror_lower
from kernelwise.machines.posterior.acceleration import Anderson
from kernelwise.machines.posterior.sites import Moments

MAX_SWEEPS = 100
# Sweeps without progress after which rounding, not the iteration, decides; and the mismatch that is
# then still good enough (in standard deviations).
STALLED, ACCEPTABLE = 25, 1e-2
# A mismatch that has not fallen and is above this may mean that a sweep went too far.
ROUGH = 0.1
# A precision below this, relative to the prior's, changes nothing, but keeps formulas finite.
LEAST_PRECISION = 1e-20


class NoFixedPointError(np.linalg.LinAlgError):
    """Expectation propagation found no fixed point."""


@dataclass(frozen=True)
class Sweep:
    """The normal posterior of one output for given sites, and what each site makes of it.

    A site is ``exp(-precision f^2 / 2 + shift f)``. ``left_out`` are the moments of each row's
    output without its own site.
    """

    precisions: np.ndarray
    shifts: np.ndarray
    coef: np.ndarray
    means: np.ndarray
    variances: np.ndarray
    left_out_means: np.ndarray
    left_out_variances: np.ndarray
    moments: Moments
    inverse: np.ndarray
    log_determinant: float
    labels: np.ndarray

    @property
    def new_sites(self) -> tuple[np.ndarray, np.ndarray]:
        """Precisions and shifts with which each row's moments would be exact."""
        curvature, slope = self.moments.curvature, self.labels * self.moments.slope
        room = 1 - self.left_out_variances * curvature
        return curvature / room, (slope + self.left_out_means * curvature) / room

    @property
    def mismatch(self) -> float:
        """The largest difference of a row's moments, in standard deviations and variances."""
        v, slope = self.left_out_variances, self.labels * self.moments.slope
        means = self.left_out_means + v * slope - self.means
        ratios = v * (1 - v * self.moments.curvature) / self.variances - 1
        found = max(np.abs(means / np.sqrt(self.variances)).max(), np.abs(ratios).max())
        return float(found) if np.isfinite(found) else np.inf

    @property
    def evidence(self) -> float:
        """The log of the integral of prior and sites, each site scaled to its exact zeroth moment.

        Stationary in the sites at a fixed point (Rasmussen & Williams 2006, section 3.6).
        """
        tau, nu, m, v = self.precisions, self.shifts, self.left_out_means, self.left_out_variances
        growth = 1 + tau * v
        sites = self.moments.log_z + 0.5 * np.log(growth)
        sites -= (nu * (nu * v + 2 * m) - tau * m * m) / (2 * growth)
        return float(sites.sum() + 0.5 * (nu @ self.means - self.log_determinant))

    @property
    def reduction(self) -> np.ndarray:
        """``T^1/2 B^-1 T^1/2``: what the sites take off the prior covariance between Gram rows."""
        root = np.sqrt(self.precisions)
        return self.inverse * root * root[:, None]

    def add_gram_gradient(self, total: np.ndarray, slope: float) -> None:
        """Add ``slope`` times the evidence's Gram gradient, ``(coef coef' - reduction) / 2``."""
        root = np.sqrt(self.precisions)
        scaled = self.inverse * (-0.5 * slope * root)
        scaled *= root[:, None]
        blas.dger(0.5 * slope, self.coef, self.coef, a=scaled.T, overwrite_a=1)
        total += scaled


def left_out_at(
    means: np.ndarray,
    left_out_variances: np.ndarray,
    labels: np.ndarray,
    moments: Callable[[np.ndarray, np.ndarray], Moments],
) -> Moments:
    """The moments of sites that, once seen, give these posterior means.

    It solves ``m + v slope(m) = mean`` for the margins of all rows at once, by Newton's method
    within a bracket: the left side rises in m, and the slope is never negative.
    """
    v, wanted = left_out_variances, labels * means
    high = wanted.copy()
    width = np.sqrt(v)
    low = high - width
    for _ in range(60):
        found = moments(low, v)
        outside = low + v * found.slope > wanted
        if not outside.any():
            break
        width = 2 * width
        low = np.where(outside, high - width, low)
    m = 0.5 * (low + high)
    for _ in range(60):
        found = moments(m, v)
        rest = m + v * found.slope - wanted
        if (np.abs(rest) <= 1e-13 * (np.abs(wanted) + np.sqrt(v))).all():
            break
        high, low = np.where(rest > 0, m, high), np.where(rest > 0, low, m)
        step = m - rest / np.maximum(1 - v * found.curvature, 1e-12)
        m = np.where((step > low) & (step < high), step, 0.5 * (low + high))
    return found


@dataclass(frozen=True)
class Stay:
    """Means that were accepted, with ``means = gram @ coef``, and the left-out variances there."""

    means: np.ndarray
    coef: np.ndarray
    left_out_variances: np.ndarray

    def toward(
        self, here: Sweep, moments: Callable[[np.ndarray, np.ndarray], Moments]
    ) -> tuple[Stay, tuple[np.ndarray, np.ndarray]] | None:
        """The best place on the way to a sweep's means, with its sites; None if that is the end.

        With left-out variances fixed, a sweep is a Newton step of a convex function of the means,
        ``1/2 means' gram^-1 means + sum psi(means)``, whose derivative along the way is
        ``step' (coef - slope)``. Where it has turned positive, the step has passed the minimum.
        """
        labels, v = here.labels, self.left_out_variances
        step, coef_step = here.means - self.means, here.coef - self.coef

        def rise(t: float) -> float:
            slope = left_out_at(self.means + t * step, v, labels, moments).slope
            return float(step @ (self.coef + t * coef_step - labels * slope))

        start, end = rise(0.0), rise(1.0)
        if not (start < 0 < end) or end < 0.5 * abs(start):
            return None
        t = brentq(rise, 0.0, 1.0, xtol=1e-12)
        means = self.means + t * step
        found = left_out_at(means, v, labels, moments)
        precisions = found.curvature / (1 - v * found.curvature)
        stay = Stay(means, self.coef + t * coef_step, v)
        return stay, (precisions, precisions * means + labels * found.slope)


def sweep(
    gram: np.ndarray,
    labels: np.ndarray,
    moments: Callable[[np.ndarray, np.ndarray], Moments],
    precisions: np.ndarray,
    shifts: np.ndarray,
) -> Sweep:
    """The posterior for given sites. Cost: one Cholesky factorization and its inverse, n^3.

    With ``T`` the precisions and ``B = I + T^1/2 K T^1/2``, the variances are ``(B^-1 T^1/2 K
    T^1/2)_ii / T_i``, a sum without cancellation however small ``T_i`` is.
    """
    root = np.sqrt(precisions)
    scaled = gram * root
    scaled *= root[:, None]
    matrix = scaled.copy()
    np.einsum("ii->i", matrix)[:] += 1
    factor, _ = cholesky(matrix.T)
    log_determinant = 2 * float(np.log(np.diagonal(factor)).sum())
    inverse = mirror_lower(lapack.dpotri(factor, lower=1, overwrite_c=1)[0]).T
    left = np.diagonal(inverse)
    variances = np.einsum("ij,ij->i", inverse, scaled) / precisions
    coef = shifts - root * (inverse @ (root * (gram @ shifts)))
    means = gram @ coef
    left_out_means = (means - variances * shifts) / left
    left_out_variances = variances / left
    found = moments(labels * left_out_means, left_out_variances)
    return Sweep(
        precisions,
        shifts,
        coef,
        means,
        variances,
        left_out_means,
        left_out_variances,
        found,
        inverse,
        log_determinant,
        labels,
    )


def propagate(
    gram: np.ndarray,
    labels: np.ndarray,
    moments: Callable[[np.ndarray, np.ndarray], Moments],
    tolerance: float,
    start: tuple[np.ndarray, np.ndarray] | None = None,
) -> tuple[Sweep, int]:
    """A fixed point of the sites, and the number of sweeps.

    All sites move at once, extrapolated (`Anderson`). Where rounding keeps the mismatch above the
    tolerance, the best sweep counts if it is acceptable; otherwise a `NoFixedPointError` is raised.

    Parameters
    ----------
    gram, labels : the prior covariance, and -1 or +1 for each row
    moments : of all sites, given means and variances of the margins
    tolerance : the mismatch at which to stop, in standard deviations
    start : precisions and shifts to begin with; None: those of rows that know nothing of each other
    """
    prior = np.diagonal(gram).copy()
    if prior.min() <= 0:
        raise NotPositiveDefiniteError(
            "a row has no prior variance: the kernel of a row with itself must be positive"
        )
    least = LEAST_PRECISION / prior
    if start is None:
        alone = moments(np.zeros(len(prior)), prior)
        room = 1 - prior * alone.curvature
        start = alone.curvature / room, labels * alone.slope / room
    precisions, shifts = start
    faster, best, best_mismatch, since = Anderson(), None, np.inf, 0
    stay, rough = Stay(np.zeros(len(prior)), np.zeros(len(prior)), prior), 1.0
    count = 0
    while count < MAX_SWEEPS and since < STALLED:
        here = sweep(gram, labels, moments, np.maximum(precisions, least), shifts)
        count, since, mismatch = count + 1, since + 1, here.mismatch
        if mismatch < best_mismatch:
            since = 0 if mismatch < 0.5 * best_mismatch else since
            best, best_mismatch = here, mismatch
        if mismatch < tolerance:
            break
        if mismatch > rough and (shorter := stay.toward(here, moments)) is not None:
            (stay, (precisions, shifts)), faster = shorter, Anderson()
            continue
        stay = Stay(here.means, here.coef, here.left_out_variances)
        rough = max(ROUGH, mismatch)
        point = np.concatenate([here.precisions, here.shifts])
        scale = np.concatenate([here.variances, np.sqrt(here.variances)])
        following = faster(point, np.concatenate(here.new_sites), scale, mismatch)
        if not np.isfinite(following).all():
            break
        precisions, shifts = np.split(following, 2)
    if best is None or best_mismatch > ACCEPTABLE:
        raise NoFixedPointError(
            f"expectation propagation found no fixed point in {count} sweeps (the moments still "
            f"differ by {best_mismatch:.2g} standard deviations): the kernel matrix may be nearly "
            "singular, or C very large"
        )
    return best, count
