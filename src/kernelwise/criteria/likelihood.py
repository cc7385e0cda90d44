"""The likelihood of a support vector machine: its normalization, and what evidences share."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import entr, expit

from kernelwise.criteria.base import Criterion


def log_normalizer(C: float, loss: str) -> tuple[float, float]:
    """``ln kappa(C)``, which makes ``kappa exp(-C loss)`` sum to at most 1, and its derivative.

    ``1 / kappa = max_z [exp(-C loss(z)) + exp(-C loss(-z))]``. Hinge: ``kappa = 1 / (1 +
    exp(-2C))``. Squared hinge: the maximum is at ``z = tanh(C z)``, which is 0 up to ``C = 1``;
    ``d ln kappa / dC = (1 - z^2) / 2``.
    """
    if loss == "hinge":
        return -float(np.log1p(np.exp(-2 * C))), 2 * float(expit(-2 * C))
    z = most_likely_margin(C)
    value = 0.5 * C * (1 - z) ** 2 - float(np.log1p(np.exp(-2 * C * z)))
    return value, 0.5 * (1 - z) * (1 + z)


def most_likely_margin(C: float) -> float:
    """The largest root of ``z = tanh(C z)``.

    ``tanh(x) > x - x^3 / 3`` gives a value below it, tight near ``C = 1``, where a root finder
    would lose the sign of the difference.
    """
    if C <= 1:
        return 0.0
    lowest = float(np.sqrt(3 * (C - 1) / C)) / C
    if C - 1 < 1e-8:
        return lowest
    return float(brentq(lambda z: np.tanh(C * z) - z, lowest, 1.0, xtol=1e-300, rtol=1e-15))


class LabelEvidence(Criterion):
    """Minus a log probability of labels, per row."""

    is_evidence = True

    def null_value(self, solution: Any) -> float:
        """The entropy of each output's labels, summed up: ln 2 for each that has as many of both.

        No likelihood of at most 1 in all fits labels better with one output for all rows; so a
        model with no less minus log evidence per row says no more than the shares of the labels.
        """
        targets = solution.targets
        shares = np.average(targets.values > 0, axis=0, weights=targets.weights)
        return float((entr(shares) + entr(1 - shares)).sum())
