"""Choose kernel and regularisation together, by minimising one criterion."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from kernelwise.criteria import Criterion, LeaveOneOut, leave_one_out_residuals
from kernelwise.objective import Objective
from kernelwise.searchers import QuasiNewton, SearchTrace
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.start import scanned_objective, search_tied


class MinimizeCriterion(Selection):
    """Minimise a criterion over all kernel parameters and the regularisation.

    A coarse scan and a search with all kernel parameters tied, by plain leave-one-out or k-fold,
    give the start; then every parameter is free. ``folded`` judges by k-fold instead of the whole
    fit (for `HeldOutSquares`); ``room`` is the factor by which the regularisation may move from the
    start.
    """

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
        kernel, judged = objective.at(trace.best_point)
        machine = problem.machine.with_values(judged.values)
        final = Objective(kernel, machine, LeaveOneOut(), problem.X, problem.targets)
        solution, _ = final.solve(final.point)
        return Choice(
            kernel,
            machine,
            solution,
            leave_one_out_residuals(solution),
            trace.best_value,
            trace,
            objective.n_factorizations + 1,
        )


class AsGiven(Selection):
    """Choose nothing: one fit with the parameters as they are; its leave-one-out error is the
    value.
    """

    def __call__(self, problem: Problem) -> Choice:
        objective = Objective(
            problem.kernel, problem.machine, LeaveOneOut(), problem.X, problem.targets
        )
        solution, _ = objective.solve(objective.point)
        value, _ = LeaveOneOut()(solution)
        trace = SearchTrace([objective.point], [value], [np.nan], [0.0], "nothing was searched")
        residuals = leave_one_out_residuals(solution)
        return Choice(problem.kernel, problem.machine, solution, residuals, value, trace, 1)


def warn_if_stuck(trace: SearchTrace) -> None:
    if not trace.converged:
        warnings.warn(f"the search ended early: {trace.reason}", ConvergenceWarning, stacklevel=4)
