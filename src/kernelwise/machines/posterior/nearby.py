"""Sites better than those of a sweep, without another factorization."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import blas

from kernelwise.machines.posterior.acceleration import Anderson
from kernelwise.machines.posterior.marginals import Marginals, SiteMoments

if TYPE_CHECKING:
    from kernelwise.machines.posterior.propagation import Sweep

MOST_STEPS = 6
# A model of first order is wrong by about the square of the mismatch: steps within it that make
# less than this share of the square, or of the tolerance, are of no use.
SQUARE_SHARE, TOLERANCE_SHARE = 0.1, 0.2


class Nearby:
    """The posterior for sites near those of a sweep, whose posterior covariance is ``S``.

    For changes ``t`` of the precisions and ``s`` of the shifts, the variances are ``variances - (S
    * S) t``, of first order; the means follow ``m = means + S (s - t m)``, and are exact where this
    comes to rest. Off its diagonal, ``S = -T^-1/2 B^-1 T^-1/2`` has the inverse that is part of
    every sweep. Cost: O(n^2).
    """

    def __init__(self, here: Sweep, squares: np.ndarray):
        self.here, self.means = here, here.means
        self.root = np.sqrt(here.precisions)
        self.squares = np.multiply(here.lower, here.lower, out=squares)

    def at(
        self, precisions: np.ndarray, shifts: np.ndarray, moments: SiteMoments
    ) -> Marginals | None:
        """The marginals for other sites; None if these are too far away."""
        here, change = self.here, precisions - self.here.precisions
        across = blas.dsymv(1.0, self.squares, change / here.precisions, lower=1)
        variances = here.variances * (1 - here.variances * change) - across / here.precisions
        left = 1 - precisions * variances
        if not ((variances > 0).all() and (left > 0).all()):
            return None
        for _ in range(2):
            push = shifts - here.shifts - change * self.means
            across = blas.dsymv(1.0, here.lower, push / self.root, lower=1) / self.root
            self.means = here.means + here.variances * push - across
        m, v = (self.means - variances * shifts) / left, variances / left
        return Marginals(here.labels, self.means, variances, m, v, moments(here.labels * m, v))


def nearby_sites(
    here: Sweep, moments: SiteMoments, tolerance: float, least: np.ndarray, squares: np.ndarray
) -> np.ndarray | None:
    """Precisions and shifts (one vector) that the model near a sweep takes for the fixed point.

    None where the model ends, or does not make the mismatch smaller.

    Parameters
    ----------
    here, moments : the sweep, and the moments of all sites
    tolerance : the mismatch that is wanted in the end
    least : the smallest precision of each row
    squares : memory to work in
    """
    model, faster, first = Nearby(here, squares), Anderson(), here.mismatch
    enough = max(SQUARE_SHARE * first**2, TOLERANCE_SHARE * tolerance)
    scale = np.concatenate([here.variances, np.sqrt(here.variances)])
    point = np.concatenate([here.precisions, here.shifts])
    reached: Marginals = here
    n = len(least)
    for _ in range(MOST_STEPS):
        point = faster(point, np.concatenate(reached.new_sites), scale, reached.mismatch)
        found = model.at(np.maximum(point[:n], least), point[n:], moments)
        if found is None or not found.mismatch < 2 * first:
            return None
        reached = found
        if reached.mismatch < enough:
            break
    return np.concatenate(reached.new_sites) if reached.mismatch < first else None
