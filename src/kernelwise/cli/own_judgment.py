"""The honest error that a fit on landmarks brings along: of rows that it kept apart."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, is_classifier
from sklearn.pipeline import Pipeline

from kernelwise.cli import console, output
from kernelwise.data.pipeline import final_step
from kernelwise.estimators import LSSVMClassifier, LSSVMRegressor
from kernelwise.estimators.classifier import largest_output
from kernelwise.evaluation import HonestError
from kernelwise.evaluation.fold_records import row_losses, trivial_prediction
from kernelwise.evaluation.measures import class_measures, confusion, quantity_measures
from kernelwise.evaluation.row_intervals import (
    balanced_interval,
    clustering,
    root_difference,
    root_interval,
    share_difference,
    share_interval,
)

# Fits on landmarks of more rows are judged by the rows they kept apart, not by fitting again.
ROWS_TO_KEEP_APART = 20_000


@dataclass(frozen=True)
class Unseen:
    """Rows that had no part in learning a kernel, as a machine predicts them that has not seen any.

    Attributes
    ----------
    rows : their numbers in the table; of equal rows one may stand for all
    truth, predictions, probabilities : of these rows; no probabilities of quantities
    seen : the targets of all others
    """

    rows: np.ndarray
    truth: np.ndarray
    predictions: np.ndarray
    probabilities: np.ndarray | None
    seen: np.ndarray


class KeepsUnseen:
    """An estimator that remembers the rows it was honestly judged by, in ``unseen``."""

    unseen: Unseen | None = None

    def _judge_honestly(self, reading: Any, choice: Any, copies: Any) -> None:
        super()._judge_honestly(reading, choice, copies)  # type: ignore[misc]  # an estimator's
        self.unseen = None
        if not any(fit.chose_again for fit in copies.fits):
            return  # the kernel was chosen with these rows
        estimator: Any = self
        parts, judged = reading.parts, copies.share > 0
        nothing = np.zeros((len(parts.X), len(estimator.intercept_)))
        outputs = estimator._unseen_outputs(copies, nothing)[parts.part[judged]]
        targets, predictions, probabilities = self._in_words(reading, outputs)
        rows = parts.source[judged]
        others = np.setdiff1d(np.arange(len(targets)), rows)
        self.unseen = Unseen(rows, targets[rows], predictions, probabilities, targets[others])

    def _in_words(self, reading: Any, outputs: np.ndarray) -> Any:
        """The targets of all rows, and predictions and probabilities for some outputs."""
        raise NotImplementedError


class JudgedClassifier(KeepsUnseen, LSSVMClassifier):
    """A classifier that remembers what judged it."""

    def _in_words(self, reading: Any, outputs: np.ndarray) -> Any:
        labels = reading.classes[largest_output(outputs)]
        return reading.classes[reading.codes], labels, self._probabilities(outputs)


class JudgedRegressor(KeepsUnseen, LSSVMRegressor):
    """A regressor of one quantity that remembers what judged it."""

    def _in_words(self, reading: Any, outputs: np.ndarray) -> Any:
        return reading.scales.unscaled(reading.given.y)[:, 0], outputs[:, 0], None


def without_memory(model: BaseEstimator) -> BaseEstimator:
    """The same fitted model as an ordinary estimator, to be saved; of a pipeline, its last step."""
    final: Any = final_step(model)
    if not hasattr(final, "unseen"):
        return model
    kind = LSSVMClassifier if is_classifier(final) else LSSVMRegressor
    plain = kind(**final.get_params(deep=False))
    for name in vars(final).keys() - {"unseen"}:
        setattr(plain, name, getattr(final, name))
    if isinstance(model, Pipeline):
        model.steps[-1] = (model.steps[-1][0], plain)
        return model
    return plain


def honest_error_of(model: BaseEstimator, groups: np.ndarray | None = None) -> HonestError | None:
    """The honest error that a fitted model brings along; None, with a note, if it has none."""
    unseen = final_step(model).unseen
    if unseen is None:
        console.note("the fit kept no rows apart that could judge it: no honest error")
        return None
    output.current.put(rows_kept_apart=len(unseen.rows))
    return own_error(model, unseen, groups)


def own_error(
    model: BaseEstimator, unseen: Unseen, groups: np.ndarray | None = None
) -> HonestError:
    """The error of unseen rows, with the intervals of rows that one model predicts.

    ``folds`` is 1: the rows are one fold, and the others were learned from. Those who chose the
    kernel, its regularization and the machine have not seen them; only standardizing has.

    Parameters
    ----------
    model, unseen : what was judged, and by which rows
    groups : a number per row of the table; rows of a group count as fewer
    """
    classes, truth, predictions = is_classifier(model), unseen.truth, unseen.predictions
    own = row_losses(model, truth, predictions)
    trivial = row_losses(model, truth, trivial_prediction(model, unseen.seen))
    value, baseline = (float(x.mean() if classes else np.sqrt(x.mean())) for x in (own, trivial))
    held = None if groups is None else groups[unseen.rows]
    factor = clustering(own, held)
    interval = (share_interval if classes else root_interval)(own, factor)
    difference = (share_difference if classes else root_difference)(own, trivial, held)
    ends = difference.lower, difference.upper
    if not classes:
        measures = quantity_measures(truth, predictions)
        return HonestError(value, *interval, baseline, *ends, 1, (), measures)
    labels, codes = np.unique(truth, return_inverse=True)
    every = np.unique(np.concatenate([truth, unseen.seen]))
    measures = class_measures(truth, predictions, unseen.probabilities, every)
    balanced = balanced_interval(own, codes, factor)[:2] if len(labels) > 1 else (None, None)
    table = confusion(truth, predictions, every)
    return HonestError(value, *interval, baseline, *ends, 1, (), measures, table, *balanced)
