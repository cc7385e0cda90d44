"""The base class of classifiers: labels and class weights in, calibrated probabilities out."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.base import KernelEstimator
from kernelwise.estimators.calibration import (
    LEAST_TRUST,
    Calibrator,
    LogOdds,
    Temperature,
    TwoSlopeSigmoid,
)
from kernelwise.estimators.fold_fits import Copies
from kernelwise.estimators.scores import PredictsSets, label_scores
from kernelwise.estimators.table_estimator import Reading
from kernelwise.estimators.trivial import warned_if_trivial
from kernelwise.selections import Choice
from kernelwise.tables.lazy_rows import by_block
from kernelwise.tables.rows import Observations
from kernelwise.tables.targets import one_vs_rest, read_labels


@dataclass(frozen=True)
class ClassReading(Reading):
    """A table with classes: the distinct labels, and the index of each given row's label."""

    classes: np.ndarray = field(default_factory=lambda: np.empty(0))
    codes: np.ndarray = field(default_factory=lambda: np.empty(0, int))


class KernelClassifier(PredictsSets, ClassifierMixin, KernelEstimator):
    """Two classes: targets -1 and +1; more: one machine per class against the rest, one kernel.

    A subclass's constructor sets ``class_weight`` besides what `KernelEstimator` needs.
    """

    class_weight: Any
    # Whether outputs are log odds of the machine's own, for which no slope is fitted.
    _gives_log_odds = False
    # Whether a model that is not better than chance may still move probabilities a little.
    _trusts_by_halves = True

    def _read(self, X: Any, y: Any, sample_weight: Any) -> ClassReading:
        source = self._source(X, y, sample_weight)
        numbers = source.numbers
        labels, classes = read_labels(source.y, len(numbers))
        counts = weights = self._weights(source.sample_weight, numbers)
        if self.class_weight is not None:
            weights = counts * balanced(self.class_weight, labels, counts)
        if len(np.unique(labels[weights > 0])) < 2:
            raise ValueError(
                "the rows of positive weight are of one class only; a classifier needs at least 2"
            )
        codes = np.searchsorted(classes, labels)
        coded = one_vs_rest(codes, len(classes))
        reading = self._reading(source, Observations(numbers, coded, counts, weights, codes))
        return ClassReading(**vars(reading), classes=classes, codes=codes)

    def _keep(self, reading: ClassReading, choice: Choice) -> None:
        super()._keep(reading, choice)
        self.classes_ = reading.classes

    def _judge(self, reading: ClassReading, choice: Choice) -> None:
        held_out = self._held_out_outputs(reading, choice)
        self.held_out_error_ = share_of_wrong(held_out, reading, reading.parts.share)

    def _judge_honestly(self, reading: ClassReading, choice: Choice, copies: Copies) -> None:
        parts, codes = reading.parts, reading.codes[reading.parts.source]
        held_out = self._held_out_outputs(reading, choice)
        unseen, mass = self._unseen_outputs(copies, held_out), class_mass(reading, copies.share)
        self.honest_error_ = np.nan
        if copies.judges:
            self.honest_error_ = share_of_wrong(unseen, reading, copies.share)
        single = held_out.shape[1] == 1
        self.calibrator_: Calibrator = (
            LogOdds() if self._gives_log_odds else TwoSlopeSigmoid() if single else Temperature()
        )
        every = class_mass(reading, parts.share)
        self.calibrator_.fit(held_out[:, 0] if single else held_out, every)
        self.calibrator_.fit_trust(unseen[:, 0] if single else unseen, mass)
        gain = self.calibrator_.gain_ * copies.n_cases / mass.sum()
        self._is_trivial = self._is_null or warned_if_trivial(gain, 1, "the shares of the classes")
        if self._is_trivial and not self._trusts_by_halves:
            self.calibrator_.trust_ = LEAST_TRUST
        probabilities = self._probabilities(unseen)[parts.part]
        self._scores = label_scores(probabilities, codes, copies.share, copies.n_cases)

    def _probabilities(self, outputs: np.ndarray) -> np.ndarray:
        """Probability of each class from the outputs, (rows, outputs)."""
        return self.calibrator_.probabilities(outputs[:, 0] if outputs.shape[1] == 1 else outputs)

    def _losses_of(self, outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Brier scores: squared differences of probabilities and labels."""
        labels = np.eye(len(self.classes_))[largest_output(targets)]
        return ((self._probabilities(outputs) - labels) ** 2).sum(axis=1)

    def _held_out_outputs(self, reading: ClassReading, choice: Choice) -> np.ndarray:
        """Outputs of rows that the machine has not seen, (rows, outputs)."""
        return reading.parts.targets.values - choice.held_out

    def decision_function(self, X: Any) -> np.ndarray:
        """Machine outputs.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)

        Returns
        -------
        outputs : array
            (rows,) for two classes, positive for ``classes_[1]``; else (rows, classes).
        """
        outputs = self._outputs(X)
        return outputs[:, 0] if len(self.classes_) == 2 else outputs

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest output.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)

        Returns
        -------
        labels : array of shape (rows,)
        """
        check_is_fitted(self, "columns_")
        return by_block(lambda outputs: self.classes_[largest_output(outputs)], self._outputs(X))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Calibrated probability of each class; the largest is that of ``predict``.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)

        Returns
        -------
        probabilities : array of shape (rows, classes)
        """
        check_is_fitted(self, "columns_")
        return by_block(self._probabilities, self._outputs(X), len(self.classes_))


def share_of_wrong(outputs: np.ndarray, reading: ClassReading, share: np.ndarray) -> float:
    """The share of wrong labels, by the share of each entry; class weights do not count."""
    parts = reading.parts
    wrong = largest_output(outputs)[parts.part] != reading.codes[parts.source]
    return float(np.average(wrong, weights=share))


def class_mass(reading: ClassReading, share: np.ndarray) -> np.ndarray:
    """Weight of each class in each part, (parts, classes), from the share of each entry."""
    parts, given = reading.parts, reading.given
    mass = np.zeros((len(parts.X), len(reading.classes)))
    share = share * given.weights[parts.source] / given.counts[parts.source]
    np.add.at(mass, (parts.part, reading.codes[parts.source]), share)
    return mass


def largest_output(outputs: np.ndarray) -> np.ndarray:
    """Index of each row's class; one column is the output of the second of two classes."""
    return (outputs[:, 0] > 0).astype(int) if outputs.shape[1] == 1 else outputs.argmax(axis=1)


def balanced(class_weight: Any, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Class weights of each row; "balanced" counts rows by their sample weight."""
    if not (isinstance(class_weight, dict) or class_weight == "balanced"):
        raise ValueError(f"class_weight must be a dict, 'balanced' or None, got {class_weight!r}")
    if isinstance(class_weight, dict):
        weights_of = class_weight.values()
        if not all(
            isinstance(weight, Real) and 0 <= float(weight) < np.inf for weight in weights_of
        ):
            raise ValueError(f"class_weight must hold numbers of 0 or more, got {class_weight!r}")
        return compute_sample_weight(class_weight, labels)
    classes, codes = np.unique(labels, return_inverse=True)
    totals = np.bincount(codes, weights)
    with np.errstate(divide="ignore"):
        return np.where(totals > 0, weights.sum() / (len(classes) * totals), 0.0)[codes]
