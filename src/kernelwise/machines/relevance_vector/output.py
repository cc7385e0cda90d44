"""One output of a relevance vector machine: what it predicts with, and its way back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelwise.machines.relevance_vector.model import Model, Problem
from kernelwise.solutions import RelevanceVectors


@dataclass(frozen=True)
class LearnedOutput:
    """An output with a model."""

    problem: Problem
    model: Model

    @property
    def vectors(self) -> RelevanceVectors:
        model, columns, posterior = self.model, self.problem.columns, self.model.posterior
        kernel, noise = model.which < columns.bias, posterior.noise
        rows = model.which[kernel]
        # The bias comes last, wherever it stands in the model.
        place = np.where(kernel, np.cumsum(kernel) - 1, len(rows))
        covariance = np.zeros((len(rows) + 1, len(rows) + 1))
        scales = np.outer(model.deviations, model.deviations)
        covariance[np.ix_(place, place)] = noise * scales * posterior.covariance
        return RelevanceVectors(
            rows=rows,
            weights=model.weights[kernel],
            means=columns.means[rows],
            bias=float(model.weights[~kernel].sum()),
            covariance=covariance,
            variances=noise * model.variances[kernel],
            effective=model.effective[kernel],
            noise=noise if np.isfinite(self.problem.likelihood.freedom) else 0.0,
            evidence=model.evidence,
        )

    def add_gram_gradient(self, total: np.ndarray, slope: float) -> None:
        """Add ``slope`` times the evidence's Gram gradient, for fixed columns and variances."""
        model = self.model
        gradient = self.problem.likelihood.scaled_gradient(model.posterior) * model.deviations
        self.problem.columns.add_gram_gradient(total, model.which, slope * gradient)


@dataclass(frozen=True)
class ConstantOutput:
    """An output whose targets are all the same: no vectors, no noise, and an evidence of 0.

    Labels of one class alone have infinite log odds; the output is as if half a row of either
    class had been seen besides, ``log(2 n + 1)``.
    """

    target: float
    n_rows: float
    likelihood: str

    @property
    def vectors(self) -> RelevanceVectors:
        none, bias = np.empty(0), float(self.target)
        if self.likelihood == "logistic":
            bias *= float(np.log(2 * self.n_rows + 1))
        zero = np.zeros((1, 1))
        return RelevanceVectors(none.astype(int), none, none, bias, zero, none, none, 0.0, 0.0)

    def add_gram_gradient(self, total: np.ndarray, slope: float) -> None:
        """There is none."""
