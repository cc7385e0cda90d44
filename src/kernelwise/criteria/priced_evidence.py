"""Evidence of relevance vectors, less a price for each."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import RelevanceVectorGradient, RelevanceVectorSolution


class PricedEvidence(Criterion):
    """Minus the log evidence, plus a price for each relevance vector, summed over the outputs.

    Each vector has a prior variance at its maximum, so the evidence must pay for as many fitted
    parameters: without a price it prefers kernels that need many vectors. The default price is that
    of Schwarz, ``(log n) / 2``, with n the sum of the weights. Cost: O(1) once the machine has
    solved. The gradient is that of the evidence; the number of vectors jumps.

    Parameters
    ----------
    price : float, default None
        Per vector. 0: plain evidence; None: ``(log n) / 2``.

    References
    ----------
    Tipping (2001), JMLR 1, for the evidence; Schwarz (1978), Annals of Statistics 6(2), for the
    price.
    """

    reads = RelevanceVectorSolution
    jumps = True

    def __init__(self, price: float | None = None):
        if price is not None and not 0 <= price < np.inf:
            raise ValueError(f"price must be a number of 0 or more, or None, got {price!r}")
        self.price = price

    def __call__(self, solution: RelevanceVectorSolution) -> tuple[float, RelevanceVectorGradient]:
        weights = float(solution.targets.weights.sum())
        price = 0.5 * np.log(weights) if self.price is None else self.price
        value = price * solution.n_vectors.sum() - solution.evidence.sum()
        return float(value), solution.gradient(evidence=-np.ones(len(solution.evidence)))
