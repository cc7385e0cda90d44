"""Gamma priors of precisions, and what they contribute to the bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln


class Gamma(NamedTuple):
    """A Gamma prior by shape and **scale**; its mean is their product."""

    shape: float
    scale: float

    def mean(self, squares: np.ndarray, count: float = 1.0) -> np.ndarray:
        """Posterior mean of precisions, given ``E[x^2]`` summed over ``count`` values of each."""
        return (self.shape + count / 2) / (1 / self.scale + squares / 2)

    def bound(self, means: np.ndarray, squares: np.ndarray, count: float = 1.0) -> float:
        """``E[log p(x | r) + log p(r) - log q(r)]`` summed, for precisions r of these means.

        ``q(r)`` is Gamma of shape ``shape + count / 2``; ``squares`` may be newer than ``means``.
        """
        shape = self.shape + count / 2
        scales = means / shape
        constant = gammaln(shape) - gammaln(self.shape) - self.shape * np.log(self.scale)
        constant += shape - count / 2 * np.log(2 * np.pi)
        parts = shape * np.log(scales) - means * (1 / self.scale + squares / 2)
        return float(np.size(means) * constant + np.sum(parts))


DENSE = Gamma(1.0, 1.0)
SPARSE = Gamma(1e-10, 1e10)
SPARSITIES = {"sparse": SPARSE, "dense": DENSE}


@dataclass(frozen=True)
class Priors:
    """The priors of the precisions in the model.

    Attributes
    ----------
    coef : of the weights of the rows (lambda)
    bias : of the biases (gamma)
    weights : of the kernel weights (omega)
    noise : of quantities around the outputs (epsilon)
    spread : of intermediate outputs around the kernels' (upsilon), for quantities
    """

    coef: Gamma = DENSE
    bias: Gamma = DENSE
    weights: Gamma = DENSE
    noise: Gamma = DENSE
    spread: Gamma = DENSE
