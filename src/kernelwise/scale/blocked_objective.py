"""The junction for any number of rows: one pass for the value, a second for the gradient."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.kernels.base import Kernel
from kernelwise.machines.nystrom import Nystrom
from kernelwise.objective import Objective
from kernelwise.scale.entries import Entries
from kernelwise.scale.row_blocks import BlockedRows, RowBlocks
from kernelwise.searchers.base import Evaluation
from kernelwise.solutions import NystromGradient, NystromSolution, RowStatistics, Targets


@dataclass(frozen=True)
class BlockedEvaluation:
    """A kernel and a machine on landmarks joined over blocks of rows; no Gram matrix is held."""

    kernel: Kernel
    machine: Nystrom
    rows: BlockedRows
    solution: NystromSolution
    entries: Entries

    def pullback(self, gradient: NystromGradient) -> tuple[np.ndarray, np.ndarray]:
        """Gradients in the kernel's theta and in the machine's values: a second pass."""
        solution = self.solution
        found = solution.to_statistics(gradient)

        def of_block(X: np.ndarray, targets: Targets) -> np.ndarray:
            ways = self.entries.gram_and_ways(X)
            return ways.pullback(found.in_rows(ways.gram, targets, solution.statistics))

        own = self.kernel.gram_and_ways(self.machine.landmarks)
        in_theta = self.rows.reduce(of_block) + own.pullback(found.landmark_gram)
        return in_theta, np.array([found.regularization])

    def left_out(self) -> np.ndarray:
        """Target minus output of each row when it is left out, (rows, targets): another pass."""

        def of_block(X: np.ndarray, targets: Targets) -> np.ndarray:
            gram = self.entries.gram(X)
            residuals = targets.values - gram @ self.solution.coef - self.solution.intercept
            return residuals / (1 - self.solution.leverages(gram, targets.weights))[:, None]

        return self.rows.collect(of_block)

    def outputs(self, X: np.ndarray) -> np.ndarray:
        """What the machine says of some rows, (rows, targets)."""
        gram = self.kernel(X, self.machine.landmarks)
        return gram @ self.solution.coef + self.solution.intercept


class BlockedObjective(Objective):
    """An `Objective` for a machine on landmarks and rows of any number, in two passes.

    Memory: a block of rows times the landmarks, and some landmarks^2, per thread. ``n_passes``
    counts the passes over the rows.

    Parameters
    ----------
    kernel, machine, criterion : as in `Objective`; the machine is a `Nystrom`
    rows : the rows and targets
    learn_machine : False keeps the machine as given
    """

    def __init__(
        self,
        kernel: Kernel,
        machine: Nystrom,
        criterion: Criterion,
        rows: RowBlocks,
        learn_machine: bool = True,
    ) -> None:
        super().__init__(kernel, machine, criterion, rows.X, rows.targets, learn_machine)
        self.rows, self.n_passes = rows, 0

    def solve(self, point: np.ndarray) -> BlockedEvaluation:
        kernel, machine = self.at(point)
        found = blocked_evaluation(kernel, cast(Nystrom, machine), self.rows)
        self.count(found.solution.n_factorizations)
        self.n_passes += 1
        return found

    def judged(self, found: BlockedEvaluation) -> Evaluation:
        self.n_passes += "gradient" in self.criterion.gives
        return super().judged(found)


def blocked_evaluation(kernel: Kernel, machine: Nystrom, rows: BlockedRows) -> BlockedEvaluation:
    """Join a kernel and a machine by one pass over the rows."""
    own = kernel(machine.landmarks)
    entries = Entries.of(kernel, machine.landmarks, own, rows.n_rows)
    reference = machine.reference(own)

    def of_block(X: np.ndarray, targets: Targets) -> RowStatistics:
        return RowStatistics.of(entries.gram(X), targets, reference)

    summed = rows.reduce(of_block)
    # What the mean targets of equal rows hide is known of the whole only.
    statistics = replace(summed, squares=summed.squares + rows.targets.within)
    solution = machine.from_statistics(statistics, own)
    return BlockedEvaluation(kernel, machine, rows, solution, entries)
