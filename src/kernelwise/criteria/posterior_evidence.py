"""Evidence of support vector machines, by integrating over the posterior."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria.likelihood import LabelEvidence, log_normalizer
from kernelwise.solutions import PosteriorGradient, PosteriorSolution


class PosteriorEvidence(LabelEvidence):
    """Minus the log evidence per row, ``-log Z / n - ln kappa(C)``, summed over the outputs.

    ``Z`` integrates ``exp(-C sum_i w_i loss(y_i f_i))`` over the prior ``Normal(0, K)``, n is the
    total weight, and ``kappa`` keeps the likelihood of both labels at most 1. By expectation
    propagation it has a value and a gradient; sampled, a gradient only. A machine that says nothing
    has about the entropy of the labels (ln 2 if there are as many of both). Cost: O(n) once the
    machine has solved.

    References
    ----------
    Gold & Sollich (2003), Neurocomputing 55, eq. (14), (18) and (20).
    """

    reads = PosteriorSolution

    def why_at_limit(self, solution: PosteriorSolution, amplitude: bool) -> str:
        if not amplitude:
            return super().why_at_limit(solution, amplitude)
        return (
            "the evidence rises with the amplitude as far as it is allowed to, as it does for "
            "classes that are almost separable and for kernels that are almost linear. Predictions "
            "by the posterior mean hardly depend on it from there on; those by the mode may"
        )

    def __call__(self, solution: PosteriorSolution) -> tuple[float | None, PosteriorGradient]:
        n, outputs = float(solution.targets.weights.sum()), solution.coef.shape[1]
        normalizer, slope = log_normalizer(solution.C, solution.loss)
        value = None
        if solution.evidence is not None:
            value = -float(solution.evidence.sum()) / n - outputs * normalizer
        return value, solution.gradient(evidence=np.full(outputs, -1 / n), C=-outputs * slope)
