"""A limit of time for the search of candidates, and for the copies that judge them."""

from __future__ import annotations

import time
from collections.abc import Callable

# A copy learns from fewer rows than the whole; with five folds it takes about this share.
SHARE_OF_COPY = 0.8
# The search leaves time for so many copies: fewer folds are better than fewer candidates.
FEWEST_COPIES = 2
# What follows the copies (relevances, the record) takes about the rest of the time.
PLANNED = 0.9


class TimeBudgetWarning(UserWarning):
    """Some candidates were not tried, or folds not judged, because the time was up."""


class TimeIsUp(Exception):
    """The time for the search has passed."""


class TimeBudget:
    """Seconds for a fit, part of which is kept for the copies that judge it.

    Parameters
    ----------
    seconds : of the whole fit; None: no limit
    """

    def __init__(self, seconds: float | None) -> None:
        self._start = time.perf_counter()
        self._end = float("inf") if seconds is None else self._start + PLANNED * seconds
        self._search_end, self._searched = self._end, 0.0

    def keep_for(self, n_copies: int) -> None:
        """Keep time for as many fits of all candidates again, after the search."""
        share = 1 / (1 + SHARE_OF_COPY * min(n_copies, FEWEST_COPIES))
        self._search_end = self._start + (self._end - self._start) * share

    def step(self, step: Callable[[], None]) -> Callable[[], None]:
        """A step of a search that ends it when the time for searches has passed."""

        def in_time() -> None:
            step()
            self.check()

        return in_time

    def check(self) -> None:
        if time.perf_counter() > self._search_end:
            raise TimeIsUp

    def searched(self, seconds: float) -> None:
        """Say how long the candidates took that each copy will learn again."""
        self._searched = seconds

    def allows_copy(self, beside: int = 1) -> bool:
        """Whether there is time for another copy.

        ``beside`` are fitted at a time, and may take as long as one after the other.
        """
        return time.perf_counter() + SHARE_OF_COPY * self._searched * beside <= self._end
