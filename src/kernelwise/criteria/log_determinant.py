"""``log det(I + diag(scales) gram)``, which evidences of support vector machines share."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from kernelwise.linalg import cholesky, mirror_lower, row_blocks


def inverse_and_log_determinant(matrix: np.ndarray) -> tuple[np.ndarray, float]:
    """Inverse and log determinant of a positive definite matrix, which is overwritten."""
    factor, _ = cholesky(matrix.T)
    log_determinant = 2 * float(np.log(np.diagonal(factor)).sum())
    inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
    return mirror_lower(inverse), log_determinant


def add_block(matrix: np.ndarray, block: np.ndarray, rows: np.ndarray) -> None:
    """``matrix[rows, :][:, rows] += block`` in place, for distinct rows; both in C order.

    Rows in parts that stay in cache, whole: twice as fast as indices in both axes.
    """
    if len(rows) == len(matrix):
        matrix += block
        return
    source = np.full(len(matrix), len(rows))  # where there is no column, one of zeros
    source[rows] = np.arange(len(rows))
    for part in row_blocks(len(rows), len(matrix)):
        padded = np.zeros((part.stop - part.start, len(rows) + 1))
        padded[:, :-1] = block[part]
        matrix[rows[part]] += padded.take(source, axis=1, mode="clip")


def scaled_log_determinant(
    gram: np.ndarray, scales: np.ndarray, gram_gradient: np.ndarray
) -> tuple[float, np.ndarray]:
    """``log det(I + diag(scales) gram)`` and its gradient in ``scales``; that in ``gram`` is added
    to ``gram_gradient``, in place.

    Scales are not negative; rows of scale zero take no part. With ``B = I + s gram s``, ``s =
    sqrt(scales)``, the gradients are ``s B^-1 s`` and ``(1 - diag B^-1) / scales``. Cost: m^3 for
    m rows of positive scale.
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
    # 1 - diagonal, without cancellation where the scale is small.
    parts = np.where(diagonal > 0.5, np.einsum("ij,ij->i", inverse.T, scaled), 1 - diagonal)
    scales_gradient[rows] = parts / scales[rows]
    inverse *= root[:, None]
    inverse *= root
    add_block(gram_gradient, inverse.T, rows)
    return value, scales_gradient
