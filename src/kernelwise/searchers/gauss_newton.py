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
    """Damped Gauss-Newton with bounds: five to ten evaluations where quasi-Newton needs thirty.

    Parameters at a bound with the gradient pushing outwards stay; the others take the damped Newton
    step, clipped to the bounds (two-metric projection, Bertsekas 1982). The damping follows the
    ratio of gained to promised decrease (Levenberg-Marquardt). Ends when the promised decrease is
    below ``tolerance`` times the value.
    """

    def __init__(self, max_evaluations: int = 100, tolerance: float = 1e-6):
        self.max_evaluations, self.tolerance = max_evaluations, tolerance

    def __call__(  # type: ignore[override]
        self, function: CurvedFunction, start: np.ndarray, bounds: np.ndarray
    ) -> SearchTrace:
        curvatures: list[np.ndarray] = []

        def without_curvature(point: np.ndarray) -> tuple[float, np.ndarray]:
            value, gradient, curvature = function(point)
            curvatures.append(curvature)
            return value, gradient

        recorder = Recorder(without_curvature)
        point = np.clip(start, bounds[:, 0], bounds[:, 1])
        gradient: Any  # the recorder always has one here
        value, gradient = recorder(point)
        curvature, damping = curvatures[-1], 1e-3
        while len(recorder.trace) < self.max_evaluations:
            move = self._move(point, gradient, curvature, damping, bounds)
            promised = -(gradient @ move + 0.5 * move @ curvature @ move)
            if promised <= self.tolerance * abs(value):
                return self._end(recorder, True, "what a further step promises is negligible")
            tried, its_gradient = recorder(point + move)
            ratio = (value - tried) / promised
            if ratio > 1e-3:
                point, value, gradient = point + move, tried, its_gradient
                curvature = curvatures[-1]
            damping *= 0.2 if ratio > 0.75 else 1.0 if ratio > 0.25 else 5.0
            if damping > 1e12:
                return self._end(recorder, False, "no step however small improves the criterion")
        return self._end(recorder, False, "the evaluation limit was reached")

    @staticmethod
    def _move(
        point: np.ndarray,
        gradient: np.ndarray,
        curvature: np.ndarray,
        damping: float,
        bounds: np.ndarray,
    ) -> np.ndarray:
        """The clipped step of the parameters that are free to move."""
        held = ((point <= bounds[:, 0]) & (gradient > 0)) | (
            (point >= bounds[:, 1]) & (gradient < 0)
        )
        free = np.flatnonzero(~held)
        move = np.zeros_like(point)
        if len(free):
            block = curvature[np.ix_(free, free)].copy()
            scale = np.diagonal(block)
            block[np.diag_indices(len(free))] += damping * np.maximum(scale, 1e-12 * scale.max())
            factor = cho_factor(block, lower=True)
            move[free] = -cho_solve(factor, gradient[free])
        return np.clip(point + move, bounds[:, 0], bounds[:, 1]) - point

    @staticmethod
    def _end(recorder: Recorder, converged: bool, reason: str) -> SearchTrace:
        recorder.trace.converged, recorder.trace.reason = converged, reason
        return recorder.trace
