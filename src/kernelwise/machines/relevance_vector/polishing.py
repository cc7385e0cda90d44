"""The last steps of a fit: all prior variances of a model to the maximum of the evidence."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize, root

from kernelwise.machines.relevance_vector.model import Model, Problem

# How far polishing may move the logarithm of a prior variance, down and up.
DOWN, UP = 10.0, 2.0
# Evidences that differ by less than this share are equal.
ROUNDING = 1e-13
MORE_SLOPES = 50


def log_variance_gradient(problem: Problem, model: Model) -> np.ndarray:
    """``d evidence / d log v``, half the diagonal of ``scaled' (d evidence / d scaled)``."""
    gradient = problem.likelihood.scaled_gradient(model.posterior)
    return 0.5 * np.einsum("ij,ij->j", gradient, model.posterior.scaled)


def polished(problem: Problem, model: Model, tolerance: float) -> tuple[Model, int]:
    """The model with its prior variances at the maximum of the evidence, and the models tried.

    The ascent leaves a slope, as it changes one variance at a time with the precisions of the rows
    fixed. Without one, the evidence's gradient in the Gram matrix needs no term for the variances.
    Columns whose variance fades are dropped. The evidence never falls. If a variance would grow
    without end, the model stays as it is: with separable classes Laplace's approximation promises
    more than there is for variances far beyond those of the ascent.
    """
    moving, spent = ~problem.is_fixed(model.which), 0
    while moving.any():
        path = _Polishing(problem, model, moving)
        logs = path.climbed(tolerance)
        spent += path.spent
        if (logs > path.highest - 1e-3).any():
            return model, spent
        faded = np.zeros(len(moving), bool)
        faded[moving] = logs < path.lowest + 1.0
        best = path.at(logs)
        if faded.any():
            best = problem.model(model.which[~faded], best.variances[~faded], best.weights[~faded])
        if best.evidence < model.evidence or not faded.any():
            return max(model, best, key=lambda one: one.evidence), spent
        model, moving = best, moving[~faded]
    return model, spent


class _Polishing:
    """The ascent of the evidence in the logarithms of some prior variances."""

    def __init__(self, problem: Problem, model: Model, moving: np.ndarray):
        self.problem, self.model, self.moving = problem, model, moving
        self.start = np.log(model.variances[moving])
        self.lowest, self.highest = self.start - DOWN, self.start + UP
        self.weights, self.spent = model.weights, 0
        # The best point so far: its evidence, the steepness there, and where it is.
        self.best = (-np.inf, np.inf, self.start)

    def variances(self, logs: np.ndarray) -> np.ndarray:
        found = self.model.variances.copy()
        found[self.moving] = np.exp(logs)
        return found

    def at(self, logs: np.ndarray) -> Model:
        return self.problem.model(self.model.which, self.variances(logs), self.weights)

    def loss(self, logs: np.ndarray) -> tuple[float, np.ndarray]:
        """Minus the evidence, and its slope."""
        found = self.at(logs)
        self.spent += 1
        slope = -log_variance_gradient(self.problem, found)[self.moving]
        steep, (highest, least, _) = float(np.abs(slope).max()), self.best
        rounding = ROUNDING * max(abs(found.evidence), 1.0)
        equal = abs(found.evidence - highest) <= rounding
        if found.evidence > highest + rounding or (equal and steep < least):
            self.best, self.weights = (found.evidence, steep, logs.copy()), found.weights
        return -found.evidence, slope

    def _slope_within(self, logs: np.ndarray) -> np.ndarray:
        """The slope at the nearest point within the limits."""
        return self.loss(np.clip(logs, self.lowest, self.highest))[1]

    def climbed(self, tolerance: float) -> np.ndarray:
        """The best logarithms found; a slope of g leaves a gain of about g^2."""
        flat = np.sqrt(tolerance) / 3
        minimize(
            self.loss,
            self.start,
            jac=True,
            method="L-BFGS-B",
            bounds=np.column_stack([self.lowest, self.highest]),
            options={"ftol": tolerance / max(abs(self.model.evidence), 1.0), "gtol": flat},
        )
        _, steep, logs = self.best
        if steep > flat:
            # Rounding hides the evidence's last digits, not those of its slope.
            options = {"fatol": flat, "ftol": 0.0, "maxfev": MORE_SLOPES}
            with np.errstate(divide="ignore", invalid="ignore"):  # equal slopes, one after another
                root(self._slope_within, logs, method="df-sane", options=options)
        return self.best[2]
