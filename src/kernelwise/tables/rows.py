"""Merging of equal rows, so that weight 2 is the same as a repeated row everywhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernelwise.scale.folds import hashed_folds
from kernelwise.scale.landmarks import hashed_rows
from kernelwise.solutions import Targets
from kernelwise.tables.folds import check_number, dealt, given_folds

# Beyond this, doubles do not tell neighboring whole numbers apart.
MOST_COUNTED = 2.0**53


@dataclass(frozen=True)
class Observations:
    """The rows as given.

    Attributes
    ----------
    X : (rows, columns)
    y : (rows, outputs)
    counts : sample weights; if all are whole, a row of weight m is m rows
    weights : those of the fit: sample weights times class weights
    labels : what folds are stratified by
    """

    X: np.ndarray
    y: np.ndarray
    counts: np.ndarray
    weights: np.ndarray
    labels: np.ndarray

    def take(self, rows: np.ndarray) -> Observations:
        parts = (self.X, self.y, self.counts, self.weights, self.labels)
        return Observations(*(part[rows] for part in parts))


@dataclass(frozen=True)
class Parts:
    """Distinct rows, each in one or several parts that are held out one after the other.

    If equal rows never disagree in their targets, they may be one observation written twice: they
    are one part, left out whole. If some disagree (few columns, or categories), they are separate
    observations, and leaving out all of them would be unlike meeting a new row: the copies of each
    row are spread over the folds, and those in one fold are one part.

    Attributes
    ----------
    X : (parts, features), sorted
    targets : mean target, weight and hidden squares of each part; exact for squared loss, as
        ``sum w (y - f)^2 = W (mean - f)^2 + within``
    folds : the parts that each fold holds out
    part, source, share : ``share[e]`` of the sample weight of given row ``source[e]`` is in part
        ``part[e]``; one of several equal rows may stand for all
    distinct, distinct_of : the distinct row of each part, and of each given row (-1: no weight)
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

    def n_cases(self, share: np.ndarray) -> float:
        """How many separate cases there are among entries of some share.

        Equal rows that never disagree may be one case written twice: they count once, and unequal
        weights count as in Kish's formula. If some disagree, they are observations of their own.
        """
        if self.targets.within.any() or len(self.X) > len(np.unique(self.distinct)):
            return self.n_observations * float(share.sum() / self.share.sum())
        cases = np.bincount(self.distinct[self.part], share)
        return float(cases.sum() ** 2 / (cases**2).sum())

    def only(self, some: np.ndarray, X: np.ndarray) -> Parts:
        """Some parts, with their rows, renumbered and without folds."""
        entries = np.isin(self.part, some)
        part, source = np.searchsorted(some, self.part[entries]), self.source[entries]
        return replace(
            self,
            X=X,
            targets=self.targets.take(some),
            folds=[],
            part=part,
            source=source,
            share=self.share[entries],
            distinct=self.distinct[some],
            distinct_of=self.distinct_of[source],
        )

    def without(self, left_out: np.ndarray, given: Observations) -> Parts:
        """All but some parts of the given rows, renumbered; the folds are what is left of them.

        One fold left over is cut in two, so that there is always one to hold out.
        """
        kept = np.setdiff1d(np.arange(len(self.X)), left_out)
        number = np.full(len(self.X), -1)
        number[kept] = np.arange(len(kept))
        folds = [number[S][number[S] >= 0] for S in self.folds]
        folds = [S for S in folds if len(S)]
        if len(folds) == 1:
            folds = [folds[0][::2], folds[0][1::2]]
        entries = number[self.part] >= 0
        part, source, share = number[self.part[entries]], self.source[entries], self.share[entries]
        targets = self.targets.take(kept)
        weights = share * given.weights[source] / given.counts[source]
        within = weights @ (given.y[source] - targets.values[part]) ** 2
        used = np.isin(self.distinct_of, self.distinct[kept])
        return replace(
            self,
            X=self.X[kept],
            targets=replace(targets, within=within),
            folds=folds,
            part=part,
            source=source,
            share=share,
            distinct=self.distinct[kept],
            distinct_of=np.where(used, self.distinct_of, -1),
            n_observations=self.n_observations * share.sum() / self.share.sum(),
        )


@dataclass(frozen=True)
class Assignment:
    """Entry e: ``share[e]`` of the weight of observation ``source[e]``, which is distinct row
    ``row[e]``, goes to ``fold[e]``.
    """

    row: np.ndarray
    fold: np.ndarray
    source: np.ndarray
    share: np.ndarray


def merge_equal_rows(given: Observations, cv: Any, seed: int, mixed: bool = True) -> Parts:
    """Merge equal rows and choose folds.

    Parameters
    ----------
    given : the rows
    cv : a number of folds, dealt so that the result does not depend on the order of rows; or a
        splitter or list of splits, taken over as they are
    seed : of the deal
    mixed : whether equal rows of different labels may be one part
    """
    kept = np.flatnonzero(given.weights > 0)
    rows = given.take(kept)
    distinct, row = np.unique(rows.X, axis=0, return_inverse=True)
    row = row.reshape(-1)
    together = not disagree(row, rows.y)
    if isinstance(cv, (int, np.integer)):
        assigned = _dealt(rows, row, int(cv), seed, together)
    else:
        assigned = _taken_over(rows, row, given_folds(cv, given.labels)[kept], together)
    source = assigned.source
    weight = rows.weights[source] / rows.counts[source] * assigned.share
    key = [assigned.row, assigned.fold] + ([] if mixed else [rows.labels[source]])
    keys, part = np.unique(np.column_stack(key), axis=0, return_inverse=True)
    part = part.reshape(-1)
    distinct_of = np.full(len(given.X), -1)
    distinct_of[kept] = row
    return Parts(
        X=distinct[keys[:, 0]],
        targets=_merged_targets(part, rows.y[source], weight),
        folds=[np.flatnonzero(keys[:, 1] == k) for k in np.unique(keys[:, 1])],
        part=part,
        source=kept[source],
        share=assigned.share,
        distinct=keys[:, 0],
        distinct_of=distinct_of,
        n_observations=effective_rows(rows.counts),
    )


