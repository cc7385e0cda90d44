"""Choose kernel and regularisation together, by minimising one criterion."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from kernelwise.criteria import Criterion
from kernelwise.machines import LeastSquares
from kernelwise.objective import Objective
from kernelwise.searchers import QuasiNewton, SearchTrace
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.optima import combined, fitted
from kernelwise.selections.starts import scanned_objective, search_tied


class MinimizeCriterion(Selection):
    """Minimise a criterion over all kernel parameters and the regularisation.

    A coarse scan and a search with all kernel parameters tied, by plain leave-one-out or k-fold,
    give the start; then every parameter is free. ``folded`` judges by k-fold instead of the whole
    fit (for `HeldOutSquares`); ``room`` is the factor by which the regularisation may move from the
    start.
    """

    suits = LeastSquares

    def __init__(self, criterion: Criterion, folded: bool = False, room: float = np.inf):
        self.criterion, self.folded, self.room = criterion, folded, room

    def __call__(self, problem: Problem) -> Choice:
        searcher = problem.search_with(QuasiNewton(), "gradient")
        start = scanned_objective(problem, self.folded)
        kernel, judged = start.at(start.point)
        # With several parameters, or where the search stays near its start, the tied optimum.
        if len(kernel.values) > 1 or (len(kernel.values) and np.isfinite(self.room)):
            kernel, judged = start.at(search_tied(start, QuasiNewton())[0])
        criterion = self.criterion.anchored(kernel.values)
        objective = Objective(kernel, judged, criterion, problem.X, problem.targets)
        objective.count(start.n_factorizations)
        bounds, size = objective.bounds, len(kernel.theta)
        given = objective.point[size:, None] + np.log(self.room) * np.array([-1, 1])
        bounds[size:] = np.clip(given, bounds[size:, :1], bounds[size:, 1:])
        trace = searcher(problem.watched(objective), objective.point, bounds)
        warn_if_stuck(trace)
        return combined(problem, trace, objective.at, objective.n_factorizations)


class AsGiven(Selection):
    """Choose nothing: one fit with the parameters as they are; the value is half the weighted sum
    of squared held-out residuals.
    """

    def __call__(self, problem: Problem) -> Choice:
        kernel, machine, targets = problem.kernel, problem.machine, problem.targets
        solution, held_out, spent = fitted(problem, kernel, machine)
        squares = (targets.weights[:, None] * held_out**2).sum() + targets.within.sum()
        point = np.concatenate([kernel.theta, machine.theta])
        value = 0.5 * float(squares)
        trace = SearchTrace([point], [value], [np.nan], [0.0], "nothing was searched")
        return Choice(kernel, machine, solution, held_out, value, trace, spent)


def warn_if_stuck(trace: SearchTrace) -> None:
    if not trace.converged:
        warnings.warn(f"the search ended early: {trace.reason}", ConvergenceWarning, stacklevel=4)
