"""Bounds on the leave-one-out error of support vector machines: counts of rows, step functions."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.linalg import inverse_and_log_determinant
from kernelwise.solutions import SupportVectorGradient, SupportVectorSolution


class CountedErrors(Criterion):
    """The share of rows, by weight, that a rule counts as leave-one-out errors.

    A step function: its gradient is zero wherever it exists, so only a search that compares values
    can use it (``gives``). A row is left out with all its weight.
    """

    reads = SupportVectorSolution
    gives = frozenset({"value"})

    def errors(self, solution: SupportVectorSolution) -> np.ndarray:
        """Which rows count, (n, outputs)."""
        raise NotImplementedError

    def __call__(self, solution: SupportVectorSolution) -> tuple[float, SupportVectorGradient]:
        weights = solution.targets.weights
        value = float(weights @ self.errors(solution).sum(axis=1)) / float(weights.sum())
        return value, solution.gradient()


def margins(solution: SupportVectorSolution) -> np.ndarray:
    """``y f``, (n, outputs); exactly 1 on the marginal rows of the hinge."""
    values = solution.targets.values * solution.outputs
    if solution.loss == "hinge":
        values[solution.marginal] = 1.0
    return values


class SupportFraction(CountedErrors):
    """The share of rows that support: leaving out any other row changes nothing.

    Cost: O(n).

    References
    ----------
    Vapnik (1995), The Nature of Statistical Learning Theory.
    """

    def errors(self, solution: SupportVectorSolution) -> np.ndarray:
        return solution.support


class JaakkolaHaussler(CountedErrors):
    """Rows whose margin is at most ``alpha_i K_ii``, a bound on what leaving them out takes away.

    Proven for machines without a free bias. Cost: O(n).

    References
    ----------
    Jaakkola & Haussler (1999), AISTATS; Gold & Sollich (2003), Neurocomputing 55, section 3.1.
    """

    def errors(self, solution: SupportVectorSolution) -> np.ndarray:
        lost = solution.alpha * np.diagonal(solution.gram)[:, None]
        return solution.support & (lost >= margins(solution))


class OpperWinther(CountedErrors):
    """Supporting rows with ``alpha_i >= [(K_sv + 1/C)^-1]_ii`` (hinge: without ``1/C``).

    It assumes that all supporting rows, hard or not, stay where they are, and ignores a bias;
    without one, and with the squared hinge, this is the span rule. Cost: m^3 for m supporting rows.

    References
    ----------
    Opper & Winther (2000), in Advances in Large Margin Classifiers.
    """

    def errors(self, solution: SupportVectorSolution) -> np.ndarray:
        counted = np.zeros(solution.coef.shape, bool)
        for t in range(solution.coef.shape[1]):
            rows = np.flatnonzero(solution.support[:, t])
            if not len(rows):
                continue
            matrix = solution.gram[np.ix_(rows, rows)]
            if solution.loss == "squared_hinge":
                matrix += np.diag(1 / (solution.C * solution.targets.weights[rows]))
            inverse, _ = inverse_and_log_determinant(matrix)
            counted[rows, t] = solution.alpha[rows, t] >= np.diagonal(inverse)
        return counted
