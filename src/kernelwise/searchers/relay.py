"""A second searcher in case the first cannot leave its start."""

from __future__ import annotations

import numpy as np

from kernelwise.searchers.base import Function, Searcher, SearchTrace

# A gain that counts as not having moved, relative to the first value.
UNMOVED = 1e-6


class Relay(Searcher):
    """The first searcher or, if it gains nothing, the second from the same start.

    For criteria with jumps: a line search that meets one at its start stays there, although the
    gradient leads on; steps of a fixed size, such as those of `Rprop`, pass it.
    """

    def __init__(self, first: Searcher, second: Searcher):
        self.first, self.second = first, second
        # It compares values, to see whether the first has moved.
        self.needs = first.needs | second.needs | {"value"}

    def seeded(self, seed: int) -> Relay:
        return Relay(self.first.seeded(seed), self.second.seeded(seed))

    def __call__(self, function: Function, start: np.ndarray, limits: np.ndarray) -> SearchTrace:
        trace = self.first(function, start, limits)
        gained = trace.values[0] - trace.lowest
        if gained > UNMOVED * abs(trace.values[0]):
            return trace
        return trace.followed_by(self.second(function, start, limits))
