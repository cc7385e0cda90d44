"""No machine: criteria that need none judge the Gram matrix itself."""

from __future__ import annotations

import numpy as np

from kernelwise.machines.base import Machine
from kernelwise.solutions import GramSolution, Targets

ROUNDING = 1e-14


class NoMachine(Machine):
    """Gives the Gram matrix, centred in feature space or as it is; it has no parameters.

    Centred: ``K_ij - r_i - r_j + m`` with ``r`` the weighted row means and ``m`` their mean, so a
    constant added to the kernel changes nothing and an almost constant kernel keeps its digits.
    Targets are centred alike. Cost: O(n^2), one Gram-sized array.

    References
    ----------
    Cortes, Mohri & Rostamizadeh (2012), JMLR 13.
    """

    gives = GramSolution

    def __init__(self, centered: bool = True):
        self.centered = self.ignores_constant = bool(centered)

    def solve(self, grams: list[np.ndarray], targets: Targets) -> GramSolution:
        (gram,) = grams
        if not self.centered:
            return GramSolution(gram, targets.values, targets, back=lambda gradient: gradient)
        share = targets.weights / targets.weights.sum()
        means = gram @ share
        centered = gram - (means - share @ means)[:, None]
        centered -= means
        if np.abs(centered).max() <= ROUNDING * np.abs(gram).max():
            centered.fill(0)  # a constant kernel: what is left is rounding

        def back(gradient: np.ndarray) -> np.ndarray:
            """The transpose of centring: ``H' G H`` with ``H = I - 1 share'``."""
            sums = gradient.sum(axis=1)
            found = gradient - np.outer(sums, share)
            found -= np.outer(share, sums - sums.sum() * share)
            return found

        return GramSolution(centered, targets.values - share @ targets.values, targets, back)

    def __repr__(self) -> str:
        return f"NoMachine(centered={self.centered})"
