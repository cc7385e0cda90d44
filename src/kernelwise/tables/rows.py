"""Equal rows are merged, so that weight 2 is the same as a repeated row, everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelwise.solutions import Targets
from kernelwise.tables.folds import dealt, given_folds


@dataclass(frozen=True)
class Parts:
    """Distinct rows, each in one or several parts that are held out one after the other.

    Where equal rows never disagree in their targets, they may be one observation written twice:
    they are one part, left out whole. Where some do (few columns, or categories), they are
    observations of their own, and leaving all out would ask for less than a new row will: the
    copies of each row are spread over the folds, and what falls into one fold is one part.

    Attributes
    ----------
    X : (parts, features), sorted
    targets : mean target, weight and hidden squares of each part; exact for squared loss, as
        ``sum w (y - f)^2 = W (mean - f)^2 + within``
    folds : the parts that each fold holds out
    part, source, share : ``share[e]`` of the sample weight of given row ``source[e]`` is in part
        ``part[e]``; one of several equal rows may stand for all
    distinct, distinct_of : the number of each part's row among the distinct ones, and of each given
        row (-1: of no weight)
    n_observations : `effective_rows` of the given ones
    """

    X: np.ndarray
    targets: Targets
    folds: list[np.ndarray]
    part: np.ndarray
    source: np.ndarray
    share: np.ndarray
    distinct: np.ndarray
    distinct_of: np.ndarray
    n_observations: float


def merge_equal_rows(
    X: np.ndarray,
    y: np.ndarray,
    counts: np.ndarray,
    weights: np.ndarray,
    labels: np.ndarray,
    cv: Any,
    seed: int,
    mixed: bool = True,
) -> Parts:
    """Merge equal rows and choose folds.

    ``counts`` are the sample weights (if all are whole, a row of weight m is m rows), ``weights``
    those of the fit (times class weights), ``labels`` what ``cv`` stratifies by. A number of folds
    is dealt so that the result does not depend on the order of rows; other splits are taken over.
    Without ``mixed``, equal rows of different labels stay apart.
    """
    kept = np.flatnonzero(weights > 0)
    distinct, row = np.unique(X[kept], axis=0, return_inverse=True)
    row = row.reshape(-1)
    together = not _disagree(row, y[kept])
    if isinstance(cv, (int, np.integer)):
        part_row, fold, source, share = _dealt_copies(
            row, y[kept], counts[kept], weights[kept], labels[kept], int(cv), seed, together
        )
    else:
        fold = given_folds(cv, labels)[kept]
        if together:  # equal rows go with the first fold that holds one of them
            first = np.full(len(distinct), fold.max())
            np.minimum.at(first, row, fold)
            fold = first[row]
        part_row, source, share = row, np.arange(len(kept)), counts[kept]
    weight = weights[kept][source] / counts[kept][source] * share
    key = [part_row, fold] if mixed else [part_row, fold, labels[kept][source]]
    keys, part = np.unique(np.column_stack(key), axis=0, return_inverse=True)
    part = part.reshape(-1)
    targets = _merged_targets(part, y[kept][source], weight)
    folds = [np.flatnonzero(keys[:, 1] == k) for k in np.unique(keys[:, 1])]
    distinct_of = np.full(len(X), -1)
    distinct_of[kept] = row
    return Parts(
        distinct[keys[:, 0]],
        targets,
        folds,
        part,
        kept[source],
        share,
        keys[:, 0],
        distinct_of,
        effective_rows(counts[kept]),
    )


def effective_rows(weights: np.ndarray) -> float:
    """How many rows say as much: whole weights are copies, else Kish: ``(sum w)^2 / sum w^2``."""
    if np.all(weights == np.round(weights)):
        return float(weights.sum())
    relative = weights / weights.max()
    return float(relative.sum() ** 2 / (relative**2).sum())


def _disagree(row: np.ndarray, y: np.ndarray) -> bool:
    """Whether equal rows have different targets somewhere."""
    lowest = np.full((row.max() + 1, y.shape[1]), np.inf)
    highest = -lowest
    np.minimum.at(lowest, row, y)
    np.maximum.at(highest, row, y)
    return bool((lowest < highest).any())


def _dealt_copies(row, y, counts, weights, labels, n_folds, seed, together):
    """Row, fold, source and share of each entry, all rows' copies dealt to the folds."""
    whole = np.array_equal(counts, np.floor(counts))
    copies = counts.astype(np.int64) if whole else np.ones(len(counts), np.int64)
    per_copy = counts / copies
    # Sorted groups of equal rows, targets and weights: the deal must not see the given order.
    key = row[:, None] if together else np.column_stack([row, y, weights / copies])
    _, first, group = np.unique(key, axis=0, return_index=True, return_inverse=True)
    group = group.reshape(-1)
    if together:
        in_group = np.ones(len(first), np.int64)
        fold = dealt(in_group, labels[first], n_folds, seed).argmax(axis=1)[group]
        return row, fold, np.arange(len(row)), counts
    in_group = np.bincount(group, copies).astype(np.int64)
    entry, fold = np.nonzero(table := dealt(in_group, labels[first], n_folds, seed))
    source = first[entry]
    return row[source], fold, source, table[entry, fold] * per_copy[source]


def _merged_targets(part: np.ndarray, y: np.ndarray, weights: np.ndarray) -> Targets:
    totals = np.bincount(part, weights)
    if len(totals) == len(part):
        order = np.argsort(part)
        return Targets.plain(y[order], weights[order])
    sums = [np.bincount(part, weights * column) for column in y.T]
    means = np.asfortranarray(np.column_stack(sums) / totals[:, None])
    return Targets(means, totals, weights @ (y - means[part]) ** 2)
