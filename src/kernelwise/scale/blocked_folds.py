"""K-fold cross-validation of a machine on landmarks over blocks of rows, in two passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.kernels.base import Kernel
from kernelwise.machines.base import Machine
from kernelwise.machines.folded import Folded
from kernelwise.machines.nystrom import Nystrom
from kernelwise.objective import Objective
from kernelwise.scale.block_sums import tree_sum
from kernelwise.scale.blocked_objective import row_pullback, row_statistics
from kernelwise.scale.entries import Entries
from kernelwise.scale.row_blocks import RowBlocks
from kernelwise.searchers.base import Evaluation
from kernelwise.solutions import NystromFolds, NystromFoldsGradient


@dataclass(frozen=True)
class FoldedEvaluation:
    """A kernel and a machine without each fold in turn; ``rows`` are those of each fold."""

    kernel: Kernel
    machine: Machine
    rows: list[RowBlocks]
    solution: NystromFolds
    entries: Entries

    def pullback(self, gradient: NystromFoldsGradient) -> tuple[np.ndarray, np.ndarray]:
        """Gradients in the kernel's theta and in the machine's values: a second pass."""
        machine = _inner(self.machine)
        total, folds = self.solution.to_statistics(gradient)
        in_theta = self.kernel.gram_and_ways(machine.landmarks).pullback(total.landmark_gram)
        for rows, own in zip(self.rows, folds, strict=True):
            in_theta = in_theta + row_pullback(self.entries, machine, rows, own)
        return in_theta, np.array([total.regularization])


class BlockedFolds(Objective):
    """An `Objective` for folds of a machine on landmarks and rows of any number, in two passes.

    The sums over each fold are all that its fit (from those of the others) and its judgment need,
    so a value costs one pass and a solution per fold, however many folds there are. Memory: some
    landmarks^2 per fold.

    Parameters
    ----------
    kernel, criterion : as in `Objective`; the criterion reads the squared error of held-out rows
    machine : a `Folded` with a `Nystrom`
    rows : the rows and targets
    """

    def __init__(
        self, kernel: Kernel, machine: Folded, criterion: Criterion, rows: RowBlocks
    ) -> None:
        super().__init__(kernel, machine, criterion, rows.X, rows.targets)
        self.rows = [
            RowBlocks(rows.X[S], rows.targets.take(S), rows.n_threads) for S in machine.folds
        ]
        self.n_passes = 0

    def given(self, machine: Machine) -> type:
        return NystromFolds

    def solve(self, point: np.ndarray) -> FoldedEvaluation:
        kernel, machine = self.at(point)
        inner = _inner(machine)
        own = kernel(inner.landmarks)
        reference = inner.reference(own)
        entries = Entries.of(kernel, inner, own, self.targets)
        parts = [row_statistics(entries, inner, rows, reference) for rows in self.rows]
        total = tree_sum(parts)
        solution = NystromFolds(
            [inner.from_statistics(total - part, own) for part in parts],
            parts,
            float(self.targets.within.sum()),
        )
        self.count(solution.n_factorizations)
        self.n_passes += 1
        return FoldedEvaluation(kernel, machine, self.rows, solution, entries)

    def judged(self, found: FoldedEvaluation) -> Evaluation:
        self.n_passes += "gradient" in self.criterion.gives
        return super().judged(found)


def _inner(machine: Machine) -> Nystrom:
    return cast(Nystrom, cast(Folded, machine).machine)
