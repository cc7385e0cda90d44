"""Evidence of support vector machines by expectation propagation, and by sampling."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from statistics import median

import numpy as np

from benchmarks.generators import split
from benchmarks.measure import FLOOR, Run, Task, floor, interleaved, ratio, seconds, spread
from benchmarks.table import Row
from kernelwise import SVMClassifier
from kernelwise.criteria import PosteriorEvidence
from kernelwise.kernels import Constant, Gaussian, Scaled
from kernelwise.machines import PosteriorSupportVector, SampledPosterior
from kernelwise.machines.posterior import propagation
from kernelwise.machines.support_vector.machine import LOSSES
from kernelwise.objective import Objective
from kernelwise.selections import AtLimitWarning
from kernelwise.solutions import Targets

N, D = 300, 20
# What a value and its gradient may cost, in F: alone, and at the next point of a search.
COLD, WARM = 12.0, 8.0
# How far the next point of a search is, in the logarithm of every parameter.
STEP, POINTS = 0.05, 10
SIZES = (150, 300, 600, 1200)
# The cost grows as n^3; small matrices are slower than that for their size.
GROWTH = 1.25 * 2**3
ASCENT_SECONDS = 15.0
SAMPLE, PRODUCTS = 3000, 3000.0
# Amplitude and C: where sampling is easy, and where the posterior is far from normal.
EASY, HARD = (1.0, 1.0), (20.0, 2.0)
SHORTEST, GROWN = 0.1, 1.5


@dataclass
class Case:
    """One loss on Twonorm, with a length scale per feature."""

    loss: str
    n: int = N
    amplitude: float = 1.0
    C: float = 1.0
    objective: Objective = field(init=False)

    def __post_init__(self) -> None:
        X, y, _, _ = split("twonorm", self.n, 1, seed=0)
        kernel = Scaled(Gaussian(np.full(D, np.sqrt(D))), self.amplitude) + Constant()
        machine = PosteriorSupportVector(self.C, self.loss)
        self.objective = Objective(kernel, machine, PosteriorEvidence(), X, Targets.plain(y))
        self._steps = np.random.default_rng(0)

    @property
    def name(self) -> str:
        return f"EP, {self.loss}, n={self.n}"

    def cold(self) -> Run:
        own = self.objective.fresh()
        return lambda: own(own.point)

    def warm(self) -> Run:
        """The point after another one, all of whose parameters have moved."""
        own, signs = self.objective.fresh(), self._steps.choice([-1.0, 1.0], D + 3)
        own(own.point)
        return lambda: own(own.point + STEP * signs)

    def kernel(self) -> Run:
        return partial(self.objective.kernel.gram_and_ways, self.objective.X)

    def sweeps(self) -> Run:
        gram, machine = self.objective.kernel(self.objective.X), self.objective.machine
        return partial(machine.fresh().solve, [gram], self.objective.targets)

    def pullback(self) -> Run:
        own = self.objective.fresh()
        found = own.solve(own.point)
        return lambda: own.judged(found)

    def counted(self, task: Task) -> int:
        """The sweeps of a task's run; objectives share a counter with their original."""
        run, before = task(), self.objective.n_factorizations
        run()
        return self.objective.n_factorizations - before


def value_and_gradient(quick: bool) -> list[Row]:
    """Cold and warm, and where the time of a cold one goes."""
    cases = [Case(loss) for loss in LOSSES]
    tasks: dict[str, Task] = {FLOOR: floor(N)}
    for case in cases:
        for part in ("cold", "warm", "kernel", "sweeps", "pullback"):
            tasks[f"{case.name}, {part}"] = getattr(case, part)
    times = interleaved(tasks, 5 if quick else 25)
    rows = []
    for case in cases:
        for part, limit in (("cold", COLD), ("warm", WARM)):
            task = getattr(case, part)
            count = median(case.counted(task) for _ in range(1 if part == "cold" else POINTS))
            name = f"{case.name}, {part}"
            beside = f"{spread(times, name)}; {count:g} sweeps"
            what = f"{name}: value and {D + 3} gradients, d={D}"
            rows.append(Row(what, ratio(times, name), limit=limit, beside=beside))
        for part in ("kernel", "sweeps", "pullback"):
            name = f"{case.name}, {part}"
            rows.append(Row(f"{name} alone", ratio(times, name), beside=spread(times, name)))
    return rows


