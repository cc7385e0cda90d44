"""K-fold cross-validation as a machine: its solution is the held-out residuals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernelwise.machines.base import Machine
from kernelwise.parameters import Parameter
from kernelwise.solutions import HeldOutSolution, Targets


class Folded(Machine):
    """A machine fitted without each fold in turn.

    ``folds`` are the row indices held out, fixed for a whole search. The machine decides how
    (`Machine.held_out`): least squares has a closed form, others are refitted.
    """

    gives = HeldOutSolution

    def __init__(self, machine: Machine, folds: Sequence[np.ndarray]):
        self.machine, self.folds = machine, [np.asarray(fold) for fold in folds]
        self.ignores_constant = machine.ignores_constant
        self.takes_diagonal = machine.takes_diagonal

    @property
    def parameters(self) -> list[Parameter]:
        return self.machine.parameters

    def with_values(self, values: np.ndarray) -> Folded:
        return self._around(self.machine.with_values(values))

    def fresh(self) -> Folded:
        return self._around(self.machine.fresh())

    def blocks(self, X: np.ndarray) -> list[tuple[np.ndarray, np.ndarray | None]]:
        return self.machine.blocks(X)

    def _around(self, machine: Machine) -> Folded:
        other = Folded(machine, self.folds)
        other.coordinates = self.coordinates
        return other

    def solve(self, grams: list[np.ndarray], targets: Targets) -> HeldOutSolution:
        return self.machine.held_out(grams, targets, self.folds)
