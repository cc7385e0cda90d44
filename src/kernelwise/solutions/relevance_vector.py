"""The record of relevance vector machines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelwise.solutions.targets import Expansion, Targets


@dataclass(frozen=True)
class RelevanceVectors:
    """What one output is made of: ``(kernel(x, rows) - means) @ weights + bias``.

    Attributes
    ----------
    rows : numbers of the relevance vectors
    weights : (m,), one per vector
    means : (m,), the mean of each vector's kernel column over the rows
    bias : the mean output
    covariance : (m + 1, m + 1), of the weights and, last, the bias; zero if a bias is not used
    variances : (m,), prior variances of the weights
    effective : (m,), how far the data decide each weight: from 0 (the prior does) to 1
    noise : variance of the noise; 0 for labels
    evidence : log marginal likelihood of the targets
    """

    rows: np.ndarray
    weights: np.ndarray
    means: np.ndarray
    bias: float
    covariance: np.ndarray
    variances: np.ndarray
    effective: np.ndarray
    noise: float
    evidence: float

    def outputs(self, gram: np.ndarray) -> np.ndarray:
        """Outputs of new rows; ``gram`` is between them and the relevance vectors."""
        return (gram - self.means) @ self.weights + self.bias

    def output_variances(self, gram: np.ndarray) -> np.ndarray:
        """Posterior variances of these outputs, noise not included. Cost: O(m^2) a row."""
        columns = np.column_stack([gram - self.means, np.ones(len(gram))])
        return np.maximum(np.einsum("ij,ij->i", columns @ self.covariance, columns), 0.0)


def moderated(outputs: np.ndarray, variances: np.ndarray) -> np.ndarray:
    """The log odds of the mean probability over a normal distribution of log odds.

    ``f / sqrt(1 + pi variance / 8)`` (MacKay 1992): nearer to 0 where the data say little.
    """
    return outputs / np.sqrt(1 + np.pi / 8 * variances)


@dataclass(frozen=True)
class RelevanceVectorGradient:
    """The derivative of a criterion in the log evidence of each output."""

    evidence: np.ndarray


@dataclass(frozen=True)
class RelevanceVectorSolution:
    """Relevance vector machines on one Gram matrix, one for each output.

    ``back(evidence_gradient)`` leads to the Gram matrix, for fixed sets of relevance vectors.
    """

    targets: Targets
    machines: tuple[RelevanceVectors, ...]
    back: Callable[[np.ndarray], np.ndarray]
    n_factorizations: int = 0

    gradient: ClassVar[type] = RelevanceVectorGradient

    @property
    def evidence(self) -> np.ndarray:
        """Log marginal likelihood of each output's targets."""
        return np.array([machine.evidence for machine in self.machines])

    @property
    def n_vectors(self) -> np.ndarray:
        """How many relevance vectors each output has."""
        return np.array([len(machine.rows) for machine in self.machines])

    @property
    def coef(self) -> np.ndarray:
        """(rows, outputs), zero but for the relevance vectors."""
        found = np.zeros(self.targets.values.shape, order="F")
        for column, machine in zip(found.T, self.machines, strict=True):
            column[machine.rows] = machine.weights
        return found

    @property
    def expansion(self) -> Expansion:
        centers = [machine.means @ machine.weights for machine in self.machines]
        bias = [machine.bias for machine in self.machines]
        return Expansion(self.coef, np.array(bias) - np.array(centers))

    def pullback(self, gradient: RelevanceVectorGradient) -> tuple[list[np.ndarray], np.ndarray]:
        """The Gram gradient; the machine has no values of its own."""
        return [self.back(gradient.evidence)], np.empty(0)
