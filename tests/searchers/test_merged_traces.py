"""Several searches as one: the reason, the end and the point are those of the best."""

import numpy as np

from kernelwise.searchers import SearchTrace, merge_traces


def trace_of(values, reason, converged):
    points = [np.array([value]) for value in values]
    return SearchTrace(points, list(values), [1.0] * len(values), [0.1, 0.2], reason, converged)


def test_the_best_search_speaks():
    first, best = trace_of([5.0, 3.0], "too early", False), trace_of([6.0, 2.0], "at last", True)
    for traces in ([first, best], [best, first]):
        merged = merge_traces(traces)
        assert merged.best_value == 2.0 and merged.best_point == [2.0]
        assert merged.converged and merged.reason.endswith("(optima from 2 to 3): at last")


def test_the_best_search_chooses_where_it_knows_no_values():
    """Its own index, counted from the first point of the first search."""
    unknown = [trace_of([np.nan, np.nan], "one", True), trace_of([np.nan, np.nan], "two", True)]
    unknown[0].chose, unknown[1].chose = 1, 0
    assert merge_traces(unknown).best == 1
    assert merge_traces(unknown[::-1]).best == 0
