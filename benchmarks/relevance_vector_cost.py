"""Fits of relevance vector machines at one width, beside fastrvm and sklearn-rvm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from fastrvm import RVC, RVR
from sklearn_rvm import EMRVC

from benchmarks.generators import split
from benchmarks.measure import Run, interleaved, peak_bytes, ratio, spread
from benchmarks.table import Row
from kernelwise.data import Catalogue
from kernelwise.kernels import Gaussian
from kernelwise.machines import RelevanceVector
from kernelwise.machines.relevance_vector.machine import LIKELIHOODS
from kernelwise.machines.relevance_vector.model import Problem
from kernelwise.machines.relevance_vector.polishing import polished
from kernelwise.solutions import RelevanceVectorSolution, Targets

N, N_TEST = 1000, 2000
MEMORY_ROWS = 2000
# Real data sets, beside the checkout; without them German credit is left out.
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def friedman(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Friedman's first function of 5 of 20 uniform features."""
    random = np.random.default_rng(seed)
    X = random.uniform(size=(rows, 20))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    y += 10 * X[:, 3] + 5 * X[:, 4] + random.normal(size=rows)
    return (X - 0.5) * np.sqrt(12), y - y.mean()


def smooth(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A smooth function of 4 of 20 normal features."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 20))
    y = np.sin(X[:, 0]) + 0.5 * X[:, 1] * X[:, 2] + np.tanh(X[:, 3])
    return X, y + 0.3 * random.normal(size=rows)


def plane(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Waves over a plane."""
    random = np.random.default_rng(seed)
    X = random.uniform(-2, 2, size=(rows, 2))
    return X, np.sin(3 * X[:, 0]) * np.cos(2 * X[:, 1]) + 0.1 * random.normal(size=rows)


def sinc(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    x = random.uniform(-10, 10, size=rows)
    return x[:, None] / x.std(), np.sinc(x / np.pi) + 0.1 * random.normal(size=rows)


def german(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """700 training and 300 test rows of German credit."""
    X, y, X_test, y_test = Catalogue(DATA).load("ida_german").split("generated", seed)
    center, scale = X.mean(axis=0), X.std(axis=0)
    found = np.vstack([X, X_test])
    labels = np.concatenate([y, y_test])
    return (found - center) / scale, np.where(labels == np.unique(labels)[1], 1.0, -1.0)


@dataclass
class Case:
    """A table, a width, and how our fit may compare with fastrvm's."""

    name: str
    make: Callable[[int, int], tuple[np.ndarray, np.ndarray]] | None
    width: float
    most: float
    n: int = N
    labels: bool = False

    @cached_property
    def data(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        if self.make is None:
            return split(self.name, self.n, N_TEST, seed=0)
        X, y = self.make(self.n + N_TEST, 0)
        return X[: self.n], y[: self.n], X[self.n :], y[self.n :]

    @property
    def kernel(self) -> Gaussian:
        return Gaussian(self.width)

    def ours(self) -> RelevanceVectorSolution:
        X, y, _, _ = self.data
        machine = RelevanceVector("logistic" if self.labels else "normal", "penalized")
        return machine.solve([self.kernel(X)], Targets.plain(y))

    def theirs(self, intercept: bool = True) -> Any:
        X, y, _, _ = self.data
        kind = RVC if self.labels else RVR
        model = kind(kernel="rbf", gamma=0.5 / self.width**2, fit_intercept=intercept)
        return model.fit(X, (y > 0).astype(int) if self.labels else y)

    def their_evidence(self, fitted: Any) -> float:
        """That of their columns, not centered, with the variances best for them: in their favor."""
        X, y, _, _ = self.data
        kind = LIKELIHOODS["logistic" if self.labels else "normal"]
        gram = self.kernel(X)
        problem = Problem(RawColumns(gram), kind(y, np.ones(len(y)), 0.0, False), False)
        which = np.append(np.asarray(fitted.relevance_, int), len(y))
        # fastrvm 0.1.5 divides its precisions by the squared norms that it should multiply with.
        norms = np.append((gram[:, which[:-1]] ** 2).sum(axis=0), len(y))
        precisions = np.append(fitted.alpha_.ravel(), 1.0)[: len(which)] * norms**2
        noise = 1.0 if self.labels else 1 / float(fitted.beta_)
        variances = np.clip(1 / (precisions * noise), 1e-6, 1e12)
        return polished(problem, problem.model(which, variances), 1e-6)[0].evidence

    def error(self, outputs: np.ndarray) -> str:
        _, _, _, y = self.data
        if self.labels:
            return f"{100 * np.mean(np.where(outputs > 0, 1, -1) != y):.1f} %"
        return f"{np.sqrt(np.mean((outputs - y) ** 2)):.3f}"

    def beside(self) -> str:
        X, _, X_test, _ = self.data
        own, other = self.ours(), self.theirs()
        found = own.expansion
        outputs = (self.kernel(X_test, X) @ found.coef + found.intercept)[:, 0]
        predicted = other.decision_function(X_test) if self.labels else other.predict(X_test)
        return (
            f"{own.n_vectors[0]} vectors, error {self.error(outputs)}; fastrvm "
            f"{len(other.relevance_)}, {self.error(np.ravel(predicted))}"
        )


class RawColumns:
    """Kernel columns as they are, and a last one of ones."""

    def __init__(self, gram: np.ndarray):
        self.gram, self.bias = gram, len(gram)

    def take(self, which: np.ndarray) -> np.ndarray:
        return np.column_stack([self.gram, np.ones(self.bias)])[:, which]


CASES = (
    Case("twonorm", None, 4.0, 1 / 8, labels=True),
    Case("waveform", None, 4.0, 1 / 8, labels=True),
    Case("german", german, 4.0, 1 / 8, n=700, labels=True),
    Case("friedman", friedman, 4.0, 1 / 8),
    Case("smooth", smooth, 5.0, 1 / 8),
    Case("plane", plane, 0.5, 2.0),
    Case("sinc", sinc, 0.3, 2.0),
)


def against_fastrvm(case: Case, quick: bool) -> list[Row]:
    tasks: dict[str, Callable[[], Run]] = {
        "ours": lambda: case.ours,
        "with": lambda: case.theirs,
        "without": lambda: partial(case.theirs, intercept=False),
    }
    times = interleaved(tasks, 1 if quick else 3)
    # Quantities are centered, so they need no intercept: then its faster way. Labels need one.
    compared, other = sorted(("with", "without"), key=lambda name: median(times[name]))
    if case.labels:
        compared, other = "with", "without"
    other_ratio = ratio(times, "ours", other)
    columns = case.data[0].shape[1]
    what = f"RVM, {case.name}, n={case.n}, d={columns}, width {case.width:g}"
    own, theirs = case.ours().evidence[0], case.their_evidence(case.theirs())
    return [
        Row(
            f"{what}: a fit",
            ratio(times, "ours", compared),
            "of fastrvm's time",
            case.most,
            beside=f"{spread(times, 'ours', compared)} ({compared} its intercept; {other} it "
            f"{other_ratio:.2f}); {case.beside()}",
        ),
        Row(
            f"{what}: log evidence, less fastrvm's",
            own - theirs,
            "nats",
            -5.0,
            at_least=True,
            beside=f"{own:.1f} and {theirs:.1f}",
        ),
    ]


def against_sklearn_rvm(quick: bool) -> Row:
    case = Case("twonorm", None, 4.0, 1 / 50, n=400, labels=True)
    X, y, _, _ = case.data

    def theirs() -> Any:
        return EMRVC(kernel="rbf", gamma=0.5 / case.width**2).fit(X, (y > 0).astype(int))

    tasks: dict[str, Callable[[], Run]] = {"ours": lambda: case.ours, "peer": lambda: theirs}
    times = interleaved(tasks, 1)
    what = f"RVM, {case.name}, n={case.n}, d=20, width {case.width:g}: a fit"
    beside = spread(times, "ours", "peer")
    return Row(
        what, ratio(times, "ours", "peer"), "of sklearn-rvm's time", case.most, beside=beside
    )


def memory() -> list[Row]:
    rows = []
    for labels, name, make in ((True, "twonorm", None), (False, "friedman", friedman)):
        case = Case(name, make, 4.0, 0.0, n=MEMORY_ROWS, labels=labels)
        assert len(case.data[0]) == MEMORY_ROWS
        peak = peak_bytes(partial(case.ours)) / (8 * MEMORY_ROWS**2)
        what = f"RVM, {name}, n={MEMORY_ROWS}: peak of Gram matrix and fit"
        rows.append(Row(what, peak, "Gram arrays", 2.5))
    return rows


def run(quick: bool) -> list[Row]:
    cases = [case for case in CASES if case.make is not german or DATA.exists()]
    rows = [row for case in cases for row in against_fastrvm(case, quick)]
    return [*rows, against_sklearn_rvm(quick), *memory()]
