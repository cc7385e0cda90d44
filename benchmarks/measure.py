"""Measurements: interleaved, in CPU seconds, as medians of ratios."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from scipy.linalg import lapack

FLOOR = "F: potrf + potri"

# A task prepares, untimed, and returns what is to be timed.
Run = Callable[[], Any]
Task = Callable[[], Run]


def seconds(run: Run) -> float:
    """CPU seconds of one run: with one thread, its time without waiting for others."""
    start = time.process_time()
    run()
    return time.process_time() - start


def interleaved(tasks: dict[str, Task], repeats: int) -> dict[str, list[float]]:
    """Seconds of every task in every round; each round runs all tasks once.

    A disturbance of the machine then affects all tasks of a round alike, and cancels in the ratios
    within the round. A first, uncounted round warms up.
    """
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for counted in [False] + [True] * repeats:
        for name, task in tasks.items():
            spent = seconds(task())
            if counted:
                times[name].append(spent)
    return times


def ratio(times: dict[str, list[float]], name: str, to: str = FLOOR) -> float:
    """The median over rounds of one task's time relative to another's."""
    return median(a / b for a, b in zip(times[name], times[to], strict=True))


def spread(times: dict[str, list[float]], name: str, to: str = FLOOR) -> str:
    """The absolute median, and the middle half of the ratios over the rounds."""
    ratios = [a / b for a, b in zip(times[name], times[to], strict=True)]
    low, high = np.quantile(ratios, [0.25, 0.75])
    return f"{median(times[name]):.3f} s, rounds {low:.2f}-{high:.2f}"


def floor(n: int) -> Task:
    """One Cholesky factorization and its inverse, in place: what no method can avoid."""
    random = np.random.default_rng(0)
    half = random.standard_normal((n, 50))
    matrix = np.asfortranarray(half @ half.T + n * np.eye(n))

    def factor_and_invert(own: np.ndarray) -> None:
        factor, failed = lapack.dpotrf(own, lower=1, clean=0, overwrite_a=1)
        lapack.dpotri(factor, lower=1, overwrite_c=1)
        assert not failed

    return lambda: partial(factor_and_invert, matrix.copy(order="F"))


def peak_bytes(run: Run) -> int:
    """The most memory that Python and numpy held at once during a run, beyond that before."""
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
