"""Centered alignment with all its gradients, in Gram evaluations and in Gram-sized arrays."""

from __future__ import annotations

import numpy as np

from benchmarks.measure import interleaved, peak_bytes, ratio, spread
from benchmarks.table import Row
from kernelwise.criteria import Alignment
from kernelwise.kernels import Gaussian
from kernelwise.machines import NoMachine
from kernelwise.objective import Objective
from kernelwise.solutions import Targets

N, D = 2000, 50
GRAM, BOTH, VALUE = "Gram evaluation", "value and gradient", "value alone"
# name: (limit, goal) in Gram evaluations; memory in Gram-sized arrays
LIMITS = {BOTH: (3.0, 2.7), VALUE: (None, None)}
MEMORY = (4.0, 3.5)


def chosen() -> Objective:
    """A per-feature Gaussian at length scales that suit standardized columns."""
    X = np.random.default_rng(0).standard_normal((N, D))
    targets = Targets.plain(np.sign(X[:, 0] + 0.3))
    return Objective(Gaussian(np.full(D, np.sqrt(D))), NoMachine(), Alignment(), X, targets)


def run(quick: bool) -> list[Row]:
    objective = chosen()
    point = objective.point
    tasks = {
        GRAM: lambda: lambda: objective.kernel(objective.X),
        BOTH: lambda: lambda: objective(point),
        VALUE: lambda: lambda: objective.value(point),
    }
    times = interleaved(tasks, 5 if quick else 15)
    counted = f"{objective.n_factorizations} factorizations"
    rows = []
    for name, (limit, goal) in LIMITS.items():
        what = f"alignment: {name}, n={N}, d={D}"
        beside = f"{spread(times, name, GRAM)}; {counted}"
        spent = ratio(times, name, GRAM)
        rows.append(Row(what, spent, "Gram evaluations", limit, goal, beside=beside))
    peak = peak_bytes(lambda: objective(point)) / (8 * N * N)
    what = f"alignment: {BOTH}, n={N}, d={D}: peak, traced memory"
    return [*rows, Row(what, peak, "Gram arrays", *MEMORY)]
