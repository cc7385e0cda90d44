"""A second look at the columns that alignment kept or switched off, by leave-one-out."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria import LeaveOneOut
from kernelwise.kernels import Kernel
from kernelwise.machines import LeastSquares
from kernelwise.objective import evaluated
from kernelwise.selections.base import Problem

# Regularizations that a kernel is tried with, and the weights that a column comes back with, in
# units of the median weight of the columns kept.
RIDGES, WEIGHTS = np.logspace(-3, 1, 5), (0.1, 1.0)
# A column comes back if the loss falls by more than this share, and goes if it rises by less.
WORTHWHILE = 0.01


class SecondLook:
    """Leave-one-out loss of a least-squares machine as a judge of columns.

    Alignment compares rows by what single columns do to the kernel, and overlooks an effect without
    a trend, such as that of a parabola. A machine does not: a column that was switched off comes
    back if the loss falls, and one that was kept goes if it does not rise. One change at a time,
    the best first. Cost: ten factorizations for each column and change.
    """

    def __init__(self, problem: Problem):
        self.problem = problem

    def loss(self, kernel: Kernel) -> float:
        """The least leave-one-out loss over some regularizations."""
        X, targets = self.problem.X, self.problem.targets
        ways = None
        losses = []
        for ridge in RIDGES:
            found = evaluated(kernel, LeastSquares(float(ridge)), X, targets, ways)
            ways = found.ways
            losses.append(LeaveOneOut()(found.solution)[0])
            self.problem.on_evaluation()
        return min(losses)

    def __call__(self, kernel: Kernel) -> Kernel:
        """The kernel with the columns that leave-one-out asks for."""
        if not kernel.has_column_weights:
            return kernel
        best = self.loss(kernel)
        for _ in range(2 * self.problem.X.shape[1]):
            changes = [(self.loss(other), other) for other in self._changes(kernel)]
            fallen = [pair for pair in changes if self._pays(kernel, *pair, best)]
            if not fallen:
                break
            best, kernel = min(fallen, key=lambda pair: pair[0])
        return kernel

    def _changes(self, kernel: Kernel) -> list[Kernel]:
        """The kernel with one column more or less."""
        columns, values = self.problem.X.shape[1], kernel.values
        kept = values[:columns] > 0
        typical = np.median(values[:columns][kept]) if kept.any() else 1.0
        found = []
        for r in np.flatnonzero(np.ptp(self.problem.X, axis=0) > 0):
            tried = (0.0,) if kept[r] else tuple(typical * weight for weight in WEIGHTS)
            for value in tried if kept.sum() > 1 or not kept[r] else ():
                changed = values.copy()
                changed[r] = value
                found.append(kernel.with_values(changed))
        return found

    @staticmethod
    def _pays(kernel: Kernel, loss: float, other: Kernel, best: float) -> bool:
        comes_back = (other.values > 0).sum() > (kernel.values > 0).sum()
        return loss < best * (1 - WORTHWHILE if comes_back else 1)
