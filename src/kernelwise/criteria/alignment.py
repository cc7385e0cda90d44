"""Kernel-target alignment: the angle between the Gram matrix and the ideal one."""

from __future__ import annotations

import numpy as np
from scipy.linalg import blas

from kernelwise.criteria.base import Criterion
from kernelwise.linalg import row_blocks
from kernelwise.solutions import GramGradient, GramSolution


class Alignment(Criterion):
    """Minus the cosine of the angle between the Gram matrix and the ideal one.

    ``-<K, Y> / (|K| |Y|)`` with ``Y = factor factor'`` and the inner product ``<A, B> = sum_ij w_i
    w_j A_ij B_ij``, so a row of weight 2 is a repeated row; both are centered if the machine
    centers. Cost: O(n^2), no factorization; one Gram-sized array, the gradient.

    References
    ----------
    Pérez-Ortiz et al., multi-scale alignment, eq. (5), (7); Cristianini et al. (2002).
    """

    reads = GramSolution

    def __call__(self, solution: GramSolution) -> tuple[float, GramGradient]:
        gram, weights = solution.gram, solution.targets.weights
        factor = weights[:, None] * solution.factor
        # Disagreement of equal rows belongs to the size of the ideal kernel, not to its angle.
        ideal = np.linalg.norm(solution.factor.T @ factor + np.diag(solution.targets.within))
        squares = overlap = 0.0
        for rows in row_blocks(*gram.shape):
            block = gram[rows]
            overlap += np.vdot(factor[rows], block @ factor)
            squares += weights[rows] @ ((block * block) @ weights)
        if not squares > 0 or not ideal > 0:
            # A constant kernel or constant targets have no direction.
            return 0.0, solution.gradient(gram=np.zeros_like(gram))
        size = np.sqrt(squares)
        value = -overlap / (size * ideal)
        gradient, scales = np.empty(gram.shape), -value / squares * weights[:, None]
        for rows in row_blocks(*gram.shape):
            np.multiply(gram[rows], weights, out=gradient[rows])
            gradient[rows] *= scales[rows]
        # Transposed, as symmetry permits, so that BLAS updates it in place.
        gradient = blas.dgemm(
            -1 / (size * ideal), factor, factor, 1.0, gradient.T, trans_b=True, overwrite_c=True
        ).T
        return float(value), solution.gradient(gram=gradient)
