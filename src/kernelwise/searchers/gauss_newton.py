"""Newton-like search for functions that know an approximate curvature."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.searchers.base import (
    EVALUATION_LIMIT,
    Evaluation,
    Function,
    Recorder,
    Searcher,
    SearchTrace,
)
from kernelwise.searchers.quadratic_step import step_within


class GaussNewton(Searcher):
    """Damped Gauss-Newton with limits: at most a third of the evaluations of quasi-Newton.

    Each step is the best of the damped quadratic model within the limits (`step_within`). The
    damping follows the ratio of gained to promised decrease (Levenberg-Marquardt). Ends when the
    promised decrease is below ``tolerance`` times the value.
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
        """The end of the damped step within the limits."""
        gradient: Any = here.gradient
        curvature: Any = here.curvature
        scale = np.diagonal(curvature)
        damped = curvature + damping * np.diag(np.maximum(scale, 1e-12 * scale.max()))
        low, high = (limits - point[:, None]).T
        return np.clip(point + step_within(gradient, damped, low, high), *limits.T)
