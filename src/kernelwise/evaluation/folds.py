"""The splits of repeated cross-validation, checked before any work."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from kernelwise.evaluation.honest_error import Split, fold_kind, possible_folds


def repeated_folds(
    y: np.ndarray,
    groups: np.ndarray | None,
    folds: int,
    repeats: int,
    *,
    classes: bool,
    stratified: bool,
    random_state: Any,
) -> list[Split]:
    """Training and test rows, fold after fold of each repeat; a ValueError says what is too few.

    Parameters
    ----------
    y, groups : the target, and a number per row for groups that are never split
    folds, repeats : folds of each cross-validation, and how many of these
    classes : whether every training set must hold two classes, or all if stratified
    stratified : whether folds keep the shares of the classes
    random_state : of the shuffling
    """
    _check_counts(y, groups, folds, repeats, stratified)
    splits = _repeated_splits(y, groups, folds, repeats, stratified, random_state)
    if classes:
        _check_classes(y, splits, stratified)
    return splits


def _check_counts(
    y: np.ndarray, groups: np.ndarray | None, folds: int, repeats: int, stratified: bool
) -> None:
    """Refuse more folds than rows, or groups, of the rarest class (or of all) can fill.

    Parameters are those of `repeated_folds`.
    """
    for name, value, least in (("folds", folds, 2), ("repeats", repeats, 1)):
        if not isinstance(value, (int, np.integer)) or value < least:
            raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")
    unit = "rows" if groups is None else "groups"
    where = "the rarest class" if stratified else "the table"
    codes = np.unique(y, return_inverse=True)[1] if stratified else np.zeros(len(y), int)
    if groups is not None:
        codes = np.unique(np.column_stack([codes, groups]), axis=0)[:, 0]
    members = np.bincount(codes).min()
    if members < folds:
        raise ValueError(f"{where} has {members} {unit}, too few for {folds} folds; use fewer")
    if groups is None and not possible_folds(y, folds, stratified):
        raise ValueError(f"{len(y)} rows in {folds} folds leave too few to train on")


def _repeated_splits(
    y: np.ndarray,
    groups: np.ndarray | None,
    folds: int,
    repeats: int,
    stratified: bool,
    random_state: Any,
) -> list[Split]:
    """Shuffled folds, one repeat after the other; parameters are those of `repeated_folds`."""
    # One stream of random numbers: fewer repeats are the first of many.
    splitter = fold_kind(stratified, groups)(
        folds, shuffle=True, random_state=check_random_state(random_state)
    )
    rows = np.zeros((len(y), 1))
    return [split for _ in range(repeats) for split in splitter.split(rows, y, groups)]


def _check_classes(y: np.ndarray, splits: list[Split], stratified: bool) -> None:
    """Refuse folds that, for groups or without strata, leave no test rows or too few classes."""
    needed = len(np.unique(y)) if stratified else 2
    for train, test in splits:
        if not len(test) or len(np.unique(y[train])) < needed:
            raise ValueError(
                "a fold would have no test rows, or lack classes to train on; use fewer folds"
            )
