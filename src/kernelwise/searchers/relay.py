"""A second searcher where the first one could not leave its start."""

from __future__ import annotations

import numpy as np

from kernelwise.searchers.base import LEVELS, Function, Searcher, SearchTrace

# What counts as not having moved, relative to the first value.
UNMOVED = 1e-6


class Relay(Searcher):
    """The first searcher; where that gains nothing, the second from the same start.

    For criteria with jumps: a line search that meets one at its start stays there, though the
    gradient leads on; steps of a fixed size, as of `Rprop`, pass it.
    """

    def __init__(self, first: Searcher, second: Searcher):
        self.first, self.second = first, second
        self.needs = max(first.needs, second.needs, key=LEVELS.index)

    def seeded(self, seed: int) -> Relay:
        return Relay(self.first.seeded(seed), self.second.seeded(seed))

    def __call__(self, function: Function, start: np.ndarray, bounds: np.ndarray) -> SearchTrace:
        trace = self.first(function, start, bounds)
        gained = trace.values[0] - trace.lowest
        if gained > UNMOVED * abs(trace.values[0]):
            return trace
        again = self.second(function, start, bounds)
        return SearchTrace(
            points=trace.points + again.points,
            values=trace.values + again.values,
            gradient_norms=trace.gradient_norms + again.gradient_norms,
            seconds=trace.seconds + [trace.seconds[-1] + second for second in again.seconds],
            reason=again.reason,
            converged=again.converged,
        )
