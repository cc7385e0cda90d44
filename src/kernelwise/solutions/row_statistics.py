"""Sums over rows: all that a least-squares machine on landmarks needs to know of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.linalg.blas import dgemm, dsyrk

from kernelwise.linalg import mirror_lower
from kernelwise.solutions.targets import Targets

DOUBLE = float(np.finfo(float).eps)
SUMS = ("weight", "targets", "squares", "kernel", "products", "cross", "diagonal")
GRADIENTS = ("products", "cross", "kernel", "diagonal", "landmark_gram", "regularization")


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
    kernel, cross : ``sum w k`` and ``sum w k y'``, less the reference
    products : ``sum w k k'``, less the reference; only the lower triangle is right
    reference : of the kernel values
    diagonal : ``sum w k(x, x)``; NaN if nobody asked for it
    precision : the rounding unit of the kernel values that were summed
    """

    weight: float
    targets: np.ndarray
    squares: np.ndarray
    kernel: np.ndarray
    products: np.ndarray
    cross: np.ndarray
    reference: np.ndarray
    diagonal: float = np.nan
    precision: float = DOUBLE

    @classmethod
    def of(
        cls,
        gram: np.ndarray,
        targets: Targets,
        reference: np.ndarray,
        diagonal: np.ndarray | None = None,
    ) -> RowStatistics:
        """The sums of rows with this Gram matrix to the landmarks, (rows, landmarks).

        Cost: one ``syrk``, rows x landmarks^2, in double precision whatever the Gram matrix has:
        the best regularizations are below the rounding of a product in single precision. Memory:
        one more matrix like it.

        Parameters
        ----------
        gram, targets : of the rows
        reference : what the kernel values are counted from
        diagonal : ``k(x, x)`` of each row, if its sum is wanted
        """
        weights, values = targets.weights, targets.values
        root = np.sqrt(weights)
        scaled = _from_reference(gram, reference, root)
        sums = scaled.T @ np.column_stack([root, root[:, None] * values])
        weighted_values = weights[:, None] * values
        return cls(
            weight=float(weights.sum()),
            targets=weighted_values.sum(axis=0),
            squares=(weighted_values * values).sum(axis=0) + targets.within,
            kernel=sums[:, 0],
            products=dsyrk(1.0, scaled.T, lower=1),
            cross=sums[:, 1:],
            reference=reference,
            diagonal=np.nan if diagonal is None else float(weights @ diagonal),
            precision=float(np.finfo(gram.dtype).eps),
        )

    def __add__(self, other: RowStatistics) -> RowStatistics:
        return replace(self, **{name: getattr(self, name) + getattr(other, name) for name in SUMS})

    def __sub__(self, other: RowStatistics) -> RowStatistics:
        return replace(self, **{name: getattr(self, name) - getattr(other, name) for name in SUMS})

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
        return mirror_lower(self.products - np.outer(self.kernel, self.kernel / self.weight))

    @cached_property
    def centered_cross(self) -> np.ndarray:
        """``sum w (k - mean)(y - mean)'``."""
        return self.cross - np.outer(self.kernel, self.mean_target)

    @cached_property
    def centered_squares(self) -> np.ndarray:
        """``sum w (y - mean)^2``, per target."""
        return self.squares - self.targets * self.mean_target


@dataclass(frozen=True)
class StatisticsGradient:
    """Derivatives in sums over rows: those of several functions of the same rows add up.

    Attributes
    ----------
    products, cross, kernel, diagonal : in the sums of the same names; ``products`` is symmetric
    reference : of the sums; a change of it changes nothing that depends on the rows
    landmark_gram : in the landmarks' own Gram matrix
    regularization : in the regularization
    """

    products: np.ndarray
    cross: np.ndarray
    kernel: np.ndarray
    diagonal: float
    reference: np.ndarray
    landmark_gram: np.ndarray
    regularization: float

    def __add__(self, other: StatisticsGradient) -> StatisticsGradient:
        both = {name: getattr(self, name) + getattr(other, name) for name in GRADIENTS}
        return replace(self, **both)

    def __sub__(self, other: StatisticsGradient) -> StatisticsGradient:
        rest = {name: getattr(self, name) - getattr(other, name) for name in GRADIENTS}
        return replace(self, **rest)

    def plus(
        self, products: np.ndarray, cross: np.ndarray, kernel: np.ndarray
    ) -> StatisticsGradient:
        """With further derivatives in the sums of these names."""
        return replace(
            self,
            products=self.products + products,
            cross=self.cross + cross,
            kernel=self.kernel + kernel,
        )

    def in_rows(self, gram: np.ndarray, targets: Targets) -> np.ndarray:
        """Derivatives in the kernel values of some rows, (rows, landmarks).

        ``w [2 products (k - reference) + cross y + kernel]``. Cost: one ``gemm``.
        """
        weights = targets.weights
        scaled = _from_reference(gram, self.reference, weights)
        level = np.column_stack([weights, weights[:, None] * targets.values])
        start = level @ np.column_stack([self.kernel, self.cross]).T
        # BLAS adds to what is there: rows are columns in its order, and nothing is copied.
        return dgemm(2.0, self.products, scaled.T, beta=1.0, c=start.T, overwrite_c=1).T


def _from_reference(gram: np.ndarray, reference: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """``factors (gram - reference)``, a factor for each row, in double precision and C order."""
    scaled = np.subtract(gram, reference, dtype=np.float64, order="C")
    if not (factors == 1).all():
        scaled *= factors[:, None]
    return scaled
