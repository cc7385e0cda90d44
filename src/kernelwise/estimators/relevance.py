"""How much each feature matters to a fitted machine."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kernelwise.tables.columns import ColumnEncoder

# Outputs are compared on at most this many rows, spread evenly over the sorted ones.
COMPARED_ROWS = 500


def knockout_squares(
    outputs_of: Callable[[np.ndarray], np.ndarray],
    rows: np.ndarray,
    weights: np.ndarray,
    columns: ColumnEncoder,
) -> np.ndarray:
    """Mean squared change of outputs when a feature is held at its mean (or most common level).

    It reads the fitted function, not the kernel's parameters, so it means the same for every
    kernel, isotropic or not; a feature of weight 0 has exactly 0. Cost: a Gram block per feature.
    """
    chosen = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), COMPARED_ROWS)).astype(int))
    shown, shares = rows[chosen], weights[chosen] / weights[chosen].sum()
    outputs = outputs_of(shown)
    squares = np.zeros(rows.shape[1])
    for r in np.flatnonzero(np.ptp(rows, axis=0) > 0):
        held = shown.copy()
        held[:, r] = _typical(rows[:, r], weights, categorical=r in columns.categorical)
        change = outputs_of(held) - outputs
        squares[r] = shares @ (change**2).sum(axis=1)
    return squares


def as_shares(squares: np.ndarray) -> np.ndarray:
    """Each number's share of the sum; equal shares if all are 0."""
    total = squares.sum()
    return squares / total if total > 0 else np.full(len(squares), 1 / len(squares))


def _typical(column: np.ndarray, weights: np.ndarray, categorical: bool) -> float:
    if not categorical:
        return float(np.average(column, weights=weights))
    levels, codes = np.unique(column, return_inverse=True)
    return float(levels[np.bincount(codes, weights).argmax()])
