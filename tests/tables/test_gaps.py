"""Gaps of numeric columns: the weighted median, and the coordinates that say where they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelwise.tables.columns import ColumnEncoder
from kernelwise.tables.gaps import Gaps, weighted_median

GAP = np.nan


@given(
    values=st.lists(st.integers(-3, 3), min_size=1, max_size=9),
    seed=st.integers(0, 10**6),
    unit=st.sampled_from([1.0, 0.1, 1e-9, 1 / 3]),
)
def test_the_weighted_median_is_that_of_repeated_values(values, seed, unit):
    random = np.random.default_rng(seed)
    values, counts = np.array(values, float), random.integers(1, 5, len(values))
    repeated = random.permutation(np.repeat(values, counts))
    assert weighted_median(values, counts * unit) == np.median(repeated)


def test_rounding_of_weights_does_not_move_the_median():
    assert 0.1 + 0.2 > 0.3
    assert weighted_median(np.array([4.0, 6.0]), np.array([0.1 + 0.2, 0.3])) == 5
    assert weighted_median(np.array([4.0, 6.0]), np.array([0.3, 0.1 + 0.2])) == 5


def test_gaps_are_filled_and_shown_after_the_columns():
    numbers = np.array([[1.0, GAP, 5.0], [2.0, 8.0, 5.0], [GAP, 6.0, 7.0], [9.0, GAP, 6.0]])
    gaps = Gaps.learn(numbers, np.array([1.0, 1.0, 1.0, 2.0]), show=True)
    np.testing.assert_array_equal(gaps.shown, [0, 1])
    expected = [[1, 7, 5, 0, 1], [2, 8, 5, 0, 0], [5.5, 6, 7, 1, 0], [9, 7, 6, 0, 1]]
    np.testing.assert_array_equal(gaps.filled(numbers), expected)
    hidden = Gaps.learn(numbers, np.array([1.0, 1.0, 1.0, 2.0]), show=False)
    np.testing.assert_array_equal(hidden.filled(numbers), np.array(expected)[:, :3])


def test_rows_of_weight_zero_and_empty_columns_have_no_say():
    numbers = np.array([[1.0, GAP], [3.0, GAP], [GAP, 4.0]])
    gaps = Gaps.learn(numbers, np.array([1.0, 1.0, 0.0]), show=True)
    assert not len(gaps.shown) and gaps.n_rows == 2
    # The second column has no value in fit: what it holds elsewhere does not count.
    np.testing.assert_array_equal(gaps.filled(numbers), [[1, 0], [3, 0], [2, 0]])


@pytest.mark.parametrize(
    ("show", "names", "expected"),
    [
        (True, ["age", "b"], "column 'age': 1 of 4 values are missing and were filled with its "
         "median, 2; that a value is missing counts as information"),
        (False, None, "column 0: 1 of 4 values are missing and were filled with its median, 2; "
         "that a value is missing is not seen by a kernel object"),
    ],
)  # fmt: skip
def test_a_sentence_for_each_column_with_gaps(show, names, expected):
    numbers = np.array([[1.0, 1.0], [2.0, 1.0], [GAP, 1.0], [9.0, 1.0]])
    assert Gaps.learn(numbers, np.ones(4), show).words(names) == (expected,)


def test_names_and_columns_of_the_coordinates():
    columns = ColumnEncoder(np.empty(0, int))
    columns.learn_gaps(np.array([[1.0, 2.0], [3.0, GAP]]), np.ones(2), ["a", "b"])
    columns.learn_scales(np.ones((2, 3)), np.ones(2))
    assert columns.n_columns == 2 and columns.column_of.tolist() == [0, 1, 1]
    assert columns.coordinate_names(["a", "b"]) == ["a", "b", "gaps of b"]
    assert columns.coordinate_names(None) == ["column 0", "column 1", "gaps of column 1"]
    columns.learn_gaps(np.ones((2, 3)), np.ones(2), None)
    assert columns.coordinate_names(None) is None and not columns.checks
