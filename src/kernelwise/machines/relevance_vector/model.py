"""A model: some columns with their prior variances, and the posterior of their weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelwise.machines.relevance_vector.columns import CenteredColumns
from kernelwise.machines.relevance_vector.posterior import Likelihood, Posterior


@dataclass(frozen=True)
class Problem:
    """The columns to choose from, and what the targets say about the outputs.

    ``free_bias``: the bias is always in the model, with a wide prior that does not change.
    """

    columns: CenteredColumns
    likelihood: Likelihood
    free_bias: bool

    def is_fixed(self, which: np.ndarray) -> np.ndarray:
        """Which columns keep their prior variance."""
        return (which == self.columns.bias) & self.free_bias

    def model(
        self, which: np.ndarray, variances: np.ndarray, weights: np.ndarray | None = None
    ) -> Model:
        """The model of some columns.

        Parameters
        ----------
        which : numbers of the columns
        variances : their prior variances in units of the noise; inmoving for a flat prior
        weights : where the search for the mode begins; None: at 0
        """
        deviations = deviations_of(variances)
        prior = np.where(np.isinf(variances), 0.0, 1.0)
        start = np.zeros(len(which)) if weights is None else weights / deviations
        scaled = self.columns.take(which) * deviations
        return Model(which, variances, self.likelihood.posterior(scaled, prior, start))

    def empty_model(self) -> Model:
        which = np.array([self.columns.bias] if self.free_bias else [], int)
        return self.model(which, np.full(len(which), self.likelihood.free_bias_variance))


@dataclass(frozen=True)
class Model:
    """Columns ``which`` with prior ``variances``, in units of the noise, and the posterior."""

    which: np.ndarray
    variances: np.ndarray
    posterior: Posterior

    @property
    def evidence(self) -> float:
        return self.posterior.evidence

    @property
    def deviations(self) -> np.ndarray:
        return deviations_of(self.variances)

    @property
    def weights(self) -> np.ndarray:
        return self.deviations * self.posterior.mode

    @property
    def effective(self) -> np.ndarray:
        """``gamma``, how far the data decide each weight: from 0 (the prior does) to 1.

        ``(H^-1 scaled' B scaled)_ii``, which keeps its digits where ``1 - (H^-1)_ii`` has none.
        """
        posterior = self.posterior
        cross = posterior.scaled.T @ (posterior.precisions[:, None] * posterior.scaled)
        return np.einsum("ij,ij->i", posterior.covariance, cross)


def deviations_of(variances: np.ndarray) -> np.ndarray:
    """Prior deviations; 1 for a flat prior."""
    return np.where(np.isinf(variances), 1.0, np.sqrt(variances))
