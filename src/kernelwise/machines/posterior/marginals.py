"""Each row's output by itself: its posterior, and what its own site makes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelwise.machines.posterior.sites import Moments

SiteMoments = Callable[[np.ndarray, np.ndarray], Moments]


@dataclass(frozen=True)
class Marginals:
    """Posterior moments of each row's output, and those without its own site (``left_out``).

    A site is ``exp(-precision f^2 / 2 + shift f)``; ``moments`` are those of the loss factors that
    the sites stand for.
    """

    labels: np.ndarray
    means: np.ndarray
    variances: np.ndarray
    left_out_means: np.ndarray
    left_out_variances: np.ndarray
    moments: Moments

    @property
    def new_sites(self) -> tuple[np.ndarray, np.ndarray]:
        """Precisions and shifts with which each row's moments would be exact."""
        curvature, slope = self.moments.curvature, self.labels * self.moments.slope
        room = 1 - self.left_out_variances * curvature
        return curvature / room, (slope + self.left_out_means * curvature) / room

    @cached_property
    def mismatch(self) -> float:
        """The largest difference of a row's moments, in standard deviations and variances."""
        v, slope = self.left_out_variances, self.labels * self.moments.slope
        means = self.left_out_means + v * slope - self.means
        ratios = v * (1 - v * self.moments.curvature) / self.variances - 1
        found = max(np.abs(means / np.sqrt(self.variances)).max(), np.abs(ratios).max())
        return float(found) if np.isfinite(found) else np.inf
