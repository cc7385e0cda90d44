"""The machines at the optima that a search found: how they differ, the best, or their average."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from kernelwise.kernels.base import Kernel
from kernelwise.machines.base import Machine
from kernelwise.objective import Objective, evaluated
from kernelwise.searchers import SearchTrace
from kernelwise.selections.base import Choice, Problem


@dataclass(repr=False)
class Optimum(SearchTrace):
    """The trace of one of several searches, and what it led to.

    ``disagreement`` is the share of rows, by weight, whose held-out class is not that of the chosen
    optimum; for quantities, the root mean squared difference of the held-out outputs.
    """

    kernel: Kernel | None = None
    disagreement: float = float("nan")


def fitted(
    problem: Problem, kernel: Kernel, machine: Machine, criterion: float, trace: SearchTrace
) -> Choice:
    """A kernel and machine as a choice: solved on all rows, and without each row or fold.

    Each row is left out in closed form if the machine has one; otherwise the machine is refitted
    without each of the problem's folds.

    Parameters
    ----------
    problem : the rows, targets and folds
    kernel, machine : what was chosen
    criterion, trace : its value, and the search that led to it
    """
    found = evaluated(kernel, machine, problem.X, problem.targets)
    left_out = found.held_out(None if machine.leaves_one_out else problem.folds)
    spent = found.solution.n_factorizations + left_out.n_factorizations
    return Choice(
        kernel,
        machine,
        found.solution,
        found.solution.expansion,
        left_out.held_out,
        criterion,
        trace,
        spent,
    )


def combined(
    problem: Problem,
    trace: SearchTrace,
    objective: Objective,
    pressed_limits: Callable[[np.ndarray], tuple[str, ...]],
) -> Choice:
    """The machine at the best optimum, or the average of those at all of them.

    An optimum with ``pressed_limits`` (names of parameters at a limit) counts only if there is no
    other. The trace then has an `Optimum` for each search.
    """
    searches = [search for search in trace.optima or [trace] if search.found]
    if not searches:
        raise ValueError(trace.reason)
    spent = objective.n_factorizations
    found = []
    for search in searches:
        kernel, judged = objective.at(search.best_point)
        machine = problem.machine.with_values(judged.values)
        choice = fitted(problem, kernel, machine, search.best_value, search)
        found.append(replace(choice, at_limits=pressed_limits(search.best_point)))
    found.sort(key=lambda choice: (bool(choice.at_limits), choice.criterion))
    spent += sum(choice.n_factorizations for choice in found)
    if trace.optima:
        optima = described(problem, trace, found, found[0].held_out)
        trace = replace(trace, optima=optima)
    true = tuple(choice for choice in found if not choice.at_limits) or tuple(found)
    best = replace(found[0], trace=trace, n_factorizations=spent)
    if problem.combine == "best" or len(true) == 1:
        return best
    held_out = np.mean([choice.held_out for choice in true], axis=0)
    return replace(best, held_out=held_out, members=true)


def described(
    problem: Problem, trace: SearchTrace, found: list[Choice], best: np.ndarray
) -> list[SearchTrace]:
    """The searches in order, each as an `Optimum`; without a kernel where it found nothing."""
    choices = {id(choice.trace): choice for choice in found}
    optima: list[SearchTrace] = []
    for search in trace.optima:
        optimum = Optimum(**vars(search))
        if (choice := choices.get(id(search))) is not None:
            optimum.kernel = choice.kernel
            optimum.disagreement = disagreement(problem, choice.held_out, best)
        optima.append(optimum)
    return optima


def disagreement(problem: Problem, one: np.ndarray, other: np.ndarray) -> float:
    """How much two machines' held-out residuals differ: see `Optimum`."""
    weights = problem.targets.weights
    if not problem.classification:
        return float(np.sqrt(np.average(((one - other) ** 2).mean(axis=1), weights=weights)))
    classes = []
    for residuals in (one, other):
        outputs = problem.targets.values - residuals
        classes.append(outputs[:, 0] > 0 if outputs.shape[1] == 1 else outputs.argmax(axis=1))
    return float(np.average(classes[0] != classes[1], weights=weights))
