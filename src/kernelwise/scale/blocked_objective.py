"""The junction for any number of rows: one pass for the value, a second for the gradient."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.kernels.base import Kernel
from kernelwise.machines.base import Machine
from kernelwise.machines.nystrom import Nystrom
from kernelwise.objective import Objective, diagonal_and_ways
from kernelwise.scale.entries import Entries
from kernelwise.scale.row_blocks import BlockedRows, RowBlocks
from kernelwise.searchers.base import Evaluation
from kernelwise.solutions import (
    NystromGradient,
    NystromSolution,
    RowStatistics,
    StatisticsGradient,
    Targets,
)
from kernelwise.solutions.nystrom_on_rows import leverages


@dataclass(frozen=True)
class BlockedEvaluation:
    """A kernel and a machine on landmarks joined over blocks of rows; no Gram matrix is held."""

    kernel: Kernel
    machine: Nystrom
    rows: BlockedRows
    solution: NystromSolution
    entries: Entries

    def solved_by(self, machine: Nystrom) -> BlockedEvaluation:
        """Another machine on the same landmarks, from the same sums: no pass."""
        own = self.solution.landmark_gram
        solution = machine.from_statistics(self.solution.statistics, own)
        return replace(self, machine=machine, solution=solution)

    def with_least_jitter(self) -> BlockedEvaluation:
        """The last solution: see `Nystrom.with_least_jitter`."""
        statistics, own = self.solution.statistics, self.solution.landmark_gram
        return self.solved_by(self.machine.with_least_jitter(statistics, own))

    def pullback(self, gradient: NystromGradient) -> tuple[np.ndarray, np.ndarray]:
        """Gradients in the kernel's theta and in the machine's values: a second pass."""
        found = self.solution.to_statistics(gradient)
        own = self.kernel.gram_and_ways(self.machine.landmarks).pullback(found.landmark_gram)
        in_theta = own + row_pullback(self.entries, self.machine, self.rows, found)
        return in_theta, np.array([found.regularization])

    def left_out(self) -> np.ndarray:
        """Target minus output of each row when it is left out, (rows, targets): another pass."""

        def of_block(X: np.ndarray, targets: Targets) -> np.ndarray:
            gram = self.entries.gram(X)
            residuals = targets.values - gram @ self.solution.coef - self.solution.intercept
            return residuals / (1 - leverages(self.solution, gram, targets.weights))[:, None]

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

    def given(self, machine: Machine) -> type:
        return cast(Nystrom, machine).gives_from_sums

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
    entries = Entries.of(kernel, machine, own, rows.targets)
    summed = row_statistics(entries, machine, rows, machine.reference(own))
    # What the mean targets of equal rows hide is known of the whole only.
    statistics = replace(summed, squares=summed.squares + rows.targets.within)
    solution = machine.from_statistics(statistics, own)
    return BlockedEvaluation(kernel, machine, rows, solution, entries)


def row_statistics(
    entries: Entries, machine: Nystrom, rows: BlockedRows, reference: np.ndarray
) -> RowStatistics:
    """The sums over rows that a machine needs: one pass."""

    def of_block(X: np.ndarray, targets: Targets) -> RowStatistics:
        diagonal = entries.kernel.diagonal(X)[0] if machine.takes_diagonal else None
        return RowStatistics.of(entries.gram(X), targets, reference, diagonal)

    return rows.reduce(of_block)


def row_pullback(
    entries: Entries, machine: Nystrom, rows: BlockedRows, gradient: StatisticsGradient
) -> np.ndarray:
    """The gradient in theta of a function of sums over rows, without the landmarks' own Gram
    matrix: one pass."""

    def of_block(X: np.ndarray, targets: Targets) -> np.ndarray:
        ways = entries.gram_and_ways(X)
        in_theta = ways.pullback(gradient.in_rows(ways.gram, targets))
        if machine.takes_diagonal:
            own = diagonal_and_ways(entries.kernel, X)
            in_theta += own.pullback(gradient.diagonal * targets.weights)
        return in_theta

    return rows.reduce(of_block)
