"""Resilient back-propagation: steps that see only the signs of the gradient."""

from __future__ import annotations

import numpy as np

from kernelwise.searchers.base import (
    EDGE,
    ITERATION_LIMIT,
    NOTHING_TO_SEARCH,
    Function,
    Recorder,
    Searcher,
    SearchTrace,
    pressed,
)

PATIENCE = 10
SLOWED = "ten iterations changed the criterion too little"


class Rprop(Searcher):
    """iRprop+: each parameter has its own step, which grows while its slope keeps its sign.

    A slope that changes sign shortens the step, and takes the last one back if the value has become
    worse. Only signs count, so slopes of very different sizes do no harm, and plateaus are left at
    a growing pace. A function without values will do: then no step is taken back, and the last
    point is kept. The search also ends when all steps are negligible.

    Parameters
    ----------
    max_iterations : the search ends after this many
    first_step, largest_step : in the coordinates of the search
    gradient_tolerance : the search ends when the gradient's norm is smaller
    value_tolerance : it ends when ten iterations gain less than this share of the value; 0: never
    shrink, grow : the factors on a step after its slope has changed or kept its sign

    References
    ----------
    Igel & Hüsken (2003), Neurocomputing 50; with these constants: Pérez-Ortiz et al., multi-scale
    alignment, section 4.
    """

    needs = frozenset({"gradient"})

    def __init__(
        self,
        max_iterations: int = 100,
        first_step: float = 0.0125,
        largest_step: float = 50.0,
        gradient_tolerance: float = 1e-5,
        value_tolerance: float = 0.0,
        shrink: float = 0.5,
        grow: float = 1.2,
    ):
        self.max_iterations = max_iterations
        self.first_step, self.largest_step = first_step, largest_step
        self.gradient_tolerance, self.value_tolerance = gradient_tolerance, value_tolerance
        self.shrink, self.grow = shrink, grow

    def __call__(self, function: Function, start: np.ndarray, limits: np.ndarray) -> SearchTrace:
        recorder = Recorder(function)
        point = np.clip(start, limits[:, 0], limits[:, 1])
        value, gradient = self._at(recorder, point)
        if not len(point):
            return self._finish(recorder, True, NOTHING_TO_SEARCH)
        steps = np.full(len(point), self.first_step)
        last_value = value
        last_gradient, moves = np.zeros_like(point), np.zeros_like(point)
        for _ in range(self.max_iterations):
            held = pressed(point, gradient, limits)
            if np.linalg.norm(gradient[~held]) < self.gradient_tolerance:
                return self._finish(recorder, True, "the gradient is below the tolerance")
            if self._has_slowed(recorder.trace.values):
                return self._finish(recorder, True, SLOWED)
            agreement = gradient * last_gradient
            steps[agreement > 0] *= self.grow
            steps[agreement < 0] *= self.shrink
            np.minimum(steps, self.largest_step, out=steps)
            if steps.max() < 1e-12 * max(1.0, np.abs(point).max()):
                end = EDGE if recorder.failed else "all steps are negligible"
                return self._finish(recorder, not recorder.failed, end)
            # Without values no step is taken back (iRprop-): NaN is never larger.
            taken_back = -moves if value > last_value else np.zeros_like(point)
            wanted = np.where(agreement < 0, taken_back, -np.sign(gradient) * steps)
            target = np.clip(point + wanted, limits[:, 0], limits[:, 1])
            moves, point, last_value = target - point, target, value
            slopes = gradient
            # A slope that has just changed its sign counts as unknown in the next round.
            last_gradient = np.where(agreement < 0, 0.0, gradient)
            value, gradient = self._at(recorder, point)
            if recorder.failed:
                # Back to where it could be computed, then on with shorter steps.
                point, value, gradient = point - moves, last_value, slopes
                moves, last_gradient = np.zeros_like(point), np.zeros_like(point)
                steps *= self.shrink
        return self._finish(recorder, False, ITERATION_LIMIT)

    def _has_slowed(self, values: list[float]) -> bool:
        if not self.value_tolerance or len(values) <= PATIENCE:
            return False
        lowest = min(values)
        return min(values[:-PATIENCE]) - lowest < self.value_tolerance * abs(lowest)

    @staticmethod
    def _at(recorder: Recorder, point: np.ndarray) -> tuple[float, np.ndarray]:
        found = recorder(point)
        gradient = np.zeros_like(point) if found.gradient is None else found.gradient
        return np.nan if found.value is None else found.value, gradient

    @staticmethod
    def _finish(recorder: Recorder, converged: bool, reason: str) -> SearchTrace:
        """The trace; without values it keeps the last point that could be computed."""
        values = recorder.trace.values
        computed = [k for k, value in enumerate(values) if np.isnan(value)]
        return recorder.finish(converged, reason, chose=computed[-1] if computed else None)
