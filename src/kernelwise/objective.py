"""The one junction: kernel, machine and criterion chained forwards, gradients chained backwards."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.kernels.base import GramAndWays, Kernel
from kernelwise.machines.base import Machine
from kernelwise.solutions import Targets


class Objective:
    """``point -> criterion(machine(kernel(X)))`` with its gradient.

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
    def bounds(self) -> np.ndarray:
        machine = self.machine.bounds if self.learn_machine else np.empty((0, 2))
        return np.vstack([self.kernel.bounds.reshape(-1, 2), machine])

    def at(self, point: np.ndarray) -> tuple[Kernel, Machine]:
        """The kernel and machine at a point."""
        size = len(self.kernel.theta)
        machine = self.machine.with_theta(point[size:]) if self.learn_machine else self.machine
        return self.kernel.with_theta(point[:size]), machine

    def solve(self, point: np.ndarray) -> tuple[Any, GramAndWays]:
        """The solution at a point, and the Gram matrix with its derivatives."""
        kernel, machine = self.at(point)
        ways = kernel.gram_and_ways(self.X, up_to_constant=machine.ignores_constant)
        solution = machine.solve([ways.gram], self.targets)
        solution.parameters = kernel.values
        self.count(solution.n_factorizations)
        return solution, ways

    def value(self, point: np.ndarray) -> float:
        """The criterion alone, without its gradient."""
        return self.criterion(self.solve(point)[0])[0]

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        solution, ways = self.solve(point)
        value, solution_gradient = self.criterion(solution)
        (gram_gradient,), machine_gradient = solution.pullback(solution_gradient)
        kernel, machine = self.at(point)
        kernel_gradient = ways.pullback(gram_gradient)
        if solution_gradient.parameters is not None:
            kernel_gradient = kernel_gradient + kernel.theta_gradient(solution_gradient.parameters)
        if not self.learn_machine:
            return value, kernel_gradient
        return value, np.concatenate([kernel_gradient, machine.theta_gradient(machine_gradient)])
