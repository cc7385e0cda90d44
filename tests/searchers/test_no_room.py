"""Limits that leave one point, or one parameter to search."""

import numpy as np
import pytest
from test_times import EVERY, bowl

from kernelwise import LSSVMClassifier


@pytest.mark.parametrize("searcher", EVERY, ids=lambda searcher: type(searcher).__name__)
def test_limits_that_leave_one_point(searcher):
    trace = searcher(bowl, np.array([1.0, -2.0]), np.array([[1.0, 1.0], [-2.0, -2.0]]))
    assert trace.converged and "limit was reached" not in trace.reason
    np.testing.assert_array_equal(trace.points, [[1.0, -2.0]] * len(trace))
    assert trace.best_value == 5.0


@pytest.mark.parametrize("searcher", EVERY, ids=lambda searcher: type(searcher).__name__)
def test_limits_that_leave_one_parameter(searcher):
    trace = searcher(bowl, np.array([1.0, -2.0]), np.array([[1.0, 1.0], [-5.0, 5.0]]))
    assert (np.array(trace.points)[:, 0] == 1.0).all()
    assert trace.best_value == pytest.approx(1.0, abs=0.05)


def test_columns_whose_spread_is_rounding_are_survived():
    """Their Gram matrix is so small that the regularization ends at the least there is."""
    random = np.random.default_rng(0)
    X = 1e9 + 1e-6 * random.normal(size=(40, 2))
    model = LSSVMClassifier("linear", "evidence").fit(X, random.integers(2, size=40))
    assert model.trace_.converged and model.regularization_ == pytest.approx(1e-10)
    assert np.isfinite(model.decision_function(X)).all()
