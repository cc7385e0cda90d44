"""The slow solver that always ends: an active set whose dual objective grows at every step."""

from __future__ import annotations

import numpy as np

from kernelwise.linalg import NotPositiveDefiniteError
from kernelwise.machines.support_vector.dual_problem import (
    ACCEPTED,
    TOLERANCE,
    Candidate,
    DualProblem,
)
from kernelwise.machines.support_vector.faces import ROUNDING, Face


def climb(problem: DualProblem, alpha: np.ndarray) -> Candidate:
    """The solution, from any multipliers; no sets of rows recur, so it always ends.

    While a free row misses its margin, all free rows step toward theirs until one reaches zero or
    its ceiling; then the row that misses most is freed. Linearly dependent free rows move likewise,
    in a direction that changes no output. One factorization of the free rows per step.
    """
    alpha = feasible(problem, alpha)
    stuck = np.zeros(len(alpha), bool)
    for _ in range(20 * len(alpha) + 100):
        point = current(problem, alpha)
        tolerance = ACCEPTED / TOLERANCE / 10 * point.tolerance
        rows = point.free.copy()
        if not (np.abs(point.slack) > tolerance)[rows].any():
            inwards = np.where(point.hard, -point.slack, point.slack)
            wrong = (inwards > tolerance) & ~rows & ~stuck
            if not wrong.any():
                break
            # With a bias a single free row cannot move: free the two that disagree most on it.
            pair = problem.has_bias and not rows.any()
            rows[point.pinning if pair else np.where(wrong, inwards, -1).argmax()] = True
        where = np.flatnonzero(rows)
        misses = (problem.y * point.slack)[where]
        step, limit = ascent(problem.face(where), misses, tolerance[where])
        if move(alpha, where, problem.y[where] * step, limit, problem.ceilings):
            stuck[:] = False
        elif (rows == point.free).all():
            break  # the rest is rounding
        else:
            stuck |= rows & ~point.free
    else:
        raise NotPositiveDefiniteError(
            "the support vector machine was not solved: its dual objective kept growing. Is the "
            "kernel positive semi-definite?"
        )
    solved = problem.at(point.free, point.hard)
    if problem.is_solved(solved):
        return solved
    # Dependent free rows whose least-norm solution is below zero or above a ceiling.
    point.face = solved.face
    return point


def current(problem: DualProblem, alpha: np.ndarray) -> Candidate:
    """The candidate with given multipliers."""
    free, hard = problem.sets_of(alpha)
    coef = problem.y * alpha
    point = problem.candidate(free, hard, coef, 0.0, None)
    if problem.has_bias and free.any():
        residual = problem.y * point.slack + point.intercept
        point.intercept = float(residual[free].mean())
        point.slack = problem.y * (residual - point.intercept)
    return point


def feasible(problem: DualProblem, alpha: np.ndarray) -> np.ndarray:
    """Multipliers within their ceilings and, with a bias, balanced between the classes."""
    alpha = np.clip(alpha, 0, problem.ceilings)
    if problem.has_bias:
        sums = {sign: alpha[problem.y == sign].sum() for sign in (-1, 1)}
        heavy = max(sums, key=lambda sign: sums[sign])
        if sums[heavy]:
            alpha[problem.y == heavy] *= sums[-heavy] / sums[heavy]
    return np.where(alpha >= (1 - 1e-12) * problem.ceilings, problem.ceilings, alpha)


def ascent(face: Face, misses: np.ndarray, tolerance: np.ndarray) -> tuple[np.ndarray, float]:
    """The step to the maximum over the face, or an unlimited direction that only rises."""
    rises = face.null_part(misses)
    if (np.abs(rises) > face.root**2 * tolerance).any():
        return rises, np.inf
    return face.solve(misses, 0.0)[0], 1.0


def move(
    alpha: np.ndarray, rows: np.ndarray, step: np.ndarray, limit: float, ceilings: np.ndarray
) -> bool:
    """Step until a row is exactly at zero or its ceiling; False if the change is only rounding.

    Parameters
    ----------
    alpha : all multipliers, changed in place
    rows, step : the rows that move, and their direction
    limit : the longest step allowed, in units of ``step``
    ceilings : the largest multiplier of each row
    """
    before, ends = alpha[rows], np.where(step > 0, ceilings[rows], 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(step != 0, (ends - before) / step, np.inf)
    length = min(limit, float(room.min()))
    after = np.clip(before + length * step, 0, ceilings[rows])
    met = room <= length * (1 + 1e-14)
    after[met] = ends[met]
    alpha[rows] = after
    change = np.abs(after - before)
    return bool((change[met] > 0).any() or change.max() > 8 * ROUNDING * alpha.max())
