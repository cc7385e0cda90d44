"""What is observed of the outputs: labels beyond a margin, some of them missing, or quantities."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq
from scipy.special import erfcx, expit, log_ndtr


def hazard(t: np.ndarray) -> np.ndarray:
    """``phi(t) / Phi(t)``, for any t."""
    return np.sqrt(2 / np.pi) / erfcx(-t / np.sqrt(2))


@dataclass(frozen=True)
class Labels:
    """Labels -1 and +1, or 0 where unknown: a labeled output f has ``label * f > margin``.

    The posterior of an output with mean ``m`` is a normal density of variance 1 cut off at the
    margin, or, where the label is unknown, what is left of it outside the margin on both sides
    (Lawrence & Jordan's null category). The posterior of all rows without a label is held to the
    shares of the two labels: without that, all of them end up on one side.

    Attributes
    ----------
    signs : (rows, outputs)
    margin : not negative
    shares : (outputs, 2), of the labels -1 and +1, for the rows without one
    """

    signs: np.ndarray
    margin: float
    shares: np.ndarray

    learns_noise = False

    @property
    def observed(self) -> np.ndarray:
        """Which rows have a label."""
        return np.asarray(self.signs.any(axis=1))

    def take(self, rows: np.ndarray) -> Labels:
        """The labels of some rows."""
        return replace(self, signs=self.signs[rows])

    def expecting(self, means: np.ndarray) -> Labels:
        """The same labels, with the shares that these outputs give the rows without one."""
        unknown = means[~self.observed]
        best = np.eye(means.shape[1])[unknown.argmax(axis=1)] if means.shape[1] > 1 else unknown > 0
        half = 0.5 / len(unknown)  # none is impossible
        positive = np.clip(best.mean(axis=0), half, 1 - half)
        return replace(self, shares=np.column_stack([1 - positive, positive]))

    @property
    def start(self) -> np.ndarray:
        """Outputs to begin with: a half-normal's mean beyond the margin."""
        return self.signs * (self.margin + np.sqrt(2 / np.pi))

    def outputs(self, means: np.ndarray) -> tuple[np.ndarray, float]:
        """Posterior mean of each output, and their part of the bound."""
        inside = self.signs * means - self.margin
        outputs, logs = means + self.signs * hazard(inside), log_ndtr(inside)
        total = float(logs[self.observed].sum())
        if not self.observed.all():
            unknown = ~self.observed
            for o, shares in enumerate(self.shares):
                outputs[unknown, o], own = self._unlabeled(means[unknown, o], shares)
                total += own
        return outputs, total

    def _unlabeled(self, m: np.ndarray, shares: np.ndarray) -> tuple[np.ndarray, float]:
        """Means of outputs without a label, as many on each side as the shares say."""
        sides = np.stack([-m - self.margin, m - self.margin])
        masses = log_ndtr(sides)

        def positive(tilt: float) -> np.ndarray:
            return expit(masses[1] - masses[0] + tilt)

        reach = float(np.abs(masses[1] - masses[0]).max()) + 40
        tilt = brentq(lambda t: positive(t).mean() - shares[1], -reach, reach, xtol=1e-12)
        parts = np.stack([masses[0], masses[1] + tilt])
        logs = np.logaddexp(*parts)
        minus, plus = np.exp(parts - logs) * hazard(sides)
        # The tilt is a multiplier: its own part is taken out again, and the prior's put in.
        prior = len(m) * float(shares @ np.log(shares))
        return m + plus - minus, float(logs.sum()) - tilt * len(m) * shares[1] + prior


@dataclass(frozen=True)
class Quantities:
    """Quantities that are the outputs plus normal noise, whose precision is learned."""

    values: np.ndarray

    learns_noise = True

    @property
    def observed(self) -> np.ndarray:
        return np.ones(len(self.values), bool)

    def take(self, rows: np.ndarray) -> Quantities:
        """The quantities of some rows."""
        return Quantities(self.values[rows])

    def expecting(self, means: np.ndarray) -> Quantities:
        """The same: no quantity is missing."""
        return self

    @property
    def start(self) -> np.ndarray:
        return self.values

    def outputs(self, means: np.ndarray) -> tuple[np.ndarray, float]:
        """The quantities themselves; what they are worth is in the bound of the noise."""
        return self.values, 0.0
