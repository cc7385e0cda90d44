"""Value and all gradients of each criterion, in units of the floor."""

from __future__ import annotations

import numpy as np

from benchmarks.generators import split
from benchmarks.measure import FLOOR, floor, interleaved, ratio, spread
from benchmarks.table import Row
from kernelwise.criteria import Criterion, Evidence, FirstLevel, HeldOutSquares, LeaveOneOut
from kernelwise.kernels import Gaussian
from kernelwise.machines import Folded, LeastSquares, Machine
from kernelwise.objective import Objective
from kernelwise.solutions import Targets

N, D = 2000, 20
# name: (limit, goal) in F
LIMITS = {
    "leave-one-out": (3.0, 2.3),
    "5-fold": (2.0, 1.3),
    "first level": (0.9, 0.5),
    "evidence": (None, None),
}


def objectives() -> dict[str, Objective]:
    """A per-feature Gaussian on twonorm; length scales and regularization as found by search."""
    X, y, _, _ = split("twonorm", N, 1, seed=0)
    rows = np.random.default_rng(0).permutation(N)
    machine = LeastSquares(0.1)
    pairs: dict[str, tuple[Machine, Criterion]] = {
        "leave-one-out": (machine, LeaveOneOut()),
        "5-fold": (Folded(machine, np.array_split(rows, 5)), HeldOutSquares()),
        "first level": (machine, FirstLevel()),
        "evidence": (machine, Evidence()),
    }
    kernel = Gaussian(np.full(D, np.sqrt(D)))
    targets = Targets.plain(y)
    return {name: Objective(kernel, *pair, X, targets) for name, pair in pairs.items()}


def run(quick: bool) -> list[Row]:
    chosen = objectives()
    tasks = {FLOOR: floor(N)}
    for name, objective in chosen.items():
        tasks[name] = lambda own=objective: lambda: own(own.point)
    times = interleaved(tasks, 3 if quick else 9)
    rows = [Row(FLOOR, 1.0, beside=spread(times, FLOOR))]
    for name, objective in chosen.items():
        before = objective.n_factorizations
        objective(objective.point)
        limit, goal = LIMITS[name]
        beside = f"{spread(times, name)}; {objective.n_factorizations - before} factorization"
        what = f"{name}: value and {len(objective.point)} gradients, n={N}, d={D}"
        rows.append(Row(what, ratio(times, name), limit=limit, goal=goal, beside=beside))
    return rows
