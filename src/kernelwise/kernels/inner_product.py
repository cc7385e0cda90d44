"""Kernels of the weighted inner product: linear and polynomial."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np

from kernelwise.kernels.base import (
    WEIGHT_LIMITS,
    Kernel,
    RowGradients,
    scales_in_words,
    weight_parameters,
)
from kernelwise.parameters import Parameter


class Polynomial(Kernel):
    """``(sum_r weight_r x_r z_r + offset)^degree``, ``weight = 1 / length_scale^2``.

    One length scale is shared by all columns; a vector has one for each. ``categorical`` columns
    (their numbers) have an indicator per level instead of ``x_r``: the product of two values is 1
    if they are equal, else 0. Cost: O(n^2 d) both ways, each level counted as a column.
    """

    # Models of earlier versions were saved without it.
    categorical: tuple[int, ...] = ()

    def __init__(
        self,
        degree: int = 3,
        offset: float = 1.0,
        length_scale: float | Sequence[float] | np.ndarray = 1.0,
        categorical: Sequence[int] | np.ndarray = (),
    ):
        scales = np.asarray(length_scale, float)
        if scales.ndim > 1 or not (scales > 0).all():
            raise ValueError("length_scale must be a positive number or a vector of them")
        if not isinstance(degree, (int, np.integer)) or degree < 1:
            raise ValueError(f"degree must be a positive integer, got {degree!r}")
        if offset < 0:
            raise ValueError(f"offset must not be negative, got {offset}")
        self.degree, self.offset = int(degree), float(offset)
        self.isotropic = scales.ndim == 0
        self.weights = np.atleast_1d(1 / scales**2)
        self.categorical = tuple(map(int, categorical))

    @property
    def length_scale(self) -> float | np.ndarray:
        with np.errstate(divide="ignore"):
            scales = 1 / np.sqrt(self.weights)
        return float(scales[0]) if self.isotropic else scales

    @property
    def parameters(self) -> list[Parameter]:
        offset = Parameter("offset", self.offset, WEIGHT_LIMITS, "offset")
        return [*weight_parameters(self.weights, self.isotropic), offset]

    @property
    def has_column_weights(self) -> bool:
        return not self.isotropic

    def column_factors(self, n_columns: int) -> np.ndarray | None:
        return None if self.categorical else np.broadcast_to(np.sqrt(self.weights), n_columns)

    def with_values(self, values: np.ndarray) -> Polynomial:
        other = copy.copy(self)
        other.weights, other.offset = np.asarray(values, float)[:-1], float(values[-1])
        return other

    def evaluate(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, RowGradients]:
        if not self.isotropic and len(self.weights) != A.shape[1]:
            raise ValueError(
                f"the kernel has {len(self.weights)} length scales, but X has {A.shape[1]} columns"
            )
        left, right, first = self._coordinates(np.asarray(A, float), B)
        sizes = np.diff(np.append(first, left.shape[1]))
        weights = self.weights if self.isotropic else np.repeat(self.weights, sizes)
        inner = (left * weights) @ right.T + self.offset
        gram = inner**self.degree if self.degree > 1 else inner

        def row_gradients(M: np.ndarray) -> np.ndarray:
            weighted = M * (self.degree * inner ** (self.degree - 1)) if self.degree > 1 else M
            columns = left * (weighted @ right)
            if self.isotropic:
                columns = columns.sum(axis=1, keepdims=True)
            elif self.categorical:
                columns = np.add.reduceat(columns, first, axis=1)
            return np.column_stack([columns, weighted.sum(axis=1)])[:, : len(self.values)]

        return gram, row_gradients

    def _coordinates(
        self, A: np.ndarray, B: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows of A and of B (None: the same) whose inner products are wanted, and the first
        coordinate of each column: a categorical one has an indicator for each of its levels in B.
        """
        right = A if B is None else np.asarray(B, float)
        if not self.categorical:
            return A, right, np.arange(A.shape[1])
        if max(self.categorical) >= A.shape[1]:
            raise ValueError(
                f"column {max(self.categorical)} is categorical, but X has {A.shape[1]} columns"
            )
        levels = [
            np.unique(column) if r in self.categorical else None for r, column in enumerate(right.T)
        ]
        first = np.cumsum([0, *(1 if own is None else len(own) for own in levels)])[:-1]
        theirs = _with_indicators(right, levels)
        ours = theirs if B is None else _with_indicators(A, levels)
        return ours, theirs, first

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        squares = A * A
        squares[:, list(self.categorical)] = 1.0
        inner = (squares * self.weights).sum(axis=1) + self.offset
        slope = self.degree * inner ** (self.degree - 1)
        squares = squares.sum(axis=1, keepdims=True) if self.isotropic else squares
        derivatives = slope[:, None] * np.column_stack([squares, np.ones(len(A))])
        return inner**self.degree, derivatives[:, : len(self.values)]

    def words(self) -> str:
        scales = scales_in_words(self.length_scale)
        return f"Polynomial of degree {self.degree} with {scales}, offset {self.offset:.3g}"

    def __repr__(self) -> str:
        scale = self.length_scale
        shown = f"{scale:.4g}" if self.isotropic else str(np.round(scale, 4).tolist())
        shown += self._categorical_repr
        return f"Polynomial(degree={self.degree}, offset={self.offset:.4g}, length_scale={shown})"

    @property
    def _categorical_repr(self) -> str:
        return f", categorical={list(self.categorical)}" if self.categorical else ""


def _with_indicators(rows: np.ndarray, levels: list[np.ndarray | None]) -> np.ndarray:
    """Columns as they are (None), or an indicator of each of their levels."""
    pairs = zip(rows.T, levels, strict=True)
    return np.hstack([x[:, None] if own is None else (x[:, None] == own) * 1.0 for x, own in pairs])


class Linear(Polynomial):
    """``sum_r weight_r x_r z_r``, with one weight per column or none to learn.

    Categorical columns are as in `Polynomial`: linear in an indicator of each level. A shared
    weight would only rescale the regularization, so the isotropic form has no parameters.
    """

    def __init__(
        self,
        length_scale: float | Sequence[float] | np.ndarray = 1.0,
        categorical: Sequence[int] | np.ndarray = (),
    ):
        super().__init__(1, 0.0, length_scale, categorical)

    @property
    def parameters(self) -> list[Parameter]:
        return [] if self.isotropic else weight_parameters(self.weights, self.isotropic)

    def with_values(self, values: np.ndarray) -> Linear:
        if len(values) != len(self.values):
            raise ValueError(f"expected {len(self.values)} values, got {len(values)}")
        other = copy.copy(self)
        if not self.isotropic:
            other.weights = np.asarray(values, float)
        return other

    def words(self) -> str:
        return f"Linear with {scales_in_words(self.length_scale)}"

    def __repr__(self) -> str:
        scale = self.length_scale
        shown = scale if self.isotropic else np.round(scale, 4).tolist()
        return f"Linear(length_scale={shown}{self._categorical_repr})"
