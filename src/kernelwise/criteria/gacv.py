"""Generalized approximate cross-validation of support vector machines."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import SupportVectorGradient, SupportVectorSolution

# Equal rows with opposite labels have margins of 1 and exactly -1: rounding must not decide there.
BELOW_MINUS_ONE = -1 - 1e-9


class GACV(Criterion):
    """Mean hinge loss, corrected for each row's part in its own output.

    ``1/n sum_i [hinge(z_i) + alpha_i K_ii f_i]``, ``z`` the margins and ``f`` 2 where ``z < -1``,
    else 1; rows without alpha add nothing, so support is never decided by a margin. It jumps where
    a margin passes -1; its gradient is that between jumps. n is the total weight; a row of weight m
    is m equal rows. A free bias absorbs any constant in the kernel, so ``K_ii`` is then that of the
    centered kernel. Cost: O(n^2).

    References
    ----------
    Wahba (1999), in Advances in Kernel Methods; Gold & Sollich (2003), Neurocomputing 55, eq. (13).
    """

    reads = SupportVectorSolution
    jumps = True

    def __call__(self, solution: SupportVectorSolution) -> tuple[float, SupportVectorGradient]:
        weights, y = solution.targets.weights[:, None], solution.targets.values
        n, diagonal = float(weights.sum()), np.diagonal(solution.gram)
        shares = solution.targets.weights / n
        if solution.has_bias:
            means = solution.gram @ shares
            diagonal = diagonal - 2 * means + shares @ means
        margins = y * solution.outputs
        lossy = solution.hard if solution.loss == "hinge" else solution.support
        factors = np.where(margins < BELOW_MINUS_ONE, 2.0, 1.0)
        corrections = (solution.alpha * factors).sum(axis=1)
        value = float((weights * (1 - margins))[lossy].sum() + diagonal @ corrections)
        through = solution.outputs_gradient(np.where(lossy, -weights * y, 0.0) / n)
        gram_gradient: Any = through.gram
        gram_gradient[np.diag_indices(len(shares))] += corrections / n
        if solution.has_bias:
            centered = np.outer(corrections / n - 0.5 * corrections.sum() / n * shares, shares)
            gram_gradient -= centered + centered.T
        return value / n, solution.gradient(
            gram=gram_gradient,
            coef=y * factors * diagonal[:, None] / n + through.coef,
            intercept=through.intercept,
        )
