"""Choose the width of a kernel by values alone: a scan, then a closer look at the best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.optimize import minimize_scalar

from kernelwise.criteria import Criterion
from kernelwise.kernels import Kernel
from kernelwise.machines import Folded, Machine
from kernelwise.objective import Evaluated, evaluated
from kernelwise.searchers import Evaluation, SearchTrace
from kernelwise.searchers.base import Recorder
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.minimize import check_judges, is_folded
from kernelwise.selections.optima import fitted
from kernelwise.selections.roles import is_scale

# Factors on the kernel's scales as given: Gaussians from 18 times as wide to 5.6 times narrower. If
# the best is at an end, the scan goes on there.
FACTORS = tuple(np.logspace(-2.5, 1.5, 12))
MOST_BEYOND = 8
# Refinement ends at this difference of the logarithm of the factor, or after so many values.
CLOSE, MOST_VALUES = 0.1, 10


class WidthScan(Selection):
    """The common factor on all scales of a kernel for which a criterion is least.

    A scan finds the best of a few factors, a search by values (Brent's) looks around it. So the
    criterion may have jumps and many minima. The machine stays as it is. Cost: one solution per
    value, and per fold if the criterion reads held-out rows.

    Parameters
    ----------
    criterion : Criterion
    factors : sequence of float, default None
        Increasing factors on the kernel's values; for a Gaussian, a factor of 4 halves the length
        scale. None: 12, from 0.003 to 32, and more beyond an end that is best. Of equal values that
        of the widest kernel counts.
    refine : bool, default True
        Whether to look around the best of them.
    then : Selection, default None
        What chooses on from there, if the kernel has several scales.
    """

    def __init__(
        self,
        criterion: Criterion,
        factors: tuple[float, ...] | None = None,
        refine: bool = True,
        then: Selection | None = None,
    ):
        if not isinstance(criterion, Criterion):
            raise ValueError(
                "criterion must be an object of kernelwise.criteria, such as PricedEvidence(), got "
                f"{criterion!r}"
            )
        if factors is not None:
            given = np.asarray(factors, float)
            fit = given.ndim == 1 and len(given) and ((given > 0) & np.isfinite(given)).all()
            if not fit:
                raise ValueError(f"factors must be positive numbers, got {factors!r}")
            if (np.diff(given) <= 0).any():
                raise ValueError(f"factors must increase, got {factors!r}")
        self.criterion: Criterion = criterion
        self.factors: tuple[float, ...] | None = factors
        self.refine: bool = refine
        self.then: Selection | None = then

    def check(self, machine: Machine) -> None:
        check_judges(self.criterion, machine)
        if self.then is not None:
            self.then.check(machine)

    def value(self, problem: Problem, found: Evaluated) -> float:
        """What is minimized, of one kernel."""
        return self.criterion(found.solution)[0]

    def judged_machine(self, problem: Problem) -> Machine:
        folded = is_folded(self.criterion)
        return Folded(problem.machine, problem.folds) if folded else problem.machine

    def __call__(self, problem: Problem) -> Choice:
        kernel, machine, spent = problem.kernel, self.judged_machine(problem), 0

        def judged(theta: np.ndarray) -> Evaluation:
            nonlocal spent
            found = evaluated(kernel.with_theta(theta), machine, problem.X, problem.targets)
            spent += found.solution.n_factorizations
            problem.on_evaluation()
            return Evaluation(self.value(problem, found))

        recorder = Recorder(judged)
        best = self._search(recorder, kernel)
        judgeable = bool(np.isfinite(recorder.trace.values).any())
        trace = recorder.finish(judgeable, self._reason(kernel, judgeable), chose=best)
        kernel = kernel.with_theta(trace.points[best])
        if self.then is not None and is_scale(kernel).sum() > 1:
            choice = self.then(replace(problem, kernel=kernel, tied=None))
            whole = trace.followed_by(choice.trace) if not choice.trace.optima else choice.trace
            choice = replace(choice, trace=whole)
        else:
            choice = fitted(problem, kernel, problem.machine, trace.values[best], trace)
        return replace(choice, n_factorizations=spent + choice.n_factorizations)

    def _search(self, recorder: Recorder, kernel: Kernel) -> int:
        """Scan and refine; the index of the best point."""

        def at(log_factor: float) -> float:
            recorder(theta_at(kernel, log_factor))
            return recorder.trace.values[-1]

        if not has_width(kernel):
            at(0.0)
            return 0
        tried = {log: at(log) for log in np.log(FACTORS if self.factors is None else self.factors)}
        if self.factors is None:
            self._go_on(at, tried)
        logs = sorted(tried)
        first = logs.index(min(logs, key=lambda log: tried[log]))
        if self.refine and len(logs) > 1 and np.isfinite(tried[logs[first]]):
            around = logs[max(first - 1, 0)], logs[min(first + 1, len(logs) - 1)]
            options = {"xatol": CLOSE, "maxiter": MOST_VALUES}
            minimize_scalar(at, bounds=around, method="bounded", options=options)
        return best_of(recorder.trace)

    @staticmethod
    def _go_on(at: Callable[[float], float], tried: dict[float, float]) -> None:
        """Try factors beyond the end that is best, as long as they are better."""
        logs = sorted(tried)
        step, best = logs[1] - logs[0], min(logs, key=lambda log: tried[log])
        if best not in (logs[0], logs[-1]) or not np.isfinite(tried[best]):
            return
        move = step if best == logs[-1] else -step
        for _ in range(MOST_BEYOND):
            tried[best + move] = at(best + move)
            if not tried[best + move] < tried[best]:
                break
            best += move

    def _reason(self, kernel: Kernel, judgeable: bool) -> str:
        if not judgeable:
            return "no width could be judged, so the middle one was taken"
        if not has_width(kernel):
            return "the kernel has no width to choose"
        return "the best width was found" if self.refine else "all widths were tried"


def theta_at(kernel: Kernel, log_factor: float) -> np.ndarray:
    """The kernel's theta with a common factor on all its scales; a shape is no scale."""
    return kernel.theta + np.array([log_factor * (role == "scale") for role in kernel.roles])


def has_width(kernel: Kernel) -> bool:
    return "scale" in kernel.roles


def best_of(trace: SearchTrace) -> int:
    """The index of the lowest value, that of the widest kernel if several are equal.

    The middle if all are infinite.
    """
    values, points = np.array(trace.values), np.array(trace.points)
    # The factor is in all scales; a column that is switched off has none.
    narrowness = np.where(np.isfinite(points), points, 0.0).sum(axis=1)
    if not np.isfinite(values).any():
        return len(values) // 2
    lowest = np.flatnonzero(values == values.min())
    return int(lowest[narrowness[lowest].argmin()])
