"""Linear algebra of kernel machines: safe Cholesky, bordered systems, blocks that stay in cache."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from scipy.linalg import blas, lapack

from kernelwise.notices import warn_user

# Rows are processed in blocks of about this many matrix elements (1 MB), so that several
# element-wise passes over a block stay in cache.
BLOCK_ELEMENTS = 2**17
# A transposed copy is fastest in strips so narrow that both sides stay in the innermost caches.
MIRROR_ROWS = 64
ABOVE_DIAGONAL = np.triu(np.ones((MIRROR_ROWS, MIRROR_ROWS), bool), 1)
MAX_RELATIVE_JITTER = 1e-7


class NotPositiveDefiniteError(np.linalg.LinAlgError):
    """The matrix is not positive definite, even with the largest jitter that is still harmless."""


class JitterWarning(UserWarning):
    """A Cholesky factorization succeeded only with something added to the diagonal."""


def row_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Slices that cut ``n_rows`` rows of ``n_columns`` elements into cache-sized blocks."""
    height = max(8, BLOCK_ELEMENTS // max(n_columns, 1))
    return (slice(i, min(i + height, n_rows)) for i in range(0, n_rows, height))


def mirror_lower(matrix: np.ndarray) -> np.ndarray:
    """Copy the lower triangle onto the upper one, in place, block by block."""
    n = len(matrix)
    for start in range(0, n, MIRROR_ROWS):
        rows = slice(start, min(start + MIRROR_ROWS, n))
        matrix[:start, rows] = matrix[rows, :start].T
        corner = matrix[rows, rows]
        np.copyto(corner, corner.T.copy(), where=ABOVE_DIAGONAL[: len(corner), : len(corner)])
    return matrix


def zero_upper(matrix: np.ndarray) -> np.ndarray:
    """Set the strict upper triangle to zero, in place, block by block; best in Fortran order."""
    n = len(matrix)
    for columns in row_blocks(n, n):
        matrix[: columns.start, columns] = 0
        corner = matrix[columns, columns]
        corner[:] = np.tril(corner)
    return matrix


def cholesky(matrix: np.ndarray) -> tuple[np.ndarray, float]:
    """Lower Cholesky factor of a full symmetric matrix, and the jitter it needed.

    The factor overwrites the lower triangle (Fortran order, no copy); the strict upper triangle
    keeps the matrix, so a failed attempt is undone from there. Jitter starts at 1e-14 of the mean
    diagonal and grows tenfold; beyond 1e-7 it raises `NotPositiveDefiniteError`. Cost: n^3 / 3.
    """
    diagonal = np.diagonal(matrix).copy()
    scale = float(np.mean(diagonal))
    if not np.isfinite(scale) or scale <= 0:
        raise NotPositiveDefiniteError(
            f"the mean of the matrix's diagonal is {scale:g}; a positive definite matrix has a "
            "positive, finite one. Check the kernel and the scale of its inputs."
        )
    relative = 0.0
    while relative <= MAX_RELATIVE_JITTER:
        factor, failed = lapack.dpotrf(matrix, lower=1, clean=0, overwrite_a=1)
        if not np.isfinite(np.diagonal(factor)).all():
            raise NotPositiveDefiniteError(
                "the matrix is not positive definite: it has entries that are not finite"
            )
        if not failed:
            return factor, relative * scale
        relative = 1e-14 if relative == 0 else 10 * relative
        mirror_lower(matrix.T)
        np.fill_diagonal(matrix, diagonal + relative * scale)
    raise NotPositiveDefiniteError(
        f"the {len(matrix)} x {len(matrix)} matrix is not numerically positive definite: Cholesky "
        f"failed with up to {MAX_RELATIVE_JITTER:g} of the mean diagonal added. Is the kernel "
        "positive semi-definite? A larger regularization also helps."
    )


class BorderedSystem:
    """The saddle-point system of a least-squares machine with a bias, factorized once.

    ``[[C, 1], [1', 0]] [coef; intercept] = [y; 0]`` with ``C = gram + diag(noise)``. Its residual
    operator ``P = C^-1 - e e' / 1'e``, ``e = C^-1 1``, depends only on ``C`` between the directions
    orthogonal to the constant vector; so the matrix that is factorized is ``C`` centered from both
    sides plus ``c 1 1' / n``, with ``c`` the mean diagonal. Any constant may therefore be missing
    from ``gram``, and a kernel that is almost constant loses no digits.

    Cost: one Cholesky (n^3 / 3); n^3 / 3 more when ``diagonal`` is read, and again when ``inverse``
    is. Each overwrites what was there before: the factor, its inverse, and ``P``.
    """

    def __init__(self, gram: np.ndarray, noise: np.ndarray):
        n = len(gram)
        means = self._row_means = (gram.sum(axis=0) + noise) / n
        mean = means.mean()
        diagonal = np.diagonal(gram) + noise - 2 * means + mean
        self._level = float(diagonal.mean()) or 1.0  # zero for a single row
        constant = mean + self._level / n
        centered = np.empty((n, n))
        for rows in row_blocks(n, n):
            np.subtract(gram[rows], means, out=centered[rows])
            centered[rows] -= (means[rows] - constant)[:, None]
        centered = centered.T  # Fortran order, as LAPACK wants it, without a copy
        np.fill_diagonal(centered, diagonal + self._level / n)
        self._factor, self.jitter = cholesky(centered)
        if self.jitter:
            warn_user(
                f"the kernel matrix was not numerically positive definite; {self.jitter:.1e} was "
                "added to its diagonal",
                JitterWarning,
            )
        pivots = np.diagonal(self._factor)
        self.log_determinant = 2 * float(np.log(pivots).sum()) - float(np.log(self._level))

    def solve(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and intercepts for the targets in the columns of ``y``."""
        coef = self.apply(y)
        return coef, y.mean(axis=0) - self._row_means @ coef

    def apply(self, right: np.ndarray) -> np.ndarray:
        """``P @ right``."""
        if "inverse" in self.__dict__:
            return self.inverse @ right
        centered = right - right.mean(axis=0)
        if "_inverse_factor" in self.__dict__:
            half = blas.dtrmm(1.0, self._inverse_factor, centered, lower=1)
            solved = blas.dtrmm(1.0, self._inverse_factor, half, lower=1, trans_a=1, overwrite_b=1)
        else:
            solved, _ = lapack.dpotrs(self._factor, centered, lower=1)
        return solved - solved.mean(axis=0)

    def sum_of_squares(self, tangents: np.ndarray) -> np.ndarray:
        """``sum_t g_t' P g_t`` of ``g_t = tangents[:, t]``, (n, t, p): (p, p).

        Cost: half of `apply`, since the factor is applied from one side only.
        """
        n, n_targets, p = tangents.shape
        flat = tangents.reshape(n, n_targets * p)
        if "inverse" in self.__dict__:
            solved = (self.inverse @ flat).reshape(n * n_targets, p)
            return tangents.reshape(n * n_targets, p).T @ solved
        # Transposed it is in Fortran order, as BLAS wants it, without a copy.
        right = np.ascontiguousarray(flat - flat.mean(axis=0)).T
        if "_inverse_factor" in self.__dict__:
            half = blas.dtrmm(1.0, self._inverse_factor, right, side=1, lower=1, trans_a=1)
        else:
            half = blas.dtrsm(1.0, self._factor, right, side=1, lower=1, trans_a=1)
        rows = half.T.reshape(n * n_targets, p)
        return rows.T @ rows

    @cached_property
    def _inverse_factor(self) -> np.ndarray:
        """The inverse of the factor, lower; it overwrites the factor."""
        inverse, _ = lapack.dtrtri(self._factor, lower=1, overwrite_c=1)
        self._factor = inverse
        return zero_upper(inverse)

    @cached_property
    def inverse(self) -> np.ndarray:
        """``P``, full and symmetric; it overwrites the factor."""
        inverse, _ = lapack.dlauum(self._inverse_factor, lower=1, overwrite_c=1)
        self._factor = inverse
        mirror_lower(inverse)
        inverse -= 1 / (len(inverse) * self._level)
        return inverse

    @cached_property
    def diagonal(self) -> np.ndarray:
        """The diagonal of ``P``."""
        if "inverse" in self.__dict__:
            return np.diagonal(self.inverse).copy()
        lengths = np.einsum("ij,ij->j", self._inverse_factor, self._inverse_factor)
        return lengths - 1 / (len(lengths) * self._level)

    @cached_property
    def intercept_weights(self) -> np.ndarray:
        """``q`` with ``intercept = q'y``: ``1/n - P C 1 / n``."""
        return 1 / len(self._row_means) - self.apply(self._row_means)


def scaled_outer_square(matrix: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """``matrix diag(weights) matrix'`` (lower triangle) for a symmetric matrix in Fortran order;
    one ``syrk`` if all weights have the same sign."""
    signs = (1.0,) if (weights >= 0).all() else (-1.0,) if (weights <= 0).all() else (1.0, -1.0)
    roots = [(sign, np.sqrt(np.maximum(sign * weights, 0.0))) for sign in signs]
    result = blas.dsyrk(roots[0][0], matrix * roots[0][1], lower=1)
    for sign, root in roots[1:]:
        result = blas.dsyrk(sign, matrix * root, beta=1.0, c=result, lower=1, overwrite_c=1)
    return result


def add_symmetric_product(matrix: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """``matrix + (left right' + right left') / 2`` in the lower triangle, in place."""
    return blas.dsyr2k(0.5, left, right, beta=1.0, c=matrix, lower=1, overwrite_c=1)


def inverse_and_log_determinant(matrix: np.ndarray) -> tuple[np.ndarray, float]:
    """Inverse and log determinant of a positive definite matrix, which is overwritten."""
    factor, _ = cholesky(matrix.T)
    log_determinant = 2 * float(np.log(np.diagonal(factor)).sum())
    inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
    return mirror_lower(inverse), log_determinant


def add_block(matrix: np.ndarray, block: np.ndarray, rows: np.ndarray) -> None:
    """``matrix[rows, :][:, rows] += block`` in place, for distinct rows; both in C order.

    It adds whole rows, in cache-sized parts: twice as fast as indexing both axes.
    """
    if len(rows) == len(matrix):
        matrix += block
        return
    source = np.full(len(matrix), len(rows))  # rows outside the block get its column of zeros
    source[rows] = np.arange(len(rows))
    for part in row_blocks(len(rows), len(matrix)):
        padded = np.zeros((part.stop - part.start, len(rows) + 1))
        padded[:, :-1] = block[part]
        matrix[rows[part]] += padded.take(source, axis=1, mode="clip")


def scaled_log_determinant(
    gram: np.ndarray, scales: np.ndarray, gram_gradient: np.ndarray
) -> tuple[float, np.ndarray]:
    """``log det(I + diag(scales) gram)`` and its gradient in ``scales``.

    The gradient in ``gram`` is added to ``gram_gradient`` in place. Scales are not negative; rows
    of scale zero are skipped. With ``B = I + s gram s``, ``s = sqrt(scales)``, the gradients are
    ``s B^-1 s`` and ``(1 - diag B^-1) / scales``. Cost: m^3 for m rows of positive scale.
    """
    scales_gradient = np.zeros(len(scales))
    rows = np.flatnonzero(scales > np.finfo(float).tiny)
    if not len(rows):
        return 0.0, scales_gradient
    root = np.sqrt(scales[rows])
    scaled = gram.take(rows, axis=0).take(rows, axis=1)
    scaled *= root[:, None]
    scaled *= root
    matrix = scaled.copy()
    np.einsum("ii->i", matrix)[:] += 1
    inverse, value = inverse_and_log_determinant(matrix)
    diagonal = np.diagonal(inverse)
    # 1 - diagonal, without cancellation if the scale is small.
    parts = np.where(diagonal > 0.5, np.einsum("ij,ij->i", inverse.T, scaled), 1 - diagonal)
    scales_gradient[rows] = parts / scales[rows]
    inverse *= root[:, None]
    inverse *= root
    add_block(gram_gradient, inverse.T, rows)
    return value, scales_gradient
