"""The honest error of rows that a fit itself has kept from the machines that predict them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernelwise.evaluation.honest_error import HonestError
from kernelwise.evaluation.measures import class_measures, confusion, quantity_measures
from kernelwise.evaluation.row_intervals import (
    SHARED_TRAINING,
    Rows,
    alike,
    balanced_interval,
    clustering,
    root_difference,
    root_interval,
    share_difference,
    share_interval,
)

# Rows are repeated by their weights up to this many.
MOST_REPEATED = 10_000_000


@dataclass(frozen=True)
class Unseen:
    """Rows as machines predict them that have not seen them.

    Attributes
    ----------
    rows : their numbers in the table; of equal rows one may stand for all
    truth, predictions, probabilities : of these rows; no probabilities of quantities
    trivial : what is predicted without looking: the most frequent class, or the mean
    classes : all labels, sorted; None for quantities
    folds : how many machines there were, each without other rows
    counted : the weights of the rows; None: all alike
    """

    rows: np.ndarray
    truth: np.ndarray
    predictions: np.ndarray
    probabilities: np.ndarray | None
    trivial: np.ndarray
    classes: np.ndarray | None
    folds: int = 1
    counted: Rows | None = None

    def losses(self, predictions: np.ndarray) -> np.ndarray:
        """Whether each label is wrong, or the mean squared error of each row's quantities."""
        if self.classes is not None:
            return (predictions != self.truth).astype(float)
        squares = (predictions - self.truth) ** 2
        return squares.reshape(len(squares), -1).mean(axis=1)


def error_of_unseen(unseen: Unseen, groups: np.ndarray | None = None) -> HonestError:
    """The error of unseen rows, with the intervals of `honest_error`.

    Rows of several folds are predicted by machines that share most of what they have seen; those of
    one fold by one machine, which needs no allowance for that.

    Parameters
    ----------
    unseen : the rows
    groups : a number per row of the table; rows of a group count as fewer
    """
    classes, own, trivial = (
        unseen.classes is not None,
        *map(unseen.losses, (unseen.predictions, unseen.trivial)),
    )
    counted = unseen.counted or alike(len(own))
    value, baseline = (
        float(mean if classes else np.sqrt(mean))
        for mean in (np.average(losses, weights=counted.weights) for losses in (own, trivial))
    )
    held = None if groups is None else groups[unseen.rows]
    factor = clustering(own, held) * (SHARED_TRAINING if unseen.folds > 1 else 1.0)
    interval = (share_interval if classes else root_interval)(own, factor, counted)
    difference = (share_difference if classes else root_difference)(own, trivial, held, counted)
    ends = difference.lower, difference.upper
    rows = repeated(counted.weights)
    truth, predictions = unseen.truth[rows], unseen.predictions[rows]
    if unseen.classes is None:
        measures = quantity_measures(truth, predictions)
        return HonestError(value, *interval, baseline, *ends, unseen.folds, (), measures)
    chances = unseen.probabilities
    chances = None if chances is None else chances[rows]
    measures = class_measures(truth, predictions, chances, unseen.classes)
    labels, codes = np.unique(unseen.truth, return_inverse=True)
    balanced: tuple[float | None, float | None] = (None, None)
    if len(labels) > 1:
        balanced = balanced_interval(own, codes, factor, counted)[:2]
    table = confusion(truth, predictions, unseen.classes)
    folds = unseen.folds
    return HonestError(value, *interval, baseline, *ends, folds, (), measures, table, *balanced)


def repeated(weights: np.ndarray) -> np.ndarray:
    """Numbers of rows, each as often as its weight says; once each if weights are no multiples.

    So that every measure, which counts rows, counts a row of weight 2 twice.
    """
    times = weights / weights.min()
    whole = np.rint(times)
    if not np.allclose(times, whole, atol=1e-6) or whole.sum() > MOST_REPEATED:
        whole = np.ones(len(weights))
    return np.repeat(np.arange(len(weights)), whole.astype(int))


def joined(rounds: Sequence[Unseen]) -> Unseen:
    """The same rows predicted in several rounds: every prediction counts a part of its row."""
    first, share = rounds[0], 1 / len(rounds)
    counted = [one.counted or alike(len(one.rows)) for one in rounds]
    arrays = {
        name: np.concatenate([getattr(one, name) for one in rounds])
        for name in ("rows", "truth", "predictions", "trivial")
    }
    probabilities = None
    if first.probabilities is not None:
        probabilities = np.concatenate([np.asarray(one.probabilities) for one in rounds])
    weights = np.concatenate([share * rows.weights for rows in counted])
    return Unseen(
        **arrays,
        probabilities=probabilities,
        classes=first.classes,
        folds=sum(one.folds for one in rounds),
        counted=Rows(weights, counted[0].number),
    )
