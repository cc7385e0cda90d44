"""A search by values alone that believes in a quadratic, and knows how well it knows it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement, product

import numpy as np

from kernelwise.searchers.base import (
    EVALUATION_LIMIT,
    NOTHING_TO_SEARCH,
    Function,
    Recorder,
    Searcher,
    SearchTrace,
    no_room,
)

# Relative to the value, per unit of the coordinates: what is believed of its slopes (spread) and
# curvatures (mean and spread) before anything is known.
SLOPE, CURVATURE, CURVATURE_SPREAD = 0.2, 0.025, 0.05
# How rough the values of a similar function are in comparison, and how their slopes differ.
EARLIER_ROUGHNESS, TILT = 4.0, 0.1
# The radius grows and shrinks by these factors, but never below this share of the last.
GROW, SHRINK, LEAST = 1.5, 0.85, 0.6


@dataclass(frozen=True)
class Earlier:
    """Values of a similar function, such as a criterion of fewer rows, scaled to this one's size.

    They are believed to have its curvature, another constant, and about its slope.
    """

    points: np.ndarray
    values: np.ndarray


class QuadraticBelief(Searcher):
    """Bayesian regression on a quadratic in a trust region: for two or three costly parameters.

    The next point is the one with the largest ``gain + standard deviation`` among a grid within
    the radius of the best; the search ends when that is below ``tolerance`` times the value. Far
    points are believed less (the error of the quadratic grows with the cube of the distance). It
    finds a value, not an exact place.

    Parameters
    ----------
    max_evaluations : the limit
    first_radius : of the trust region
    tolerance : the gain that still counts, relative to the value
    earlier : what is known of a similar function
    last_radius : no search ends with a larger one
    roughness : of the function, relative to its value
    """

    def __init__(
        self,
        max_evaluations: int = 60,
        first_radius: float = 2.0,
        tolerance: float = 1e-3,
        earlier: Earlier | None = None,
        last_radius: float = 0.7,
        roughness: float = 5e-4,
    ):
        self.max_evaluations, self.first_radius = max_evaluations, first_radius
        self.tolerance, self.earlier = tolerance, earlier
        self.last_radius, self.roughness = last_radius, roughness

    def __call__(self, function: Function, start: np.ndarray, limits: np.ndarray) -> SearchTrace:
        recorder, radius = Recorder(function), self.first_radius
        recorder(np.clip(start, *limits.T))
        if no_room(limits):
            return recorder.finish(True, NOTHING_TO_SEARCH)
        trace = recorder.trace
        while trace.found and len(trace) < self.max_evaluations:
            best, value = trace.best_point, trace.best_value
            moves = _moves(trace, radius, limits)
            belief = Belief(trace, radius, self.roughness, self.earlier)
            gains, spreads = belief.gains(moves)
            hoped = gains + spreads
            if hoped.max(initial=0.0) <= self.tolerance * abs(value):
                if radius <= self.last_radius:
                    return recorder.finish(True, "no further point promises more than a little")
                radius = max(radius / 2, self.last_radius)
                continue
            chosen = int(np.argmax(hoped))
            recorder(np.clip(best + radius * moves[chosen], *limits.T))
            gained = value - trace.values[-1]
            if gained <= 0:
                radius = max(SHRINK * radius, LEAST * self.last_radius)
            elif gained > 0.3 * gains[chosen] and np.linalg.norm(moves[chosen]) > 0.9:
                radius *= GROW
        return recorder.finish(False, EVALUATION_LIMIT)


def _moves(trace: SearchTrace, radius: float, limits: np.ndarray) -> np.ndarray:
    """Moves from the best point, in radii, that stay within the limits and away from known points.

    Of equal ones the first counts: upward in the first coordinate, downward in the others.
    """
    best = trace.best_point
    grid = np.array(list(product(np.linspace(-1, 1, 9), repeat=len(best))))
    grid[:, 0] *= -1
    points = best + radius * grid
    apart = np.linalg.norm(points[:, None] - np.array(trace.points), axis=2).min(axis=1)
    within = ((points >= limits[:, 0]) & (points <= limits[:, 1])).all(axis=1)
    return grid[(np.linalg.norm(grid, axis=1) < 1.01) & within & (apart > 0.2 * radius)]


def _basis(z: np.ndarray) -> np.ndarray:
    """Constant, slopes, and half of squares or products, (points, coefficients)."""
    pairs = combinations_with_replacement(range(z.shape[1]), 2)
    squares = [z[:, i] * z[:, j] * (0.5 if i == j else 1.0) for i, j in pairs]
    return np.column_stack([np.ones(len(z)), z, *squares])


class Belief:
    """The posterior of a quadratic's coefficients around the best point, in units of the radius."""

    def __init__(
        self, trace: SearchTrace, radius: float, roughness: float, earlier: Earlier | None
    ):
        self.size, size = abs(trace.best_value) or 1.0, len(trace.best_point)
        known = np.isfinite(trace.values)
        z = (np.array(trace.points)[known] - trace.best_point) / radius
        rows, values = _basis(z), np.array(trace.values)[known] / self.size
        errors = roughness * (1 + np.linalg.norm(z, axis=1) ** 3)
        mean, spread = _prior(size, radius)
        self.n_own = len(mean)
        if earlier is not None:
            z = (earlier.points - trace.best_point) / radius
            other = np.column_stack([_basis(z), np.ones(len(z)), z])
            rows = np.vstack([np.pad(rows, ((0, 0), (0, size + 1))), other])
            values = np.append(values, earlier.values / self.size)
            rough = EARLIER_ROUGHNESS * roughness * (1 + np.linalg.norm(z, axis=1) ** 3)
            errors = np.append(errors, rough)
            mean = np.append(mean, np.zeros(size + 1))
            spread = np.concatenate([spread, [10.0], np.full(size, TILT * radius)])
        # Values and prior as one least-squares problem; squared, it would lose half the digits.
        design = np.vstack([rows / errors[:, None], np.diag(1 / spread)])
        surprise = np.append((values - rows @ mean) / errors, np.zeros(len(mean)))
        orthogonal, triangle = np.linalg.qr(design)
        self.root = np.linalg.inv(triangle)  # its outer square is the covariance
        self.coefficients = mean + self.root @ (orthogonal.T @ surprise)

    def gains(self, moves: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What each move is believed to gain, and the standard deviation of that."""
        rows, own = _basis(np.zeros_like(moves)) - _basis(moves), slice(self.n_own)
        spreads = np.linalg.norm(rows @ self.root[own], axis=1)
        return self.size * (rows @ self.coefficients[own]), self.size * spreads


def _prior(size: int, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Mean and spread of the coefficients before any value is known."""
    pairs = combinations_with_replacement(range(size), 2)
    own = np.array([i == j for i, j in pairs], float)
    mean = np.concatenate([[1.0], np.zeros(size), CURVATURE * radius**2 * own])
    curvatures = CURVATURE_SPREAD * radius**2 * (0.5 + 0.5 * own)
    return mean, np.concatenate([[1.0], np.full(size, SLOPE * radius), curvatures])
