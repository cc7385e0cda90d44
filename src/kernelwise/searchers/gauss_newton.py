"""Newton-like search for functions that know an approximate curvature."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernelwise.searchers.base import (
    EVALUATION_LIMIT,
    Evaluation,
    Function,
    Recorder,
    Searcher,
    SearchTrace,
    pressed,
)


class GaussNewton(Searcher):
    """Damped Gauss-Newton with limits: at most a third of the evaluations of quasi-Newton.

    Parameters at a limit with the gradient pushing outward stay; the others take the damped Newton
    step, clipped to the limits (two-metric projection, Bertsekas 1982). The damping follows the
    ratio of gained to promised decrease (Levenberg-Marquardt). Ends when the promised decrease is
    below ``tolerance`` times the value.
    """

    needs = frozenset({"value", "gradient", "curvature"})

    def __init__(self, max_evaluations: int = 100, tolerance: float = 1e-6):
        self.max_evaluations, self.tolerance = max_evaluations, tolerance

    def __call__(self, function: Function, start: np.ndarray, limits: np.ndarray) -> SearchTrace:
        recorder = Recorder(function)
        point = np.clip(start, limits[:, 0], limits[:, 1])
        here: Any = recorder(point)
        if recorder.failed:
            return recorder.finish(False, "the criterion could not be computed at the start")
        damping = 1e-3
        while len(recorder.trace) < self.max_evaluations:
            target = self._target(point, here, damping, limits)
            move = target - point
            promised = -(here.gradient @ move + 0.5 * move @ here.curvature @ move)
            if promised <= self.tolerance * abs(here.value):
                return recorder.finish(True, "a further step promises only a negligible gain")
            there: Any = recorder(target)
            ratio = (here.value - there.value) / promised
            if ratio > 1e-3:
                point, here = target, there
            damping *= 0.2 if ratio > 0.75 else 1.0 if ratio > 0.25 else 5.0
            if damping > 1e12:
                return recorder.finish(False, "no step, however small, improves the criterion")
        return recorder.finish(False, EVALUATION_LIMIT)

    @staticmethod
    def _target(
        point: np.ndarray, here: Evaluation, damping: float, limits: np.ndarray
    ) -> np.ndarray:
        """The end of the damped step of the parameters that are free to move, clipped."""
        gradient: Any = here.gradient
        curvature: Any = here.curvature
        free = np.flatnonzero(~pressed(point, gradient, limits))
        target = point.copy()
        if len(free):
            block = curvature[np.ix_(free, free)].copy()
            scale = np.diagonal(block)
            block[np.diag_indices(len(free))] += damping * np.maximum(scale, 1e-12 * scale.max())
            factor = cho_factor(block, lower=True)
            target[free] -= cho_solve(factor, gradient[free])
        return np.clip(target, limits[:, 0], limits[:, 1])
