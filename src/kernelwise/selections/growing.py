"""Scales learned on growing parts of a table, then one pass over all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernelwise.criteria import Criterion, GeneralizedCrossValidation
from kernelwise.kernels import Kernel
from kernelwise.machines import LeastSquares, Nystrom
from kernelwise.scale import BlockedRows
from kernelwise.scale.blocked_objective import blocked_evaluation
from kernelwise.scale.landmark_fit import (
    MOST_DIRECT,
    PER_WEIGHT,
    LandmarkFit,
    best_regularization,
    fitted_on_landmarks,
)
from kernelwise.searchers import QuasiNewton, SearchTrace
from kernelwise.selections.base import Problem
from kernelwise.selections.landmark_stage import HeldRows, Stage, check_judges_landmarks
from kernelwise.selections.landmarks import (
    LandmarkChoice,
    LandmarkSelection,
    final_landmarks,
    rows_of,
)
from kernelwise.selections.starts import scanned_objective, search_tied

# So many rows tell one scale for all features, by leave-one-out.
FIRST_ROWS = 750
# Rows, landmarks and steps of each stage.
STAGES = ((2_000, 200, 25), (8_000, 300, 12), (32_000, 500, 12))
# Rows and landmarks on which kernels are compared: few landmarks favor smooth ones.
TO_COMPARE = (16_000, 1000)
# The regularization of very many landmarks is that of so few.
LANDMARKS_FOR_REGULARIZATION = 2000


@dataclass(frozen=True)
class Learned:
    """A kernel and its regularization per unit of weight, as far as they have been learned.

    ``penalty`` is the kernel's own regularization, where it has one.
    """

    kernel: Kernel
    per_weight: float
    trace: SearchTrace
    penalty: float = 0.0


class GrowingLandmarks(LandmarkSelection):
    """Least squares on landmarks: scales by a criterion on more and more rows.

    One scale for all features is found on 750 rows; scales per feature on 2,000, 8,000 and 32,000,
    each time from those before and with more landmarks, because few landmarks favor smoother
    kernels than many. Of several kernels the one with the least cross-validation on 16,000 rows and
    1,000 landmarks takes part in the last stage. So the cost of learning does not grow with the
    table. Then one pass over all rows fits the final landmarks, with the largest of 61
    regularizations that generalized cross-validation likes as well as the best, and a second
    predicts each row by the machine without its fold. More than 2,500 landmarks are fitted by
    conjugate gradients, in about ten passes.

    Parameters
    ----------
    landmarks : int or array of shape (landmarks, columns), default 2000
        Of the final machine: how many to draw, or which.
    stages : sequence of (rows, landmarks, steps)
    apart : int, default None
        The fold whose rows take no part in learning the kernel, so that they can judge it.
    criterion : Criterion, default GeneralizedCrossValidation()
        What the scales are learned by: also `EvidenceBound`, `LeaveOneOut`, `BayesianLeaveOneOut`,
        or `HeldOutSquares`, for folds. Leave-one-out holds the Gram matrix of a stage in memory.
    """

    def __init__(
        self,
        landmarks: int | np.ndarray = 2000,
        stages: Sequence[tuple[int, int, int]] = STAGES,
        apart: int | None = None,
        criterion: Criterion | None = None,
    ) -> None:
        super().__init__(landmarks, apart)
        self.stages = tuple(stages)
        self.criterion: Criterion = criterion or GeneralizedCrossValidation()
        check_judges_landmarks(self.criterion)

    def __call__(self, problem: Problem) -> LandmarkChoice:
        rows, fold = rows_of(problem)
        seen = (fold != self.apart) & (problem.targets.weights > 0)
        relay = self._relay(problem, self._held(problem, rows, np.flatnonzero(seen)))
        learned = relay.run(self.stages)
        found = self._final(problem, rows, learned)
        return self._chosen(problem, rows, found, learned.trace, relay.n_factorizations)

    def _held(self, problem: Problem, rows: BlockedRows, seen: np.ndarray) -> HeldRows:
        """The rows of the largest part, of which all others are parts: read once."""
        most = max(FIRST_ROWS, TO_COMPARE[0], *(part[0] for part in self.stages))
        return HeldRows.of(rows, seen, most, problem.seed)

    def _relay(self, problem: Problem, rows: HeldRows) -> Relay:
        return Relay(problem, rows, self.criterion)

    def _final(self, problem: Problem, rows: BlockedRows, learned: Learned) -> LandmarkFit:
        """All rows on the final landmarks."""
        landmarks = final_landmarks(self.landmarks, problem, rows)
        weight = problem.targets.weights.sum()
        machine = Nystrom(landmarks, learned.per_weight * weight)
        if len(landmarks) <= MOST_DIRECT:
            return fitted_on_landmarks(learned.kernel, machine, rows)
        few = Nystrom(landmarks[:LANDMARKS_FOR_REGULARIZATION], machine.regularization)
        lam = best_regularization(blocked_evaluation(learned.kernel, few, rows).solution)
        found = fitted_on_landmarks(learned.kernel, machine.with_values(np.array([lam])), rows)
        return replace(found, n_passes=found.n_passes + 1)


class Relay:
    """Searches on growing parts of the rows, each from what the last one found.

    Parameters
    ----------
    problem : what is to be learned
    rows : those that take part
    criterion : what is minimized
    """

    def __init__(self, problem: Problem, rows: HeldRows, criterion: Criterion) -> None:
        self.problem, self.rows, self.criterion = problem, rows, criterion
        self.n_factorizations = 0

    def run(self, stages: Sequence[tuple[int, int, int]]) -> Learned:
        kernels = (self.problem.kernel, *self.problem.rivals)
        going = [self._tied(kernel) for kernel in kernels]
        for number, (rows, count, steps) in enumerate(stages):
            if number >= len(stages) - 1 or rows >= self.rows.n_seen:
                # The last stage is the dearest: only the best kernel takes part.
                going = [self._best(going)]
            stage = self._part(rows, count)
            going = [self._stage(found, stage, steps, number) for found in going]
            if rows >= self.rows.n_seen:
                break
        return going[0]

    def _part(self, rows: int, count: int) -> Stage:
        return Stage.of(self.problem, self.rows, rows, count)

    def _best(self, going: list[Learned]) -> Learned:
        """The kernel with the least cross-validation on as many landmarks as it will have."""
        if len(going) == 1:
            return going[0]
        stage, judge, values = self._part(*TO_COMPARE), GeneralizedCrossValidation(), []
        for found in going:
            objective = stage.objective(found.kernel, found.per_weight, judge)
            solution = objective.solve(objective.point).solution
            better = replace(solution, regularization=best_regularization(solution))
            values.append(judge(better)[0])
            self.n_factorizations += 2
        return going[int(np.argmin(values))]

    def _tied(self, kernel: Kernel) -> Learned:
        """One factor for all scales, and the regularization, by leave-one-out on few rows."""
        problem = self.problem
        few, X = self.rows.drawn(FIRST_ROWS, problem.seed)
        targets = problem.targets.take(few)
        part = replace(problem, kernel=kernel, X=X, targets=targets, machine=LeastSquares())
        objective = scanned_objective(part)
        point, trace = search_tied(objective, QuasiNewton(tolerance=1e-4))
        self.n_factorizations += objective.n_factorizations
        kernel, machine = objective.at(point)
        weight = part.targets.weights.sum()
        per_weight = float(machine.values[0]) / weight
        return Learned(kernel, per_weight, trace)

    def _stage(self, start: Learned, stage: Stage, steps: int, number: int) -> Learned:
        """Learn on, from a start, on the rows of a stage of a number."""
        criterion = self.criterion.anchored(start.kernel.values, np.array([start.per_weight]))
        objective = stage.objective(start.kernel, start.per_weight, criterion)
        limits = objective.limits
        limits[-1] = np.log(PER_WEIGHT[[0, -1]] * stage.weight)
        searcher = QuasiNewton(max_iterations=steps, tolerance=1e-6)
        trace = searcher(self.problem.watched(objective), objective.point, limits)
        kernel, machine = objective.at(trace.best_point)
        self.n_factorizations += objective.n_factorizations
        return Learned(kernel, float(machine.values[0]) / stage.weight, trace)
