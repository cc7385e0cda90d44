"""First-level kernel learning: the kernel is learnt in training, two regularisers are selected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelwise.criteria import FirstLevel, LeaveOneOut, tangent_leave_one_out_residuals
from kernelwise.kernels.base import Kernel
from kernelwise.machines import LeastSquares
from kernelwise.objective import Objective
from kernelwise.searchers import MultiStart, QuasiNewton, TrustRegion
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.minimize import MinimizeCriterion, warn_if_stuck
from kernelwise.selections.start import scaled, scan, search_tied
from kernelwise.solutions import Targets

ESTIMATES = ("tangent-loo", "cv")
# Decades on each side of the start that the two regularisers may move.
ROOM = 12.0


@dataclass
class Inner:
    """The result of one inner search: kernel and coefficients learnt together."""

    kernel: Kernel
    solution: Any


class FirstLevelSelection(Selection):
    """Learn the kernel at the first level of inference, select only two regularisers.

    For given ``lam`` (machine) and ``mu`` (kernel) the inner problem minimises `FirstLevel` over
    the kernel's natural, non-negative parameters. ``estimate`` says how well the result will
    predict: ``"cv"`` refits on every fold (the paper), ``"tangent-loo"`` takes closed-form
    leave-one-out of the machine linearised in its kernel parameters (one inverse, no refitting).

    References
    ----------
    Cawley & Talbot, Kernel Learning at the First Level of Inference.
    """

    def __init__(self, estimate: str = "tangent-loo"):
        if estimate not in ESTIMATES:
            raise ValueError(f"estimate must be one of {ESTIMATES}, got {estimate!r}")
        self.estimate = estimate

    def __call__(self, problem: Problem) -> Choice:
        if not len(problem.kernel.values):
            # Nothing to learn at the first level; the one regulariser is left.
            return MinimizeCriterion(LeaveOneOut())(problem)
        learner = Learner(problem)
        folds = problem.folds if self.estimate == "cv" else []

        def outer(point: np.ndarray) -> tuple[float, None]:
            ridge, penalty = np.exp(point)
            return learner.loss(learner.held_out(ridge, penalty, folds)), None

        start = np.log([learner.ridge, learner.penalty])
        bounds = np.column_stack([start - ROOM, start + ROOM])
        searcher = MultiStart(
            problem.searcher or TrustRegion(),
            problem.n_restarts,
            seed=problem.seed,
            n_jobs=problem.n_jobs,
        )
        trace = searcher(problem.watched(outer), start, bounds)
        warn_if_stuck(trace)
        ridge, penalty = np.exp(trace.best_point)
        inner = learner.fit(ridge, penalty, problem.X, problem.targets)
        return Choice(
            inner.kernel,
            LeastSquares(ridge),
            inner.solution,
            learner.tangent_held_out(inner, penalty),
            trace.best_value,
            trace,
            learner.n_factorizations,
        )


class Learner:
    """The inner problem, always started from one reference kernel, so that no result depends on the
    path of the outer search.

    The reference is the tied kernel with the least leave-one-out error, with the ``lam`` found
    there; the first ``mu`` is the one that makes it stationary along its own direction.
    """

    def __init__(self, problem: Problem):
        self.problem = problem
        scale, ridge = scan(problem)
        kernel = scaled(problem.kernel, scale)
        tied = Objective(kernel, LeastSquares(ridge), LeaveOneOut(), problem.X, problem.targets)
        point, _ = search_tied(tied, QuasiNewton(tolerance=1e-4))
        self.reference, machine = tied.at(point)
        self.ridge = float(machine.values[0])
        self._factorizations = [tied.n_factorizations]
        natural = self.reference.in_coordinates("natural")
        start = Objective(natural, machine, FirstLevel(0.0), problem.X, problem.targets)
        _, gradient = start(start.point)
        values = natural.values
        pull = -float(gradient[: len(values)] @ values) / max(float(values @ values), 1e-300)
        floor = 1e-6 * float(problem.targets.weights.sum()) / max(float(values @ values), 1e-300)
        self.penalty = max(pull, floor)

    @property
    def n_factorizations(self) -> int:
        return sum(self._factorizations)

    def fit(self, ridge: float, penalty: float, X: np.ndarray, targets: Targets) -> Inner:
        """Minimise the first-level criterion over the kernel, from the reference."""
        kernel = self.reference.in_coordinates("natural")
        machine = LeastSquares(ridge)
        objective = Objective(kernel, machine, FirstLevel(penalty), X, targets, learn_machine=False)
        # In units of the reference all parameters, and the criterion, are of order one; a small
        # regularisation makes the criterion small, and absolute tolerances would stop at once.
        unit = float(np.mean(kernel.values))
        size = objective.value(objective.point)

        def function(point: np.ndarray) -> tuple[float, np.ndarray]:
            value, gradient = objective(point * unit)
            return value / size, gradient * unit / size

        trace = QuasiNewton(tolerance=1e-6, gradient_tolerance=1e-5)(
            function, objective.point / unit, objective.bounds / unit
        )
        best = trace.best_point * unit
        solution, _ = objective.solve(best)
        self._factorizations.append(objective.n_factorizations)
        return Inner(kernel.with_theta(best), solution)

    def held_out(self, ridge: float, penalty: float, folds: list[np.ndarray]) -> np.ndarray:
        """Held-out residuals at (lam, mu): of refitted folds, or of the tangent machine."""
        X, targets = self.problem.X, self.problem.targets
        if not folds:
            return self.tangent_held_out(self.fit(ridge, penalty, X, targets), penalty)
        residuals = np.empty_like(targets.values)
        for S in folds:
            T = np.setdiff1d(np.arange(len(X)), S)
            inner = self.fit(ridge, penalty, X[T], targets.take(T))
            outputs = inner.kernel(X[S], X[T]) @ inner.solution.coef + inner.solution.intercept
            residuals[S] = targets.values[S] - outputs
        return residuals

    def tangent_held_out(self, inner: Inner, penalty: float) -> np.ndarray:
        X = self.problem.X
        active = inner.kernel.values > 0
        tangents = [
            inner.kernel.output_tangent(X, X, coef)[:, active] for coef in inner.solution.coef.T
        ]
        return tangent_leave_one_out_residuals(inner.solution, tangents, penalty)

    def loss(self, held_out: np.ndarray) -> float:
        targets = self.problem.targets
        squares = (targets.weights[:, None] * held_out**2).sum()
        return 0.5 * float(squares + targets.within.sum())
