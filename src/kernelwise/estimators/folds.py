"""Folds of distinct rows, from whatever scikit-learn calls ``cv``."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, check_cv


def row_folds(
    cv: Any, y: np.ndarray, where: np.ndarray, labels: np.ndarray | None, seed: int
) -> list[np.ndarray]:
    """The distinct rows each fold holds out; every row is in exactly one fold.

    A number of folds is drawn over the distinct rows (stratified by ``labels``), so it does not
    depend on the order of the original rows; splits of the original rows (``where`` maps them to
    distinct ones) are taken over, equal rows going with the first of them.
    """
    n = int(where.max()) + 1
    if isinstance(cv, (int, np.integer)):
        if cv < 2:
            raise ValueError(f"cv must be at least 2 folds, got {cv}")
        fold_of = drawn_folds(min(int(cv), n), n, labels, seed)
    else:
        fold_of = given_folds(cv, y, where, n)
    folds = [np.flatnonzero(fold_of == k) for k in range(fold_of.max() + 1)]
    return [fold for fold in folds if len(fold)]


def drawn_folds(n_folds: int, n: int, labels: np.ndarray | None, seed: int) -> np.ndarray:
    splitter: Any = KFold(n_folds, shuffle=True, random_state=seed)
    if labels is not None and np.bincount(labels).max() >= n_folds:
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    fold_of = np.empty(n, int)
    with warnings.catch_warnings():
        # A class with fewer rows than folds cannot be in every fold; the rest still is stratified.
        warnings.filterwarnings("ignore", message="The least populated class")
        for k, (_, test) in enumerate(splitter.split(np.empty(n), labels)):
            fold_of[test] = k
    return fold_of


def given_folds(cv: Any, y: np.ndarray, where: np.ndarray, n: int) -> np.ndarray:
    splits = list(check_cv(cv).split(np.empty(len(y)), y))
    held_out = np.concatenate([test for _, test in splits])
    if len(splits) < 2 or not np.array_equal(np.sort(held_out), np.arange(len(y))):
        raise ValueError("cv must hold out every row exactly once, in at least 2 folds")
    fold_of = np.full(n, len(splits))
    for k, (_, test) in enumerate(splits):
        rows = where[test]
        rows = rows[rows >= 0]
        fold_of[rows] = np.minimum(fold_of[rows], k)
    return fold_of
