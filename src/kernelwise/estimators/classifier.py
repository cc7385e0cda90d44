"""What all classifiers share: labels and class weights in, calibrated probabilities out."""

from __future__ import annotations

from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.base import KernelEstimator
from kernelwise.estimators.calibration import Temperature, TwoSlopeSigmoid
from kernelwise.estimators.progress import progress_of, with_callbacks
from kernelwise.selections import Choice
from kernelwise.tables.rows import Parts
from kernelwise.tables.targets import one_vs_rest, read_labels


class KernelClassifier(ClassifierMixin, KernelEstimator):
    """Two classes: targets -1 and +1; more: one machine per class against the rest, one kernel.

    A subclass's constructor sets ``class_weight`` beside what `KernelEstimator` needs.
    """

    class_weight: Any

    def _keep(self, choice: Choice, parts: Parts, codes: np.ndarray) -> None:
        """Store the fitted machine: ``dual_coef_``, ``intercept_`` and what else there is.

        ``codes`` are the numbers of the given rows' classes.
        """
        raise NotImplementedError

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the kernel and fit the machine."""
        selection = self._check_parameters()
        numbers = self._read_columns(X, reset=True)
        labels, self.classes_ = read_labels(y, len(numbers))
        counts = weights = self._weights(sample_weight, numbers)
        if self.class_weight is not None:
            weights = counts * balanced(self.class_weight, labels, counts)
        if len(np.unique(labels[weights > 0])) < 2:
            raise ValueError(
                "the rows of positive weight are of one class only; a classifier needs at least 2"
            )
        step, finish = progress_of(self, X, y)
        codes = np.searchsorted(self.classes_, labels)
        coded = one_vs_rest(codes, len(self.classes_))
        parts = self._problem(numbers, coded, counts, weights, codes)
        choice = self._choose(selection, parts, step)
        self._keep(choice, parts, codes)
        held_out = parts.targets.values - choice.held_out
        wrong = largest_output(held_out)[parts.part] != codes[parts.source]
        # Class weights steer the fit; an error counts rows, as a score does.
        self.held_out_error_ = float(np.average(wrong, weights=parts.share))
        classes = np.zeros((len(held_out), len(self.classes_)))
        share = parts.share * (weights / np.where(counts > 0, counts, 1))[parts.source]
        np.add.at(classes, (parts.part, codes[parts.source]), share)
        self.calibrator_ = (
            TwoSlopeSigmoid().fit(held_out[:, 0], classes)
            if len(self.classes_) == 2
            else Temperature().fit(held_out, classes)
        )
        finish()
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Machine outputs: (rows,) for two classes, positive for ``classes_[1]``; else (rows,
        classes).
        """
        outputs = self._outputs(X)
        return outputs[:, 0] if len(self.classes_) == 2 else outputs

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest output."""
        check_is_fitted(self, "dual_coef_")
        return self.classes_[largest_output(self._outputs(X))]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Calibrated probability of each class; the largest is that of ``predict``."""
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
