"""Resilient back-propagation: steps that see only the signs of the gradient."""

from __future__ import annotations

import numpy as np

from kernelwise.searchers.base import Function, Recorder, Searcher, SearchTrace

PATIENCE = 10
EDGE = "the criterion cannot be computed beyond this point, and signs alone find no way round"


class Rprop(Searcher):
    """iRprop+: each parameter has a step of its own, that grows while its slope keeps its sign.

    A slope that changes its sign shortens the step, and takes the last one back where the value has
    become worse. Only signs count, so slopes of very different sizes do no harm, and plateaus are
    left at a growing pace. ``first_step`` and ``largest_step`` are in the coordinates of the
    search. Ends when the gradient's norm is below ``gradient_tolerance``, when all steps are
    negligible, when ten iterations have lowered the value by less than ``value_tolerance`` of its
    size (0: never), or after ``max_iterations``.

    References
    ----------
    Igel & Hüsken (2003), Neurocomputing 50; with these constants: Pérez-Ortiz et al., multi-scale
    alignment, section 4.
    """

    needs = "gradient"

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

    def __call__(self, function: Function, start: np.ndarray, bounds: np.ndarray) -> SearchTrace:
        recorder = Recorder(function)
        point = np.clip(start, bounds[:, 0], bounds[:, 1])
        value, gradient = self._at(recorder, point)
        if not len(point):
            return recorder.finish(True, "there is nothing to search")
        steps = np.full(len(point), self.first_step)
        last_value = value
        last_gradient, moves = np.zeros_like(point), np.zeros_like(point)
        for _ in range(self.max_iterations):
            held = ((point <= bounds[:, 0]) & (gradient > 0)) | (
                (point >= bounds[:, 1]) & (gradient < 0)
            )
            if np.linalg.norm(gradient[~held]) < self.gradient_tolerance:
                return recorder.finish(True, "the gradient is below the tolerance")
            if self._has_slowed(recorder.trace.values):
                return recorder.finish(True, "ten iterations changed the criterion too little")
            agreement = gradient * last_gradient
            steps[agreement > 0] *= self.grow
            steps[agreement < 0] *= self.shrink
            np.minimum(steps, self.largest_step, out=steps)
            if steps.max() < 1e-12 * max(1.0, np.abs(point).max()):
                stuck = not np.isfinite(recorder.trace.values[-1])
                return recorder.finish(not stuck, EDGE if stuck else "all steps are negligible")
            taken_back = -moves if value > last_value else np.zeros_like(point)
            wanted = np.where(agreement < 0, taken_back, -np.sign(gradient) * steps)
            target = np.clip(point + wanted, bounds[:, 0], bounds[:, 1])
            moves, point, last_value = target - point, target, value
            slopes = gradient
            # A slope that has just changed its sign counts as unknown in the next round.
            last_gradient = np.where(agreement < 0, 0.0, gradient)
            value, gradient = self._at(recorder, point)
            if not np.isfinite(recorder.trace.values[-1]):
                # Back to where it could be computed, and on with shorter steps.
                point, value, gradient = point - moves, last_value, slopes
                moves, last_gradient = np.zeros_like(point), np.zeros_like(point)
                steps *= self.shrink
        return recorder.finish(False, "the iteration limit was reached")

    def _has_slowed(self, values: list[float]) -> bool:
        if not self.value_tolerance or len(values) <= PATIENCE:
            return False
        lowest = min(values)
        return min(values[:-PATIENCE]) - lowest < self.value_tolerance * abs(lowest)

    @staticmethod
    def _at(recorder: Recorder, point: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = recorder(point)
        return value, np.zeros_like(point) if gradient is None else gradient
