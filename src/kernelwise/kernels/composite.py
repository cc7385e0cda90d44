"""Kernels made of kernels: sums, products, scalings, restrictions; and the precomputed one."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np

from kernelwise.kernels.base import (
    WEIGHT_LIMITS,
    Kernel,
    QuickRows,
    RowGradients,
    rows_of,
    rows_of_columns,
)
from kernelwise.parameters import Parameter


class Composite(Kernel):
    """A kernel made of others; its values are its own, named by role, then its children's."""

    own_names: tuple[str, ...] = ()

    def __init__(self, children: Sequence[Kernel], own: Sequence[float] = ()):
        if not children or not all(isinstance(child, Kernel) for child in children):
            raise ValueError(f"{type(self).__name__} needs kernelwise kernels, got {children!r}")
        self.children, self.own = list(children), np.asarray(own, float)
        if (self.own <= 0).any():
            raise ValueError(f"{type(self).__name__}: {self.own_names[0]} must be positive")

    @property
    def parameters(self) -> list[Parameter]:
        own = zip(self.own_names, self.own, strict=True)
        return [Parameter(role, value, WEIGHT_LIMITS, role) for role, value in own] + [
            parameter._replace(name=f"{type(child).__name__}.{parameter.name}")
            for child in self.children
            for parameter in child.parameters
        ]

    @property
    def values(self) -> np.ndarray:
        return np.concatenate([self.own, *(child.values for child in self.children)])

    def with_values(self, values: np.ndarray) -> Composite:
        sizes = [len(self.own), *(len(child.values) for child in self.children)]
        own, *parts = np.split(np.asarray(values, float), np.cumsum(sizes)[:-1])
        other = copy.copy(self)
        other.own = own
        other.children = [
            child.with_values(part) for child, part in zip(self.children, parts, strict=True)
        ]
        return other

    def words(self) -> str:
        return f"{type(self).__name__} of {' and '.join(child.words() for child in self.children)}"

    def __repr__(self) -> str:
        own = [f"{name}={x:.4g}" for name, x in zip(self.own_names, self.own, strict=True)]
        return f"{type(self).__name__}({', '.join([*map(repr, self.children), *own])})"


class Sum(Composite):
    """``sum_m k_m``."""

    def evaluate(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, RowGradients]:
        grams, backs = zip(*(k.evaluate(A, B, up_to_constant) for k in self.children), strict=True)

        def row_gradients(M: np.ndarray, triangle: bool) -> np.ndarray:
            return np.hstack([rows_of(back, M, triangle) for back in backs])

        def of_columns(coef: np.ndarray) -> np.ndarray:
            return np.concatenate([rows_of_columns(back, coef, len(A)) for back in backs], axis=2)

        return sum(grams[1:], grams[0]), QuickRows(row_gradients, of_columns)

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values, derivatives = zip(*(child.diagonal(A) for child in self.children), strict=True)
        return np.sum(values, axis=0), np.hstack(derivatives)

    def words(self) -> str:
        return ", ".join(child.words() for child in self.children)


class Product(Composite):
    """``prod_m k_m``."""

    def evaluate(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, RowGradients]:
        grams, backs = zip(*(k.evaluate(A, B) for k in self.children), strict=True)

        def row_gradients(M: np.ndarray, triangle: bool) -> np.ndarray:
            parts = []
            for m, back in enumerate(backs):
                others = np.array(M, float)
                for gram in grams[:m] + grams[m + 1 :]:
                    others *= gram
                parts.append(rows_of(back, others, triangle))
            return np.hstack(parts)

        gram = grams[0].astype(np.result_type(*grams))
        for other in grams[1:]:
            gram *= other
        return gram, QuickRows(row_gradients)

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values, derivatives = zip(*(child.diagonal(A) for child in self.children), strict=True)
        parts = []
        for m, derivative in enumerate(derivatives):
            others = np.prod(values[:m] + values[m + 1 :], axis=0)
            parts.append(derivative * np.reshape(others, (-1, 1)))
        return np.prod(values, axis=0), np.hstack(parts)


