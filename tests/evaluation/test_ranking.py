"""Mean ranks: exact on small tables, and what must not change them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelwise.evaluation import mean_ranks

# Few values, so that ties are common.
tables = st.integers(2, 5).flatmap(
    lambda k: st.lists(
        st.lists(st.sampled_from([0.0, 0.1, 0.25, 1.0]), min_size=k, max_size=k),
        min_size=2,
        max_size=7,
    ).map(np.array)
)


def ranking(table):
    """Of an array with data sets in rows."""
    return mean_ranks({f"m{j}": column for j, column in enumerate(table.T)})


def test_equal_errors_share_the_mean_of_their_ranks():
    found = mean_ranks({"a": [1, 1, 3], "b": [2, 1, 3], "c": [3, 2, 3]})
    assert found.values == pytest.approx([(1 + 1.5 + 2) / 3, (2 + 1.5 + 2) / 3, (3 + 3 + 2) / 3])
    assert found.ties == (2**3 - 2) + (3**3 - 3)
    assert (found.methods, found.n_datasets) == (("a", "b", "c"), 3)


def test_the_order_and_single_ranks():
    found = mean_ranks({"slow": [3, 2], "good": [1, 1], "bad": [2, np.inf]})
    assert found.order == ("good", "slow", "bad")
    assert found.of("good") == 1
    with pytest.raises(ValueError, match="no method 'best'; the methods are slow, good, bad"):
        found.of("best")


@given(tables)
def test_ranks_equal_the_definition(table):
    """One, plus the better ones, plus half of the other equal ones."""
    better = (table[:, None, :] < table[:, :, None]).sum(axis=2)
    equal = (table[:, None, :] == table[:, :, None]).sum(axis=2) - 1
    expected = (1 + better + equal / 2).mean(axis=0)
    assert ranking(table).values == pytest.approx(expected)
    assert sum(ranking(table).values) == pytest.approx(sum(range(1, table.shape[1] + 1)))


@given(tables, st.randoms(use_true_random=False))
def test_what_does_not_change_ranks(table, random):
    found = ranking(table)
    growing = np.exp(3 * table) - 5  # monotone
    growing *= np.array([random.uniform(0.1, 9) for _ in table])[:, None]  # a unit per data set
    assert ranking(growing) == found
    shuffled = table[random.sample(range(len(table)), len(table))]
    assert ranking(shuffled).values == pytest.approx(found.values)
    columns = random.sample(range(table.shape[1]), table.shape[1])
    renamed = ranking(table[:, columns])
    assert renamed.values == pytest.approx([found.values[j] for j in columns])
    assert renamed.ties == found.ties


@given(tables)
def test_worst_first_turns_ranks_around(table):
    turned = [table.shape[1] + 1 - value for value in ranking(table).values]
    assert ranking(-table).values == pytest.approx(turned)


def test_a_pandas_table_will_do():
    pandas = pytest.importorskip("pandas")
    errors = {"a": [1.0, 2.0, 3.0], "b": [2.0, 1.0, 4.0]}
    assert mean_ranks(pandas.DataFrame(errors)) == mean_ranks(errors)


@pytest.mark.parametrize(
    ("errors", "message"),
    [
        ({"a": [1, 2]}, "at least two methods"),
        ({1: [1, 2], "1": [2, 1]}, "at least two methods with different names"),
        ({"a": [1], "b": [2]}, "at least two data sets"),
        ({"a": [1, 2], "b": [1, 2, 3]}, r"one error per data set; the shapes are .*\(3,\)"),
        ({"a": [[1, 2]], "b": [[1, 2]]}, "one error per data set"),
        ({"a": [1, 2], "b": [1, np.nan]}, "errors of b are missing"),
        ([[1, 2], [2, 1]], "must map each method"),
    ],
)
def test_bad_tables_are_refused(errors, message):
    with pytest.raises(ValueError, match=message):
        mean_ranks(errors)