def rows_as_given(given: Observations, cv: Any, seed: int) -> Parts | None:
    """The rows of positive weight in their own order, none of which is merged.

    None if two of them are equal. Folds are dealt by a hash of the row's number, or as given.
    """
    kept = np.flatnonzero(given.weights > 0)
    rows = given.take(kept)
    if len(np.unique(hashed_rows(rows.X))) < len(kept):
        return None
    if isinstance(cv, (int, np.integer)):
        fold = row_folds(cv, rows.labels, seed)
    else:
        fold = given_folds(cv, given.labels)[kept]
    return unmerged(rows, kept, fold, len(given.X))


def row_folds(cv: Any, labels: np.ndarray, seed: int) -> np.ndarray:
    """The fold of each row: by a hash of its number, or as given."""
    if not isinstance(cv, (int, np.integer)):
        return given_folds(cv, labels)
    check_number(int(cv), len(labels))
    return hashed_folds(len(labels), int(cv), seed)


def unmerged(rows: Observations, kept: np.ndarray, fold: np.ndarray, n_given: int) -> Parts:
    """A part for each row: the ``kept`` ones of ``n_given``."""
    every, distinct_of = np.arange(len(kept)), np.full(n_given, -1)
    distinct_of[kept] = every
    return Parts(
        X=rows.X,
        targets=Targets.plain(rows.y, rows.weights),
        folds=[np.flatnonzero(fold == k) for k in np.unique(fold)],
        part=every,
        source=kept,
        share=rows.counts,
        distinct=every,
        distinct_of=distinct_of,
        n_observations=effective_rows(rows.counts),
    )


def are_counts(weights: np.ndarray) -> bool:
    """Whether a weight of m can be m rows: all are whole, and their sum is exact."""
    return bool(weights.sum() < MOST_COUNTED and np.array_equal(weights, np.floor(weights)))


def effective_rows(weights: np.ndarray) -> float:
    """How many rows say as much: the sum of whole weights, else Kish's ``(sum w)^2 / sum w^2``."""
    if are_counts(weights):
        return float(weights.sum())
    relative = weights / weights.max()
    return float(relative.sum() ** 2 / (relative**2).sum())


def disagree(row: np.ndarray, y: np.ndarray) -> bool:
    """Whether equal rows have different targets somewhere."""
    lowest = np.full((row.max() + 1, y.shape[1]), np.inf)
    highest = -lowest
    np.minimum.at(lowest, row, y)
    np.maximum.at(highest, row, y)
    return bool((lowest < highest).any())


def _taken_over(
    rows: Observations, row: np.ndarray, fold: np.ndarray, together: bool
) -> Assignment:
    """The folds as given; equal rows that belong together go to the first that holds one."""
    if together:
        first = np.full(row.max() + 1, fold.max())
        np.minimum.at(first, row, fold)
        fold = first[row]
    return Assignment(row, fold, np.arange(len(row)), rows.counts)


def _dealt(
    rows: Observations, row: np.ndarray, n_folds: int, seed: int, together: bool
) -> Assignment:
    """Deal the copies of all rows to the folds.

    Parameters
    ----------
    rows, row : the observations, and the number of each one's distinct row
    n_folds, seed : of the deal
    together : whether equal rows stay in one fold
    """
    counts = rows.counts
    copies = counts.astype(np.int64) if are_counts(counts) else np.ones(len(counts), np.int64)
    check_number(n_folds, int(copies.sum()))
    # Sorted groups of equal rows, targets and weights: the deal must not see the given order.
    key = row[:, None] if together else np.column_stack([row, rows.y, rows.weights / copies])
    _, first, group = np.unique(key, axis=0, return_index=True, return_inverse=True)
    group, labels = group.reshape(-1), rows.labels[first]
    if together:
        in_group = np.ones(len(first), np.int64)
        fold = dealt(in_group, labels, n_folds, seed).argmax(axis=1)[group]
        return Assignment(row, fold, np.arange(len(row)), counts)
    in_group = np.bincount(group, copies).astype(np.int64)
    entry, fold = np.nonzero(table := dealt(in_group, labels, n_folds, seed))
    source = first[entry]
    return Assignment(row[source], fold, source, table[entry, fold] * (counts / copies)[source])


def _merged_targets(part: np.ndarray, y: np.ndarray, weights: np.ndarray) -> Targets:
    totals = np.bincount(part, weights)
    if len(totals) == len(part):
        order = np.argsort(part)
        return Targets.plain(y[order], weights[order])
    sums = [np.bincount(part, weights * column) for column in y.T]
    means = np.asfortranarray(np.column_stack(sums) / totals[:, None])
    return Targets(means, totals, weights @ (y - means[part]) ** 2)
