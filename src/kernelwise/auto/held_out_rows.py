"""What the predictions of unseen rows show: calibration, the surest errors, coverage."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.estimators.fold_fits import Copies
from kernelwise.estimators.scores import Scores
from kernelwise.evaluation import Unseen
from kernelwise.evaluation.row_intervals import (
    SHARED_TRAINING,
    Rows,
    alike,
    clustering,
    share_interval,
)
from kernelwise.insight.fit_record import CalibrationBin, Coverage, RecallRecord, Square, WrongRow

# Bins of equal numbers of rows: at most so many, each of at least so many rows.
MOST_BINS, FEWEST_IN_BIN = 10, 15
MOST_WRONG = 10
LEVELS = (0.5, 0.8, 0.95)
# Beyond so many rows a picture shows how many lie where, in a grid of so many lines either way.
MANY_ROWS, GRID_LINES = 2000, 30


def calibration_bins(unseen: Unseen) -> tuple[CalibrationBin, ...]:
    """Probabilities beside what came true, in bins of about equal weight.

    Of two classes the probability of the second; of more that of the predicted one.
    """
    chances = unseen.probabilities
    if chances is None or unseen.classes is None or unseen.counted is None:
        return ()
    if len(unseen.classes) == 2:
        said, true = chances[:, 1], unseen.truth == unseen.classes[1]
    else:
        said, true = chances.max(axis=1), unseen.truth == unseen.predictions
    weights, order = unseen.counted.weights, np.argsort(said, kind="stable")
    n_bins = max(1, min(MOST_BINS, len(said) // FEWEST_IN_BIN))
    middle = np.cumsum(weights[order]) - weights[order] / 2
    number = np.minimum((middle / weights.sum() * n_bins).astype(int), n_bins - 1)
    found = []
    for k in np.unique(number):
        rows = order[number == k]
        share = weights[rows].sum() / weights.sum()
        counted = Rows(weights[rows], unseen.counted.number * share)
        ends = share_interval(true[rows].astype(float), 1.0, counted)
        mean, came = (float(np.average(x[rows], weights=weights[rows])) for x in (said, true))
        found.append(CalibrationBin(mean, came, ends.lower, ends.upper, len(rows)))
    return tuple(found)


def class_recalls(unseen: Unseen, groups: np.ndarray | None) -> tuple[RecallRecord, ...]:
    """The share of the rows of each class that are predicted right, with 95 % intervals.

    Parameters
    ----------
    unseen : rows that judge the model
    groups : a number per row of the table; rows of a group count as fewer
    """
    if unseen.classes is None:
        return ()
    counted = unseen.counted or alike(len(unseen.rows))
    factor = SHARED_TRAINING if unseen.folds > 1 else 1.0
    found = []
    for label in unseen.classes:
        own = unseen.truth == label
        if not own.any():
            continue
        right = (unseen.predictions[own] == label).astype(float)
        weights = counted.weights[own]
        number = counted.number * weights.sum() / counted.weights.sum()
        held = None if groups is None else groups[unseen.rows[own]]
        ends = share_interval(right, factor * clustering(right, held), Rows(weights, number))
        share = float(np.average(right, weights=weights))
        found.append(RecallRecord(str(label), share, ends.lower, ends.upper))
    return tuple(found)


def squares_of_pairs(unseen: Unseen) -> tuple[Square, ...]:
    """Rows by their true and predicted quantity, in squares of one grid; none of few rows."""
    if unseen.classes is not None or np.ndim(unseen.truth) > 1 or len(unseen.rows) <= MANY_ROWS:
        return ()
    counts, trues, predictions = np.histogram2d(unseen.truth, unseen.predictions, GRID_LINES)
    middles = [(edges[1:] + edges[:-1]) / 2 for edges in (trues, predictions)]
    return tuple(
        Square(float(middles[0][i]), float(middles[1][j]), int(counts[i, j]))
        for i, j in np.argwhere(counts > 0)
    )


def surest_wrong(unseen: Unseen) -> tuple[WrongRow, ...]:
    """The rows that were predicted wrong with the greatest probability, the surest first."""
    if unseen.probabilities is None:
        return ()
    sure = unseen.probabilities.max(axis=1)
    wrong = np.flatnonzero(unseen.predictions != unseen.truth)
    first = wrong[np.argsort(-sure[wrong], kind="stable")][:MOST_WRONG]
    return tuple(
        WrongRow(
            int(unseen.rows[row]),
            str(unseen.truth[row]),
            str(unseen.predictions[row]),
            float(sure[row]),
        )
        for row in first
    )


def coverages(model: Any, reading: Any, copies: Copies) -> tuple[Coverage, ...]:
    """The share of the rows of each fold in intervals that the other folds' errors give.

    Without a second fold there are none.
    """
    scores, parts = model._scores, reading.parts
    fold = np.full(len(parts.X), -1)
    for number, fit in enumerate(copies.judges):
        fold[fit.parts] = number
    of_entry = np.where(scores.weights > 0, fold[parts.part], -1)
    if len(copies.judges) < 2:
        return ()
    found = []
    for level in LEVELS:
        inside, total = 0.0, 0.0
        for number in range(len(copies.judges)):
            own, others = of_entry == number, (of_entry != number) & (of_entry >= 0)
            share = scores.weights[others].sum() / scores.weights.sum()
            judged = Scores(scores.values[others], scores.weights[others], scores.n_cases * share)
            within = (scores.values[own] <= judged.quantiles(level)).all(axis=1)
            inside += float(scores.weights[own] @ within)
            total += float(scores.weights[own].sum())
        found.append(Coverage(level, inside / total))
    return tuple(found)
