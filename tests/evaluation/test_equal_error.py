"""The equal error rate against its definition, and against every threshold."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelwise.evaluation import equal_error_rate


def by_force(positive, scores):
    """The crossing of the two shares of errors along the straight pieces of the ROC curve."""
    points = [(0.0, 1.0)]  # falsely accepted, missed
    for threshold in sorted(set(scores), reverse=True):
        accepted = scores >= threshold
        points.append((np.mean(accepted[~positive]), np.mean(~accepted[positive])))
    for (a, b), (c, d) in pairwise(points):
        if c >= d:
            fine = np.linspace(0, 1, 20001)
            both = np.maximum(a + fine * (c - a), b + fine * (d - b))
            return both.min()
    raise AssertionError("the last threshold accepts everything")


@given(st.lists(st.tuples(st.booleans(), st.integers(-4, 4)), min_size=2, max_size=30))
def test_it_is_where_the_two_errors_meet(cases):
    positive, scores = (np.array(column) for column in zip(*cases, strict=True))
    if positive.all() or not positive.any():
        with pytest.raises(ValueError, match="cases to be found, and others"):
            equal_error_rate(positive, scores)
        return
    found = equal_error_rate(positive, scores.astype(float))
    assert found == pytest.approx(by_force(positive, scores), abs=1e-4)
    assert equal_error_rate(~positive, -scores) == pytest.approx(found), "either kind may be sought"


@pytest.mark.parametrize(
    ("scores", "rate"),
    [
        ([4, 3, 2, 1], 0.0),
        ([1, 2, 3, 4], 1.0),
        ([0, 0, 0, 0], 0.5),
        ([4, 2, 3, 1], 0.5),
        ([2, 1, 1, 0], 0.25),
    ],
)
def test_known_rates(scores, rate):
    """The first two cases are those to be found."""
    assert equal_error_rate([True, True, False, False], scores) == pytest.approx(rate)
