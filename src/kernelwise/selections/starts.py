"""Where a search begins: a coarse scan, then all kernel parameters tied to one scale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kernelwise.criteria import Criterion, HeldOutSquares, LeaveOneOut
from kernelwise.kernels import Kernel, Precomputed
from kernelwise.linalg import NotPositiveDefiniteError
from kernelwise.machines import Folded, LeastSquares, Machine
from kernelwise.objective import Objective
from kernelwise.searchers import QuasiNewton
from kernelwise.searchers.base import Searcher, SearchTrace
from kernelwise.selections.base import Problem

# Factors on the kernel's first guess, from almost linear to local, and regularisations relative to
# the size of the centred Gram matrix.
SCALES = np.array([1e-3, 1e-2, 0.05, 0.2, 0.7, 2.0, 6.0])
RELATIVE_RIDGES = np.array([1e-4, 1e-3, 1e-2, 0.1, 1.0])
SCAN_ROWS = 400


def scan(problem: Problem) -> tuple[float, float, int]:
    """The best (scale, regularisation) of a coarse grid by leave-one-out, on at most 400 rows.

    Cost: 35 small factorisations, counted in the third number.
    """
    rows = np.arange(len(problem.X))
    if len(rows) > SCAN_ROWS:
        random = np.random.default_rng(problem.seed)
        rows = np.sort(random.choice(rows, SCAN_ROWS, replace=False))
    X, targets = problem.X[rows], problem.targets.take(rows)
    if isinstance(problem.kernel, Precomputed):
        X = X[:, rows]
    best, criterion, count = (np.inf, 1.0, 1.0), LeaveOneOut(), 0
    for scale in SCALES if len(problem.kernel.values) else [1.0]:
        gram, _ = scaled(problem.kernel, scale).evaluate(X, up_to_constant=True)
        size = max(float(np.mean(np.diagonal(gram)) - gram.mean()), 1e-300)
        for ridge in RELATIVE_RIDGES * size:
            count += 1
            try:
                value, _ = criterion(LeastSquares(ridge).solve([gram], targets))
            except NotPositiveDefiniteError:
                continue
            best = min(best, (value, scale, ridge))
    return best[1], best[2], count


def scaled(kernel: Kernel, factor: float) -> Kernel:
    return kernel.with_values(kernel.values * factor)


def scanned_objective(problem: Problem, folded: bool = False) -> Objective:
    """Plain leave-one-out, or k-fold, at the best point of the scan; it has counted the scan."""
    scale, ridge, scanned = scan(problem)
    machine: Machine = problem.machine.with_values(np.array([ridge]))
    criterion: Criterion = LeaveOneOut()
    if folded:
        machine, criterion = Folded(machine, problem.folds), HeldOutSquares()
    kernel = scaled(problem.kernel, scale)
    objective = Objective(kernel, machine, criterion, problem.X, problem.targets)
    objective.count(problem.factorizations_before + scanned)
    return objective


def best_of_tied(problem: Problem, kernels: list[Kernel]) -> Problem:
    """The problem with that kernel whose tied form has the least leave-one-out error, by least
    squares.
    """
    found, spent = [], 0
    for kernel in kernels:
        objective = scanned_objective(replace(problem, kernel=kernel, machine=LeastSquares()))
        _, trace = search_tied(objective, QuasiNewton(tolerance=1e-4))
        found.append((trace.best_value, replace(problem, kernel=kernel)))
        spent += objective.n_factorizations
    return replace(min(found, key=lambda pair: pair[0])[1], factorizations_before=spent)


def search_tied(
    objective: Objective,
    searcher: Searcher,
    tied: np.ndarray | None = None,
    bounds: np.ndarray | None = None,
) -> tuple[np.ndarray, SearchTrace]:
    """Search one common factor of the ``tied`` parameters (None: all of the kernel's), and the
    others.

    The isotropic kernel within the per-feature one: few parameters, so few local minima. Returns
    the best full point and the trace of (log factor, others) points.
    """
    base, size = objective.point, len(objective.kernel.theta)
    bounds = objective.bounds if bounds is None else bounds
    together = np.zeros(len(base), bool)
    together[:size] = True if tied is None else tied

    def full(point: np.ndarray) -> np.ndarray:
        moved = base + point[0]
        moved[~together] = point[1:]
        return moved

    def function(point: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = objective(full(point))
        return value, np.append(gradient[together].sum(), gradient[~together])

    room = bounds[together] - base[together, None]
    within = np.vstack([[room[:, 0].max(), room[:, 1].min()], bounds[~together]])
    trace = searcher(function, np.append(0.0, base[~together]), within)
    return full(trace.best_point), trace
