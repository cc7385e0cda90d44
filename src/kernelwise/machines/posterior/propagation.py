"""Expectation propagation: the normal distribution whose moments agree with every loss factor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import blas, lapack
from scipy.optimize import brentq

from kernelwise.linalg import NotPositiveDefiniteError, cholesky, mirror_lower
from kernelwise.machines.posterior.acceleration import Anderson
from kernelwise.machines.posterior.marginals import Marginals, SiteMoments
from kernelwise.machines.posterior.nearby import nearby_sites
from kernelwise.machines.posterior.sites import Moments

MAX_SWEEPS = 100
# Sweeps without progress after which rounding, not the iteration, decides; and the mismatch that is
# then still good enough (in standard deviations).
STALLED, ACCEPTABLE = 25, 1e-2
# A mismatch that has not fallen and is above this may mean that a sweep went too far.
ROUGH = 0.1
# Below this, one less the diagonal of an inverse has lost too many digits.
CANCELING = 1e-3
# A precision below this, relative to the prior's, changes nothing, but keeps formulas finite.
LEAST_PRECISION = 1e-20


class NoFixedPointError(np.linalg.LinAlgError):
    """Expectation propagation found no fixed point."""


@dataclass(frozen=True)
class Sweep(Marginals):
    """The normal posterior of one output for given sites, and what each site makes of it.

    ``lower`` has ``B^-1`` (see `sweep`) below its diagonal, which is zero; ``diagonal`` is apart.
    """

    precisions: np.ndarray
    shifts: np.ndarray
    coef: np.ndarray
    lower: np.ndarray
    diagonal: np.ndarray
    log_determinant: float

    @cached_property
    def inverse(self) -> np.ndarray:
        """``B^-1``, full and symmetric; it overwrites ``lower``."""
        full = mirror_lower(self.lower).T
        np.fill_diagonal(full, self.diagonal)
        return full

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

    def gram_gradient(self, slope: float) -> np.ndarray:
        """``slope`` times the evidence's Gram gradient, ``(coef coef' - reduction) / 2``."""
        root = np.sqrt(self.precisions)
        scaled = self.inverse * (-0.5 * slope * root)
        scaled *= root[:, None]
        blas.dger(0.5 * slope, self.coef, self.coef, a=scaled.T, overwrite_a=1)
        return scaled


def left_out_at(
    means: np.ndarray, left_out_variances: np.ndarray, labels: np.ndarray, moments: SiteMoments
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
        self, here: Sweep, moments: SiteMoments
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
    moments: SiteMoments,
    precisions: np.ndarray,
    shifts: np.ndarray,
    room: np.ndarray | None = None,
) -> Sweep:
    """The posterior for given sites. Cost: one Cholesky factorization and its inverse, n^3.

    With ``T`` the precisions and ``B = I + T^1/2 K T^1/2``, the variances are ``(B^-1 T^1/2 K
    T^1/2)_ii / T_i``, a sum without cancellation however small ``T_i`` is.
    """
    root = np.sqrt(precisions)
    matrix = np.multiply(gram, root, out=room)
    matrix *= root[:, None]
    np.einsum("ii->i", matrix)[:] += 1
    factor, _ = cholesky(matrix.T)
    log_determinant = 2 * float(np.log(np.diagonal(factor)).sum())
    lower = lapack.dpotri(factor, lower=1, overwrite_c=1)[0]
    left = np.diagonal(lower).copy()
    np.fill_diagonal(lower, 0.0)
    variances = posterior_variances(gram, root, lower, left)
    pulled = root * (gram @ shifts)
    coef = shifts - root * (blas.dsymv(1.0, lower, pulled, lower=1) + left * pulled)
    means = gram @ coef
    left_out_means = (means - variances * shifts) / left
    left_out_variances = variances / left
    return Sweep(
        labels=labels,
        means=means,
        variances=variances,
        left_out_means=left_out_means,
        left_out_variances=left_out_variances,
        moments=moments(labels * left_out_means, left_out_variances),
        precisions=precisions,
        shifts=shifts,
        coef=coef,
        lower=lower,
        diagonal=left,
        log_determinant=log_determinant,
    )


def posterior_variances(
    gram: np.ndarray, root: np.ndarray, lower: np.ndarray, left: np.ndarray
) -> np.ndarray:
    """``(1 - (B^-1)_ii) / T_i``, or the sum that this equals where the difference cancels.

    Parameters
    ----------
    gram, root : the prior covariance and ``T^1/2``
    lower, left : ``B^-1`` below its diagonal, and its diagonal
    """
    less = 1 - left
    weak = np.flatnonzero(less < CANCELING)
    if len(weak):
        before = np.arange(len(root)) < weak[:, None]
        inverse = np.where(before, lower[weak], lower[:, weak].T)
        inverse[np.arange(len(weak)), weak] = left[weak]
        less[weak] = root[weak] * np.einsum("ij,ij->i", inverse, gram[weak] * root)
    return less / root**2


class Steps:
    """The sites to try after each sweep.

    Those that a model near the sweep takes for the fixed point (`nearby_sites`), until a sweep
    shows that it was wrong; then those of the sweep, extrapolated (`Anderson`). Back on the way
    (`Stay`) if the last sweep went too far.

    Parameters
    ----------
    prior, moments : the prior variances, and the moments of all sites
    tolerance : the mismatch that is wanted in the end
    predicting : whether models near a sweep are used at all
    """

    def __init__(
        self, prior: np.ndarray, moments: SiteMoments, tolerance: float, predicting: bool = True
    ):
        self.moments, self.tolerance, self.least = moments, tolerance, LEAST_PRECISION / prior
        self.faster, self.rough = Anderson(), 1.0
        self.stay = Stay(np.zeros(len(prior)), np.zeros(len(prior)), prior)
        # The model is used where the mismatch is below what it promised.
        self.promised = np.inf if predicting else 0.0
        self.squares = np.empty((len(prior), len(prior)), order="F")

    def after(self, here: Sweep) -> np.ndarray:
        """Precisions and shifts, one vector."""
        if here.mismatch > self.rough:
            shorter = self.stay.toward(here, self.moments)
            if shorter is not None:
                (self.stay, sites), self.faster = shorter, Anderson()
                return np.concatenate(sites)
        self.stay = Stay(here.means, here.coef, here.left_out_variances)
        self.rough = max(ROUGH, here.mismatch)
        if here.mismatch < self.promised:
            found = nearby_sites(here, self.moments, self.tolerance, self.least, self.squares)
            if found is not None:
                self.faster, self.promised = Anderson(), 0.5 * here.mismatch
                return found
        else:
            self.promised = 0.0
        point = np.concatenate([here.precisions, here.shifts])
        scale = np.concatenate([here.variances, np.sqrt(here.variances)])
        return self.faster(point, np.concatenate(here.new_sites), scale, here.mismatch)


def approach(
    gram: np.ndarray, labels: np.ndarray, start: tuple[np.ndarray, np.ndarray], steps: Steps
) -> tuple[Sweep, int]:
    """The sweep with the smallest mismatch, and the number of sweeps."""
    precisions, shifts = start
    best: Sweep | None = None
    count, since, room = 0, 0, None
    while count < MAX_SWEEPS and since < STALLED:
        sites = np.maximum(precisions, steps.least), shifts
        here = sweep(gram, labels, steps.moments, *sites, room)
        count, since = count + 1, since + 1
        worse: Sweep | None = here
        if best is None or here.mismatch < best.mismatch:
            since = 0 if best is None or here.mismatch < 0.5 * best.mismatch else since
            best, worse = here, best
        if here.mismatch < steps.tolerance:
            break
        following = steps.after(here)
        if not np.isfinite(following).all():
            break
        precisions, shifts = np.split(following, 2)
        # New memory costs more than what is written to it.
        room = None if worse is None else worse.lower.T
    assert best is not None
    return best, count


def propagate(
    gram: np.ndarray,
    labels: np.ndarray,
    moments: SiteMoments,
    tolerance: float,
    start: tuple[np.ndarray, np.ndarray] | None = None,
) -> tuple[Sweep, int]:
    """A fixed point of the sites, and the number of sweeps.

    All sites move at once (`Steps`). Where rounding keeps the mismatch above the tolerance, the
    best sweep counts if it is acceptable; otherwise a `NoFixedPointError` is raised.

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
    if start is None:
        alone = moments(np.zeros(len(prior)), prior)
        room = 1 - prior * alone.curvature
        start = alone.curvature / room, labels * alone.slope / room
    best, count = approach(gram, labels, start, Steps(prior, moments, tolerance))
    if not best.mismatch <= ACCEPTABLE:
        # Where all is decided by rounding, slow steps sometimes come closer.
        steps = Steps(prior, moments, tolerance, predicting=False)
        best, further = approach(gram, labels, start, steps)
        count += further
    if not best.mismatch <= ACCEPTABLE:
        raise NoFixedPointError(
            f"expectation propagation found no fixed point in {count} sweeps (the moments still "
            f"differ by {best.mismatch:.2g} standard deviations): the kernel matrix may be nearly "
            "singular, or C very large"
        )
    return best, count
