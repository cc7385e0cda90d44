"""Searches that need values only."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from kernelwise.searchers.base import Function, Recorder, Searcher, SearchTrace


class NelderMead(Searcher):
    """The simplex method of Nelder & Mead (1965), as the first-level paper uses it.

    ``first_step`` is the size of the first simplex in each coordinate, ``tolerance`` its last size.
    """

    def __init__(
        self, max_evaluations: int = 200, first_step: float = 1.0, tolerance: float = 0.05
    ):
        self.max_evaluations, self.first_step = max_evaluations, first_step
        self.tolerance = tolerance

    def __call__(self, function: Function, start: np.ndarray, bounds: np.ndarray) -> SearchTrace:
        recorder = Recorder(function)
        start = np.clip(start, bounds[:, 0], bounds[:, 1])
        # Steps point away from the nearer bound, so that no two corners coincide.
        middle = bounds.mean(axis=1)
        steps = np.diag(np.where(start > middle, -self.first_step, self.first_step))
        result = minimize(
            lambda point: recorder(point)[0],
            start,
            method="Nelder-Mead",
            bounds=bounds,
            options={
                "initial_simplex": np.clip(
                    np.vstack([start, start + steps]), bounds[:, 0], bounds[:, 1]
                ),
                "maxfev": self.max_evaluations,
                "xatol": self.tolerance,
                "fatol": np.inf,
            },
        )
        if result.status == 0:
            return recorder.finish(True, f"the simplex is smaller than {self.tolerance:g}")
        limit = "the evaluation limit was reached; raise max_evaluations to search on"
        return recorder.finish(False, limit)
