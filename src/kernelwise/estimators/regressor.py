"""The base class of regressors: quantities in and out, in their own units."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.base import KernelEstimator
from kernelwise.estimators.fold_fits import Copies, rows_for
from kernelwise.estimators.scores import PredictsIntervals, Scores
from kernelwise.estimators.table_estimator import Reading
from kernelwise.estimators.trivial import normal_gain, warned_if_trivial
from kernelwise.linalg import JitterWarning
from kernelwise.selections import Choice
from kernelwise.tables.columns import Scales
from kernelwise.tables.rows import Observations
from kernelwise.tables.targets import read_quantities


@dataclass(frozen=True)
class QuantityReading(Reading):
    """A table with quantities: what standardized them, and whether they came as one column."""

    scales: Scales | None = None
    single_output: bool = True


class KernelRegressor(PredictsIntervals, RegressorMixin, KernelEstimator):
    """A regressor whose targets, one or many columns, are standardized and share one kernel."""

    _stretch: Any = 1.0  # models of earlier versions were saved without it

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _read(self, X: Any, y: Any, sample_weight: Any) -> QuantityReading:
        source = self._source(X, y, sample_weight)
        numbers = source.numbers
        given = read_quantities(source.y, len(numbers), self)
        values = given.reshape(len(given), -1)
        weights = self._weights(source.sample_weight, numbers)
        scales = Scales.learn(values[weights > 0], weights[weights > 0])
        unlabeled = np.zeros(len(values), int)
        rows = Observations(numbers, scales.scaled(values), weights, weights, unlabeled)
        reading = self._reading(source, rows)
        return QuantityReading(**vars(reading), scales=scales, single_output=given.ndim == 1)

    def _keep(self, reading: QuantityReading, choice: Choice) -> None:
        super()._keep(reading, choice)
        scales: Any = reading.scales
        self.dual_coef_ = self.dual_coef_ * scales.unit
        self.intercept_ = self.intercept_ * scales.unit + scales.center * scales.magnitude
        self._keep_units(reading)

    def _keep_units(self, reading: QuantityReading) -> None:
        scales: Any = reading.scales
        self._single_output = reading.single_output
        self._unit, self._center = scales.unit, scales.center * scales.magnitude

    def _judge(self, reading: QuantityReading, choice: Choice) -> None:
        targets, scales = reading.parts.targets, reading.scales
        assert scales is not None
        squares = targets.weights @ choice.held_out**2 + targets.within
        roots = np.sqrt(squares / targets.weights.sum()) * scales.unit
        self.held_out_error_ = joint_root(roots)

    def _judge_honestly(self, reading: QuantityReading, choice: Choice, copies: Copies) -> None:
        parts, scales = reading.parts, reading.scales
        assert scales is not None
        targets = scales.unscaled(reading.given.y[parts.source])
        held_out = scales.unscaled(parts.targets.values - choice.held_out)
        outputs = self._unseen_outputs(copies, held_out)[parts.part]
        deviations = self._unseen_deviations(reading, copies)[parts.part]
        unit, share = scales.unit, copies.share / copies.share.sum()
        residuals = (targets - outputs) / unit
        self.honest_error_ = np.nan
        if copies.judges:
            self.honest_error_ = joint_root(np.sqrt(share @ residuals**2) * unit)
        relative = in_deviations(residuals, deviations / unit)
        self._scores = Scores(np.abs(relative), copies.share, copies.n_cases)
        self._stretch = np.sqrt(share @ relative**2)
        gain = normal_gain(targets / unit, outputs / unit, share * copies.n_cases)
        varying = int((np.ptp(targets, axis=0) > 0).sum())
        self._is_trivial = self._is_null or warned_if_trivial(gain, varying, "the mean of y")

    def _unseen_deviations(self, reading: QuantityReading, copies: Copies) -> np.ndarray:
        """Deviations of all parts, (parts, outputs), by copies that have not seen them."""
        every = np.arange(len(reading.parts.X))
        deviations = np.zeros((len(every), len(self._unit)))
        if not copies.judges:
            deviations = self._deviations_of(rows_for(self, reading, every))
        # What is wrong with a kernel was said when all rows were fitted.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", JitterWarning)
            for fit in copies.judges:
                deviations[fit.parts] = fit.model._deviations_of(fit.rows)
        return deviations

    def _deviations_of(self, rows: np.ndarray) -> np.ndarray:
        """Standard deviations of new observations before they are stretched, (rows, outputs).

        A machine without its own has the same everywhere.
        """
        return np.tile(self._unit, (len(rows), 1))

    def _losses_of(self, outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Squared errors in units of each target's variance, summed over the outputs."""
        scaled = (outputs - self._center) / self._unit
        return ((scaled - targets) ** 2).sum(axis=1)

    @overload
    def predict(self, X: Any) -> np.ndarray: ...
    @overload
    def predict(self, X: Any, return_std: bool) -> Any: ...
    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The outputs; with ``return_std`` also the standard deviation of a new observation.

        The machine's own deviations are stretched: copies predict rows they have not seen, and the
        root mean square of their errors, in units of their own deviations, multiplies them.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)
        return_std : bool, default False

        Returns
        -------
        outputs : array of shape (rows,) or (rows, outputs)
        std : array of the same shape, if ``return_std``
        """
        check_is_fitted(self, "columns_")
        if not return_std:
            return self._as_given(self._outputs(X))
        outputs, deviations = self._outputs_and_deviations(X)
        return self._as_given(outputs), self._as_given(deviations * self._stretch)

    def _outputs_and_deviations(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        rows = self._rows_to_compare(X)
        return self._outputs_of(rows), self._deviations_of(rows)


def joint_root(roots: np.ndarray) -> float:
    """Root mean square of several; hypot, as the squares of large units would overflow."""
    return math.hypot(*roots) / math.sqrt(len(roots))


def in_deviations(residuals: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """Residuals in units of deviations; a target that does not vary has neither."""
    return np.divide(residuals, deviations, out=np.zeros_like(residuals), where=deviations > 0)
