"""First-level kernel learning: the kernel is learned in training, two regularizers are selected."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import numpy as np

from kernelwise.criteria import FirstLevel, LeaveOneOut
from kernelwise.kernels.base import GramAndWays, Kernel
from kernelwise.machines.base import Machine
from kernelwise.objective import evaluated
from kernelwise.searchers import Earlier, Evaluation, GaussNewton, QuadraticBelief, SearchTrace
from kernelwise.searchers.base import Searcher
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.first_part import first_part
from kernelwise.selections.minimize import MinimizeCriterion, warn_if_stuck
from kernelwise.selections.optima import described
from kernelwise.selections.starts import tied_start
from kernelwise.solutions import LeastSquaresSolution, LinearizedLeastSquares, Targets

ESTIMATES = ("tangent-loo", "cv", "evidence")
# How far, in natural logarithms, the two regularizers may move from their start.
ROOM = 15.0
# The gain a further inner step must promise, relative to the criterion: in selection, and at last.
TOLERANCE, LAST_TOLERANCE = 1e-5, 1e-8
# With many rows the held-out error is smoother, and a looser inner search tells it as well.
TOLERANCE_OF_MANY = 1e-4
# No parameter is predicted to change by more than this, in natural logarithms.
LARGEST_CHANGE = 2.0
# The gain that still counts in the outer search of the first part of the rows, and the first radius
# of that of all rows after it.
PART_TOLERANCE, RADIUS_AFTER_PART = 2e-3, 1.0
# Gram matrices of kernels that later fits may start from are kept up to this many bytes.
KEPT_BYTES = 2**24


class FirstLevelSelection(Selection):
    """Learn the kernel at the first level of inference, and select only two regularizers.

    For given ``lam`` (machine) and ``mu`` (kernel) the inner problem minimizes `FirstLevel` over
    the kernel's natural, non-negative parameters. ``estimate`` says how well the result will
    predict: ``"cv"`` refits on every fold (the paper), ``"tangent-loo"`` uses closed-form
    leave-one-out of the machine linearized in its kernel parameters (one inverse, no refitting),
    ``"evidence"`` the probability of the targets with machine and kernel integrated out by
    Laplace's approximation (`LinearizedLeastSquares`); its held-out error is that of
    ``"tangent-loo"``, which took no part in the choice.

    References
    ----------
    Cawley & Talbot, Kernel Learning at the First Level of Inference; MacKay (1992), Neural
    Computation 4(3), 415-447.
    """

    def __init__(self, estimate: str = "tangent-loo"):
        if estimate not in ESTIMATES:
            raise ValueError(f"estimate must be one of {ESTIMATES}, got {estimate!r}")
        self.estimate = estimate

    def check(self, machine: Machine) -> None:
        if not issubclass(machine.gives, LeastSquaresSolution):
            raise ValueError(
                "first-level kernel learning is for least-squares machines, not for a "
                f"{type(machine).__name__}: choose another selection"
            )

    def __call__(self, problem: Problem) -> Choice:
        if not len(problem.kernel.values):
            # Nothing to learn at the first level; only the regularization is left.
            return MinimizeCriterion(LeaveOneOut())(problem)
        folds = problem.folds if self.estimate == "cv" else []
        searcher: Searcher = problem.search_with(QuadraticBelief(), frozenset({"value"}))
        simple = problem.searcher is None and not problem.n_restarts and not folds
        part = first_part(problem) if simple else None
        if part is None:
            learner = Learner(problem, folds, self.estimate == "evidence")
        else:
            learner, searcher = learned_first(problem, part, self.estimate == "evidence")
        trace = searcher(learner, learner.start, learner.limits)
        warn_if_stuck(trace)
        choice = self._choice(learner, trace)
        if not trace.optima:
            return choice
        optima = [self._choice(learner, search) for search in trace.optima if search.found]
        trace = replace(trace, optima=described(problem, trace, optima, choice.held_out))
        return replace(choice, trace=trace, n_factorizations=learner.n_factorizations)

    def _choice(self, learner: Learner, trace: SearchTrace) -> Choice:
        """The kernel learned where a search ended."""
        inner = learner.last_fit(trace.best_point)
        held_out = inner.linearized(trace.best_point).left_out
        return Choice(
            inner.kernel,
            inner.machine,
            inner.solution,
            inner.solution.expansion,
            held_out,
            # The kernel that is kept may be a better inner optimum than what the search judged.
            trace.best_value if learner.folds else learner.judged(inner, trace.best_point),
            trace,
            learner.n_factorizations,
        )


@dataclass(frozen=True)
class Inner:
    """The result of one inner search: kernel and coefficients learned together.

    ``ways`` is the Gram matrix with its derivatives, where there is room to keep it; ``slopes`` are
    the derivatives of the kernel's values in ``(log lam, log mu)``, see `_slopes`.
    """

    kernel: Kernel
    machine: Machine
    solution: LeastSquaresSolution
    criterion: float
    tangents: np.ndarray
    ways: list[GramAndWays] | None
    slopes: np.ndarray

    def predicted(self, move: np.ndarray) -> np.ndarray:
        """The kernel's values after a move of ``(log lam, log mu)``: to first order, in logarithms.

        Values at zero stay there.
        """
        values = self.kernel.values.copy()
        active = values > 0
        change = (self.slopes @ move)[active] / values[active]
        values[active] *= np.exp(np.clip(change, -LARGEST_CHANGE, LARGEST_CHANGE))
        return values

    def linearized(self, point: np.ndarray) -> LinearizedLeastSquares:
        """The machine made linear in the kernel's values that are not zero."""
        active = self.kernel.values > 0
        return LinearizedLeastSquares(self.solution, self.tangents[:, :, active], np.exp(point[1]))


