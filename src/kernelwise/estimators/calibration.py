"""Probabilities from held-out outputs that never contradict the sign or the largest output."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit, log_softmax, softmax

# Slopes outside this range mean certainty or ignorance whatever the output.
LOG_SLOPES = (-6.0, 8.0)


def best_slope(loss) -> float:
    """The slope with the least loss; each loss is convex in the slope, so one search finds it."""
    found = minimize_scalar(lambda t: loss(np.exp(t)), bounds=LOG_SLOPES, method="bounded")
    return float(np.exp(found.x))


class TwoSlopeSigmoid:
    """``1 / (1 + exp(-slope f))`` with one slope for each sign of the output f.

    It passes through one half at f = 0, so a probability above one half is the predicted class; two
    slopes let it follow classes of different size or spread. Fitted to held-out outputs by maximum
    likelihood with Platt's targets (one pseudo-count per class on each side).
    """

    def fit(self, outputs: np.ndarray, mass: np.ndarray) -> TwoSlopeSigmoid:
        """Fit both slopes; ``mass`` (rows, 2) is the weight of each class at each output."""
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

    def probabilities(self, outputs: np.ndarray) -> np.ndarray:
        slopes = np.where(outputs > 0, self.slopes_[1], self.slopes_[0])
        return two_class_probabilities(slopes * outputs)


class Temperature:
    """``softmax(slope f)`` over the classes' outputs, the slope fitted to held-out outputs.

    The most probable class is the one with the largest output.
    """

    def fit(self, outputs: np.ndarray, mass: np.ndarray) -> Temperature:
        """Fit the slope; ``mass`` (rows, classes) is the weight of each class at each output."""
        self.slope_ = best_slope(lambda slope: -(mass * log_softmax(slope * outputs, axis=1)).sum())
        return self

    def probabilities(self, outputs: np.ndarray) -> np.ndarray:
        return many_class_probabilities(outputs, self.slope_)


def two_class_probabilities(log_odds: np.ndarray) -> np.ndarray:
    """Probabilities of both classes; above one half for the second where its log odds are."""
    positive = expit(log_odds)
    # Tiny log odds round to one half, which would leave the class open.
    positive = np.where(log_odds > 0, np.maximum(positive, np.nextafter(0.5, 1)), positive)
    return np.column_stack([1 - positive, positive])


def many_class_probabilities(outputs: np.ndarray, slope: float = 1.0) -> np.ndarray:
    """``softmax(slope outputs)``; the class with the largest output has the largest probability."""
    probabilities = softmax(slope * outputs, axis=1)
    # Outputs that differ in their last digits round to equal probabilities; the winner leads.
    rows, winner = np.arange(len(outputs)), outputs.argmax(axis=1)
    tied = probabilities.argmax(axis=1) != winner
    probabilities[rows[tied], winner[tied]] = np.nextafter(probabilities[tied].max(axis=1), 1)
    return probabilities
