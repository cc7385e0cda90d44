"""Searches that need only values, for few parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize

from kernelwise.searchers.base import (
    EVALUATION_LIMIT,
    NOTHING_TO_SEARCH,
    Function,
    Recorder,
    Searcher,
    SearchTrace,
    no_room,
)


class NelderMead(Searcher):
    """The simplex method of Nelder & Mead (1965), as the first-level paper uses it.

    ``first_step`` is the size of the first simplex in each coordinate, ``tolerance`` its last size.
    """

    def __init__(
        self, max_evaluations: int = 200, first_step: float = 1.0, tolerance: float = 0.05
    ):
        self.max_evaluations, self.first_step = max_evaluations, first_step
        self.tolerance = tolerance

    def __call__(self, function: Function, start: np.ndarray, limits: np.ndarray) -> SearchTrace:
        start = np.clip(start, limits[:, 0], limits[:, 1])
        # Steps point away from the nearer limit, so that no two corners coincide.
        middle = limits.mean(axis=1)
        steps = np.diag(np.where(start > middle, -self.first_step, self.first_step))
        corners = np.clip(np.vstack([start, start + steps]), limits[:, 0], limits[:, 1])
        options = {
            "initial_simplex": corners,
            "maxfev": self.max_evaluations,
            "xatol": self.tolerance,
            "fatol": np.inf,
        }
        ended = f"the simplex is smaller than {self.tolerance:g}"
        return by_scipy("Nelder-Mead", function, start, limits, options, ended)


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

    def __call__(self, function: Function, start: np.ndarray, limits: np.ndarray) -> SearchTrace:
        start = np.clip(start, limits[:, 0], limits[:, 1])
        options = {
            "maxfev": self.max_evaluations,
            "initial_tr_radius": self.first_radius,
            "final_tr_radius": self.tolerance,
        }
        ended = f"the trust region is smaller than {self.tolerance:g}"
        return by_scipy("COBYQA", function, start, limits, options, ended)


def by_scipy(
    method: str,
    function: Function,
    start: np.ndarray,
    limits: np.ndarray,
    options: dict[str, Any],
    ended: str,
) -> SearchTrace:
    """Search by one of scipy's methods that see only values.

    Parameters
    ----------
    method, options : scipy's name for it, and its options
    function, start, limits : as for any searcher
    ended : the reason to give on convergence
    """
    recorder = Recorder(function)
    if no_room(limits):
        recorder(start)
        return recorder.finish(True, NOTHING_TO_SEARCH)
    result = minimize(
        lambda point: recorder(point).value, start, method=method, bounds=limits, options=options
    )
    if result.status == 0:
        return recorder.finish(True, ended)
    return recorder.finish(False, EVALUATION_LIMIT)
