"""A second start of the ascent: columns that differ as much as possible, all at once."""

from __future__ import annotations

import numpy as np

from kernelwise.machines.relevance_vector.columns import CenteredColumns
from kernelwise.machines.relevance_vector.model import Model, Problem
from kernelwise.machines.relevance_vector.reestimation import reestimated, started

# How often prior variances are re-estimated, and (as in `reestimated`) when a column is dropped.
ROUNDS, DROPPED = 6, 1e-2
# A column of which less than this share is new is not taken.
NEW = 1e-8


def spread_start(problem: Problem, empty: Model, most: int) -> tuple[Model, int]:
    """A model of spread columns, re-estimated a few times; and how many were tried.

    The columns of a wide kernel help only together, such as by their second differences: an ascent
    that adds one at a time from nothing does not find them. Cost: n times their number squared.
    """
    chosen = pivots(problem.columns, min(problem.likelihood.start_columns, most))
    model, norms = started(problem, empty, chosen)
    for _ in range(ROUNDS):
        model, _ = reestimated(problem, model, norms, DROPPED)
    return model, ROUNDS + 1


def pivots(columns: CenteredColumns, count: int) -> np.ndarray:
    """The rows that a pivoted Cholesky factorization of the centered Gram matrix takes first."""
    gram, means = columns.gram, columns.means
    level = float(columns.weights @ means / columns.weights.sum())
    left = np.diagonal(gram) - 2 * means + level
    first, factors = float(left.max()), np.empty((count, len(gram)))
    found: list[int] = []
    for j in range(count):
        i = int(left.argmax())
        if left[i] <= NEW * first:
            break
        row = gram[i] - means - means[i] + level - factors[:j, i] @ factors[:j]
        factors[j] = row / np.sqrt(left[i])
        left -= factors[j] ** 2
        left[[*found, i]] = 0.0
        found.append(i)
    return np.array(found, int)
