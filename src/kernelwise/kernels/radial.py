"""Radial kernels: a decreasing profile of a weighted dissimilarity."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any, TypeGuard

import numpy as np
from scipy.special import gammainc

from kernelwise.kernels.base import (
    Kernel,
    QuickRows,
    RowGradients,
    scales_in_words,
    weight_parameters,
)
from kernelwise.kernels.dissimilarities import DISSIMILARITIES, Dissimilarity
from kernelwise.linalg import mirror_lower, row_blocks
from kernelwise.parameters import Parameter

# If no dissimilarity is larger than this, a profile of 1 - tiny is computed as -tiny.
NEARLY_CONSTANT = 0.1
SHAPE_LIMITS = (1e-2, 1e3)


class Radial(Kernel):
    """``profile(s)``, ``s = sum_r weight_r delta_r(x_r, z_r)``.

    ``delta`` is, per column, ``"squared"``, ``"absolute"`` or ``"overlap"``; ``weight = 1 / (2
    l^2)`` for squared and ``1 / l`` for the others, with ``l`` the length scale. A single length
    scale is shared by all columns (isotropic), a vector gives each column its own; infinity
    switches a column off. A subclass gives ``profile`` and ``slope``.

    Cost: O(n^2 d) both ways; memory, besides the Gram matrix, one cache-sized block.
    """

    default_dissimilarity = "squared"
    slope_reads_distance = True
    shape: float | None = None

    def __init__(
        self,
        length_scale: float | Sequence[float] | np.ndarray = 1.0,
        dissimilarity: str | Sequence[str] | None = None,
    ):
        kinds = self.default_dissimilarity if dissimilarity is None else dissimilarity
        self.dissimilarity = kinds if isinstance(kinds, str) else tuple(kinds)
        unknown = set(np.atleast_1d(self.dissimilarity)) - set(DISSIMILARITIES)
        if unknown:
            raise ValueError(
                f"unknown dissimilarity {sorted(unknown)}; choose from {list(DISSIMILARITIES)}"
            )
        scales = np.asarray(length_scale, float)
        if scales.ndim > 1 or not (scales > 0).all():
            raise ValueError("length_scale must be a positive number or a vector of them")
        self.isotropic = scales.ndim == 0
        mixed = not isinstance(self.dissimilarity, str)
        if mixed and not self.isotropic and len(scales) != len(self.dissimilarity):
            raise ValueError(
                f"{len(scales)} length scales but {len(self.dissimilarity)} dissimilarities"
            )
        self.weights = self._convert(np.atleast_1d(scales), "weight_of")

    def profile(self, s: np.ndarray) -> np.ndarray:
        """The kernel's value at dissimilarity ``s``; 1 at 0. May work in place."""
        raise NotImplementedError

    def profile_less_one(self, s: np.ndarray) -> np.ndarray:
        """``profile(s) - 1``, without cancellation if there is a formula for it."""
        return self.profile(s) - 1

    def slope(self, s: Any, value: np.ndarray) -> np.ndarray:
        """Derivative of the profile in ``s``; ``s`` is None unless ``slope_reads_distance``."""
        raise NotImplementedError

    def curvature(self, s: np.ndarray, value: np.ndarray) -> np.ndarray:
        """Second derivative of the profile in ``s``; only kernel validity needs it."""
        raise NotImplementedError(f"{type(self).__name__} has no method curvature(s, value)")

    def shape_slope(self, s: np.ndarray, value: np.ndarray) -> np.ndarray:
        """Derivative of the profile in ``shape``, for profiles that have one."""
        raise NotImplementedError

    def _convert(self, numbers: np.ndarray, way: str) -> np.ndarray:
        kinds = np.atleast_1d(self.dissimilarity)
        if self.isotropic:
            # One number for columns of several kinds: the first column's kind gives its unit.
            kinds = kinds[:1]
        kinds = np.broadcast_to(kinds, numbers.shape)
        with np.errstate(divide="ignore"):
            pairs = zip(kinds, numbers, strict=True)
            return np.array([getattr(DISSIMILARITIES[k], way)(x) for k, x in pairs])

    @property
    def length_scale(self) -> float | np.ndarray:
        scales = self._convert(self.weights, "length_scale_of")
        return float(scales[0]) if self.isotropic else scales

    def with_length_scale(self, length_scale: float | np.ndarray) -> Radial:
        """The same kernel with other length scales: a number for all, or one per weight."""
        scales = np.broadcast_to(np.asarray(length_scale, float), self.weights.shape)
        return self.with_values(
            np.append(self._convert(scales, "weight_of"), self.values[len(scales) :])
        )

    def differences(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """``delta_r`` between each row of A and the same row of B, (rows, columns)."""
        kinds = np.broadcast_to(np.atleast_1d(self.dissimilarity), A.shape[1])
        pairs = [DISSIMILARITIES[k].between(a, b) for k, a, b in zip(kinds, A.T, B.T, strict=True)]
        return np.column_stack(pairs)

    @property
    def values(self) -> np.ndarray:
        return self.weights if self.shape is None else np.append(self.weights, self.shape)

    @property
    def parameters(self) -> list[Parameter]:
        found = weight_parameters(self.weights, self.isotropic)
        if self.shape is not None:
            found.append(Parameter("shape", self.shape, SHAPE_LIMITS, "shape", can_vanish=False))
        return found

    @property
    def has_column_weights(self) -> bool:
        return not self.isotropic

    def column_factors(self, n_columns: int) -> np.ndarray | None:
        if not isinstance(self.dissimilarity, str) or self.dissimilarity == "overlap":
            return None
        return np.broadcast_to(1 / np.asarray(self.length_scale), n_columns)

    def with_values(self, values: np.ndarray) -> Radial:
        other = copy.copy(self)
        other.weights = np.asarray(values, float)[: len(self.weights)]
        if self.shape is not None:
            other.shape = float(values[-1])
        return other

    def _groups(self, n_columns: int) -> list[tuple[type[Dissimilarity], np.ndarray, np.ndarray]]:
        """(dissimilarity, columns, weights) per kind; columns switched off keep their place."""
        for given, what in (
            (self.weights, "length scales"),
            (self.dissimilarity, "dissimilarities"),
        ):
            if not isinstance(given, str) and len(given) not in (1, n_columns):
                message = f"the kernel has {len(given)} {what}, but X has {n_columns} columns"
                raise ValueError(message)
        kinds = np.broadcast_to(np.atleast_1d(self.dissimilarity), n_columns)
        weights = np.broadcast_to(self.weights, n_columns)
        columns = [(DISSIMILARITIES[k], np.flatnonzero(kinds == k)) for k in DISSIMILARITIES]
        return [(kind, cols, weights[cols]) for kind, cols in columns if len(cols)]

    def evaluate(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, RowGradients]:
        found = _RadialGram(self, A, B, up_to_constant)
        return found.gram, QuickRows(found.row_gradients, found.of_columns)

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.ones(len(A)), np.zeros((len(A), len(self.values)))

    def words(self) -> str:
        shape = "" if self.shape is None else f", shape {self.shape:.3g}"
        return f"{type(self).__name__} with {scales_in_words(self.length_scale)}{shape}"

    def __repr__(self) -> str:
        scale = self.length_scale if self.isotropic else np.round(self.length_scale, 4).tolist()
        shown = f"{scale:.4g}" if self.isotropic else str(scale)
        kinds = self.dissimilarity
        kind = "" if kinds == self.default_dissimilarity else f", dissimilarity={kinds!r}"
        shape = "" if self.shape is None else f", shape={self.shape:.4g}"
        return f"{type(self).__name__}(length_scale={shown}{kind}{shape})"


def is_radial(kernel: Kernel) -> TypeGuard[Radial]:
    """Whether a kernel has length scales."""
    return isinstance(kernel, Radial)


class _RadialGram:
    """The Gram matrix of a radial kernel, block by block, and its way back."""

    def __init__(self, kernel: Radial, A: np.ndarray, B: np.ndarray | None, up_to_constant: bool):
        self.kernel, self.symmetric, right = kernel, B is None, A if B is None else B
        single = A.dtype == right.dtype == np.float32
        dtype = np.dtype(np.float32 if single else np.float64)
        A, B = np.asarray(A, dtype), None if B is None else np.asarray(B, dtype)
        self.parts = [
            (kind(A[:, columns], None if B is None else B[:, columns], weights), columns)
            for kind, columns, weights in kernel._groups(A.shape[1])
        ]
        self.n_columns = A.shape[1]
        self.gram = np.empty((len(A), len(right)), dtype)
        largest = sum(part.largest() for part, _ in self.parts)
        self.shifted = up_to_constant and largest < NEARLY_CONSTANT
        profile = kernel.profile_less_one if self.shifted else kernel.profile
        for rows, stop in self._blocks(self.symmetric):
            self.gram[rows, :stop] = profile(self._distances(rows, stop))
        if self.symmetric:
            mirror_lower(self.gram)

    def _blocks(self, triangle: bool) -> Iterator[tuple[slice, int]]:
        """Blocks of rows, and the column up to which each is needed."""
        for rows in row_blocks(*self.gram.shape):
            yield rows, rows.stop if triangle else self.gram.shape[1]

    def _distances(self, rows: slice, stop: int) -> np.ndarray:
        blocks = [part.distances(rows, stop) for part, _ in self.parts]
        total = sum(blocks[1:], blocks[0])
        if self.symmetric:
            own = np.arange(rows.start, rows.stop)
            total[own - rows.start, own] = 0
        return total

    def row_gradients(self, M: np.ndarray, triangle: bool) -> np.ndarray:
        """``sum_j M_ij d gram_ij``; of the lower ``triangle``, doubled off its diagonal blocks.

        M takes the type of the Gram matrix, block by block, since mixed products are slow.
        """
        kernel, triangle = self.kernel, triangle and self.symmetric
        scatter, shape = np.zeros((len(self.gram), self.n_columns)), np.zeros((len(self.gram), 1))
        for rows, stop in self._blocks(triangle):
            s, value, weighted = self._slopes(rows, stop)
            own = M[rows, :stop].astype(value.dtype, copy=False)
            weighted *= own
            before = rows.start if triangle else 0
            weighted[:, :before] *= 2
            if kernel.shape is not None:
                by_shape = kernel.shape_slope(s, value) * own
                shape[rows, 0] = by_shape.sum(axis=1, dtype=float)
                shape[rows, 0] += by_shape[:, :before].sum(axis=1, dtype=float)
            for part, columns in self.parts:
                scatter[rows, columns] = part.row_scatter(rows, stop, weighted)
        weights = scatter.sum(axis=1, keepdims=True) if kernel.isotropic else scatter
        return weights if kernel.shape is None else np.hstack([weights, shape])

    def of_columns(self, coef: np.ndarray) -> np.ndarray:
        """``sum_j coef_jt d gram_ij`` for all t: one pass over the pairs of rows."""
        kernel, coef = self.kernel, coef.astype(self.gram.dtype, copy=False)
        outputs = (len(self.gram), coef.shape[1])
        scatter, shape = np.zeros((*outputs, self.n_columns)), np.zeros((*outputs, 1))
        parts = [(part.scatter_of(coef), columns) for part, columns in self.parts]
        for rows, stop in self._blocks(triangle=False):
            s, value, slopes = self._slopes(rows, stop)
            if kernel.shape is not None:
                shape[rows, :, 0] = kernel.shape_slope(s, value) @ coef
            for scatter_of_block, columns in parts:
                scatter[rows, :, columns] = scatter_of_block(rows, slopes)
        weights = scatter.sum(axis=2, keepdims=True) if kernel.isotropic else scatter
        return weights if kernel.shape is None else np.concatenate([weights, shape], axis=2)

    def _slopes(self, rows: slice, stop: int) -> tuple[Any, np.ndarray, np.ndarray]:
        """Distances (None if not needed), values and slopes of a block; slopes have its type."""
        kernel = self.kernel
        value = self.gram[rows, :stop] + 1 if self.shifted else self.gram[rows, :stop]
        s: Any = self._distances(rows, stop) if kernel.slope_reads_distance else None
        return s, value, kernel.slope(s, value).astype(value.dtype, copy=False)


class Gaussian(Radial):
    """``exp(-s)``; with squared differences ``exp(-|x - z|^2 / (2 l^2))``."""

    slope_reads_distance = False

    def profile(self, s):
        return np.exp(np.negative(s, out=s), out=s)

    def profile_less_one(self, s):
        return np.expm1(np.negative(s, out=s), out=s)

    def slope(self, s, value):
        return -value

    def curvature(self, s, value):
        return value


class Laplacian(Gaussian):
    """``exp(-s)`` of absolute differences: ``exp(-sum_r |x_r - z_r| / l_r)``."""

    default_dissimilarity = "absolute"


class Matern32(Radial):
    """``(1 + r) exp(-r)``, ``r = sqrt(6 s)``: Matern with smoothness 3/2."""

    def profile(self, s):
        r = np.sqrt(6 * s)
        return (1 + r) * np.exp(-r)

    def profile_less_one(self, s):
        return -gammainc(2, np.sqrt(6 * s))

    def slope(self, s, value):
        return -3 * np.exp(-np.sqrt(6 * s))

    def curvature(self, s, value):
        # Infinite at s = 0, where every user multiplies it by s; so 0 there.
        r = np.sqrt(6 * s)
        return np.where(r > 0, 9 * np.exp(-r) / np.where(r > 0, r, 1.0), 0.0)


class Matern52(Radial):
    """``(1 + r + r^2 / 3) exp(-r)``, ``r = sqrt(10 s)``: Matern with smoothness 5/2."""

    def profile(self, s):
        r = np.sqrt(10 * s)
        return (1 + r + r * r / 3) * np.exp(-r)

    def profile_less_one(self, s):
        r = np.sqrt(10 * s)
        return -gammainc(3, r) - r * r / 6 * np.exp(-r)

    def slope(self, s, value):
        r = np.sqrt(10 * s)
        return -5 / 3 * (1 + r) * np.exp(-r)

    def curvature(self, s, value):
        return 25 / 3 * np.exp(-np.sqrt(10 * s))


class RationalQuadratic(Radial):
    """``(1 + s / shape)^-shape``: Gaussians of many length scales; Gaussian as shape grows."""

    def __init__(self, length_scale=1.0, shape=1.0, dissimilarity=None):
        super().__init__(length_scale, dissimilarity)
        if not shape > 0:
            raise ValueError(f"shape must be positive, got {shape}")
        self.shape = float(shape)

    def profile(self, s):
        return (1 + s / self.shape) ** -self.shape

    def profile_less_one(self, s):
        return np.expm1(-self.shape * np.log1p(s / self.shape))

    def slope(self, s, value):
        return -value / (1 + s / self.shape)

    def curvature(self, s, value):
        return (1 + 1 / self.shape) * value / (1 + s / self.shape) ** 2

    def shape_slope(self, s, value):
        # In double precision: at small s the difference is of the order of s^2.
        ratio = np.asarray(s, float) / self.shape
        return value * (ratio / (1 + ratio) - np.log1p(ratio))
