"""Normal scores of columns."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from kernelwise.tables.normal_scores import NormalScores

NONE = np.empty(0, int)


def test_scores_are_normal_quantiles_of_ranks():
    column = np.array([3.0, 1.0, 2.0, 7.0, 5.0, 4.0, 6.0, 8.0, 9.0])
    scores = NormalScores.learn(column[:, None], np.ones(9), NONE)(column[:, None])[:, 0]
    np.testing.assert_allclose(scores, norm.ppf((column - 0.5) / 9))


def test_scores_are_linear_between_values_and_end_with_them():
    column = np.arange(10.0)[:, None]
    learned = NormalScores.learn(column, np.ones(10), NONE)
    low, between, high = learned(np.array([[-5.0], [2.5], [99.0]]))[:, 0]
    known = learned(column)[:, 0]
    assert low == known[0] and high == known[-1]
    assert between == (known[2] + known[3]) / 2


@given(st.lists(st.integers(1, 4), min_size=9, max_size=9))
def test_a_row_of_weight_two_is_a_repeated_row(weights):
    column = np.array([3.0, 1.0, 2.0, 7.0, 5.0, 4.0, 6.0, 8.0, 9.0])[:, None]
    weighted = NormalScores.learn(column, np.array(weights, float), NONE)(column)
    repeated = np.repeat(column, weights, axis=0)
    np.testing.assert_allclose(
        weighted, NormalScores.learn(repeated, np.ones(len(repeated)), NONE)(column)
    )


def test_scores_do_not_change_with_a_rising_function():
    column = np.random.default_rng(0).normal(size=(50, 1))
    one = NormalScores.learn(column, np.ones(50), NONE)(column)
    other = NormalScores.learn(np.exp(column), np.ones(50), NONE)(np.exp(column))
    np.testing.assert_allclose(one, other)


def test_categories_and_columns_of_few_values_stay():
    random = np.random.default_rng(0)
    rows = np.column_stack([random.normal(size=40), random.integers(0, 3, 40), np.arange(40.0)])
    found = NormalScores.learn(rows, np.ones(40), np.array([2]))(rows)
    np.testing.assert_array_equal(found[:, 1:], rows[:, 1:])
    assert not np.allclose(found[:, 0], rows[:, 0])


def test_many_values_are_thinned_without_losing_order():
    column = np.random.default_rng(0).normal(size=(5000, 1)) ** 3
    learned = NormalScores.learn(column, np.ones(5000), NONE)
    assert len(learned.knots[0]) == 500
    scores = learned(np.sort(column, axis=0))[:, 0]
    assert (np.diff(scores) >= 0).all()
    whole = norm.ppf((np.arange(5000) + 0.5) / 5000)
    np.testing.assert_allclose(scores[50:-50], whole[50:-50], atol=0.05)
