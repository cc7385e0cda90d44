"""Candidates that are no least-squares machines: any estimator of scikit-learn's kind."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin, clone, is_classifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils.validation import has_fit_parameter

from kernelwise.auto.candidates import Candidate
from kernelwise.estimators.fold_fits import FoldFit
from kernelwise.tables.columns import ColumnEncoder, as_frame


class Coordinates(TransformerMixin, BaseEstimator):
    """The columns of a table as numbers, standardized as they were for a fit."""

    def __init__(self, columns: ColumnEncoder):
        self.columns = columns

    def fit(self, X: Any, y: Any = None) -> Coordinates:
        return self

    def transform(self, X: Any) -> np.ndarray:
        return self.columns.scaled(self.columns.numbers(as_frame(X), self))

    def __sklearn_is_fitted__(self) -> bool:
        return True


class OtherMember:
    """An estimator on the standardized columns of the table, categories as their codes.

    Its outputs are what least squares aims at: ``2 p - 1`` for the probability p of a class (its
    labels where it gives no probabilities), or the quantity. Held-out outputs cost a fit for each
    fold.

    Attributes
    ----------
    candidate : what it was learned as
    estimator : the fitted one
    n_outputs : one for two classes or a quantity
    """

    is_null = False

    def __init__(self, candidate: Candidate) -> None:
        self.candidate, self.estimator, self.n_outputs = candidate, candidate.estimator, 1
        self.unit: np.ndarray | None = None
        self.classes: np.ndarray = np.empty(0)

    def learn(self, reading: Any, step: Callable[[], None]) -> np.ndarray:
        """Fit to all rows; the residuals of each row by a copy that has not seen its fold."""
        parts = reading.parts
        every = np.arange(len(parts.X))
        held_out = np.zeros_like(parts.targets.values)
        for fold in parts.folds:
            self._fit(reading, np.setdiff1d(every, fold))
            step()
            outputs = self.outputs_of(parts.X[fold])
            known = outputs if self.unit is None else reading.scales.scaled(outputs)
            held_out[fold] = parts.targets.values[fold] - known
        self._fit(reading, every)
        step()
        return held_out

    def learn_again(
        self, reading: Any, choice: None, step: Callable[[], None]
    ) -> tuple[OtherMember, None]:
        """A copy fitted to other rows; it makes no choice that we know of."""
        other = copy.copy(self)
        other._fit(reading, np.arange(len(reading.parts.X)))
        step()
        return other, None

    def finished(self, reading: Any, choice: None, fits: list[FoldFit]) -> Pipeline:
        """The estimator behind what makes numbers of the columns."""
        return make_pipeline(Coordinates(reading.columns), self.estimator)

    def _fit(self, reading: Any, kept: np.ndarray) -> None:
        parts, given = reading.parts, reading.given
        entries = np.flatnonzero(np.isin(parts.part, kept))
        source = parts.source[entries]
        self.estimator, self.n_outputs = clone(self.candidate.estimator), given.y.shape[1]
        if is_classifier(self.estimator):
            self.classes = reading.classes
            y = reading.classes[reading.codes[source]]
        else:
            self.unit = reading.scales.unit
            y = reading.scales.unscaled(given.y[source])
            y = y[:, 0] if reading.single_output else y
        if self.estimator.get_params().get("categorical_features") == "from_dtype":
            self.estimator.set_params(categorical_features=list(reading.columns.categorical))
        if hasattr(self.estimator, "_is_judged_elsewhere"):
            self.estimator._is_judged_elsewhere = True
        weights = parts.share[entries] * given.weights[source] / given.counts[source]
        options = {"sample_weight": weights} if np.ptp(weights) > 0 else {}
        if options and not has_fit_parameter(self.estimator, "sample_weight"):
            raise ValueError(
                f"candidate {self.candidate.name!r} takes no sample weights: leave it out, or fit "
                "without weights"
            )
        self.estimator.fit(parts.X[parts.part[entries]], y, **options)

    def outputs_of(self, rows: np.ndarray) -> np.ndarray:
        """Outputs of rows as the table's kernels compare them, (rows, outputs)."""
        if self.unit is not None:
            return np.asarray(self.estimator.predict(rows), float).reshape(len(rows), -1)
        share = np.zeros((len(rows), max(self.n_outputs, 2)))
        if hasattr(self.estimator, "predict_proba"):
            known = np.searchsorted(self.classes, self.estimator.classes_)
            share[:, known] = self.estimator.predict_proba(rows)
        else:
            labels = np.searchsorted(self.classes, self.estimator.predict(rows))
            share[np.arange(len(rows)), labels] = 1.0
        outputs = 2 * share - 1
        return outputs[:, 1:] if self.n_outputs == 1 else outputs

    def deviations_of(self, rows: np.ndarray) -> np.ndarray:
        """The same everywhere, as it says nothing about its errors."""
        return np.tile(np.asarray(self.unit), (len(rows), 1))
