"""Rows drawn at random, by a hash of their number: however a table is cut, the same ones."""

from __future__ import annotations

import numpy as np

# Constants of the mixing function splitmix64 (Steele, Lea & Flood 2014).
STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def hashed(seed: int, rows: np.ndarray) -> np.ndarray:
    """A number below 2^64 for each row number, spread evenly; it depends on seed and row alone."""
    with np.errstate(over="ignore"):
        return _mixed(rows.astype(np.uint64) * STEP + np.uint64(seed) * FIRST + STEP)


def hashed_rows(X: np.ndarray) -> np.ndarray:
    """A number for each row of finite numbers; equal rows have equal ones."""
    found = np.zeros(len(X), np.uint64)
    with np.errstate(over="ignore"):
        for column in X.T:
            bits = (column + 0.0).view(np.uint64)  # there are two zeros, of different bits
            found = _mixed(found * STEP + bits)
    return found


def _mixed(numbers: np.ndarray) -> np.ndarray:
    numbers = (numbers ^ (numbers >> np.uint64(30))) * FIRST
    numbers = (numbers ^ (numbers >> np.uint64(27))) * SECOND
    return numbers ^ (numbers >> np.uint64(31))


def drawn_rows(n_rows: int, count: int, seed: int, codes: np.ndarray | None = None) -> np.ndarray:
    """Numbers of rows drawn without replacement, sorted.

    Parameters
    ----------
    n_rows, count, seed : of how many, how many, and which draw
    codes : classes; each then has as many as any other, as far as it has rows
    """
    order = np.argsort(hashed(seed, np.arange(n_rows)), kind="stable")
    if codes is not None:
        # Rounds: the first of each class, the second of each, and so on.
        classes = codes[order]
        by_class = np.argsort(classes, kind="stable")
        starts = np.r_[0, np.cumsum(np.bincount(classes))[:-1]]
        rounds = np.empty(n_rows, int)
        rounds[by_class] = np.arange(n_rows) - starts[classes[by_class]]
        order = order[np.argsort(rounds, kind="stable")]
    return np.sort(order[:count])
