"""Choose the kernel and C of a support vector machine by a criterion of its solution."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from numbers import Real

import numpy as np

from kernelwise.criteria import Criterion, NearStart
from kernelwise.kernels import Kernel
from kernelwise.linalg import NotPositiveDefiniteError
from kernelwise.machines import Folded, LeastSquares, Machine, SupportVector
from kernelwise.objective import Objective
from kernelwise.searchers import QuasiNewton, RandomWalk, Relay, Rprop, Searcher
from kernelwise.selections.amplitude import (
    amplitude_bounds,
    first_amplitude,
    is_scale,
    with_amplitude,
)
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.minimize import warn_if_stuck
from kernelwise.selections.optima import combined
from kernelwise.selections.starts import scanned_objective, search_tied
from kernelwise.solutions import HeldOutSolution, SupportVectorSolution

STARTS = ("scan", "given", "random")
# Of the C that says as much as the ridge of the least-squares scan: tried before a search.
FACTORS = (0.1, 1.0, 10.0, 100.0)
# Where C may go if the kernel has an amplitude beside it.
BOUNDS_BESIDE_AMPLITUDE = (0.01, 100.0)
# What counts as being at a bound, in logarithms; and as a loss, relative to the criterion.
AT_BOUND, NOTABLE = 1e-3, 1e-3


class AtBoundWarning(UserWarning):
    """A search ended where a parameter could go no further: the optimum may be a false one."""


class SupportVectorSelection(Selection):
    """Minimise a criterion of a support vector machine over the kernel's parameters and C.

    An optimum at an end of a parameter's range counts only where there is no other, and a warning
    says so.

    Attributes
    ----------
    criterion : of the solution, or of held-out rows if ``folded``; one that gives values only is
        searched by a random walk
    start : "scan": a coarse scan and a search by least squares, then one with all scales of the
        kernel tied, by the criterion; "given": the kernel and C as they are; "random": uniformly
        within ``spread`` of the logarithms of those
    amplitude : give the kernel an amplitude of its own, with bounds; for evidence, which tells it
        from C where every other criterion sees their product only
    search_C : whether C is searched, or stays as given
    near : the strength of a preference for the tied kernel (`NearStart`), in units of the criterion
        there; a scale per feature over-fits any criterion without
    bounds : lowest and highest values by the last word of a parameter's name ("weight",
        "amplitude", "offset", "C"), within those that kernel and machine have: ``{"weight": (0.005,
        0.5)}`` is length scales from 1 to 10, a Gaussian's weights being ``1 / (2 l^2)``
    """

    suits = SupportVector

    def __init__(
        self,
        criterion: Criterion,
        folded: bool = False,
        start: str = "scan",
        spread: float = 1.0,
        amplitude: bool = False,
        search_C: bool = True,
        near: float = 0.0,
        bounds: Mapping[str, tuple[float, float]] | None = None,
    ):
        self.criterion, self.folded = criterion, folded
        self.start, self.spread = start, spread
        self.amplitude, self.search_C, self.near = amplitude, search_C, near
        self.bounds = bounds
        reads = HeldOutSolution if folded else SupportVectorSolution
        if not issubclass(criterion.reads, reads):
            raise ValueError(
                f"{criterion!r} reads a {criterion.reads.__name__}; with folded={folded} it must "
                f"read a {reads.__name__}"
            )
        if folded and near:
            raise ValueError("near is for criteria of the whole solution, not with folded=True")
        if start not in STARTS:
            raise ValueError(f"start must be one of {STARTS}, got {start!r}")
        if not isinstance(spread, Real) or not 0 <= float(spread) < 100:
            raise ValueError(f"spread must be a number of 0 or more, got {spread!r}")
        if not isinstance(near, Real) or not 0 <= float(near) < np.inf:
            raise ValueError(f"near must be a number of 0 or more, got {near!r}")
        for name, (low, high) in (bounds or {}).items():
            if not 0 < low < high < np.inf:
                raise ValueError(f"bounds of {name!r} must be positive and rise: {(low, high)}")

    def __call__(self, problem: Problem) -> Choice:
        given = self.criterion.gives
        searcher = problem.search_with(self._default_searcher, given)
        if self.start == "scan":
            objective = self._scanned(problem)
        else:
            objective = self._objective(problem, problem.kernel, problem.machine)
        bounds = self._bounds(objective)
        point = np.clip(objective.point, *bounds.T)
        if self.start == "random":
            moves = np.random.default_rng(problem.seed).uniform(-1, 1, len(point))
            point = np.clip(point + self.spread * moves, *bounds.T)
        tied = is_scale(objective.kernel)
        if self.start == "scan" and given == "gradient" and tied.any():
            point, _ = search_tied(objective, QuasiNewton(), tied, bounds)
            if self.near and tied.sum() > 1:
                objective = self._kept_near(objective, point)
        trace = searcher(problem.watched(objective), point, bounds)
        if not self.criterion.jumps:
            warn_if_stuck(trace)

        def is_false(point: np.ndarray) -> bool:
            return bool(pressed_ends(objective, point, bounds))

        choice = combined(problem, trace, objective.at, objective.n_factorizations, is_false)
        point = np.concatenate([choice.kernel.theta, choice.machine.theta])[: len(bounds)]
        assert isinstance(problem.machine, SupportVector)
        squared = problem.machine.loss == "squared_hinge"
        self._warn_at_ends(pressed_ends(objective, point, bounds), squared)
        return choice

    @property
    def _default_searcher(self) -> Searcher:
        if self.criterion.gives == "value":
            return RandomWalk()
        return (
            Relay(QuasiNewton(), Rprop(max_iterations=60))
            if self.criterion.jumps
            else QuasiNewton()
        )

    def _objective(self, problem: Problem, kernel: Kernel, machine: Machine) -> Objective:
        if self.amplitude:
            kernel = with_amplitude(kernel)
        judged = Folded(machine, problem.folds) if self.folded else machine
        criterion = self.criterion.anchored(kernel.values)
        return Objective(kernel, judged, criterion, problem.X, problem.targets, self.search_C)

    def _scanned(self, problem: Problem) -> Objective:
        """The best of a few C, by the criterion, at the tied kernel that least squares chooses."""
        first = scanned_objective(replace(problem, machine=LeastSquares()))
        point = first.point
        if len(problem.kernel.values):
            point, _ = search_tied(first, QuasiNewton(tolerance=1e-4))
        kernel, machine = first.at(point)
        # What is no scale was tied to the scales, which says nothing about it.
        values = np.where(is_scale(kernel), kernel.values, problem.kernel.values)
        kernel, ridge = kernel.with_values(values), float(machine.values[0])
        found = []
        for factor in FACTORS if self.search_C else (1.0,):
            objective = self._started(problem, kernel, factor / ridge)
            try:
                found.append((objective.value(objective.point), objective))
            except NotPositiveDefiniteError:
                continue
        if not found:  # the search will say what is wrong
            return self._started(problem, kernel, 1 / ridge)
        best = min(found, key=lambda pair: pair[0])[1]
        tried = sum(objective.n_factorizations for _, objective in found if objective is not best)
        best.count(first.n_factorizations + tried)
        return best

    def _started(self, problem: Problem, kernel: Kernel, product: float) -> Objective:
        """The objective at a kernel and the product of amplitude and C."""
        if not self.search_C:
            return self._objective(problem, kernel, problem.machine)
        bound = product
        if self.amplitude:
            amplitude = first_amplitude(kernel, problem.X, product)
            kernel, bound = with_amplitude(kernel, amplitude), product / amplitude
        bound = float(np.clip(bound, *problem.machine.value_bounds[0]))
        return self._objective(problem, kernel, problem.machine.with_values(np.array([bound])))

    def _bounds(self, objective: Objective) -> np.ndarray:
        """Of the search: those of kernel and machine, narrower where evidence has no end."""
        bounds, size = objective.bounds, len(objective.kernel.values)
        if self.amplitude:
            amplitude_bounds(objective.kernel, objective.X, bounds)
            bounds[size:] = np.log(BOUNDS_BESIDE_AMPLITUDE)
        words = [last_word(name) for name in names_of(objective)]
        for word, within in (self.bounds or {}).items():
            if word not in words:
                raise ValueError(
                    f"bounds of {word!r}, but the parameters are {names_of(objective)}"
                )
            rows = [r for r, other in enumerate(words) if other == word]
            narrowed = np.clip(np.log(within), bounds[rows, :1], bounds[rows, 1:])
            if (narrowed[:, 0] >= narrowed[:, 1]).any():
                widest = np.exp(bounds[rows[0]])
                raise ValueError(
                    f"bounds of {word!r} {within} are outside of what is possible here: "
                    f"{widest[0]:.3g} to {widest[1]:.3g}"
                )
            bounds[rows] = narrowed
        return bounds

    def _kept_near(self, objective: Objective, point: np.ndarray) -> Objective:
        """The objective with a preference for a point."""
        kernel, machine = objective.at(point)
        strength = self.near * abs(objective.value(point))
        criterion = NearStart(objective.criterion, strength, float(machine.values[0]))
        criterion = criterion.anchored(kernel.values)
        near = Objective(
            kernel, machine, criterion, objective.X, objective.targets, objective.learn_machine
        )
        near.count(objective.n_factorizations)
        return near

    def _warn_at_ends(self, names: list[str], squared: bool) -> None:
        if not names:
            return
        why = "the optimum may lie beyond it (where classes can be told apart, it often does)"
        if "amplitude" in names and not (squared and self.criterion.jumps):
            why = (
                "evidence of the hinge, and smoothed evidence, rise with the amplitude whatever "
                "the data: this is a false optimum. Use the squared hinge without smoothing, or "
                "another selection"
            )
        message = f"the search ended at the end of the range of {', '.join(names)}: {why}"
        warnings.warn(message, AtBoundWarning, stacklevel=4)


def names_of(objective: Objective) -> list[str]:
    """Names of what is searched."""
    names = [*objective.kernel.value_names, *objective.machine.value_names]
    return names[: len(objective.point)]


def last_word(name: str) -> str:
    """``weight`` for ``Scaled.Gaussian.weight[3]``."""
    return name.rpartition(".")[2].partition("[")[0]


def pressed_ends(objective: Objective, point: np.ndarray, bounds: np.ndarray) -> list[str]:
    """Names of the parameters at an end of their range that the criterion presses against.

    Not those which a step back leaves as good; and not a scale of 0, which merely switches a
    feature off, nor an offset, of which any that is large or small enough is the same.
    """
    names = [name.rpartition(".")[2] for name in names_of(objective)]
    size = len(objective.kernel.values)
    low, high = point <= bounds[:, 0] + AT_BOUND, point >= bounds[:, 1] - AT_BOUND
    low[:size] = False
    there = [r for r in np.flatnonzero(low | high) if not names[r].endswith("offset")]
    if not there:
        return []
    inside = point.copy()
    inside[there] += np.where(low[there], 1.0, -1.0)
    inside = np.clip(inside, *bounds.T)
    try:
        here, back = objective.value(point), objective.value(inside)
    except NotPositiveDefiniteError:
        return []
    return [names[r] for r in there] if back > here + NOTABLE * abs(here) else []