class Learner:
    """The outer criterion: ``(log lam, log mu) -> error`` of the kernel learned with it.

    The error is that of held-out folds, if there are any, of tangent leave-one-out, or that which
    the evidence tells (``by_evidence``).

    The reference kernel is the tied one with the least leave-one-out error; the first ``lam`` is
    the one found there, and the first ``mu`` makes the reference stationary along its own
    direction. Inner searches start from what the nearest point solved before predicts.
    """

    def __init__(self, problem: Problem, folds: list[np.ndarray], by_evidence: bool = False):
        self.problem, self.folds, self.tolerance = problem, folds, TOLERANCE
        self.by_evidence = by_evidence
        reference, machine, spent = tied_start(problem)
        self.reference = reference.in_coordinates("natural")
        self.ridge = float(machine.values[0])
        self._factorizations = [spent]
        self._solved: list[tuple[np.ndarray, int, Inner]] = []
        self._kept: dict[bytes, list[GramAndWays]] = {}
        found = evaluated(self.reference, machine, problem.X, problem.targets)
        self._keep(self.reference, found.ways)
        value, solution_gradient = FirstLevel(0.0)(found.solution)
        values = self.reference.values
        pull = -float(found.pullback(solution_gradient)[0] @ values)
        # If the data do not pull, a penalty that is barely felt.
        self.penalty = max(pull, 1e-6 * value) / float(values @ values)

    @classmethod
    def after(cls, first: Learner, problem: Problem, point: np.ndarray) -> Learner:
        """A learner of all rows that begins where the search of a part of them ended."""
        other = copy.copy(first)
        other.problem, other._kept = problem, {}
        other._solved = [solved for solved in first._solved if np.array_equal(solved[0], point)]
        other.ridge, other.penalty = (float(value) for value in np.exp(point))
        return other

    @property
    def start(self) -> np.ndarray:
        return np.log([self.ridge, self.penalty])

    @property
    def limits(self) -> np.ndarray:
        return np.column_stack([self.start - ROOM, self.start + ROOM])

    def fresh(self) -> Learner:
        """A copy without memory of solved points, so that parallel searches do not mix."""
        other = copy.copy(self)
        other._solved, other._kept = [], dict(self._kept)
        return other

    @property
    def _room(self) -> int:
        """How many Gram matrices may be kept."""
        return KEPT_BYTES // (8 * len(self.problem.X) ** 2)

    def _keep(self, kernel: Kernel, ways: list[GramAndWays]) -> None:
        """Keep the Gram matrix of a kernel that a later fit may start from; old ones go first."""
        self._kept[kernel.values.tobytes()] = ways
        for values in list(self._kept)[: max(len(self._kept) - self._room, 0)]:
            del self._kept[values]

    @property
    def n_factorizations(self) -> int:
        return sum(self._factorizations)

    def __call__(self, point: np.ndarray) -> Evaluation:
        if self.folds:
            value = self._loss(self._held_out(point))
        else:
            X, targets = self.problem.X, self.problem.targets
            value = self.judged(self._remembered(point, 0, X, targets), point)
        self.problem.on_evaluation()
        return Evaluation(value)

    def judged(self, inner: Inner, point: np.ndarray) -> float:
        """The error of a kernel learned from all rows at a point, without refitting."""
        linearized, values = inner.linearized(point), inner.kernel.values
        if self.by_evidence:
            return linearized.evidence_error(float(values @ values))
        return self._loss(linearized.left_out)

    def _loss(self, held_out: np.ndarray) -> float:
        """Half the weighted sum of squared held-out residuals."""
        targets = self.problem.targets
        squares = (targets.weights[:, None] * held_out**2).sum()
        return 0.5 * float(squares + targets.within.sum())

    def _held_out(self, point: np.ndarray) -> np.ndarray:
        """Held-out residuals at (lam, mu), from refitted folds."""
        X, targets = self.problem.X, self.problem.targets
        residuals = np.empty_like(targets.values)
        for k, S in enumerate(self.folds):
            T = np.setdiff1d(np.arange(len(X)), S)
            inner = self._remembered(point, k, X[T], targets.take(T))
            outputs = inner.kernel(X[S], X[T]) @ inner.solution.coef + inner.solution.intercept
            residuals[S] = targets.values[S] - outputs
        return residuals

    def _remembered(self, point: np.ndarray, fold: int, X: np.ndarray, targets: Targets) -> Inner:
        """An inner fit from the nearest point solved before, remembered in turn."""
        solved = [(p, inner) for p, k, inner in self._solved if k == fold]
        inner = self._fit(point, X, targets, self._nearest(point, solved), self.tolerance)
        self._solved.append((point, fold, inner))
        return inner

    def _nearest(self, point: np.ndarray, solved: list[tuple[np.ndarray, Inner]]) -> np.ndarray:
        """The kernel's values as the nearest solved point predicts them, or the reference's."""
        if not solved:
            return self.reference.values
        near, inner = min(solved, key=lambda pair: float(np.linalg.norm(pair[0] - point)))
        return inner.predicted(point - near)

    def last_fit(self, point: np.ndarray) -> Inner:
        """The kernel to keep, solved tightly."""
        X, targets = self.problem.X, self.problem.targets
        start = self._nearest(point, [(p, inner) for p, _, inner in self._solved])
        return self._fit(point, X, targets, start, LAST_TOLERANCE)

    def _fit(
        self,
        point: np.ndarray,
        X: np.ndarray,
        targets: Targets,
        start: np.ndarray,
        tolerance: float,
    ) -> Inner:
        """Minimize the first-level criterion over the kernel, by Gauss-Newton.

        The gradient is not that of `Objective`: it takes only products with the tangents that the
        curvature needs anyway. With the tangents ``g_t`` of the outputs and ``E = lam/2 sum_t
        y_t'coef_t``, ``dE = -lam/2 sum_t coef_t'g_t``, curvature ``lam sum_t g_t'P g_t`` (without
        the term of second derivatives of the kernel).

        Parameters
        ----------
        point : logarithms of ``lam`` and ``mu``
        X, targets : the rows to learn from
        start : the first values of the kernel
        tolerance : of the search
        """
        ridge, penalty = np.exp(point)
        criterion, machine = FirstLevel(penalty), self.problem.machine.at_ridge(ridge)
        whole = X is self.problem.X
        best: Inner | None = None

        def function(values: np.ndarray) -> Evaluation:
            nonlocal best
            ways = self._kept.get(values.tobytes()) if whole else None
            found = evaluated(self.reference.with_theta(values), machine, X, targets, ways)
            solution, tangents = found.solution, found.output_tangents()
            self._factorizations.append(solution.n_factorizations)
            size, gradient, _ = criterion.penalty(values, machine.values)
            pull = 0.5 * ridge * np.einsum("nt,ntp->p", solution.coef, tangents)
            change = solution.system.apply(solution.coef / targets.weights[:, None])
            in_ridge = ridge**2 * np.einsum("nt,ntp->p", change, tangents) - pull
            gradient = gradient - pull
            curvature = penalty * np.eye(len(values))
            curvature += ridge * solution.system.sum_of_squares(tangents)
            value = criterion(solution)[0] + size
            if best is None or value < best.criterion:
                kept = found.ways if whole and self._room else None
                slopes = _slopes(values, curvature, in_ridge, penalty)
                best = Inner(found.kernel, machine, solution, value, tangents, kept, slopes)
            return Evaluation(value, gradient, curvature)

        trace = GaussNewton(tolerance=tolerance)(function, start, self.reference.limits)
        if best is None:
            raise np.linalg.LinAlgError(trace.reason)
        if best.ways is not None:
            self._keep(best.kernel, best.ways)
        return best


