"""Where a kernel puts the rows: coordinates whose inner products are the Gram matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

# Above this many rows Lanczos iterations (O(n^2) each) beat the full reduction (O(n^3)) to find a
# few eigenpairs: 6 times at 1600 rows, 10 to 20 times at 3000; below, both take milliseconds.
MANY_ROWS = 1000
ROWS_PER_COMPONENT = 50
# Asymmetry that is rounding, relative to the largest entry.
SYMMETRY = 1e-8


@dataclass(frozen=True, eq=False)
class EmpiricalFeatureSpace:
    """The rows in the leading directions of a kernel's feature space, which is not centered.

    Attributes
    ----------
    coordinates : (n, r), ``U_r sqrt(lambda_r)`` with the ``r`` largest eigenvalues of the Gram
        matrix and their eigenvectors. ``coordinates @ coordinates.T`` is the nearest matrix of
        rank ``r`` to the Gram matrix; with ``r = n`` it is the Gram matrix
    eigenvalues : (r,), descending; zero up to rounding is exactly zero, as are its coordinates
    share : the paper's gamma: the sum of these eigenvalues over the sum of all (the trace)
    """

    coordinates: np.ndarray
    eigenvalues: np.ndarray
    share: float
    kernel: Callable[[Any, Any], np.ndarray] = field(repr=False)
    rows: Any = field(repr=False)

    def project(self, rows: Any) -> np.ndarray:
        """Coordinates of new rows: ``kernel(rows, X) U_r / sqrt(lambda_r)``, (new rows, r).

        For the rows that span the space these are ``coordinates`` again. Cost for m new rows: their
        m x n Gram matrix, and O(m n r).
        """
        known = self.eigenvalues > 0
        directions = np.zeros_like(self.coordinates)
        np.divide(self.coordinates, self.eigenvalues, out=directions, where=known)
        return np.asarray(self.kernel(_table(rows), self.rows)) @ directions


def empirical_feature_space(
    kernel: Callable[[Any, Any], np.ndarray], X: Any, n_components: int = 2
) -> EmpiricalFeatureSpace:
    """The leading ``n_components`` coordinates of the rows in a kernel's feature space.

    ``kernel`` is a kernelwise Kernel, the ``kernel_`` of a KernelAligner, or any function
    ``kernel(A, B)`` that gives the Gram matrix between the rows of two tables. The largest entry
    of each eigenvector is positive, so the same rows give the same picture; the directions of
    equal eigenvalues are any basis of their space.

    Cost: one Gram matrix and O(n^3) up to 1000 rows; for more rows and few components O(n^2) per
    iteration, of which some tens are needed. Memory: three Gram-sized arrays.

    References
    ----------
    Pérez-Ortiz et al., multi-scale alignment, section 4.1.
    """
    if not callable(kernel):
        raise ValueError(
            "kernel must be a function of two tables, such as a kernelwise Kernel or the kernel_ "
            f"of a fitted KernelAligner, got {type(kernel).__name__}"
        )
    X = _table(X)
    gram = _checked_gram(np.asarray(kernel(X, X), float), X.shape[0])
    n, trace = len(gram), float(np.trace(gram))
    if not isinstance(n_components, int | np.integer) or not 1 <= n_components <= n:
        raise ValueError(
            f"n_components must be a whole number from 1 to the number of rows, {n}; "
            f"got {n_components!r}"
        )
    values, vectors = _leading_eigenpairs(gram, int(n_components))
    rounding = n * np.finfo(float).eps * max(abs(values[0]), trace / n)
    share = float(values.sum()) / trace if trace > 0 else 0.0
    if trace <= 0 or values[-1] < -rounding or share > 1 + SYMMETRY:
        raise ValueError(
            "the Gram matrix is zero or not positive semi-definite, so not a matrix of "
            "inner products. Use a kernel that is a positive definite function of two rows"
        )
    values[values <= rounding] = 0.0
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.where(vectors[largest, np.arange(len(values))] < 0, -1.0, 1.0)
    coordinates = vectors * (signs * np.sqrt(values))
    return EmpiricalFeatureSpace(coordinates, values, min(share, 1.0), kernel, X)


def _table(rows: Any) -> Any:
    """Frames and arrays as they are (a kernel may read column names); lists as an array."""
    return rows if hasattr(rows, "shape") else np.asarray(rows, float)


def _checked_gram(gram: np.ndarray, n_rows: int) -> np.ndarray:
    if gram.shape != (n_rows, n_rows) or not n_rows:
        raise ValueError(
            f"kernel(X, X) must be a square Gram matrix of the {n_rows} rows of X (at least one); "
            f"its shape is {gram.shape}"
        )
    if not np.isfinite(gram).all():
        raise ValueError(
            "the Gram matrix has entries that are missing or infinite: fill in missing values of X "
            "and check the parameters of the kernel"
        )
    asymmetry = np.abs(gram - gram.T).max()
    if asymmetry > SYMMETRY * np.abs(gram).max():
        raise ValueError(
            f"the Gram matrix is not symmetric (entries differ by up to {asymmetry:.3g} from their "
            "mirror images): kernel(a, b) must equal kernel(b, a)"
        )
    return gram


def _leading_eigenpairs(gram: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The largest eigenvalues in descending order, and their eigenvectors in columns."""
    few = len(gram) > MANY_ROWS and count * ROWS_PER_COMPONENT <= len(gram)
    try:
        values, vectors = (_by_iterations if few else _by_reduction)(gram, count)
    except ArpackNoConvergence:  # many eigenvalues nearly equal, which the reduction does not mind
        values, vectors = _by_reduction(gram, count)
    order = np.argsort(values)[::-1]
    return values[order], vectors[:, order]


def _by_reduction(gram: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    n = len(gram)
    return eigh(gram, subset_by_index=[n - count, n - 1], check_finite=False)


def _by_iterations(gram: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    # Always the same start, and with parts in all directions, unlike the constant vector.
    start = np.random.default_rng(0).standard_normal(len(gram))
    return eigsh(gram, k=count, which="LA", v0=start)
