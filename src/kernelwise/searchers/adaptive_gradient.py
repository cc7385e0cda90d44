"""Gradient descent whose rates follow the gradients, for functions that have no value."""

from __future__ import annotations

import numpy as np

from kernelwise.searchers.base import (
    EDGE,
    ITERATION_LIMIT,
    NOTHING_TO_SEARCH,
    Function,
    Recorder,
    Searcher,
    SearchTrace,
    pressed,
)

# A gradient that grows by more than this, or turns by more than this cosine, means that the step
# was too long: it is discarded.
SHARP, TURNED = 2.0, -0.5
# A slope that keeps more than this of its size declines slowly: its rate grows.
SLOW, GROW, SHRINK = 0.8, 1.5, 0.5
MOST_DISCARDED = 6
# Slopes below this share of the largest begin with the rate of one that is as large.
LEAST_SHARE = 1e-3
# A step beside a place that cannot be computed, which leads nowhere.
NEGLIGIBLE = 1e-6


class AdaptiveGradient(Searcher):
    """Steps along the gradient, with a rate for each parameter, judged by gradients alone.

    A slope that does not decline quickly raises its parameter's rate; one that changes its sign
    lowers it. If the whole gradient grows sharply or turns around, the step is discarded and tried
    again with half the rates. The search ends when the gradient is a small share of its peak. It
    keeps the last point, since it has no values to compare.

    Parameters
    ----------
    max_iterations : steps that are kept
    first_step : of every parameter whose slope is not negligible, in the coordinates of the search
    largest_step : of any parameter
    share_of_peak : the largest slope, relative to the largest of all steps, that ends the search

    References
    ----------
    Gold & Sollich (2003), Neurocomputing 55, section 4.3.
    """

    needs = frozenset({"gradient"})

    def __init__(
        self,
        max_iterations: int = 80,
        first_step: float = 0.05,
        largest_step: float = 0.5,
        share_of_peak: float = 0.05,
    ):
        self.max_iterations = max_iterations
        self.first_step, self.largest_step = first_step, largest_step
        self.share_of_peak = share_of_peak

    def __call__(self, function: Function, start: np.ndarray, limits: np.ndarray) -> SearchTrace:
        recorder = Recorder(function)
        point = np.clip(start, limits[:, 0], limits[:, 1])
        gradient = recorder(point).gradient
        kept = 0
        if not len(point) or gradient is None or recorder.failed:
            chose = None if recorder.failed else kept
            return recorder.finish(not recorder.failed, NOTHING_TO_SEARCH, chose)
        peak = size(gradient, point, limits)
        rates = self.first_step / np.maximum(np.abs(gradient), LEAST_SHARE * max(peak, 1e-300))
        for _ in range(self.max_iterations):
            here = size(gradient, point, limits)
            peak = max(peak, here)
            if (here <= self.share_of_peak * peak and kept) or not peak:
                return recorder.finish(True, "the gradient is a small share of its peak", kept)
            at_edge = False
            for _ in range(MOST_DISCARDED):
                step = np.clip(-rates * gradient, -self.largest_step, self.largest_step)
                target = np.clip(point + step, limits[:, 0], limits[:, 1])
                found = np.asarray(recorder(target).gradient)
                if not recorder.failed and not too_far(gradient, found):
                    break
                rates *= SHRINK
                at_edge |= recorder.failed
            else:
                end = EDGE if at_edge else "every further step makes the gradient larger"
                return recorder.finish(not at_edge, end, kept)
            if at_edge and np.abs(target - point).max() < NEGLIGIBLE:
                return recorder.finish(False, EDGE, kept)
            kept = len(recorder.trace) - 1
            flipped = found * gradient < 0
            slow = ~flipped & (np.abs(found) > SLOW * np.abs(gradient))
            rates *= np.where(flipped, SHRINK, np.where(slow, GROW, 1.0))
            point, gradient = target, found
        return recorder.finish(False, ITERATION_LIMIT, kept)


def size(gradient: np.ndarray, point: np.ndarray, limits: np.ndarray) -> float:
    """The largest slope among the parameters that are free to follow theirs."""
    free = ~pressed(point, gradient, limits)
    return float(np.abs(gradient[free]).max(initial=0.0))


def too_far(before: np.ndarray, after: np.ndarray) -> bool:
    """Whether a gradient has grown sharply, or turned around without becoming much smaller."""
    old, new = np.linalg.norm(before), np.linalg.norm(after)
    turned = before @ after < TURNED * old * new
    return bool(new > SHARP * old or (turned and new > SHRINK * old))
