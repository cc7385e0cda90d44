"""A part of the rows on which a search can begin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kernelwise.selections.base import Problem

# One row in so many; from so many rows on, if each parameter of the kernel has so many of the part.
SHARE, FROM_ROWS, ROWS_PER_PARAMETER = 3, 600, 10


def first_part(problem: Problem) -> Problem | None:
    """The problem on a third of its rows, or None where these would say too little.

    Always the same rows, drawn at random but in proportion to the targets: every third in their
    order. No search of a part tells of its progress.
    """
    n, values = len(problem.X), problem.targets.values
    if n < FROM_ROWS or n // SHARE < ROWS_PER_PARAMETER * len(problem.kernel.values):
        return None
    shuffled = np.random.default_rng(0).permutation(n)
    ordered = shuffled[np.lexsort(values[shuffled].T)]
    rows = np.sort(ordered[SHARE // 2 :: SHARE])
    if not (np.ptp(values[rows], axis=0) > 0).all():
        return None
    return replace(
        problem,
        X=problem.kernel.take(problem.X, rows),
        targets=problem.targets.take(rows),
        folds=[],
        on_evaluation=lambda: None,
    )
