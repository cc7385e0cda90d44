"""Several starts, side by side."""

from __future__ import annotations

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from kernelwise.searchers.base import Function, Searcher, SearchTrace


class MultiStart(Searcher):
    """The given start and ``n_restarts`` random ones within ``spread`` of it; the best is kept.

    The starts are drawn before any search runs, every search uses one BLAS thread, and a function
    with a memory is asked for a fresh one (``function.fresh()``), so the same seed gives the same
    bits whatever ``n_jobs`` is.

    Parameters
    ----------
    searcher : searches from each start
    n_restarts : the number of random starts
    spread : how far a random start may be from the given one, in each coordinate
    seed : of the random starts, and of a random searcher
    n_jobs : the number of threads, as in joblib
    """

    def __init__(
        self,
        searcher: Searcher,
        n_restarts: int = 0,
        spread: float = 3.0,
        seed: int = 0,
        n_jobs: int | None = None,
    ):
        self.searcher, self.n_restarts, self.spread = searcher, n_restarts, spread
        self.seed, self.n_jobs = seed, n_jobs
        self.needs = searcher.needs

    def __call__(self, function: Function, start: np.ndarray, limits: np.ndarray) -> SearchTrace:
        if not self.n_restarts:
            return self.searcher.seeded(self.seed)(function, start, limits)
        random = np.random.default_rng(self.seed)
        moves = random.uniform(-self.spread, self.spread, (self.n_restarts, len(start)))
        starts = [start, *np.clip(start + moves, limits[:, 0], limits[:, 1])]
        with threadpool_limits(limits=1):
            traces = Parallel(n_jobs=self.n_jobs, prefer="threads")(
                delayed(self._search)(function, point, limits, self.seed + number)
                for number, point in enumerate(starts)
            )
        return merge_traces(traces)

    def _search(
        self, function: Function, start: np.ndarray, limits: np.ndarray, seed: int
    ) -> SearchTrace:
        with threadpool_limits(limits=1):
            fresh = getattr(function, "fresh", lambda: function)
            return self.searcher.seeded(seed)(fresh(), start, limits)


def merge_traces(traces: list[SearchTrace]) -> SearchTrace:
    """One trace of several searches: all points, and the reason of the best one.

    The reason says how far apart the optima are: a wide spread means that the start decides.
    """
    number = min(range(len(traces)), key=lambda k: traces[k].lowest)
    best = traces[number]
    worst = max(trace.lowest for trace in traces)
    spread = f"optima from {best.lowest:.4g} to {worst:.4g}"
    offsets = np.cumsum([0.0, *(trace.seconds[-1] for trace in traces)])
    return SearchTrace(
        points=[point for trace in traces for point in trace.points],
        values=[value for trace in traces for value in trace.values],
        gradient_norms=[norm for trace in traces for norm in trace.gradient_norms],
        seconds=[
            offset + second
            for offset, trace in zip(offsets, traces, strict=False)
            for second in trace.seconds
        ],
        reason=f"best of {len(traces)} searches ({spread}): {best.reason}",
        converged=best.converged,
        optima=traces,
        chose=None if best.chose is None else sum(map(len, traces[:number])) + best.chose,
    )
