"""Starts of a search: a coarse scan with all scales tied to one, as given, or at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kernelwise.criteria import Criterion, HeldOutSquares, LeaveOneOut
from kernelwise.kernels import Kernel
from kernelwise.machines import Folded, LeastSquares, Machine
from kernelwise.objective import Objective, evaluated, gram_blocks
from kernelwise.searchers import Evaluation, QuasiNewton
from kernelwise.searchers.base import Searcher, SearchTrace
from kernelwise.selections.base import Problem
from kernelwise.selections.limits import check_limits
from kernelwise.selections.roles import first_amplitude, is_scale, with_amplitude

if TYPE_CHECKING:
    from kernelwise.selections.minimize import MinimizeCriterion

# Factors on the kernel's first guess, from almost linear to local, and regularizations relative to
# the size of the centered Gram matrix.
SCALES = np.array([1e-3, 1e-2, 0.05, 0.2, 0.7, 2.0, 6.0])
RELATIVE_RIDGES = np.array([1e-4, 1e-3, 1e-2, 0.1, 1.0])
SCAN_ROWS = 400


class Start:
    """A start gives the objective of a selection, and the point where its search begins."""

    def __call__(
        self, problem: Problem, selection: MinimizeCriterion
    ) -> tuple[Objective, np.ndarray]:
        raise NotImplementedError

    def with_least(self, least: float) -> Start | None:
        """The start of a second search, with regularizations from ``least`` on; None: no such."""
        return None

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"


class Given(Start):
    """Kernel and machine as they are."""

    def __call__(
        self, problem: Problem, selection: MinimizeCriterion
    ) -> tuple[Objective, np.ndarray]:
        objective = selection.objective(problem, problem.kernel, problem.machine)
        return objective, np.clip(objective.point, *selection.search_limits(objective).T)


class Random(Start):
    """A uniformly random point within ``spread`` of the logarithms of the given values."""

    def __init__(self, spread: float = 1.0):
        if not isinstance(spread, Real) or not 0 <= float(spread) < 100:
            raise ValueError(f"spread must be a number of 0 or more, got {spread!r}")
        self.spread: float = float(spread)

    def __call__(
        self, problem: Problem, selection: MinimizeCriterion
    ) -> tuple[Objective, np.ndarray]:
        objective, point = Given()(problem, selection)
        moves = np.random.default_rng(problem.seed).uniform(-1, 1, len(point))
        limits = selection.search_limits(objective)
        return objective, np.clip(point + self.spread * moves, *limits.T)


class RandomWithin(Start):
    """A random point, uniform in the logarithms of the values, within limits by role.

    ``ranges`` goes from a role ("scale", "amplitude", "offset", "shape", "regularization") to the
    lowest and highest value; a role without a range stays as given.
    """

    def __init__(self, ranges: Mapping[str, tuple[float, float]]):
        check_limits(ranges)
        self.ranges: Mapping[str, tuple[float, float]] = ranges

    def with_least(self, least: float) -> RandomWithin:
        return self

    def __call__(
        self, problem: Problem, selection: MinimizeCriterion
    ) -> tuple[Objective, np.ndarray]:
        objective, point = Given()(problem, selection)
        draws = np.random.default_rng(problem.seed).uniform(size=len(point))
        for r, parameter in enumerate(objective.parameters):
            if parameter.role in self.ranges:
                low, high = np.log(self.ranges[parameter.role])
                point[r] = low + draws[r] * (high - low)
        return objective, np.clip(point, *selection.search_limits(objective).T)


class Scan(Start):
    """A coarse scan, then a search with all scales of the kernel tied, by held-out squares.

    A machine that leave-one-out cannot judge starts from what least squares finds; the criterion
    chooses among a few regularizations (`Machine.start_factors`), and guides the tied search. With
    ``least``, it starts at that regularization and the kernel as it is sized for the table instead
    (least squares may want a size that the criterion's limits do not allow), and the tied search
    keeps the regularization above it.
    """

    def __init__(self, least: float = 0.0):
        if not isinstance(least, Real) or not 0 <= float(least) < np.inf:
            raise ValueError(f"least must be a number of 0 or more, got {least!r}")
        self.least: float = float(least)

    def with_least(self, least: float) -> Scan:
        return Scan(least)

    def __call__(
        self, problem: Problem, selection: MinimizeCriterion
    ) -> tuple[Objective, np.ndarray]:
        if issubclass(problem.machine.gives, LeaveOneOut.reads):
            return self._by_held_out_squares(problem, selection)
        found = self._from_size if self.least else self._from_least_squares
        objective = found(problem, selection)
        limits, scales = selection.search_limits(objective), is_scale(objective.kernel)
        if self.least:
            raise_least(limits[len(scales) :], self.least)
        if "gradient" in selection.criterion.gives and scales.any():
            return objective, search_tied(objective, QuasiNewton(), scales, limits)[0]
        return objective, np.clip(objective.point, *limits.T)

    def _by_held_out_squares(
        self, problem: Problem, selection: MinimizeCriterion
    ) -> tuple[Objective, np.ndarray]:
        start = scanned_objective(problem, selection.is_folded)
        point, size = start.point, len(problem.kernel.values)
        # With several parameters, or if the search stays near its start, the tied optimum.
        if size > 1 or (size and np.isfinite(selection.room)):
            point, _ = search_tied(start, QuasiNewton())
        kernel, judged = start.at(point)
        machine = problem.machine.with_values(judged.values)
        objective = selection.objective(problem, kernel, machine)
        objective.count(start.n_factorizations)
        return objective, objective.point

    def _from_size(self, problem: Problem, selection: MinimizeCriterion) -> Objective:
        """The objective at the kernel as given, with a large amplitude."""
        kernel, machine = problem.kernel, problem.machine
        if selection.amplitude:
            kernel = with_amplitude(kernel, first_amplitude(kernel, problem.X, np.inf))
        values = np.clip(np.full(len(machine.values), self.least), *machine.value_limits.T)
        return selection.objective(problem, kernel, machine.with_values(values))

    def _from_least_squares(self, problem: Problem, selection: MinimizeCriterion) -> Objective:
        """The objective at least squares' tied kernel and the best of a few regularizations."""
        first = scanned_objective(replace(problem, machine=LeastSquares()))
        point = first.point
        if len(problem.kernel.values):
            point, _ = search_tied(first, QuasiNewton(tolerance=1e-4))
        kernel, machine = first.at(point)
        # Other values were tied to the scales, which says nothing about them.
        values = np.where(is_scale(kernel), kernel.values, problem.kernel.values)
        kernel, ridge = kernel.with_values(values), float(machine.values[0])
        found = []
        factors = problem.machine.start_factors if selection.search_regularization else (1.0,)
        for factor in factors:
            objective = self._started(problem, selection, kernel, ridge, factor)
            try:
                found.append((objective.value(objective.point), objective))
            except np.linalg.LinAlgError:
                continue
        if not found:  # the search will say what is wrong
            return self._started(problem, selection, kernel, ridge, 1.0)
        best = min(found, key=lambda pair: pair[0])[1]
        tried = sum(objective.n_factorizations for _, objective in found if objective is not best)
        best.count(first.n_factorizations + tried)
        return best

    @staticmethod
    def _started(
        problem: Problem, selection: MinimizeCriterion, kernel: Kernel, ridge: float, factor: float
    ) -> Objective:
        """The objective at a kernel and a regularization as weak as ``ridge / factor``.

        Parameters
        ----------
        problem, selection : whose objective it is
        kernel : where the search begins
        ridge, factor : as for `Machine.at_ridge`
        """
        if not selection.search_regularization:
            return selection.objective(problem, kernel, problem.machine)
        machine = problem.machine.at_ridge(ridge, factor)
        if selection.amplitude:
            amplitude = first_amplitude(kernel, problem.X, factor / ridge)
            kernel, machine = with_amplitude(kernel, amplitude), machine.rescaled(amplitude)
        values = np.clip(machine.values, *problem.machine.value_limits.T)
        return selection.objective(problem, kernel, machine.with_values(values))


def scan(problem: Problem) -> tuple[float, float, int]:
    """The best (scale, regularization) of a coarse grid by leave-one-out, on at most 400 rows.

    Cost: 35 small factorizations, counted in the third number.
    """
    rows = np.arange(len(problem.X))
    if len(rows) > SCAN_ROWS:
        # Always the same rows: nothing else in a fit without restarts is left to chance.
        random = np.random.default_rng(0)
        rows = np.sort(random.choice(rows, SCAN_ROWS, replace=False))
    X, targets = problem.kernel.take(problem.X, rows), problem.targets.take(rows)
    best, criterion, count = (np.inf, 1.0, 1.0), LeaveOneOut(), 0
    for scale in SCALES if len(problem.kernel.values) else [1.0]:
        kernel = scaled(problem.kernel, scale)
        ways = gram_blocks(kernel, LeastSquares(), X)
        for ridge in RELATIVE_RIDGES * centered_size(ways[0].gram):
            count += 1
            try:
                found = evaluated(kernel, LeastSquares(ridge), X, targets, ways)
                best = min(best, (criterion(found.solution)[0], scale, ridge))
            except np.linalg.LinAlgError:
                continue
    return best[1], best[2], count


def raise_least(limits: np.ndarray, least: float) -> None:
    """Raise the lower end of (logarithmic) limits to a value, in place, as far as they go."""
    limits[:, 0] = np.clip(np.log(least), *limits.T)


def scaled(kernel: Kernel, factor: float) -> Kernel:
    return kernel.with_values(kernel.values * factor)


def centered_size(gram: np.ndarray) -> float:
    """The mean diagonal of the centered Gram matrix."""
    return max(float(np.mean(np.diagonal(gram)) - gram.mean()), 1e-300)


def scanned_objective(problem: Problem, folded: bool = False) -> Objective:
    """Plain leave-one-out, or k-fold, at the best point of the scan, whose work is counted."""
    scale, ridge, scanned = scan(problem)
    machine: Machine = problem.machine.at_ridge(ridge)
    criterion: Criterion = LeaveOneOut()
    if folded:
        machine, criterion = Folded(machine, problem.folds), HeldOutSquares()
    kernel = scaled(problem.kernel, scale)
    objective = Objective(kernel, machine, criterion, problem.X, problem.targets)
    objective.count(problem.factorizations_before + scanned)
    return objective


def best_of_tied(problem: Problem, kernels: list[Kernel]) -> Problem:
    """The problem with the kernel whose tied form has the least leave-one-out squares.

    It also says where that search ended (``tied``), so that nobody need search again.
    """
    parts = [replace(problem, kernel=kernel, machine=LeastSquares()) for kernel in kernels]
    found = [searched_tied(part) for part in parts]
    number = min(range(len(found)), key=lambda k: found[k].squares)
    best = found[number]
    return replace(
        problem,
        kernel=kernels[number],
        tied=(best.kernel.values, float(best.machine.values[0])),
        factorizations_before=sum(tied.n_factorizations for tied in found),
    )


class TiedOptimum(NamedTuple):
    """Kernel and machine where a tied search ended, its leave-one-out squares, and the work."""

    kernel: Kernel
    machine: Machine
    squares: float
    n_factorizations: int


def searched_tied(problem: Problem) -> TiedOptimum:
    """The tied kernel and its machine with the least leave-one-out squares, by a new search."""
    objective = scanned_objective(problem)
    point, trace = search_tied(objective, QuasiNewton(tolerance=1e-4))
    return TiedOptimum(*objective.at(point), trace.best_value, objective.n_factorizations)


def tied_start(problem: Problem) -> tuple[Kernel, Machine, int]:
    """The tied kernel, its machine and the work: found before (``problem.tied``), or now."""
    if problem.tied is None:
        found = searched_tied(problem)
        return found.kernel, found.machine, found.n_factorizations
    values, ridge = problem.tied
    own = np.array(np.broadcast_to(values, problem.kernel.values.shape), float)
    kernel, machine = problem.kernel.with_values(own), problem.machine.at_ridge(ridge)
    return kernel, machine, problem.factorizations_before


def search_tied(
    objective: Objective,
    searcher: Searcher,
    tied: np.ndarray | None = None,
    limits: np.ndarray | None = None,
) -> tuple[np.ndarray, SearchTrace]:
    """Search a common factor of the ``tied`` parameters (None: all the kernel's) and the others.

    It is the isotropic kernel within the per-feature one: few parameters, so few local minima.
    Returns the best full point and the trace of (log factor, others) points.
    """
    base, size = objective.point, len(objective.kernel.theta)
    limits = objective.limits if limits is None else limits
    together = np.zeros(len(base), bool)
    together[:size] = True if tied is None else tied

    def full(point: np.ndarray) -> np.ndarray:
        moved = base + point[0]
        moved[~together] = point[1:]
        return moved

    def function(point: np.ndarray) -> Evaluation:
        found = objective(full(point))
        gradient = np.asarray(found.gradient)
        return replace(found, gradient=np.append(gradient[together].sum(), gradient[~together]))

    if not together.any():  # a kernel without values has nothing to tie
        trace = searcher(objective, base, limits)
        return trace.best_point, trace
    room = limits[together] - base[together, None]
    within = np.vstack([[room[:, 0].max(), room[:, 1].min()], limits[~together]])
    trace = searcher(function, np.append(0.0, base[~together]), within)
    return full(trace.best_point), trace
