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

    One length scale is shared by all columns; a vector has one for each. Cost: O(n^2 d) both ways.
    """

    def __init__(
        self,
        degree: int = 3,
        offset: float = 1.0,
        length_scale: float | Sequence[float] | np.ndarray = 1.0,
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
        return np.broadcast_to(np.sqrt(self.weights), n_columns)

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
        A = np.asarray(A, float)
        right = A if B is None else np.asarray(B, float)
        inner = (A * self.weights) @ right.T + self.offset
        gram = inner**self.degree if self.degree > 1 else inner

        def row_gradients(M: np.ndarray) -> np.ndarray:
            weighted = M * (self.degree * inner ** (self.degree - 1)) if self.degree > 1 else M
            columns = A * (weighted @ right)
            if self.isotropic:
                columns = columns.sum(axis=1, keepdims=True)
            return np.column_stack([columns, weighted.sum(axis=1)])[:, : len(self.values)]

        return gram, row_gradients

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        inner = (A * A * self.weights).sum(axis=1) + self.offset
        slope = self.degree * inner ** (self.degree - 1)
        squares = (A * A).sum(axis=1, keepdims=True) if self.isotropic else A * A
        derivatives = slope[:, None] * np.column_stack([squares, np.ones(len(A))])
        return inner**self.degree, derivatives[:, : len(self.values)]

    def words(self) -> str:
        scales = scales_in_words(self.length_scale)
        return f"Polynomial of degree {self.degree} with {scales}, offset {self.offset:.3g}"

    def __repr__(self) -> str:
        scale = self.length_scale
        shown = f"{scale:.4g}" if self.isotropic else str(np.round(scale, 4).tolist())
        return f"Polynomial(degree={self.degree}, offset={self.offset:.4g}, length_scale={shown})"


class Linear(Polynomial):
    """``sum_r weight_r x_r z_r``, with one weight per column or none to learn.

    A shared weight would only rescale the regularization, so the isotropic form has no parameters.
    """

    def __init__(self, length_scale: float | Sequence[float] | np.ndarray = 1.0):
        super().__init__(degree=1, offset=0.0, length_scale=length_scale)

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
        return f"Linear(length_scale={scale if self.isotropic else np.round(scale, 4).tolist()})"