def growth(quick: bool) -> list[Row]:
    """Doubling n makes a value and its gradient at most ten times as expensive."""
    sizes = SIZES[:-1] if quick else SIZES
    cases = {n: Case("hinge", n) for n in sizes}
    times = interleaved({str(n): case.cold for n, case in cases.items()}, 3 if quick else 5)
    floors = interleaved({str(n): floor(n) for n in sizes}, 3 if quick else 5)
    rows = []
    for fewer, more in pairwise(sizes):
        own, lapack = median(times[str(more)]), median(floors[str(more)])
        beside = (
            f"{own:.3f} s, {own / lapack:.1f} F, {cases[more].counted(cases[more].cold)} sweeps"
        )
        spent = ratio(times, str(more), str(fewer))
        what = f"EP, hinge, cold: n={more} beside n={fewer}"
        rows.append(Row(what, spent, "times", GROWTH, beside=beside))
    return rows


def ascent(loss: str) -> Row:
    """A whole search with a length scale per feature."""
    X, y, X_test, y_test = split("twonorm", N, 4000, seed=0)
    model = SVMClassifier(kernel="ard", selection="evidence-ep", loss=loss, random_state=0)
    with warnings.catch_warnings():
        # The evidence of classes so far apart rises with the amplitude to its limit.
        warnings.simplefilter("ignore", AtLimitWarning)
        spent = seconds(lambda: model.fit(X, y))
    beside = f"{len(model.trace_)} points, {model.n_factorizations_} factorizations, "
    beside += f"error {100 * (1 - model.score(X_test, y_test)):.1f} %"
    what = f"EP, {loss}, n={N}: an ascent with {D} length scales"
    return Row(what, spent, "s", ASCENT_SECONDS, beside=beside)


def sampling(loss: str, at: tuple[float, float]) -> Row:
    """Products of an n x n matrix with 64 columns for so many effective draws."""
    case = Case(loss, N, *at)
    gram = case.objective.kernel(case.objective.X)
    machine = SampledPosterior(case.C, loss)
    report = machine.solve([gram], case.objective.targets).reports[0]
    beside = f"{report.effective_sample:.0f} effective for {report.products} products, "
    beside += f"{report.kicks} kicks, acceptance {report.acceptance:.2f}, R-hat {report.r_hat:.3f}"
    what = f"sampling, {loss}, n={N}, amplitude {at[0]:g}, C {at[1]:g}: products for {SAMPLE}"
    needed = SAMPLE * report.products / report.effective_sample
    return Row(what, needed, "products", PRODUCTS if at == EASY else None, beside=beside)


class Damped:
    """Plain steps, which become shorter when the mismatch grows: what Anderson's are judged by."""

    def __init__(self) -> None:
        self.length, self.last = 1.0, np.inf

    def __call__(
        self, x: np.ndarray, target: np.ndarray, scale: np.ndarray, mismatch: float
    ) -> np.ndarray:
        if mismatch > GROWN * self.last:
            self.length = max(self.length / 2, SHORTEST)
        self.last = mismatch
        return x + self.length * (target - x)


@contextmanager
def replaced(**names: object) -> Iterator[None]:
    """Expectation propagation with some of its parts replaced."""
    usual = {name: getattr(propagation, name) for name in names}
    for name, part in names.items():
        setattr(propagation, name, part)
    try:
        yield
    finally:
        for name, part in usual.items():
            setattr(propagation, name, part)


def saved(loss: str, at: tuple[float, float]) -> Row:
    """Sweeps until the moments agree, as they are and with simpler steps between them."""
    case = Case(loss, N, *at)
    usual = case.counted(case.cold)
    with replaced(nearby_sites=lambda *_: None):
        extrapolated = case.counted(case.cold)
        with replaced(Anderson=Damped):
            plain = case.counted(case.cold)
    what = f"EP, {loss}, n={N}, amplitude {at[0]:g}, C {at[1]:g}: sweeps"
    beside = f"{extrapolated} with Anderson's steps alone, {plain} with damped ones"
    return Row(what, usual, "sweeps", beside=beside)


def run(quick: bool) -> list[Row]:
    rows = [*value_and_gradient(quick), *growth(quick)]
    rows += [ascent(loss) for loss in LOSSES]
    rows += [sampling(loss, at) for at in (EASY, HARD) for loss in LOSSES]
    return rows + [saved(loss, at) for at in (EASY, HARD) for loss in LOSSES]
