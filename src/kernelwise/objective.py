"""The junction of kernel, machine and criterion: values chain forward, gradients backward."""

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
    """A kernel and a machine joined on some rows: Gram blocks and the solution."""

    kernel: Kernel
    machine: Machine
    targets: Targets
    ways: list[GramAndWays]
    solution: Any

    @property
    def grams(self) -> list[np.ndarray]:
        return [way.gram for way in self.ways]

    def held_out(self, folds: list[np.ndarray] | None) -> Any:
        """The record of held-out rows, fold by fold (None: one by one; see `Machine.held_out`)."""
        return self.machine.held_out(self.grams, self.targets, folds, self.solution)

    def output_tangents(self) -> np.ndarray:
        """The derivatives of the outputs in theta, with coefficients fixed.

        Of shape (rows, outputs, parameters). Only for machines whose outputs come from their first
        block.
        """
        return self.ways[0].output_tangents(self.solution.coef)

    def pullback(self, solution_gradient: Any) -> tuple[np.ndarray, np.ndarray]:
        """Gradients in the kernel's theta and in the machine's values."""
        gram_gradients, machine_gradient = self.solution.pullback(solution_gradient)
        parts = [
            way.pullback(gradient) for way, gradient in zip(self.ways, gram_gradients, strict=True)
        ]
        return sum(parts[1:], parts[0]), machine_gradient


def gram_blocks(kernel: Kernel, machine: Machine, X: np.ndarray) -> list[GramAndWays]:
    """The Gram matrices that a machine takes, each with its derivatives backward and forward."""
    found = [
        kernel.gram_and_ways(A, B, up_to_constant=machine.ignores_constant)
        for A, B in machine.blocks(X)
    ]
    return [*found, diagonal_and_ways(kernel, X)] if machine.takes_diagonal else found


def diagonal_and_ways(kernel: Kernel, X: np.ndarray) -> GramAndWays:
    """``k(x, x)`` of each row with its derivatives, as if it were a Gram matrix of one column."""
    values, derivatives = kernel.diagonal(X)

    def pullback(gradient: np.ndarray) -> np.ndarray:
        return kernel.theta_gradient(gradient @ derivatives)

    def output_tangents(coef: np.ndarray) -> np.ndarray:
        return kernel.theta_gradient(coef[:, :, None] * derivatives[:, None, :])

    return GramAndWays(values, pullback, output_tangents)


def evaluated(
    kernel: Kernel,
    machine: Machine,
    X: np.ndarray,
    targets: Targets,
    ways: list[GramAndWays] | None = None,
) -> Evaluated:
    """Join a kernel and a machine: the only place where one meets the other.

    Parameters
    ----------
    kernel, machine : what is joined
    X, targets : the rows and what the machine is to reproduce
    ways : the `gram_blocks` of this kernel, if already computed
    """
    ways = gram_blocks(kernel, machine, X) if ways is None else ways
    solution = machine.solve([way.gram for way in ways], targets)
    return Evaluated(kernel, machine, targets, ways, solution)


class Objective:
    """``point -> criterion(machine(kernel(X))) + penalty of the parameters``, with its gradient.

    A point is the kernel's theta followed by the machine's. ``n_factorizations`` counts the work.

    Parameters
    ----------
    kernel, machine : their values are the first point
    criterion : what is minimized
    X, targets : the rows and what the machine is to reproduce
    learn_machine : False keeps the machine as given
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
        given = self.given(machine)
        if not issubclass(given, criterion.reads):
            raise TypeError(
                f"{type(criterion).__name__} reads a {criterion.reads.__name__}; "
                f"{type(machine).__name__} gives a {given.__name__}."
            )
        self.kernel, self.machine, self.criterion = kernel, machine.fresh(), criterion
        self.X, self.targets, self.learn_machine = X, targets, learn_machine
        self._factorizations: list[int] = []  # appended to, so that threads can share it

    def given(self, machine: Machine) -> type:
        """The record that the criterion will get."""
        return machine.gives

    def fresh(self) -> Objective:
        """A copy for a parallel search: it shares the counter, but its machine shares no memory."""
        other = copy.copy(self)
        other.machine = self.machine.fresh()
        return other

    @property
    def n_factorizations(self) -> int:
        return sum(self._factorizations)

    def count(self, factorizations: int) -> None:
        """Add work that was done elsewhere."""
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
        """The parameter behind each coordinate of a point."""
        machine = self.machine.parameters if self.learn_machine else []
        return [*self.kernel.parameters, *machine]

    def at(self, point: np.ndarray) -> tuple[Kernel, Machine]:
        """The kernel and machine at a point."""
        size = len(self.kernel.theta)
        machine = self.machine.with_theta(point[size:]) if self.learn_machine else self.machine
        return self.kernel.with_theta(point[:size]), machine

    def solve(self, point: np.ndarray) -> Any:
        """Solve at a point, and count the work."""
        found = evaluated(*self.at(point), self.X, self.targets)
        self.count(found.solution.n_factorizations)
        return found

    def value(self, point: np.ndarray) -> float:
        """The criterion plus its penalty, without the gradient."""
        found = self.solve(point)
        penalty, *_ = self.criterion.penalty(found.kernel.values, found.machine.values)
        return self.criterion(found.solution)[0] + penalty

    def __call__(self, point: np.ndarray) -> Evaluation:
        return self.judged(self.solve(point))

    def judged(self, found: Any) -> Evaluation:
        """What the criterion says of a solution, with the gradient at its point."""
        kernel, machine = found.kernel, found.machine
        value, solution_gradient = self.criterion(found.solution)
        penalty, in_values, in_machine = self.criterion.penalty(kernel.values, machine.values)
        total = None if value is None else value + penalty
        if "gradient" not in self.criterion.gives:
            return Evaluation(total)
        kernel_gradient, machine_gradient = found.pullback(solution_gradient)
        gradient = kernel_gradient + kernel.theta_gradient(in_values)
        if self.learn_machine:
            own = machine.theta_gradient(machine_gradient + in_machine)
            gradient = np.concatenate([gradient, own])
        return Evaluation(total, gradient, noisy=total is None)
