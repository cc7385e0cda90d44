"""Kernel-target alignment: the angle between the Gram matrix and the one the targets would like."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import GramSolution, SolutionGradient


class Alignment(Criterion):
    """Minus the cosine of the angle between the Gram matrix and the ideal one.

    ``-<K, Y> / (|K| |Y|)`` with ``Y = factor factor'`` and the inner product ``<A, B> = sum_ij w_i
    w_j A_ij B_ij``, so a row of weight 2 is a repeated row; both are centred where the machine
    centres. Cost: O(n^2), no factorisation; one Gram-sized array on the way back.

    References
    ----------
    Pérez-Ortiz et al., multi-scale alignment, eq. (5), (7); Cristianini et al. (2002).
    """

    reads = GramSolution

    def __call__(self, solution: GramSolution) -> tuple[float, SolutionGradient]:
        gram, weights = solution.gram, solution.targets.weights
        factor = weights[:, None] * solution.factor
        ideal = np.linalg.norm(solution.factor.T @ factor)
        weighted = weights[:, None] * gram * weights
        squares = float(np.vdot(weighted, gram))
        overlap = float(np.vdot(factor, gram @ factor))
        if not squares > 0 or not ideal > 0:
            # A constant kernel, or constant targets, point nowhere.
            return 0.0, solution.gradient(gram=np.zeros_like(gram))
        size = np.sqrt(squares)
        value = -overlap / (size * ideal)
        weighted *= -value / squares
        weighted -= (factor / (size * ideal)) @ factor.T
        return value, solution.gradient(gram=weighted)
