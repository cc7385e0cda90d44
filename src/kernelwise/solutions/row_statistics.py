"""Sums over rows: all that a least-squares machine on landmarks needs to know of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.linalg.blas import dsyrk

from kernelwise.solutions.targets import Targets


@dataclass(frozen=True)
class RowStatistics:
    """Weighted sums over rows with kernel values ``k`` to the landmarks, and targets ``y``.

    Kernel values count from a fixed ``reference``, the same for all rows, which a free bias
    absorbs: it keeps the digits of kernels that hardly vary. Statistics of two sets of rows add up
    to those of both, and subtract.

    Attributes
    ----------
    weight : ``sum w``
    targets, squares : ``sum w y`` and ``sum w y^2``, per target
    kernel, products, cross : ``sum w k``, ``sum w k k'`` and ``sum w k y'``, less the reference
    reference : of the kernel values
    """

    weight: float
    targets: np.ndarray
    squares: np.ndarray
    kernel: np.ndarray
    products: np.ndarray
    cross: np.ndarray
    reference: np.ndarray

    @classmethod
    def of(cls, gram: np.ndarray, targets: Targets, reference: np.ndarray) -> RowStatistics:
        """The sums of rows with this Gram matrix to the landmarks, (rows, landmarks).

        Cost: one ``syrk``, rows x landmarks^2, in double precision whatever the Gram matrix has:
        the best regularizations are below the rounding of a product in single precision.
        """
        weights, values = targets.weights, targets.values
        centered = np.subtract(gram, reference, dtype=np.float64)
        weighted = centered * np.sqrt(weights)[:, None]
        products = dsyrk(1.0, weighted.T, lower=1)
        products += np.tril(products, -1).T
        weighted_values = weights[:, None] * values
        return cls(
            weight=float(weights.sum()),
            targets=weighted_values.sum(axis=0),
            squares=(weighted_values * values).sum(axis=0) + targets.within,
            kernel=weights @ centered,
            products=products,
            cross=centered.T @ weighted_values,
            reference=reference,
        )

    def __add__(self, other: RowStatistics) -> RowStatistics:
        return self._joined(other, 1.0)

    def __sub__(self, other: RowStatistics) -> RowStatistics:
        return self._joined(other, -1.0)

    def _joined(self, other: RowStatistics, sign: float) -> RowStatistics:
        summed = {
            name: getattr(self, name) + sign * getattr(other, name)
            for name in ("weight", "targets", "squares", "kernel", "products", "cross")
        }
        return replace(self, **summed)

    @cached_property
    def mean_kernel(self) -> np.ndarray:
        """The mean kernel values, reference included."""
        return self.reference + self.kernel / self.weight

    @cached_property
    def mean_target(self) -> np.ndarray:
        return self.targets / self.weight

    @cached_property
    def centered_products(self) -> np.ndarray:
        """``sum w (k - mean)(k - mean)'``."""
        return self.products - np.outer(self.kernel, self.kernel / self.weight)

    @cached_property
    def centered_cross(self) -> np.ndarray:
        """``sum w (k - mean)(y - mean)'``."""
        return self.cross - np.outer(self.kernel, self.mean_target)

    @cached_property
    def centered_squares(self) -> np.ndarray:
        """``sum w (y - mean)^2``, per target."""
        return self.squares - self.targets * self.mean_target
