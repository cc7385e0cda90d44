"""The machines at the optima that a search found: how they differ, the best, or their average."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from kernelwise.criteria import leave_one_out_residuals
from kernelwise.kernels.base import Kernel
from kernelwise.machines import Folded, LeastSquares, Machine
from kernelwise.searchers import SearchTrace
from kernelwise.selections.base import Choice, Problem

At = Callable[[np.ndarray], tuple[Kernel, Machine]]


def fitted(problem: Problem, kernel: Kernel, machine: Machine) -> tuple[Any, np.ndarray, int]:
    """The solution on all rows, the held-out residuals, and the factorisations that they took.

    Least squares leaves out each row in closed form; any other machine is refitted without each of
    the problem's folds.
    """
    gram, _ = kernel.evaluate(problem.X, up_to_constant=machine.ignores_constant)
    solution = machine.solve([gram], problem.targets)
    solution.parameters = kernel.values
    if isinstance(machine, LeastSquares):
        return solution, leave_one_out_residuals(solution), solution.n_factorizations
    folded = Folded(machine, problem.folds).solve([gram], problem.targets)
    return solution, folded.held_out, solution.n_factorizations + folded.n_factorizations


def combined(
    problem: Problem,
    trace: SearchTrace,
    at: At,
    spent: int,
    is_false: Callable[[np.ndarray], bool] = lambda point: False,
) -> Choice:
    """The machine at the best optimum, or the average of those at all of them.

    ``at`` gives kernel and machine at a point, ``spent`` the factorisations so far. An optimum
    that ``is_false`` counts only where there is no other. Each optimum's trace is told its kernel
    and how often it disagrees with the best.
    """
    searches = [search for search in trace.optima or [trace] if np.isfinite(search.lowest)]
    if not searches:
        raise ValueError(trace.reason)
    found = [fitted_at(problem, search, at) for search in searches]
    found.sort(key=lambda choice: (is_false(choice.trace.best_point), choice.criterion))
    best = found[0]
    for choice in found:
        choice.trace.kernel = choice.kernel
        choice.trace.disagreement = disagreement(problem, choice.held_out, best.held_out)
    spent += sum(choice.n_factorizations for choice in found)
    true = [choice for choice in found if not is_false(choice.trace.best_point)] or found
    if problem.combine == "best" or len(true) == 1:
        return replace(best, trace=trace, n_factorizations=spent)
    held_out = np.mean([choice.held_out for choice in true], axis=0)
    return replace(best, held_out=held_out, trace=trace, n_factorizations=spent, members=true)


def fitted_at(problem: Problem, search: SearchTrace, at: At) -> Choice:
    """The machine where one search ended."""
    kernel, judged = at(search.best_point)
    machine = problem.machine.with_values(judged.values)
    solution, held_out, spent = fitted(problem, kernel, machine)
    return Choice(kernel, machine, solution, held_out, search.best_value, search, spent)


def disagreement(problem: Problem, one: np.ndarray, other: np.ndarray) -> float:
    """How much two machines' held-out residuals differ: see `SearchTrace`."""
    weights = problem.targets.weights
    if not problem.classification:
        return float(np.sqrt(np.average(((one - other) ** 2).mean(axis=1), weights=weights)))
    classes = []
    for residuals in (one, other):
        outputs = problem.targets.values - residuals
        classes.append(outputs[:, 0] > 0 if outputs.shape[1] == 1 else outputs.argmax(axis=1))
    return float(np.average(classes[0] != classes[1], weights=weights))
