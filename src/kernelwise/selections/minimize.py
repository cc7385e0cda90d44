"""Choose kernel and regularization by minimizing a criterion; or choose nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from kernelwise import criteria
from kernelwise.criteria import Criterion, HeldOutSquares, LeaveOneOut, NearStart
from kernelwise.kernels import Kernel
from kernelwise.machines import Folded, Machine
from kernelwise.notices import warn_user
from kernelwise.objective import Objective
from kernelwise.searchers import (
    QuasiNewton,
    RandomWalk,
    Relay,
    Rprop,
    Searcher,
    SearchTrace,
    Secant,
)
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.limits import check_limits, narrowed, pressed_limits, warn_at_limits
from kernelwise.selections.null_model import SECOND_LEAST, WEAK, says_nothing, warn_of_nothing
from kernelwise.selections.optima import combined, fitted
from kernelwise.selections.roles import amplitude_limits, is_scale, with_amplitude
from kernelwise.selections.starts import Scan, Start, raise_least
from kernelwise.solutions import HeldOut

# The range of a regularization if the kernel has an amplitude besides.
LIMITS_BESIDE_AMPLITUDE = (0.01, 100.0)
# Kernels of at most so many parameters are searched by secants, if held-out squares judge them.
FEW_PARAMETERS = 2


class MinimizeCriterion(Selection):
    """Minimize a criterion over the kernel's parameters and the machine's regularization.

    A criterion of held-out rows judges by k-fold instead of the whole fit. If limits mislead
    (`Machine.limits_mislead`), an optimum at one is a last resort and gives an `AtLimitWarning`. If
    the model found says nothing, the search starts again from a larger C; a `NullModelWarning` says
    if that was in vain.

    Parameters
    ----------
    criterion : Criterion
        One without a gradient is searched by a random walk.
    start : Start, default Scan()
        `Scan`, `Given` or `Random`.
    room : float, default infinity
        The factor by which the regularization may move from the start.
    near : float, default 0
        The strength of a preference for the start (`NearStart`), in units of the criterion there;
        without it a scale per feature overfits any criterion.
    amplitude : bool, default False
        Give the kernel an amplitude of its own, with limits; for evidence, which distinguishes it
        from C, while every other criterion sees only their product.
    search_regularization : bool, default True
        Whether the regularization is searched, or stays as given.
    limits : dict from role to (lowest, highest), default None
        Narrower limits of the values of a role: "scale", "amplitude", "offset", "shape" or
        "regularization". ``{"scale": (0.005, 0.5)}`` means length scales from 1 to 10, since a
        Gaussian's values are ``1 / (2 l^2)``.
    """

    combines = True

    def __init__(
        self,
        criterion: Criterion,
        start: Start | None = None,
        room: float = np.inf,
        near: float = 0.0,
        amplitude: bool = False,
        search_regularization: bool = True,
        limits: Mapping[str, tuple[float, float]] | None = None,
    ):
        if not isinstance(criterion, Criterion):
            raise ValueError(
                "criterion must be an object of kernelwise.criteria, such as LeaveOneOut(), got "
                f"{criterion!r}"
            )
        if start is not None and not isinstance(start, Start):
            raise ValueError(f"start must be Scan(), Given() or Random(), got {start!r}")
        if not isinstance(near, Real) or not 0 <= float(near) < np.inf:
            raise ValueError(f"near must be a number of 0 or more, got {near!r}")
        check_limits(limits or {})
        self.criterion: Criterion = criterion
        self.start: Start | None = start
        self.room: float = room
        self.near: float = near
        self.amplitude: bool = amplitude
        self.search_regularization: bool = search_regularization
        self.limits: Mapping[str, tuple[float, float]] | None = limits

    @property
    def is_folded(self) -> bool:
        return is_folded(self.criterion)

    def check(self, machine: Machine) -> None:
        check_judges(self.criterion, machine)
        by_gradient = self.is_folded and "gradient" in self.criterion.gives
        if by_gradient and not machine.held_out_leads_back:
            raise ValueError(
                f"held-out rows of a {type(machine).__name__} machine have no gradient: choose its "
                f"kernel by selection='cv', or by WidthScan({self.criterion!r})"
            )

    def __call__(self, problem: Problem) -> Choice:
        start = self.start or Scan()
        choice, objective = self._searched(problem, start)
        if says_nothing(choice, objective.criterion, WEAK):
            found, again = [(choice, objective)], start.with_least(SECOND_LEAST)
            if again is not None:
                found.append(self._searched(problem, again, SECOND_LEAST))
            spent = sum(one.n_factorizations for one, _ in found)
            choice, objective = min(found, key=lambda pair: pair[0].criterion)
            choice = replace(choice, n_factorizations=spent)
            if says_nothing(choice, objective.criterion):
                warn_of_nothing(choice, tried_again=again is not None)
                return choice
        warn_at_limits(choice, objective)
        return choice

    def _searched(
        self, problem: Problem, start: Start, least: float = 0.0
    ) -> tuple[Choice, Objective]:
        """What a search from a start leads to.

        With ``least`` a first search keeps the regularization from falling below it, and a second
        one goes on from there.
        """
        searcher = problem.search_with(self._default_searcher(problem), self.criterion.gives)
        objective, point = start(problem, self)
        limits, size = self.search_limits(objective), len(objective.kernel.values)
        if self.near and is_scale(objective.kernel).sum() > 1:
            objective = self._kept_near(objective, point)
        if least:
            within = limits.copy()
            raise_least(within[size:], least)
            point = searcher(problem.watched(objective), point, within).best_point
        trace = searcher(problem.watched(objective), point, limits)
        if not self.criterion.jumps:
            warn_if_stuck(trace)

        def pressed(point: np.ndarray) -> tuple[str, ...]:
            misleading = problem.machine.limits_mislead
            return pressed_limits(objective, point, limits) if misleading else ()

        return combined(problem, trace, objective, pressed), objective

    def _default_searcher(self, problem: Problem) -> Searcher:
        if "gradient" not in self.criterion.gives:
            return RandomWalk()
        if self.criterion.jumps:
            return Relay(QuasiNewton(), Rprop(max_iterations=60))
        squares = isinstance(self.criterion, LeaveOneOut | HeldOutSquares)
        if squares and len(problem.kernel.values) <= FEW_PARAMETERS:
            return Secant()
        return QuasiNewton()

    def objective(self, problem: Problem, kernel: Kernel, machine: Machine) -> Objective:
        """The objective, started at a kernel and machine."""
        if self.amplitude:
            kernel = with_amplitude(kernel)
        judged = Folded(machine, problem.folds) if self.is_folded else machine
        criterion = self.criterion.anchored(kernel.values, machine.values)
        X, targets = problem.X, problem.targets
        return Objective(kernel, judged, criterion, X, targets, self.search_regularization)

    def search_limits(self, objective: Objective) -> np.ndarray:
        """The kernel's and machine's limits, narrowed as asked and where evidence has no end."""
        limits, size = objective.limits, len(objective.kernel.values)
        # A start beyond the limits has its room inside them all the same.
        start = np.clip(objective.point[size:], *limits[size:].T)
        given = start[:, None] + np.log(self.room) * np.array([-1, 1])
        limits[size:] = np.clip(given, limits[size:, :1], limits[size:, 1:])
        if self.amplitude:
            amplitude_limits(objective.kernel, objective.X, limits)
            limits[size:] = np.log(LIMITS_BESIDE_AMPLITUDE)
        return narrowed(limits, objective, self.limits or {})

    def _kept_near(self, objective: Objective, point: np.ndarray) -> Objective:
        """The objective with a preference for a point."""
        kernel, machine = objective.at(point)
        strength = self.near * abs(objective.value(point))
        near = NearStart(objective.criterion, strength, kernel.values, machine.values)
        X, targets = objective.X, objective.targets
        kept = Objective(kernel, machine, near, X, targets, objective.learn_machine)
        kept.count(objective.n_factorizations)
        return kept


class AsGiven(Selection):
    """Choose nothing: one fit, judged by half the weighted sum of squared held-out residuals."""

    def __call__(self, problem: Problem) -> Choice:
        kernel, machine, targets = problem.kernel, problem.machine, problem.targets
        point = np.concatenate([kernel.theta, machine.theta])
        trace = SearchTrace([point], [np.nan], [np.nan], [0.0], "nothing was searched")
        choice = fitted(problem, kernel, machine, np.nan, trace)
        squares = (targets.weights[:, None] * choice.held_out**2).sum() + targets.within.sum()
        trace.values = [0.5 * float(squares)]
        return replace(choice, criterion=trace.values[0])


def warn_if_stuck(trace: SearchTrace) -> None:
    if not trace.converged:
        warn_user(f"the search ended early: {trace.reason}", ConvergenceWarning)


def is_folded(criterion: Criterion) -> bool:
    """Whether a criterion judges held-out rows."""
    return issubclass(criterion.reads, HeldOut)


def check_judges(criterion: Criterion, machine: Machine) -> None:
    """Raise a ValueError, with the criteria that do, if a criterion cannot judge a machine."""
    if is_folded(criterion) or issubclass(machine.gives, criterion.reads):
        return
    kinds = {name: getattr(criteria, name) for name in criteria.__all__}
    fitting = [
        name
        for name, kind in kinds.items()
        if issubclass(machine.gives, getattr(kind, "reads", type(None)))
    ]
    raise ValueError(
        f"{criterion!r} does not judge a {type(machine).__name__} machine: it reads a "
        f"{criterion.reads.__name__}. These do: {', '.join(fitting)}; so do criteria of "
        "held-out rows"
    )
