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
from kernelwise.estimators.calibration import Temperature, TwoSlopeSigmoid
from kernelwise.estimators.table_estimator import Reading
from kernelwise.selections import Choice
from kernelwise.tables.rows import Observations
from kernelwise.tables.targets import one_vs_rest, read_labels


@dataclass(frozen=True)
class ClassReading(Reading):
    """A table with classes: the distinct labels, and the index of each given row's label."""

    classes: np.ndarray = field(default_factory=lambda: np.empty(0))
    codes: np.ndarray = field(default_factory=lambda: np.empty(0, int))


class KernelClassifier(ClassifierMixin, KernelEstimator):
    """Two classes: targets -1 and +1; more: one machine per class against the rest, one kernel.

    A subclass's constructor sets ``class_weight`` besides what `KernelEstimator` needs.
    """

    class_weight: Any
    # Whether probabilities come from the machine itself, not from sigmoids of held-out outputs.
    _has_own_probabilities = False

    def _read(self, X: Any, y: Any, sample_weight: Any) -> ClassReading:
        columns, numbers = self._learn_columns(X)
        labels, classes = read_labels(y, len(numbers))
        counts = weights = self._weights(sample_weight, numbers)
        if self.class_weight is not None:
            weights = counts * balanced(self.class_weight, labels, counts)
        if len(np.unique(labels[weights > 0])) < 2:
            raise ValueError(
                "the rows of positive weight are of one class only; a classifier needs at least 2"
            )
        codes = np.searchsorted(classes, labels)
        coded = one_vs_rest(codes, len(classes))
        reading = self._reading(columns, Observations(numbers, coded, counts, weights, codes))
        return ClassReading(**vars(reading), classes=classes, codes=codes)

    def _keep(self, reading: ClassReading, choice: Choice) -> None:
        super()._keep(reading, choice)
        self.classes_ = reading.classes

    def _judge(self, reading: ClassReading, choice: Choice) -> None:
        parts, given, codes = reading.parts, reading.given, reading.codes
        held_out = self._held_out_outputs(reading, choice)
        wrong = largest_output(held_out)[parts.part] != codes[parts.source]
        # Class weights steer the fit; an error counts rows, as a score does.
        self.held_out_error_ = float(np.average(wrong, weights=parts.share))
        if self._only_predictions or self._has_own_probabilities:
            return
        mass = np.zeros((len(held_out), len(reading.classes)))
        per_count = given.weights / np.where(given.counts > 0, given.counts, 1)
        share = parts.share * per_count[parts.source]
        np.add.at(mass, (parts.part, codes[parts.source]), share)
        self.calibrator_ = (
            TwoSlopeSigmoid().fit(held_out[:, 0], mass)
            if len(reading.classes) == 2
            else Temperature().fit(held_out, mass)
        )

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
        check_is_fitted(self, "dual_coef_")
        return self.classes_[largest_output(self._outputs(X))]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Calibrated probability of each class; the largest is that of ``predict``.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)

        Returns
        -------
        probabilities : array of shape (rows, classes)
        """
        check_is_fitted(self, "dual_coef_")
        return self.calibrator_.probabilities(self.decision_function(X))


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
