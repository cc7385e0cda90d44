"""Equal rows are one row: merging them makes weight 2 the same as a repeated row, everywhere."""

from __future__ import annotations

import numpy as np

from kernelwise.solutions import Targets


def merge_equal_rows(
    X: np.ndarray, y: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, Targets, np.ndarray]:
    """Distinct rows in sorted order, their targets, and the row each original one went to.

    Exact for squared loss: ``sum w (y - f)^2 = W (mean - f)^2 + within``. Rows of weight 0 are gone
    (index -1). Sorting makes every later step independent of the order of rows.
    """
    kept = np.flatnonzero(weights > 0)
    distinct, where = np.unique(X[kept], axis=0, return_inverse=True)
    where = where.reshape(-1)
    if len(distinct) == len(kept):
        order = np.argsort(where)
        targets = Targets.plain(y[kept][order], weights[kept][order])
    else:
        totals = np.bincount(where, weights[kept])
        sums = [np.bincount(where, weights[kept] * column) for column in y[kept].T]
        means = np.asfortranarray(np.column_stack(sums) / totals[:, None])
        deviations = y[kept] - means[where]
        targets = Targets(means, totals, weights[kept] @ deviations**2)
    index = np.full(len(X), -1)
    index[kept] = where
    return distinct, targets, index
