"""The one junction: kernel, machine and criterion chained forward, gradients chained backward."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.kernels.base import GramAndWays, Kernel
from kernelwise.machines.base import Machine
from kernelwise.parameters import Parameter
from kernelwise.searchers.base import Evaluation
from kernelwise.solutions import Targets


@dataclass(frozen=True)
class Evaluated:
    """A kernel and a machine joined on some rows: Gram blocks with their ways, and the solution."""

    kernel: Kernel
    machine: Machine
    targets: Targets
    ways: list[GramAndWays]
    solution: Any

    @property
    def grams(self) -> list[np.ndarray]:
        return [way.gram for way in self.ways]

    def held_out(self, folds: list[np.ndarray] | None) -> Any:
        """The record of rows held out, fold by fold (None: one by one, see `Machine.held_out`)."""
        return self.machine.held_out(self.grams, self.targets, folds, self.solution)

    def output_tangents(self) -> list[np.ndarray]:
        """The derivative of each output in theta, (rows, parameters), coefficients fixed.

        For a machine whose outputs are those of its first block.
        """
        return [self.ways[0].output_tangent(coef) for coef in self.solution.coef.T]

    def pullback(self, solution_gradient: Any) -> tuple[np.ndarray, np.ndarray]:
        """Gradients in the kernel's theta and in the machine's values."""
        gram_gradients, machine_gradient = self.solution.pullback(solution_gradient)
        parts = [
            way.pullback(gradient) for way, gradient in zip(self.ways, gram_gradients, strict=True)
        ]
        return sum(parts[1:], parts[0]), machine_gradient


def gram_blocks(kernel: Kernel, machine: Machine, X: np.ndarray) -> list[GramAndWays]:
    """The Gram matrices that a machine takes, each with its ways back and forward."""
    return [
        kernel.gram_and_ways(A, B, up_to_constant=machine.ignores_constant)
        for A, B in machine.blocks(X)
    ]


def evaluated(
    kernel: Kernel,
    machine: Machine,
    X: np.ndarray,
    targets: Targets,
    ways: list[GramAndWays] | None = None,
) -> Evaluated:
    """Join a kernel and a machine: the only place where one meets the other.

    ``ways`` are the `gram_blocks` of this kernel where they are known.
    """
    ways = gram_blocks(kernel, machine, X) if ways is None else ways
    solution = machine.solve([way.gram for way in ways], targets)
    return Evaluated(kernel, machine, targets, ways, solution)


class Objective:
    """``point -> criterion(machine(kernel(X))) + penalty of the parameters``, with its gradient.

    A point is the kernel's theta followed by the machine's; with ``learn_machine=False`` the
    machine stays as given. ``n_factorizations`` counts its work.
    """

    def __init__(
        self,
        kernel: Kernel,
        machine: Machine,
        criterion: Criterion,
        X: np.ndarray,
        targets: Targets,
        learn_machine: bool = True,
    ):
        if not issubclass(machine.gives, criterion.reads):
            raise TypeError(
                f"{type(criterion).__name__} reads a {criterion.reads.__name__}; "
                f"{type(machine).__name__} gives a {machine.gives.__name__}."
            )
        self.kernel, self.machine, self.criterion = kernel, machine.fresh(), criterion
        self.X, self.targets, self.learn_machine = X, targets, learn_machine
        self._factorizations: list[int] = []  # appended to, so that threads can share it

    def fresh(self) -> Objective:
        """The same objective for a search beside this one: its machine shares no memory, its
        counter is the same.
        """
        other = copy.copy(self)
        other.machine = self.machine.fresh()
        return other

    @property
    def n_factorizations(self) -> int:
        return sum(self._factorizations)

    def count(self, factorizations: int) -> None:
        """Add work that was done elsewhere on the way here."""
        self._factorizations.append(factorizations)

    @property
    def point(self) -> np.ndarray:
        """The point of the kernel and machine as given."""
        machine = self.machine.theta if self.learn_machine else np.empty(0)
        return np.concatenate([self.kernel.theta, machine])

    @property
    def limits(self) -> np.ndarray:
        machine = self.machine.limits if self.learn_machine else np.empty((0, 2))
        return np.vstack([self.kernel.limits.reshape(-1, 2), machine])

    @property
    def parameters(self) -> list[Parameter]:
        """What each coordinate of a point is."""
        machine = self.machine.parameters if self.learn_machine else []
        return [*self.kernel.parameters, *machine]

    def at(self, point: np.ndarray) -> tuple[Kernel, Machine]:
        """The kernel and machine at a point."""
        size = len(self.kernel.theta)
        machine = self.machine.with_theta(point[size:]) if self.learn_machine else self.machine
        return self.kernel.with_theta(point[:size]), machine

    def solve(self, point: np.ndarray) -> Evaluated:
        """Kernel and machine at a point, solved, and their work counted."""
        found = evaluated(*self.at(point), self.X, self.targets)
        self.count(found.solution.n_factorizations)
        return found

    def value(self, point: np.ndarray) -> float:
        """The criterion and its penalty alone, without their gradient."""
        found = self.solve(point)
        penalty, *_ = self.criterion.penalty(found.kernel.values, found.machine.values)
        return self.criterion(found.solution)[0] + penalty

    def __call__(self, point: np.ndarray) -> Evaluation:
        found = self.solve(point)
        kernel, machine = found.kernel, found.machine
        value, solution_gradient = self.criterion(found.solution)
        penalty, in_values, in_machine = self.criterion.penalty(kernel.values, machine.values)
        if "gradient" not in self.criterion.gives:
            return Evaluation(value + penalty)
        kernel_gradient, machine_gradient = found.pullback(solution_gradient)
        gradient = kernel_gradient + kernel.theta_gradient(in_values)
        if self.learn_machine:
            own = machine.theta_gradient(machine_gradient + in_machine)
            gradient = np.concatenate([gradient, own])
        return Evaluation(value + penalty, gradient)
