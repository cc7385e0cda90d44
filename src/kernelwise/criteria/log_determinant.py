"""``log det(I + diag(scales) gram)``, which evidences of support vector machines share."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from kernelwise.linalg import cholesky, mirror_lower


def inverse_and_log_determinant(matrix: np.ndarray) -> tuple[np.ndarray, float]:
    """Inverse and log determinant of a positive definite matrix, which is overwritten."""
    factor, _ = cholesky(matrix.T)
    log_determinant = 2 * float(np.log(np.diagonal(factor)).sum())
    inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
    return mirror_lower(inverse), log_determinant


def scaled_log_determinant(
    gram: np.ndarray, scales: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """``log det(I + diag(scales) gram)`` and its gradients in ``gram`` and in ``scales``.

    Scales are not negative; rows of scale zero take no part. With ``B = I + s gram s``, ``s =
    sqrt(scales)``, the gradients are ``s B^-1 s`` and ``(1 - diag B^-1) / scales``. Cost: m^3 for
    m rows of positive scale.
    """
    gram_gradient, scales_gradient = np.zeros(gram.shape), np.zeros(len(scales))
    rows = np.flatnonzero(scales > np.finfo(float).tiny)
    if not len(rows):
        return 0.0, gram_gradient, scales_gradient
    block, root = np.ix_(rows, rows), np.sqrt(scales[rows])
    scaled = root[:, None] * gram[block] * root
    inverse, value = inverse_and_log_determinant(scaled + np.eye(len(rows)))
    gram_gradient[block] = root[:, None] * inverse * root
    diagonal = np.diagonal(inverse)
    # 1 - diagonal, without cancellation where the scale is small.
    parts = np.where(diagonal > 0.5, (inverse * scaled).sum(axis=1), 1 - diagonal)
    scales_gradient[rows] = parts / scales[rows]
    return value, gram_gradient, scales_gradient
