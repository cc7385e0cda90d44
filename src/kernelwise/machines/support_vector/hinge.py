"""The hinge: exact sets of free and hard rows, from a good guess (LIBSVM's or a neighbor's)."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from kernelwise.machines.support_vector.dual_problem import Candidate, DualProblem
from kernelwise.machines.support_vector.row_by_row import climb

# Rounds of moving all wrong rows at once; from a good guess 1 to 6 are enough.
MAX_ROUNDS = 15
# No guess needs a larger C, in units of the kernel's size.
LARGEST_C = 1e12


def solve_hinge(problem: DualProblem, guess: tuple[np.ndarray, np.ndarray] | None) -> Candidate:
    """The exact solution, from a guess of the free and the hard rows, or from LIBSVM.

    First all wrong rows change sets at once, until none is wrong (one Cholesky of the free rows
    per round); this usually takes 1 to 6 rounds, but may not end. Then it goes row by row from
    LIBSVM's solution. If several solutions are optimal (linearly dependent rows), it returns the
    one of least ``sum alpha^2 / weight``: copies share equally.

    References
    ----------
    Kunisch & Rendl (2003), SIAM Journal on Optimization 14(1); Chang & Lin (2011), LIBSVM.
    """
    point = None if guess is None else move_blocks(problem, *guess)
    if point is None:
        alpha = libsvm_alpha(problem)
        point = move_blocks(problem, *problem.sets_of(alpha))
        if point is None:
            point = climb(problem, alpha)
    return least_norm(problem, point)


def libsvm_alpha(problem: DualProblem) -> np.ndarray:
    """Multipliers of the machine with a bias, to three digits: a guess also for one without."""
    alpha = np.zeros(len(problem.y))
    if problem.has_one_class:
        return alpha
    scale = float(problem.ceilings.max())
    # In units of a power of two near the kernel's size, so that LIBSVM's numbers stay finite.
    size = float(np.mean(np.diagonal(problem.gram)))
    unit = 2.0 ** np.round(np.log2(size)) if size > 0 else 1.0
    gram = problem.gram if unit == 1 else problem.gram / unit
    largest = min(scale * unit, LARGEST_C)
    machine = SVC(kernel="precomputed", C=largest, tol=1e-3, max_iter=200 * len(alpha))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine.fit(gram, problem.y, sample_weight=problem.ceilings / scale)
    alpha[machine.support_] = np.abs(machine.dual_coef_[0]) / unit
    return np.where(alpha >= (1 - 1e-12) * problem.ceilings, problem.ceilings, alpha)


def move_blocks(problem: DualProblem, free: np.ndarray, hard: np.ndarray) -> Candidate | None:
    """Move all wrong rows at once until none is wrong; None if that does not end."""
    for _ in range(MAX_ROUNDS):
        point = problem.at(free, hard)
        if problem.is_solved(point):
            return point
        if problem.has_bias and not free.any():
            # No row fixes the intercept, and the middle of its range is wrong: free both ends.
            entering = np.zeros(len(free), bool)
            entering[point.pinning] = True
        elif not problem.is_consistent(point):
            return None
        else:
            entering = problem.entering(point)
        zero, full = problem.leaving(point)
        free = (free & ~zero & ~full) | entering
        hard = (hard & ~entering) | full
    return None


def least_norm(problem: DualProblem, point: Candidate) -> Candidate:
    """The optimal solution of least ``sum alpha^2 / weight`` if there are several.

    Rows at zero or at their ceiling that meet their margin exactly may share with the free ones:
    they are freed together, and return to the end they run into. Kept only if equally optimal.
    """
    undecided = ~point.free & (np.abs(point.slack) <= 10 * point.tolerance)
    if not undecided.any() and (point.face is None or not point.face.is_singular):
        return point
    free, hard = point.free | undecided, point.hard & ~undecided
    scale = np.abs(point.coef).max()
    for _ in range(MAX_ROUNDS):
        other = problem.at(free, hard)
        if other.face is None or not other.face.is_singular:
            return point
        alpha = problem.y * other.coef
        zero = free & (alpha <= 1e-10 * scale)
        full = free & (alpha >= problem.ceilings - 1e-10 * scale)
        if not (zero | full).any():
            return other if problem.is_solved(other) else point
        free, hard = free & ~zero & ~full, hard | full
    return point
