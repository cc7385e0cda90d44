"""Newton-like search for functions that know an approximate curvature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernelwise.searchers.base import Recorder, Searcher, SearchTrace

# function(point) -> (value, gradient, positive semi-definite curvature)
CurvedFunction = Callable[[np.ndarray], tuple[float, np.ndarray, np.ndarray]]


class GaussNewton(Searcher):
    """Damped Gauss-Newton with bounds: a third of the evaluations of quasi-Newton or less.

    Parameters at a bound with the gradient pushing outwards stay; the others take the damped Newton
    step, clipped to the bounds (two-metric projection, Bertsekas 1982). The damping follows the
    ratio of gained to promised decrease (Levenberg-Marquardt). Ends when the promised decrease is
    below ``tolerance`` times the value.
    """

    needs = "curvature"

    def __init__(self, max_evaluations: int = 100, tolerance: float = 1e-6):
        self.max_evaluations, self.tolerance = max_evaluations, tolerance

    # Its function gives a third thing, the curvature.
    def __call__(  # type: ignore[override]
        self, function: CurvedFunction, start: np.ndarray, bounds: np.ndarray
    ) -> SearchTrace:
        curvatures: list[np.ndarray] = []

        def without_curvature(point: np.ndarray) -> tuple[float, np.ndarray]:
            value, gradient, curvature = function(point)
            curvatures[:] = [curvature]
            return value, gradient

        recorder = Recorder(without_curvature)
        point = np.clip(start, bounds[:, 0], bounds[:, 1])
        gradient: Any  # the recorder always has one here
        value, gradient = recorder(point)
        if not curvatures:
            return recorder.finish(False, "the criterion could not be computed at the start")
        curvature, damping = curvatures[0], 1e-3
        while len(recorder.trace) < self.max_evaluations:
            target = self._target(point, gradient, curvature, damping, bounds)
            move = target - point
            promised = -(gradient @ move + 0.5 * move @ curvature @ move)
            if promised <= self.tolerance * abs(value):
                return recorder.finish(True, "what a further step promises is negligible")
            tried, its_gradient = recorder(target)
            ratio = (value - tried) / promised
            if ratio > 1e-3:
                point, value, gradient, curvature = target, tried, its_gradient, curvatures[0]
            damping *= 0.2 if ratio > 0.75 else 1.0 if ratio > 0.25 else 5.0
            if damping > 1e12:
                return recorder.finish(False, "no step however small improves the criterion")
        return recorder.finish(False, "the evaluation limit was reached")

    @staticmethod
    def _target(
        point: np.ndarray,
        gradient: np.ndarray,
        curvature: np.ndarray,
        damping: float,
        bounds: np.ndarray,
    ) -> np.ndarray:
        """Where the damped step of the parameters that are free to move leads, clipped."""
        held = ((point <= bounds[:, 0]) & (gradient > 0)) | (
            (point >= bounds[:, 1]) & (gradient < 0)
        )
        free = np.flatnonzero(~held)
        target = point.copy()
        if len(free):
            block = curvature[np.ix_(free, free)].copy()
            scale = np.diagonal(block)
            block[np.diag_indices(len(free))] += damping * np.maximum(scale, 1e-12 * scale.max())
            factor = cho_factor(block, lower=True)
            target[free] -= cho_solve(factor, gradient[free])
        return np.clip(target, bounds[:, 0], bounds[:, 1])
