"""A greedy random walk: values alone, and another path for every seed."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from kernelwise.searchers.base import (
    EVALUATION_LIMIT,
    NOTHING_TO_SEARCH,
    Function,
    Recorder,
    Searcher,
    SearchTrace,
)

# An accepted step makes the next one larger, a rejected one smaller by two thirds of that: 40 % are
# accepted in balance. On a slope half are at any size, so a balance at half would end all steps.
LARGER, SMALLER = np.exp(0.3), np.exp(-0.2)
# Sweeps over all parameters between two looks at the gain; no gain counts only below this step.
PATIENCE, SMALL_STEP = 5, 0.3


class RandomWalk(Searcher):
    """Zero-temperature Monte Carlo: steps of one parameter after another, kept if better.

    Each parameter's Gaussian steps have their own size, adapted so that nearly half of them are
    accepted. It sees only values, so jumps in a criterion do no harm, and repeated walks show
    whether it has several optima.

    Parameters
    ----------
    max_evaluations : the walk ends after this many
    first_step : the size of the first steps
    tolerance : the walk ends when all steps are smaller
    value_tolerance : it also ends when five sweeps gain less than this share of the criterion
    seed : without one, an estimator gives it one from its ``random_state``

    References
    ----------
    Gold & Sollich, SVM model selection, section 4.1.
    """

    def __init__(
        self,
        max_evaluations: int = 1000,
        first_step: float = 0.5,
        tolerance: float = 1e-3,
        value_tolerance: float = 1e-5,
        seed: int | None = None,
    ):
        self.max_evaluations, self.first_step = max_evaluations, first_step
        self.tolerance, self.value_tolerance, self.seed = tolerance, value_tolerance, seed

    def seeded(self, seed: int) -> RandomWalk:
        other = copy.copy(self)
        other.seed = seed if self.seed is None else self.seed
        return other

    def __call__(self, function: Function, start: np.ndarray, limits: np.ndarray) -> SearchTrace:
        recorder, random = Recorder(function), np.random.default_rng(self.seed or 0)
        point = np.clip(start, limits[:, 0], limits[:, 1])
        value: Any = recorder(point).value
        if not len(point):
            return recorder.finish(True, NOTHING_TO_SEARCH)
        steps = np.full(len(point), float(self.first_step))
        after_sweeps = [value]
        while len(recorder.trace) < self.max_evaluations:
            for r in range(len(point)):
                moved = point.copy()
                moved[r] = np.clip(point[r] + steps[r] * random.standard_normal(), *limits[r])
                tried: Any = recorder(moved).value
                if tried < value:
                    point, value = moved, tried
                    steps[r] = min(steps[r] * LARGER, limits[r, 1] - limits[r, 0])
                else:
                    steps[r] *= SMALLER
            after_sweeps.append(value)
            if steps.max() < self.tolerance:
                return recorder.finish(True, f"all steps are below {self.tolerance:g}")
            if len(after_sweeps) > PATIENCE:
                gained = after_sweeps[-PATIENCE - 1] - value
                if gained < self.value_tolerance * abs(value) and steps.max() < SMALL_STEP:
                    return recorder.finish(
                        True, f"{PATIENCE} sweeps changed the criterion too little"
                    )
        return recorder.finish(False, EVALUATION_LIMIT)
