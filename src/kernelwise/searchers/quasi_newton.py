"""Quasi-Newton search with limits."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize

from kernelwise.searchers.base import (
    ITERATION_LIMIT,
    NOTHING_TO_SEARCH,
    Function,
    Recorder,
    Searcher,
    SearchTrace,
    no_room,
)

# What L-BFGS-B's status numbers and messages mean to a user.
STOPPED = {
    "ftol": "the criterion changed by less than the tolerance",
    "gtol": "the gradient is below the tolerance",
    "limit": ITERATION_LIMIT,
    "flat": (
        "the line search could not improve, and the predicted gain is below the criterion's "
        "rounding error: this is a minimum to working precision"
    ),
    "abnormal": (
        "the line search could not improve although the gradient is not zero: the criterion is "
        "rougher here than its gradient says (nearly singular kernel matrix?); the best point "
        "is kept"
    ),
}


class QuasiNewton(Searcher):
    """L-BFGS-B with exact gradients, for smooth criteria of any number of parameters.

    ``tolerance`` is the relative change of the criterion that ends the search;
    ``gradient_tolerance`` the largest component of the projected gradient, relative to the first
    value or gradient, that counts as zero.
    """

    needs = frozenset({"value", "gradient"})

    def __init__(
        self, max_iterations: int = 200, tolerance: float = 1e-7, gradient_tolerance: float = 1e-6
    ):
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.gradient_tolerance = gradient_tolerance

    def __call__(self, function: Function, start: np.ndarray, limits: np.ndarray) -> SearchTrace:
        recorder = Recorder(function)
        start = np.clip(start, limits[:, 0], limits[:, 1])
        if no_room(limits):  # nor does scipy search then, or say where it is
            recorder(start)
            return recorder.finish(True, NOTHING_TO_SEARCH)
        # L-BFGS-B's first step is minus the gradient: in units in which value and gradient are at
        # most about one, it stays within the same order of magnitude.
        first: Any = recorder(start)
        unit = max(abs(first.value), float(np.abs(first.gradient).max()), 1e-300)

        def in_units(point: np.ndarray) -> tuple[float, np.ndarray]:
            here: Any = first if np.array_equal(point, start) else recorder(point)
            return here.value / unit, here.gradient / unit

        result = minimize(
            in_units,
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=limits,
            options={
                "maxiter": self.max_iterations,
                "ftol": self.tolerance * min(1.0, abs(first.value) / unit),
                "gtol": self.gradient_tolerance,
                "maxcor": 20,
            },
        )
        why = self._why(result, limits)
        return recorder.finish(why in ("ftol", "gtol", "flat"), STOPPED[why])

    @staticmethod
    def _why(result: Any, limits: np.ndarray) -> str:
        message = str(result.message)
        if "RELATIVE REDUCTION" in message:
            return "ftol"
        if "PROJECTED GRADIENT" in message:
            return "gtol"
        if "LIMIT" in message:
            return "limit"
        # The gain a Newton-like step still promises, against what rounding hides.
        step = np.clip(result.x - result.jac, limits[:, 0], limits[:, 1]) - result.x
        noise = np.finfo(float).eps ** 0.5 * max(abs(result.fun), 1e-300)
        return "flat" if abs(step @ result.jac) <= noise * max(1.0, len(result.x)) else "abnormal"
