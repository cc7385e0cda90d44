"""First-level kernel learning on growing parts of a table."""

from __future__ import annotations

import numpy as np

from kernelwise.kernels import Kernel
from kernelwise.machines import Nystrom
from kernelwise.scale import FirstLevelEvaluation, first_level_evaluation
from kernelwise.scale.landmark_fit import PER_WEIGHT
from kernelwise.searchers import Evaluation, GaussNewton, SearchTrace
from kernelwise.searchers.base import Recorder
from kernelwise.selections.base import Problem
from kernelwise.selections.growing import GrowingLandmarks, Learned, Relay
from kernelwise.selections.landmark_stage import HeldRows, Stage

# Moves of (regularization, kernel regularization) that each stage tries: all around its start,
# its four neighbors, then none; in these factors.
GRID = tuple((i, j) for i in (0, -1, 1) for j in (0, -1, 1))
CROSS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
MOVES = (GRID, CROSS, ((0, 0),))
FACTORS = (10.0, 3.0)
# How often the first stage may move on if its best pair lies at the edge.
ROUNDS = 4
# The gain that a further step must promise, relative to the criterion.
TOLERANCE = 1e-4


class GrowingFirstLevel(GrowingLandmarks):
    """Least squares on landmarks whose kernel is learned at the first level of inference.

    On the parts of the table that `GrowingLandmarks` uses, the penalized training error is
    minimized over the kernel by Gauss-Newton, two passes a step. The first part tries nine pairs of
    regularizations, and goes on as long as the best lies at the edge; the second the neighbors of
    the best, the others it alone. Tangent generalized cross-validation judges the pairs: it charges
    for the effective parameters of the kernel as for those of the machine.

    Parameters
    ----------
    landmarks, stages, apart : as in `GrowingLandmarks`; the steps are those of each pair

    References
    ----------
    Cawley & Talbot, Kernel Learning at the First Level of Inference.
    """

    def _relay(self, problem: Problem, rows: HeldRows) -> Relay:
        return FirstLevelRelay(problem, rows, self.criterion)


class FirstLevelRelay(Relay):
    """Searches on growing parts of the rows, at the first level."""

    def _stage(self, start: Learned, stage: Stage, steps: int, number: int) -> Learned:
        if not len(start.kernel.values):
            return start
        kernel = start.kernel.in_coordinates("natural")
        learner = StageLearner(self.problem, stage, kernel, steps)
        penalty = start.penalty or learner.first_penalty(start.per_weight)
        trace = learner.search(np.log([start.per_weight, penalty]), number)
        per_weight, penalty = np.exp(trace.best_point)
        self.n_factorizations += learner.n_solutions
        return Learned(
            learner.kernel_at(trace.best_point), float(per_weight), trace, float(penalty)
        )


class StageLearner:
    """``(log lam, log mu)`` per unit of weight -> tangent cross-validation, on one stage's rows.

    Each kernel is learned from that of the nearest pair solved before.
    """

    def __init__(self, problem: Problem, stage: Stage, kernel: Kernel, steps: int) -> None:
        self.problem, self.stage, self.kernel, self.steps = problem, stage, kernel, steps
        self.n_solutions = 0
        self._solved: list[tuple[np.ndarray, Kernel]] = []

    def _evaluation(
        self, kernel: Kernel, per_weight: float, penalty: float
    ) -> FirstLevelEvaluation:
        weight = self.stage.weight
        # The gradient takes the jitter for fixed while the kernel's outputs change.
        machine = Nystrom(self.stage.landmarks, per_weight * weight, rounding=0.0)
        self.n_solutions += 1
        return first_level_evaluation(kernel, machine, penalty * weight, self.stage.rows)

    def first_penalty(self, per_weight: float) -> float:
        """The kernel's regularization with which the first kernel is stationary along itself."""
        found = self._evaluation(self.kernel, per_weight, 0.0)
        values = self.kernel.values
        pull = -float(np.asarray(found.evaluation.gradient) @ values)
        # If the data do not pull, a penalty that is barely felt.
        least = 1e-6 * found.value
        return max(pull, least) / float(values @ values) / self.stage.weight

    def search(self, start: np.ndarray, number: int) -> SearchTrace:
        """Pairs around the start, in moves that get smaller from stage to stage."""
        recorder = Recorder(self)
        moves = MOVES[min(number, len(MOVES) - 1)]
        factor = FACTORS[min(number, len(FACTORS) - 1)]
        low, high = np.log(PER_WEIGHT[[0, -1]])
        start = np.array([np.clip(start[0], low, high), start[1]])
        center, tried = np.zeros(2, int), set()
        for _ in range(ROUNDS if number == 0 else 1):
            for move in moves:
                place = center + move
                point = start + np.log(factor) * place
                if tuple(place) not in tried and low <= point[0] <= high:
                    tried.add(tuple(place))
                    recorder(point)
            if number:
                break
            best = np.rint((recorder.trace.best_point - start) / np.log(factor)).astype(int)
            if (best == center).all():
                break
            center = best
        return recorder.finish(True, "the best of the pairs of regularizations tried")

    def __call__(self, pair: np.ndarray) -> Evaluation:
        start = self.kernel_at(pair) if self._solved else self.kernel
        found = self._fit(pair, start)
        self._solved.append((pair, found.found.kernel))
        return Evaluation(found.cross_validation)

    def kernel_at(self, pair: np.ndarray) -> Kernel:
        """The kernel learned at the nearest pair."""
        return min(self._solved, key=lambda own: float(np.linalg.norm(own[0] - pair)))[1]

    def _fit(self, pair: np.ndarray, start: Kernel) -> FirstLevelEvaluation:
        per_weight, penalty = np.exp(pair)
        best: FirstLevelEvaluation | None = None

        def function(values: np.ndarray) -> Evaluation:
            nonlocal best
            found = self._evaluation(start.with_theta(values), per_weight, penalty)
            self.problem.on_evaluation()
            if best is None or found.value < best.value:
                best = found
            return found.evaluation

        searcher = GaussNewton(self.steps, TOLERANCE)
        trace = searcher(function, start.theta, start.limits)
        if best is None:
            raise np.linalg.LinAlgError(trace.reason)
        return best
