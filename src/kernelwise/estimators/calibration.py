"""Probabilities from held-out outputs that never contradict the sign or the largest output.

A slope is fitted to outputs held out at the chosen kernel, which claim too much where many
parameters were chosen on few rows. How far the claim is to be trusted is then fitted to outputs
of rows that had no part in the choice: ``trust * claim + (1 - trust) * log odds of the classes'
shares``. On pure noise the trust is about 0 and every probability about the share of its class.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

# Slopes outside this range mean certainty or ignorance whatever the output.
LOG_SLOPES = (-6.0, 8.0)
# A gain in log likelihood that is not trusted; trusting noise gains a quarter of a nat on average.
CHANCE = 0.5
# So much is trusted even of a claim that is no better than the shares: rows keep their order, which
# may be right where a rare class has too few rows to show it, and noise loses next to nothing.
LEAST_TRUST = 0.002


def best_slope(loss) -> float:
    """The slope with the least loss; each loss is convex in the slope, so one search finds it."""
    found = minimize_scalar(lambda t: loss(np.exp(t)), bounds=LOG_SLOPES, method="bounded")
    return float(np.exp(found.x))


class Calibrator:
    """Probabilities that are a claim about each output, trusted so far.

    Attributes
    ----------
    trust_ : from almost 0 (the shares of the classes) to 1 (the claim)
    gain_ : log likelihood of the outputs that the trust was fitted to, less that of the shares
    base_ : logarithms of the shares of the classes, with one pseudo-count each
    """

    trust_: float = 1.0  # calibrators of earlier versions have neither
    base_: np.ndarray

    def fit(self, outputs: np.ndarray, mass: np.ndarray) -> Self:
        """Fit the claim; ``mass`` (rows, classes) is the weight of each class at each output."""
        raise NotImplementedError

    def claim(self, outputs: np.ndarray) -> np.ndarray:
        """Scores, (rows, classes), whose softmax is what the outputs claim."""
        raise NotImplementedError

    def fit_trust(self, outputs: np.ndarray, mass: np.ndarray) -> Self:
        """Fit the trust to outputs of rows that nothing was chosen by.

        The trust of greatest likelihood, times ``1 - (CHANCE / gain)^2``: the least there is if the
        gain is no more than chance gives.
        """
        self.base_ = np.log((mass.sum(axis=0) + 1) / (mass.sum() + mass.shape[1]))

        def loss(trust: float) -> float:
            return -float((mass * log_softmax(self.scores(outputs, trust), axis=1)).sum())

        inside = float(minimize_scalar(loss, bounds=(0.0, 1.0), method="bounded").x)
        best = min((0.0, inside, 1.0), key=loss)
        self.gain_ = -float((mass @ self.base_).sum()) - loss(best)
        self.trust_ = max(best * (1 - (CHANCE / max(self.gain_, CHANCE)) ** 2), LEAST_TRUST)
        return self

    def scores(self, outputs: np.ndarray, trust: float) -> np.ndarray:
        """Scores, (rows, classes), of which that of the predicted class is always the largest."""
        scores = self.claim(outputs)
        if trust == 1:
            return scores
        rows, winner = np.arange(len(scores)), scores.argmax(axis=1)
        scores = trust * scores + (1 - trust) * self.base_
        scores[rows, winner] = scores.max(axis=1)
        return scores

    def probabilities(self, outputs: np.ndarray) -> np.ndarray:
        winner = largest_of(outputs)
        return with_winner(softmax(self.scores(outputs, self.trust_), axis=1), winner)


class LogOdds(Calibrator):
    """Outputs that are log odds themselves: of two classes, or of each against the rest."""

    def fit(self, outputs: np.ndarray, mass: np.ndarray) -> Self:
        return self

    def claim(self, outputs: np.ndarray) -> np.ndarray:
        if outputs.ndim == 2:
            return outputs.copy()
        return np.column_stack([np.zeros(len(outputs)), outputs])


class TwoSlopeSigmoid(Calibrator):
    """``1 / (1 + exp(-slope f))`` with one slope for each sign of the output f.

    It passes through one half at f = 0, so a probability above one half is the predicted class; two
    slopes let it follow classes of different size or spread. Fitted to held-out outputs by maximum
    likelihood with Platt's targets (one pseudo-count per class on each side).
    """

    def fit(self, outputs: np.ndarray, mass: np.ndarray) -> Self:
        self.slopes_ = np.array([self._side(outputs, mass, sign) for sign in (-1, 1)])
        return self

    @staticmethod
    def _side(outputs: np.ndarray, mass: np.ndarray, sign: int) -> float:
        side = sign * outputs > 0
        size = np.abs(outputs[side])
        against, for_ = mass[side].T if sign > 0 else mass[side].T[::-1]
        # Pseudo-counts at the typical output keep separable sides finite.
        typical = np.median(size) if len(size) else 1.0
        size, against, for_ = (
            np.append(size, typical),
            np.append(against, 1.0),
            np.append(for_, 1.0),
        )
        return best_slope(
            lambda slope: (
                for_ @ np.logaddexp(0, -slope * size) + against @ np.logaddexp(0, slope * size)
            )
        )

    def claim(self, outputs: np.ndarray) -> np.ndarray:
        log_odds = np.where(outputs > 0, self.slopes_[1], self.slopes_[0]) * outputs
        return np.column_stack([np.zeros(len(outputs)), log_odds])


class Temperature(Calibrator):
    """``softmax(slope f)`` over the classes' outputs, the slope fitted to held-out outputs.

    The most probable class is the one with the largest output.
    """

    def fit(self, outputs: np.ndarray, mass: np.ndarray) -> Self:
        self.slope_ = best_slope(lambda slope: -(mass * log_softmax(slope * outputs, axis=1)).sum())
        return self

    def claim(self, outputs: np.ndarray) -> np.ndarray:
        return self.slope_ * outputs


def largest_of(outputs: np.ndarray) -> np.ndarray:
    """The predicted class: the largest of several outputs, or the sign of one."""
    return (outputs > 0).astype(int) if outputs.ndim == 1 else outputs.argmax(axis=1)


def with_winner(probabilities: np.ndarray, winner: np.ndarray) -> np.ndarray:
    """The same probabilities, that of the winner the largest even where rounding made it equal."""
    rows = np.arange(len(winner))
    others = probabilities.copy()
    others[rows, winner] = 0
    rival = others.max(axis=1)
    tied = probabilities[rows, winner] <= rival
    probabilities[rows[tied], winner[tied]] = np.nextafter(rival[tied], 1)
    return probabilities
