"""Scales learned on growing parts of a table, then one pass over all of it."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Self

import numpy as np

from kernelwise.criteria import Criterion, GeneralizedCrossValidation
from kernelwise.kernels import Kernel
from kernelwise.machines import LeastSquares
from kernelwise.scale import RowBlocks, drawn_rows
from kernelwise.scale.blocked_objective import BlockedEvaluation, blocked_evaluation
from kernelwise.searchers import QuasiNewton, SearchTrace
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.landmark_stage import (
    Stage,
    check_judges_landmarks,
    landmark_machine,
    path_criterion,
)
from kernelwise.selections.starts import scanned_objective, search_tied
from kernelwise.solutions import regularization_path

# So many rows tell one scale for all features, by leave-one-out.
FIRST_ROWS = 1500
# Rows, landmarks and steps of each stage.
STAGES = ((2_000, 200, 25), (8_000, 300, 12), (32_000, 500, 12))
# Regularizations that are tried, per unit of weight; below the first, rounding decides.
PER_WEIGHT = np.logspace(-9, 1, 61)


class GrowingLandmarks(Selection):
    """Least squares on landmarks: scales by a criterion on more and more rows.

    One scale for all features is found on 1,500 rows; scales per feature on 2,000, 8,000 and
    32,000, each time from those before and with more landmarks, because few landmarks favor
    smoother kernels than many. So the cost of learning does not grow with the table. Then one pass
    over all rows fits the final landmarks, with the regularization of 61 that generalized
    cross-validation (or the evidence, if that is the criterion) likes best, and a second leaves out
    every row.

    Parameters
    ----------
    landmarks : int, default 2000
        Of the final machine.
    stages : sequence of (rows, landmarks, steps)
    criterion : default GeneralizedCrossValidation()
        What the scales are learned by: also `EvidenceBound`, `LeaveOneOut`, `BayesianLeaveOneOut`,
        or `HeldOutSquares`, for folds. Leave-one-out holds the Gram matrix of a stage in memory.
    """

    def __init__(
        self,
        landmarks: int = 2000,
        stages: Sequence[tuple[int, int, int]] = STAGES,
        criterion: Criterion | None = None,
    ) -> None:
        self.landmarks, self.stages = landmarks, tuple(stages)
        self.criterion: Criterion = criterion or GeneralizedCrossValidation()
        check_judges_landmarks(self.criterion)

    def with_landmarks(self, landmarks: int) -> Self:
        """The same selection with so many landmarks of the final machine."""
        other = copy.copy(self)
        other.landmarks = landmarks
        return other

    def __call__(self, problem: Problem) -> Choice:
        kernel, per_weight, trace, work = self._learned(problem)
        found = self._final(problem, kernel, per_weight)
        return Choice(
            kernel=found.kernel,
            machine=found.machine,
            solution=found.solution,
            expansion=found.solution.expansion,
            held_out=found.left_out(),
            criterion=path_criterion(self.criterion)(found.solution)[0],
            trace=trace,
            n_factorizations=work + 2,
        )

    def _learned(self, problem: Problem) -> tuple[Kernel, float, SearchTrace, int]:
        """The kernel, its regularization per unit of weight, the last search and all work."""
        kernel, per_weight, trace, work = self._tied(problem)
        criterion = self.criterion.anchored(kernel.values, np.array([per_weight]))
        for rows, count, steps in self.stages:
            stage = Stage.of(problem, rows, count)
            objective = stage.objective(kernel, per_weight, criterion)
            limits = objective.limits
            limits[-1] = np.log(PER_WEIGHT[[0, -1]] * stage.weight)
            searcher = QuasiNewton(max_iterations=steps, tolerance=1e-4)
            trace = searcher(problem.watched(objective), objective.point, limits)
            kernel, machine = objective.at(trace.best_point)
            per_weight = float(machine.values[0]) / stage.weight
            work += objective.n_factorizations
            if rows >= len(problem.X):
                break
        return kernel, per_weight, trace, work

    def _tied(self, problem: Problem) -> tuple[Kernel, float, SearchTrace, int]:
        """The kernel with one factor for all scales, and its regularization per unit of weight."""
        few = drawn_rows(len(problem.X), FIRST_ROWS, problem.seed)
        part = replace(
            problem, X=problem.X[few], targets=problem.targets.take(few), machine=LeastSquares()
        )
        objective = scanned_objective(part)
        point, trace = search_tied(objective, QuasiNewton(tolerance=1e-4))
        kernel, machine = objective.at(point)
        per_weight = float(machine.values[0]) / part.targets.weights.sum()
        return kernel, per_weight, trace, objective.n_factorizations

    def _final(self, problem: Problem, kernel: Kernel, per_weight: float) -> BlockedEvaluation:
        """All rows on the final landmarks, at the best regularization of a path."""
        landmarks = problem.X[drawn_rows(len(problem.X), self.landmarks, problem.seed + 2)]
        weight = problem.targets.weights.sum()
        machine = landmark_machine(self.criterion)(landmarks, per_weight * weight)
        blocks = RowBlocks(problem.X, problem.targets, problem.n_jobs or 1)
        found = blocked_evaluation(kernel, machine, blocks)
        least = found.solution.least_regularization
        path = regularization_path(found.solution, np.maximum(PER_WEIGHT * weight, least))
        judge = path_criterion(self.criterion)
        best = min(path, key=lambda solution: judge(solution)[0])
        machine = found.machine.with_values(np.array([best.regularization]))
        return found.solved_by(machine).with_least_jitter()
