"""Value and all gradients of support vector criteria, beside LIBSVM on the same Gram matrix."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import numpy as np
from sklearn.svm import SVC

from benchmarks.generators import split
from benchmarks.measure import FLOOR, Run, floor, interleaved, ratio, spread
from benchmarks.table import Row
from kernelwise.criteria import LaplaceEvidence, SmoothedSpan
from kernelwise.kernels import Constant, Gaussian, Scaled
from kernelwise.machines import SupportVector
from kernelwise.machines.support_vector.machine import LOSSES
from kernelwise.objective import Objective
from kernelwise.solutions import Targets

N, D = 1000, 20
# An easy set, and one where most rows are support vectors.
SETS = ("twonorm", "clusters")
CS = (1.0, 10.0)
CRITERIA = ("span", "evidence")
# A cold value may cost this much of LIBSVM's fit and of the floor, together.
FITS, FLOORS = 3.0, 3.0
# How far a search goes in one step, relative to each parameter.
STEP = 1e-3


@dataclass
class Case:
    """One criterion on one set; the span has a free bias, the evidence the offset in its kernel."""

    criterion: str
    loss: str
    data: str
    C: float
    objective: Objective = field(init=False)

    def __post_init__(self) -> None:
        X, y, _, _ = split(self.data, N, 1, seed=0)
        gaussian, span = Gaussian(np.full(D, np.sqrt(D))), self.criterion == "span"
        self.objective = Objective(
            gaussian if span else Scaled(gaussian) + Constant(),
            SupportVector(self.C, self.loss, bias=span),
            SmoothedSpan() if span else LaplaceEvidence(),
            X,
            Targets.plain(y),
        )
        self._steps = np.random.default_rng(0)

    @property
    def name(self) -> str:
        return f"{self.criterion}, {self.loss}, {self.data}, C={self.C:g}"

    @property
    def warm_name(self) -> str:
        return f"{self.name}, along a search"

    @property
    def fit_name(self) -> str:
        return f"SVC for {self.name}"

    def cold(self) -> Run:
        own = self.objective.fresh()
        return lambda: own(own.point)

    def along_a_search(self) -> Run:
        signs = self._steps.choice([-1.0, 1.0], len(self.objective.point))
        point = self.objective.point + STEP * signs
        return lambda: self.objective(point)

    def fit(self) -> Run:
        gram, labels = self.objective.kernel(self.objective.X), self.objective.targets.values[:, 0]
        return lambda: SVC(C=self.C, kernel="precomputed").fit(gram, labels)

    @property
    def n_support(self) -> int:
        return int(self.objective.fresh().solve(self.objective.point).solution.support.sum())

    def factorizations(self, run: Run) -> int:
        """The machine's factorizations; objectives share a counter with their original."""
        before = self.objective.n_factorizations
        run()
        return self.objective.n_factorizations - before


def run(quick: bool) -> list[Row]:
    cases = [Case(*choice) for choice in product(CRITERIA, LOSSES, SETS, CS)]
    tasks = {FLOOR: floor(N)}
    for case in cases:
        tasks |= {
            case.fit_name: case.fit,
            case.name: case.cold,
            case.warm_name: case.along_a_search,
        }
    times = interleaved(tasks, 3 if quick else 9)
    rows = []
    for case in cases:
        pairs = zip(times[case.fit_name], times[FLOOR], strict=True)
        times["allowed"] = [FITS * fit + FLOORS * floor for fit, floor in pairs]
        for name, task, limit in (
            (case.name, case.cold, 1.0),
            (case.warm_name, case.along_a_search, None),
        ):
            what = f"{name}: value and {len(case.objective.point)} gradients, n={N}, d={D}"
            beside = f"{spread(times, name, 'allowed')}; SVC {spread(times, case.fit_name)} F; "
            beside += f"{case.n_support} support, {case.factorizations(task())} factorizations"
            spent = ratio(times, name, "allowed")
            rows.append(Row(what, spent, f"({FITS:g} SVC + {FLOORS:g} F)", limit, beside=beside))
    return rows
