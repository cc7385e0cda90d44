"""A search that needs values only and models them by a quadratic."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from kernelwise.searchers.base import Function, Recorder, Searcher, SearchTrace


class TrustRegion(Searcher):
    """COBYQA: quadratic interpolation in a trust region, for few parameters and costly values.

    On a smooth criterion of two parameters it needs about half the evaluations of Nelder-Mead.
    ``first_radius`` and ``tolerance`` are the first and last radius of the trust region.
    """

    def __init__(
        self, max_evaluations: int = 60, first_radius: float = 2.0, tolerance: float = 0.25
    ):
        self.max_evaluations, self.first_radius = max_evaluations, first_radius
        self.tolerance = tolerance

    def __call__(self, function: Function, start: np.ndarray, bounds: np.ndarray) -> SearchTrace:
        recorder = Recorder(function)
        result = minimize(
            lambda point: recorder(point)[0],
            np.clip(start, bounds[:, 0], bounds[:, 1]),
            method="COBYQA",
            bounds=bounds,
            options={
                "maxfev": self.max_evaluations,
                "initial_tr_radius": self.first_radius,
                "final_tr_radius": self.tolerance,
            },
        )
        if result.status == 0:
            return recorder.finish(True, f"the trust region is smaller than {self.tolerance:g}")
        limit = "the evaluation limit was reached; raise max_evaluations to search on"
        return recorder.finish(False, limit)
