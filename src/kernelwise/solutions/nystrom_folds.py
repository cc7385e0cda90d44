"""Folds of a machine on landmarks, judged by sums over rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from kernelwise.solutions.held_out import HeldOut
from kernelwise.solutions.nystrom import NystromGradient, NystromSolution, squared_error_on
from kernelwise.solutions.row_statistics import RowStatistics, StatisticsGradient


@dataclass(frozen=True)
class NystromFoldsGradient:
    """The derivative of a criterion in the squared error of all folds."""

    squared_error: float = 0.0


@dataclass(frozen=True)
class NystromFolds(HeldOut):
    """One fit for each fold, from the sums over all rows less its own; exact, without a row.

    Attributes
    ----------
    fits : of the rows that are not in the fold
    parts : the sums over each fold
    within : squares that the mean targets of equal rows hide
    """

    fits: Sequence[NystromSolution]
    parts: Sequence[RowStatistics]
    within: float = 0.0

    gradient: ClassVar[type] = NystromFoldsGradient

    @property
    def n_factorizations(self) -> int:
        return len(self.fits)

    @cached_property
    def squared_error(self) -> float:
        pairs = zip(self.parts, self.fits, strict=True)
        return sum(float(squared_error_on(part, fit).sum()) for part, fit in pairs) + self.within

    def to_statistics(
        self, gradient: NystromFoldsGradient
    ) -> tuple[StatisticsGradient, list[StatisticsGradient]]:
        """Derivatives in the sums over all training rows, and in those over each fold's rows.

        A row trains the fits of all folds but its own, by which it is judged. The first is good
        for the landmarks' Gram matrix and the regularization.
        """
        trained = [
            fit.to_statistics(_of_squared_error(part, fit, gradient.squared_error))
            for part, fit in zip(self.parts, self.fits, strict=True)
        ]
        total, others = without_each(trained)
        for k, (part, fit) in enumerate(zip(self.parts, self.fits, strict=True)):
            others[k] = _judged(others[k], part, fit, gradient.squared_error)
        return total, others


def without_each(
    gradients: Sequence[StatisticsGradient],
) -> tuple[StatisticsGradient, list[StatisticsGradient]]:
    """The sum of gradients, and the sum without each of them."""
    total = sum(gradients[1:], gradients[0])
    return total, [total - own for own in gradients]


def _shift(part: RowStatistics, fit: NystromSolution) -> np.ndarray:
    """The mean residual of a fold, per target."""
    return part.mean_target - fit.intercept - fit.coef.T @ part.mean_kernel


def _of_squared_error(
    part: RowStatistics, fit: NystromSolution, in_error: float
) -> NystromGradient:
    """Derivatives of a fold's squared error in the coefficients and the mean of its fit."""
    lifted = 2 * in_error * part.weight * _shift(part, fit)
    inner = part.centered_products @ fit.coef - part.centered_cross
    apart = part.mean_kernel - fit.statistics.mean_kernel
    return NystromGradient(
        coef=2 * in_error * inner - np.outer(apart, lifted), mean_kernel=fit.coef @ lifted
    )


def _judged(
    trained: StatisticsGradient, part: RowStatistics, fit: NystromSolution, in_error: float
) -> StatisticsGradient:
    """With the derivatives of a fold's squared error in its own sums.

    ``sum w |y - level - coef'(k - reference)|^2``: ``coef coef'`` in the products, ``-2 coef`` in
    the cross products and ``2 coef level`` in the kernel sums.
    """
    coef = in_error * fit.coef
    level = fit.intercept + fit.coef.T @ part.reference
    return trained.plus(coef @ fit.coef.T, -2 * coef, 2 * coef @ level)
