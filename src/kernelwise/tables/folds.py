"""Folds, from whatever scikit-learn calls ``cv``."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

# The default of estimators, most of which never use their folds: fewer rows have fewer folds.
DEFAULT_FOLDS = 5


def check_number(n_folds: int, n_rows: int) -> None:
    """Refuse a number of folds that makes no sense, or that was asked for of too few rows."""
    if n_folds < 2:
        raise ValueError(f"cv must be at least 2 folds, got {n_folds}")
    if n_folds > max(n_rows, DEFAULT_FOLDS):
        raise ValueError(f"cv={n_folds} is more folds than there are rows ({n_rows})")


def dealt(copies: np.ndarray, labels: np.ndarray, n_folds: int, seed: int) -> np.ndarray:
    """How many copies of each group every fold gets: (groups, folds), as even as possible.

    All copies of a label are lined up, the groups in random order, and dealt like cards: copy c
    goes to fold ``c mod n_folds``. So folds have equal sizes and equal shares of every label, to
    within one copy, and the copies of one group are spread over the folds.
    """
    order = np.random.default_rng(seed).permutation(len(copies))
    order = order[np.argsort(labels[order], kind="stable")]
    ends = np.cumsum(copies[order])[:, None]

    def before(position: np.ndarray) -> np.ndarray:
        """Copies dealt to each fold before a position."""
        return (position - np.arange(n_folds) + n_folds - 1) // n_folds

    table = np.empty((len(copies), n_folds), np.int64)
    table[order] = before(ends) - before(ends - copies[order][:, None])
    return table


def given_folds(cv: Any, labels: np.ndarray) -> np.ndarray:
    """The fold of each row, from a splitter or a list of splits that holds out every row once."""
    splits = list(check_cv(cv).split(np.empty(len(labels)), labels))
    held_out = np.concatenate([test for _, test in splits])
    if len(splits) < 2 or not np.array_equal(np.sort(held_out), np.arange(len(labels))):
        raise ValueError("cv must hold out every row exactly once, in at least 2 folds")
    fold_of = np.empty(len(labels), int)
    for k, (_, test) in enumerate(splits):
        fold_of[test] = k
    return fold_of
