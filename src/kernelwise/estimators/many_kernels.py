"""What estimators of many kernels share: how they read a table, and what they look at it with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelwise.estimators.table_estimator import TableEstimator
from kernelwise.multikernel import KernelBank, KernelStack
from kernelwise.multikernel.bank import Member, bank_members
from kernelwise.tables.columns import ColumnEncoder


class ManyKernels(TableEstimator):
    """An estimator with a bank, a stack or a list of kernels; its constructor sets ``kernels``."""

    kernels: Any
    searcher = None
    n_restarts = 0
    _precomputed = False

    @property
    def _is_named(self) -> bool:
        """Whether the kernels act on standardized columns: names and banks do, objects do not."""
        if isinstance(self.kernels, (list, tuple)):
            return all(isinstance(kernel, str) for kernel in self.kernels)
        return isinstance(self.kernels, (str, KernelBank))

    @property
    def _takes_gaps(self) -> bool:
        return not isinstance(self.kernels, KernelStack)

    def _learn_columns(self, X: Any) -> tuple[ColumnEncoder, np.ndarray]:
        columns, numbers = super()._learn_columns(X)
        self._check_cases(numbers)
        return columns, numbers

    def _numbers(self, X: Any) -> np.ndarray:
        numbers = super()._numbers(X)
        self._check_cases(numbers)
        return numbers

    def _check_cases(self, numbers: np.ndarray) -> None:
        if isinstance(self.kernels, KernelStack):
            self.kernels.check_cases(numbers)

    def _members(self, columns: ColumnEncoder) -> list[Member]:
        """The kernels for the columns of this fit, with their names and views."""
        names = getattr(self, "feature_names_in_", None)
        return bank_members(
            self.kernels, columns.n_columns, columns.categorical, names, columns.shown
        )


class OutputsOfKernels:
    """``sum_m weights_m * (K_m(rows, X) @ coef)`` of rows, quickly again where few columns differ.

    The first rows it is called with are remembered with each kernel's part of their outputs; later
    calls compute only the kernels that see a column that has changed since.

    Parameters
    ----------
    members : the kernels, with the columns that each one sees
    X : the rows of the fit
    coef : (rows of X, outputs)
    weights : (kernels, outputs)
    """

    def __init__(
        self, members: Sequence[Member], X: np.ndarray, coef: np.ndarray, weights: np.ndarray
    ):
        self.members, self.X, self.coef, self.weights = members, X, coef, weights
        self.first: np.ndarray | None = None

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        if self.first is None:
            self.first = rows.copy()
            self.parts = np.array([self._part(m, rows) for m in range(len(self.members))])
            self.total = self.parts.sum(axis=0)
        changed = (rows != self.first).any(axis=0)
        total = self.total.copy()
        for m, member in enumerate(self.members):
            if changed.any() and (member.columns is None or changed[member.columns].any()):
                total += self._part(m, rows) - self.parts[m]
        return total

    def _part(self, m: int, rows: np.ndarray) -> np.ndarray:
        return self.weights[m] * (self.members[m].kernel(rows, self.X) @ self.coef)
