"""A search by secants in a trust region: few parameters, whose function is costly."""

from __future__ import annotations

from typing import Any

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
from kernelwise.searchers.quadratic_step import step_within
from kernelwise.searchers.quasi_newton import QuasiNewton

# Relative to the value: the curvature that is believed before anything is known of it, as in
# `QuadraticBelief`; and the least, relative to the largest, in a direction of a step.
CURVATURE, LEAST_CURVATURE = 0.025, 1e-3
# A step that gains less than this share of what it promised makes the region smaller; one that
# gains more than the other share and was held back by it makes the region larger.
POOR, GOOD, SHRINK, GROW = 0.1, 0.5, 0.4, 2.0


class Secant(Searcher):
    """Quasi-Newton with a dense curvature (symmetric rank one), in a box that grows and shrinks.

    It needs fewer evaluations than `QuasiNewton` where the curvature in each parameter is a few
    hundredths of the value, as for held-out squares in logarithms: its first steps have the right
    size. Ends when the promised decrease is below ``tolerance`` times the value. Where the
    function cannot be computed, `QuasiNewton` goes on: its line search finds a way around.

    References
    ----------
    Nocedal & Wright, Numerical Optimization, section 6.2.
    """

    needs = frozenset({"value", "gradient"})

    def __init__(self, max_evaluations: int = 200, tolerance: float = 1e-6, radius: float = 1.0):
        self.max_evaluations, self.tolerance, self.radius = max_evaluations, tolerance, radius

    def __call__(self, function: Function, start: np.ndarray, limits: np.ndarray) -> SearchTrace:
        recorder, radius = Recorder(function), self.radius
        point = np.clip(start, *limits.T)
        here: Any = recorder(point)
        if no_room(limits):
            return recorder.finish(True, NOTHING_TO_SEARCH)
        if recorder.failed:
            return recorder.finish(False, "the criterion could not be computed at the start")
        curvature = CURVATURE * max(abs(here.value), 1e-300) * np.eye(len(point))
        while len(recorder.trace) < self.max_evaluations:
            convex, room = _convex(curvature), limits - point[:, None]
            step = step_within(here.gradient, convex, *np.clip(room, -radius, radius).T)
            promised = -(here.gradient @ step + 0.5 * step @ convex @ step)
            if promised <= self.tolerance * abs(here.value):
                return recorder.finish(True, "a further step promises only a negligible gain")
            target = np.clip(point + step, *limits.T)
            there: Any = recorder(target)
            if recorder.failed:
                met = recorder.finish(False, recorder.last_failure)
                return met.followed_by(QuasiNewton()(function, point, limits))
            curvature = _updated(curvature, target - point, there.gradient - here.gradient)
            ratio = (here.value - there.value) / promised
            longest = np.abs(step).max()
            if ratio < POOR:
                radius = SHRINK * min(radius, longest)
            elif ratio > GOOD and longest > 0.99 * radius:
                radius *= GROW
            if ratio > 1e-3:
                point, here = target, there
        return recorder.finish(False, EVALUATION_LIMIT)


def _convex(curvature: np.ndarray) -> np.ndarray:
    """The nearest matrix whose eigenvalues are not small or negative."""
    sizes, directions = np.linalg.eigh(curvature)
    return (directions * np.maximum(sizes, LEAST_CURVATURE * np.abs(sizes).max())) @ directions.T


def _updated(curvature: np.ndarray, step: np.ndarray, change: np.ndarray) -> np.ndarray:
    """The curvature that explains how the gradient changed, by a matrix of rank one."""
    missing = change - curvature @ step
    along = float(missing @ step)
    if abs(along) < 1e-8 * np.linalg.norm(missing) * np.linalg.norm(step) or not along:
        return curvature
    return curvature + np.outer(missing, missing) / along
