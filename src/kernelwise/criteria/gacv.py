"""Generalised approximate cross-validation of support vector machines."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import SolutionGradient, SupportVectorSolution

# Equal rows with opposite labels have margins of 1 and exactly -1: rounding must not decide there.
BELOW_MINUS_ONE = -1 - 1e-9


class GACV(Criterion):
    """Mean hinge loss, corrected for each row's part in its own output.

    ``1/n sum_i [hinge(z_i) + alpha_i K_ii f_i]``, ``z`` the margins and ``f`` 2 where ``z < -1``,
    else 1; rows without alpha add nothing, so who supports is never decided by a margin. It jumps
    where a margin passes -1, and its gradient is that between jumps. n is the total weight, a row
    of weight m is m equal rows. Cost: O(n), and O(n^2) on the way back.

    References
    ----------
    Wahba (1999), in Advances in Kernel Methods; Gold & Sollich (2003), Neurocomputing 55, eq. (13).
    """

    reads = SupportVectorSolution

    def __call__(self, solution: SupportVectorSolution) -> tuple[float, SolutionGradient]:
        weights, y = solution.targets.weights[:, None], solution.targets.values
        n, diagonal = float(weights.sum()), np.diagonal(solution.gram)
        margins = y * solution.outputs
        lossy = solution.hard if solution.loss == "hinge" else solution.support
        factors = np.where(margins < BELOW_MINUS_ONE, 2.0, 1.0)
        corrections = (solution.alpha * factors).sum(axis=1)
        value = float((weights * (1 - margins))[lossy].sum() + diagonal @ corrections)
        gradient = solution.outputs_gradient(np.where(lossy, -weights * y, 0.0) / n)
        return value / n, solution.gradient(
            gram=np.diag(corrections / n) + gradient.gram,
            coef=y * factors * diagonal[:, None] / n + gradient.coef,
            intercept=gradient.intercept,
        )
