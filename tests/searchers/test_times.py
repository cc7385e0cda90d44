"""Times of a trace are seconds since its search began, and never go back."""

import time

import numpy as np
import pytest

from kernelwise.searchers import (
    AdaptiveGradient,
    Evaluation,
    GaussNewton,
    MultiStart,
    NelderMead,
    QuadraticBelief,
    QuasiNewton,
    RandomWalk,
    Relay,
    Rprop,
    TrustRegion,
)

EVERY = [
    AdaptiveGradient(50),
    GaussNewton(),
    NelderMead(),
    QuadraticBelief(),
    QuasiNewton(),
    RandomWalk(100),
    Relay(QuasiNewton(), Rprop()),
    Rprop(),
    TrustRegion(),
    MultiStart(QuasiNewton(), n_restarts=3),
]
TWICE = Relay(QuasiNewton(max_iterations=0), Rprop())


def bowl(point):
    return Evaluation(float(point @ point), 2 * point, 2 * np.eye(len(point)))


@pytest.mark.parametrize("searcher", [*EVERY, TWICE], ids=lambda one: type(one).__name__)
def test_seconds_since_the_search_began(searcher):
    began = time.perf_counter()
    trace = searcher(bowl, np.array([1.0, -2.0]), np.array([[-5.0, 5.0]] * 2))
    elapsed = time.perf_counter() - began
    seconds = np.array(trace.seconds)
    assert len(seconds) == len(trace) > 1
    assert seconds[0] >= 0 and (np.diff(seconds) >= 0).all() and seconds[-1] <= elapsed