class Scaled(Composite):
    """``amplitude * k``."""

    own_names = ("amplitude",)

    def __init__(self, kernel: Kernel, amplitude: float = 1.0):
        super().__init__([kernel], [amplitude])

    def evaluate(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, RowGradients]:
        gram, back = self.children[0].evaluate(A, B, up_to_constant)
        amplitude = float(self.own[0])  # a number of numpy would make float64 of float32

        def row_gradients(M: np.ndarray, triangle: bool) -> np.ndarray:
            own = np.einsum("ij,ij->i", M, gram, dtype=float)
            return np.column_stack([own, amplitude * rows_of(back, M, triangle)])

        def of_columns(coef: np.ndarray) -> np.ndarray:
            own = np.asarray(gram @ coef, float)[:, :, None]
            rows = rows_of_columns(back, coef, len(A))
            return np.concatenate([own, amplitude * rows], axis=2)

        return amplitude * gram, QuickRows(row_gradients, of_columns)

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values, derivatives = self.children[0].diagonal(A)
        return self.own[0] * values, np.column_stack([values, self.own[0] * derivatives])

    def words(self) -> str:
        return f"{self.children[0].words()}, amplitude {self.own[0]:.3g}"


class Constant(Kernel):
    """A constant offset: the prior variance of a bias inside the kernel."""

    def __init__(self, offset: float = 1.0):
        if not offset > 0:
            raise ValueError(f"offset must be positive, got {offset}")
        self.offset = float(offset)

    @property
    def parameters(self) -> list[Parameter]:
        return [Parameter("offset", self.offset, WEIGHT_LIMITS, "offset")]

    def with_values(self, values: np.ndarray) -> Constant:
        other = copy.copy(self)
        (other.offset,) = map(float, values)
        return other

    def evaluate(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, RowGradients]:
        # One number seen from everywhere: in a sum it then costs no memory.
        shape = (len(A), len(A if B is None else B))
        gram = np.broadcast_to(np.array(0.0 if up_to_constant else self.offset), shape)
        return gram, lambda M: M.sum(axis=1, keepdims=True)

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.full(len(A), self.offset), np.ones((len(A), 1))

    def words(self) -> str:
        return f"offset {self.offset:.3g}"

    def __repr__(self) -> str:
        return f"Constant(offset={self.offset:.4g})"


class Normalized(Composite):
    """``k(x, z) / sqrt(k(x, x) k(z, z))``: unit diagonal."""

    def __init__(self, kernel: Kernel):
        super().__init__([kernel])

    def evaluate(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, RowGradients]:
        gram, back = self.children[0].evaluate(A, B)
        rows, row_slopes = self.children[0].diagonal(A)
        columns, column_slopes = (rows, row_slopes) if B is None else self.children[0].diagonal(B)
        if min(rows.min(), columns.min()) <= 0:
            raise ValueError("Normalized needs k(x, x) > 0; add a Constant, or drop all-zero rows")
        scale = 1 / np.sqrt(np.outer(rows, columns))
        gram = gram * scale

        def row_gradients(M: np.ndarray, triangle: bool) -> np.ndarray:
            weighted = M * gram
            own = weighted.sum(axis=1, keepdims=True) * (row_slopes / rows[:, None])
            across = weighted @ (column_slopes / columns[:, None])
            return rows_of(back, M * scale, triangle) - 0.5 * (own + across)

        return gram, QuickRows(row_gradients)

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.ones(len(A)), np.zeros((len(A), len(self.values)))


class OnColumns(Composite):
    """A kernel that sees only some columns."""

    def __init__(self, kernel: Kernel, columns: Sequence[int]):
        super().__init__([kernel])
        given = np.asarray(columns)
        if given.ndim != 1 or not len(given) or given.dtype.kind not in "iu" or given.min() < 0:
            raise ValueError(f"OnColumns needs column numbers of 0 or more, got {columns!r}")
        self.columns = given.astype(int)

    def evaluate(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, RowGradients]:
        if A.shape[1] <= self.columns.max():
            raise ValueError(f"the kernel sees column {self.columns.max()}, X has {A.shape[1]}")
        right = None if B is None else B[:, self.columns]
        return self.children[0].evaluate(A[:, self.columns], right, up_to_constant)

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.children[0].diagonal(A[:, self.columns])

    def words(self) -> str:
        return f"{self.children[0].words()} on columns {', '.join(map(str, self.columns))}"

    def __repr__(self) -> str:
        return f"OnColumns({self.children[0]!r}, columns={self.columns.tolist()})"


class Precomputed(Kernel):
    """A kernel whose input **is** rows of a Gram matrix."""

    compares_columns = False

    def take(self, X: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return X[np.ix_(rows, rows)]

    def evaluate(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, RowGradients]:
        return A, lambda M: np.empty((len(A), 0))

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.diagonal(A), np.empty((len(A), 0))

    def __repr__(self) -> str:
        return "Precomputed()"
