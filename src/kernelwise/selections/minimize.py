"""Choose kernel and regularisation together, by minimising one criterion."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from kernelwise.criteria import Criterion, HeldOutSquares, LeaveOneOut, leave_one_out_residuals
from kernelwise.machines import Folded
from kernelwise.objective import Objective
from kernelwise.searchers import MultiStart, QuasiNewton, SearchTrace
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.start import scaled, scan, search_tied


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
        start, count = self._start(problem)
        kernel, judged = start.at(start.point)
        criterion = self.criterion.anchored(kernel.values)
        objective = Objective(kernel, judged, criterion, problem.X, problem.targets)
        objective.count(count)
        bounds, size = objective.bounds, len(kernel.theta)
        given = objective.point[size:, None] + np.log(self.room) * np.array([-1, 1])
        bounds[size:] = np.clip(given, bounds[size:, :1], bounds[size:, 1:])
        searcher = MultiStart(
            problem.searcher or QuasiNewton(),
            problem.n_restarts,
            seed=problem.seed,
            n_jobs=problem.n_jobs,
        )
        searcher.check("gradient")
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

    def _start(self, problem: Problem) -> tuple[Objective, int]:
        """The scanned start, and the work to find it.

        With several parameters, or where the search stays near its start, the tied optimum.
        """
        scale, ridge, scanned = scan(problem)
        machine = problem.machine.with_values(np.array([ridge]))
        judged = Folded(machine, problem.folds) if self.folded else machine
        plain = HeldOutSquares() if self.folded else LeaveOneOut()
        kernel = scaled(problem.kernel, scale)
        tied = Objective(kernel, judged, plain, problem.X, problem.targets)
        if len(kernel.values) > 1 or (len(kernel.values) and np.isfinite(self.room)):
            point, _ = search_tied(tied, QuasiNewton())
            kernel, judged = tied.at(point)
        start = Objective(kernel, judged, plain, problem.X, problem.targets)
        return start, problem.factorizations_before + scanned + tied.n_factorizations


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
