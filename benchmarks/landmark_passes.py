"""Passes over the rows of machines on landmarks, in units of the one product they cannot avoid."""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dsyrk

from benchmarks.measure import Task, interleaved, ratio, spread
from benchmarks.table import Row
from kernelwise.criteria import GeneralizedCrossValidation
from kernelwise.kernels import Gaussian, Kernel, Laplacian
from kernelwise.machines import Nystrom
from kernelwise.scale import RowBlocks
from kernelwise.scale.blocked_first_level import tangent_sums
from kernelwise.scale.blocked_objective import blocked_evaluation, row_pullback, row_statistics
from kernelwise.solutions import Targets

N, D = 16_384, 20
COUNTS = (500, 1000)
SUMS, GCV_BACK, FIRST_LEVEL_BACK = "sums", "way back of GCV", "way back of the first level"
GOALS = {SUMS: 1.7, GCV_BACK: 3.2, FIRST_LEVEL_BACK: 0.8}
SOLUTION = "solution and its way back, no rows"


def floor(count: int) -> Task:
    """The products of the kernel values alone, rows x landmarks^2, from ready values."""
    values = np.random.default_rng(0).standard_normal((N, count))
    return lambda: lambda: dsyrk(1.0, values.T, lower=1)


def tasks_of(kernel: Kernel, count: int) -> dict[str, Task]:
    """Each pass on its own, over blocks, with one thread."""
    random = np.random.default_rng(1)
    X = random.standard_normal((N, D))
    y = np.sin(X[:, 0]) + X[:, 1] ** 2 + 0.1 * random.standard_normal(N)
    rows, machine = RowBlocks(X, Targets.plain(y)), Nystrom(X[:count], 1e-3 * N)
    found = blocked_evaluation(kernel, machine, rows)
    statistics, own = found.solution.statistics, found.solution.landmark_gram
    gradient = found.solution.to_statistics(GeneralizedCrossValidation()(found.solution)[1])

    def solve() -> None:
        solution = machine.from_statistics(statistics, own)
        solution.to_statistics(GeneralizedCrossValidation()(solution)[1])

    reference = machine.reference(own)
    return {
        SUMS: lambda: lambda: row_statistics(kernel, machine, rows, reference),
        GCV_BACK: lambda: lambda: row_pullback(kernel, machine, rows, gradient),
        FIRST_LEVEL_BACK: lambda: lambda: tangent_sums(found),
        SOLUTION: lambda: solve,
    }


def run(quick: bool) -> list[Row]:
    kernels = {
        "squared": Gaussian(np.full(D, np.sqrt(D))),
        "absolute": Laplacian(np.full(D, float(D))),
    }
    found = []
    for count in COUNTS[:1] if quick else COUNTS:
        for name, kernel in kernels.items():
            tasks = {"floor": floor(count), **tasks_of(kernel, count)}
            times = interleaved(tasks, 2 if quick else 5)
            found += [
                Row(
                    f"{task}, {name}, {count} landmarks, n={N}, d={D}",
                    ratio(times, task, "floor"),
                    unit="syrk",
                    # Element-wise differences are slower, and no goal is set for them.
                    limit=GOALS.get(task) if name == "squared" and count == 1000 else None,
                    beside=spread(times, task, "floor"),
                )
                for task in tasks
                if task != "floor"
            ]
    return found
