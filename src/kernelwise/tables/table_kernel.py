"""A learned kernel as a function of a table's own columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelwise.kernels import Kernel
from kernelwise.tables.columns import ColumnEncoder, is_frame


class TableKernel:
    """``kernel(columns(A), columns(B))``: takes rows as they were given to ``fit``.

    It plugs into machines that take a function, such as ``sklearn.svm.SVC(kernel=...)``; for two
    single rows it gives a number. ``columns`` standardizes the columns (and codes categories),
    ``kernel`` compares them.
    """

    def __init__(self, columns: ColumnEncoder, kernel: Kernel, names: Sequence[str] | None = None):
        self.columns, self.kernel = columns, kernel
        self.names = None if names is None else list(names)

    def __call__(self, A: Any, B: Any = None) -> Any:
        if not is_frame(A) and np.ndim(A) == 1:  # as KernelRidge and Nystroem ask, pair by pair
            other = A if B is None else B
            return float(self(np.asarray(A)[None], np.asarray(other)[None])[0, 0])
        return self.kernel(self._rows(A), None if B is None else self._rows(B))

    def _rows(self, X: Any) -> np.ndarray:
        expected = self.columns.n_columns
        if np.shape(X)[1:] != (expected,):
            raise ValueError(
                f"the kernel was learned on {expected} columns; these rows have shape {np.shape(X)}"
            )
        if is_frame(X) and self.names is not None and list(X.columns) != self.names:
            raise ValueError(
                f"the columns are {list(X.columns)}, but the kernel was learned on {self.names}: "
                "give the same columns in the same order"
            )
        return self.columns.scaled(self.columns.numbers(X, self))

    def __repr__(self) -> str:
        where = "standardized columns" if self.columns.standardize else "columns as they are"
        return f"TableKernel({self.kernel!r} on {where})"
