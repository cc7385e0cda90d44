"""The base class of regressors: quantities in and out, in their own units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from kernelwise.estimators.base import KernelEstimator
from kernelwise.estimators.table_estimator import Reading
from kernelwise.selections import Choice
from kernelwise.tables.columns import Scales
from kernelwise.tables.rows import Observations
from kernelwise.tables.targets import read_quantities


@dataclass(frozen=True)
class QuantityReading(Reading):
    """A table with quantities: what standardized them, and whether they came as one column."""

    scales: Scales | None = None
    single_output: bool = True


class KernelRegressor(RegressorMixin, KernelEstimator):
    """A regressor whose targets, one or many columns, are standardized and share one kernel."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _read(self, X: Any, y: Any, sample_weight: Any) -> QuantityReading:
        columns, numbers = self._learn_columns(X)
        given = read_quantities(y, len(numbers), self)
        values = given.reshape(len(given), -1)
        weights = self._weights(sample_weight, numbers)
        scales = Scales.learn(values[weights > 0], weights[weights > 0])
        unlabeled = np.zeros(len(values), int)
        rows = Observations(numbers, scales.scaled(values), weights, weights, unlabeled)
        reading = self._reading(columns, rows)
        return QuantityReading(**vars(reading), scales=scales, single_output=given.ndim == 1)

    def _keep(self, reading: QuantityReading, choice: Choice) -> None:
        super()._keep(reading, choice)
        scales: Any = reading.scales
        self.dual_coef_ = self.dual_coef_ * scales.unit
        self.intercept_ = self.intercept_ * scales.unit + scales.center * scales.magnitude
        self._single_output = reading.single_output

    def _judge(self, reading: QuantityReading, choice: Choice) -> None:
        targets, scales = reading.parts.targets, reading.scales
        assert scales is not None
        squares = targets.weights @ choice.held_out**2 + targets.within
        roots = np.sqrt(squares / targets.weights.sum()) * scales.unit
        # hypot: the squares of large units would overflow.
        self.held_out_error_ = math.hypot(*roots) / math.sqrt(len(roots))