def _slopes(
    values: np.ndarray, curvature: np.ndarray, in_ridge: np.ndarray, penalty: float
) -> np.ndarray:
    """Derivatives of the learned values in ``(log lam, log mu)``, (parameters, 2).

    The gradient of the criterion stays zero: ``H dvalues = lam/2 sum_t coef_t'g_t - lam^2 sum_t
    coef_t'W^-1 P g_t`` (minus ``in_ridge``) for ``log lam``, and ``-mu values`` for ``log mu``,
    with ``H`` the Gauss-Newton curvature of the values that are not zero.

    Parameters
    ----------
    values, curvature : the learned values and the curvature there
    in_ridge : the derivative of the gradient in ``log lam``
    penalty : ``mu``
    """
    slopes, active = np.zeros((len(values), 2)), np.flatnonzero(values > 0)
    right = np.column_stack([-in_ridge, -penalty * values])[active]
    slopes[active] = np.linalg.solve(curvature[np.ix_(active, active)], right)
    return slopes


def learned_first(
    problem: Problem, part: Problem, by_evidence: bool = False
) -> tuple[Learner, QuadraticBelief]:
    """A learner of all rows and its searcher, after a search on a part of the rows."""
    first = Learner(part, [], by_evidence)
    first.tolerance = TOLERANCE_OF_MANY
    trace = QuadraticBelief(tolerance=PART_TOLERANCE)(first, first.start, first.limits)
    known = np.isfinite(trace.values)
    share = float(part.targets.weights.sum() / problem.targets.weights.sum())
    earlier = Earlier(np.array(trace.points)[known], np.array(trace.values)[known] / share)
    searcher = QuadraticBelief(first_radius=RADIUS_AFTER_PART, earlier=earlier)
    return Learner.after(first, problem, trace.best_point), searcher
