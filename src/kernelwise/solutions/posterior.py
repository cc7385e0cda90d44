"""The records of machines that know a posterior distribution of their outputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from kernelwise.solutions.targets import Expansion, Targets


@dataclass(frozen=True)
class PosteriorGradient:
    """The derivative of a criterion in the log evidence of each output, and in C besides."""

    evidence: np.ndarray
    C: float = 0.0


@dataclass(frozen=True)
class PosteriorSolution:
    """The posterior of the outputs at the rows, for the prior ``Normal(0, gram)``.

    Outputs are independent; each row multiplies the prior by ``exp(-C weight loss(y output))``.

    Attributes
    ----------
    targets : labels, -1 and +1
    coef : (n, outputs), ``gram^-1`` times the posterior mean
    outputs : (n, outputs), the posterior mean
    variances : (n, outputs), the posterior variances
    evidence : (outputs,), the log of the integral; None if only its gradient is known
    C, loss : of the machine
    back : ``back(evidence_gradient)`` gives the gradients in the Gram matrix and in C
    n_factorizations : the work done
    """

    targets: Targets
    coef: np.ndarray
    outputs: np.ndarray
    variances: np.ndarray
    evidence: np.ndarray | None
    C: float
    loss: str
    back: Callable[[np.ndarray], tuple[np.ndarray, float]]
    n_factorizations: int = 0

    gradient: ClassVar[type] = PosteriorGradient

    @property
    def expansion(self) -> Expansion:
        return Expansion(self.coef, np.zeros(self.coef.shape[1]))

    def pullback(self, gradient: PosteriorGradient) -> tuple[list[np.ndarray], np.ndarray]:
        """Gradients in the Gram matrix and in C."""
        gram_gradient, C_gradient = self.back(gradient.evidence)
        return [gram_gradient], np.array([C_gradient + gradient.C])


@dataclass(frozen=True)
class NormalOutput:
    """The normal posterior of one output, at any row.

    ``mean = gram @ coef`` and ``variance = diagonal - gram @ reduction @ gram'``, with ``gram``
    between new rows and ``rows`` of those the machine was given, ``diagonal`` the kernel of each
    new row with itself. Rows that change nothing are left out.
    """

    rows: np.ndarray
    coef: np.ndarray
    reduction: np.ndarray

    def mean(self, gram: np.ndarray) -> np.ndarray:
        return gram[:, self.rows] @ self.coef

    def variance(self, gram: np.ndarray, diagonal: np.ndarray) -> np.ndarray:
        """Posterior variances, never negative. Cost: O(n^2) a row."""
        own = gram[:, self.rows]
        explained = np.einsum("ij,ij->i", own @ self.reduction, own)
        return np.maximum(diagonal - explained, 0.0)


@dataclass(frozen=True)
class PropagatedSolution(PosteriorSolution):
    """A posterior by expectation propagation.

    Attributes
    ----------
    left_out_means, left_out_variances : (n, outputs), the posterior of each row's output when its
        own label is not seen (the cavity): leave-one-out without refitting
    make_posteriors : gives the posterior of each output at any row, when asked (an n x n array)
    mismatch : (outputs,), how far means and variances are from a fixed point, in deviations
    """

    left_out_means: np.ndarray = field(kw_only=True)
    left_out_variances: np.ndarray = field(kw_only=True)
    make_posteriors: Callable[[], tuple[NormalOutput, ...]] = field(kw_only=True)
    mismatch: np.ndarray = field(kw_only=True)

    @property
    def posteriors(self) -> tuple[NormalOutput, ...]:
        return self.make_posteriors()
