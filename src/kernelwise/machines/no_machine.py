"""No machine, for criteria that judge the Gram matrix itself."""

from __future__ import annotations

import numpy as np

from kernelwise.linalg import row_blocks
from kernelwise.machines.base import Machine
from kernelwise.solutions import GramSolution, Targets

ROUNDING = 1e-14


def largest(block: np.ndarray) -> float:
    """The largest absolute value, without a temporary array."""
    return max(block.max(), -block.min())


def centered_values(targets: Targets) -> np.ndarray:
    """Target values minus their weighted means; a constant target becomes exactly 0."""
    values, weights = targets.values, targets.weights
    varies = np.ptp(values, axis=0) > ROUNDING * np.abs(values).max(axis=0)
    return (values - weights @ values / weights.sum()) * varies


class NoMachine(Machine):
    """The Gram matrix, centered in feature space or as it is; there are no parameters.

    Centered: ``K_ij - r_i - r_j + m`` with ``r`` the weighted row means and ``m`` their mean, so a
    constant added to the kernel changes nothing and an almost constant kernel keeps its digits.
    Targets are centered too. Cost: O(n^2), one Gram-sized array; the way back works in place.

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
        levels = (means - share @ means)[:, None]
        centered = np.empty(gram.shape)
        sizes = []
        for rows in row_blocks(*gram.shape):
            block = np.subtract(gram[rows], levels[rows], out=centered[rows])
            block -= means
            sizes.append((largest(block), largest(gram[rows])))
        left, before = np.max(sizes, axis=0)
        if left <= ROUNDING * before:
            centered.fill(0)  # a constant kernel: what is left is rounding

        def back(gradient: np.ndarray) -> np.ndarray:
            """The transpose of centering, in place: ``H' G H`` with ``H = I - 1 share'``."""
            sums = gradient.sum(axis=1)
            columns = np.column_stack([sums, share])
            lines = np.vstack([share, sums - sums.sum() * share])
            for rows in row_blocks(*gradient.shape):
                gradient[rows] -= columns[rows] @ lines
            return gradient

        return GramSolution(centered, centered_values(targets), targets, back)

    def __repr__(self) -> str:
        return f"NoMachine(centered={self.centered})"
