"""A learnt kernel as a function of a table's own columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.estimators.columns import ColumnEncoder
from kernelwise.kernels import Kernel


class TableKernel:
    """``kernel(columns(A), columns(B))``: takes rows as they were given to ``fit``.

    It plugs into any machine that takes a function, such as ``sklearn.svm.SVC(kernel=...)``.
    ``columns`` standardises the columns (and codes categories), ``kernel`` compares them.
    """

    def __init__(self, columns: ColumnEncoder, kernel: Kernel):
        self.columns, self.kernel = columns, kernel

    def __call__(self, A: Any, B: Any = None) -> np.ndarray:
        return self.kernel(self._rows(A), None if B is None else self._rows(B))

    def _rows(self, X: Any) -> np.ndarray:
        return self.columns.scaled(self.columns.numbers(X, self))

    def __repr__(self) -> str:
        where = "standardised columns" if self.columns.standardize else "columns as they are"
        return f"TableKernel({self.kernel!r} on {where})"
