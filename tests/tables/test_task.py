"""One rule decides between classes and quantities, for tables and estimators alike."""

import numpy as np
import pandas as pd
import pytest

from kernelwise.data.kinds import Reader
from kernelwise.data.target import read_target
from kernelwise.tables.targets import coded_targets
from kernelwise.tables.task import look_like_classes

NUMBERS = {
    "two values": ([0, 1], True),
    "two values as decimals": ([-1.0, 1.0] * 9, True),
    "1 to 6 on 18 rows": ([1, 2, 3, 4, 5, 6] * 3, True),
    "10 values": (list(range(10)) * 2, True),
    "10 values, one of them twice": ([*range(10), 3], True),
    "11 values": (list(range(11)) * 50, False),
    "3 values, all different": ([1, 2, 3], False),
    "halves": ([0.5, 1.5] * 9, False),
    "whole numbers and one half": ([1, 2, 1.5] * 9, False),
    "an infinite value": ([1, 2, 1, 2, np.inf], False),
    "a gap": ([1, 2, 1, 2, np.nan], False),
    "one value": ([3, 3, 3], True),
}


@pytest.mark.parametrize(("values", "classes"), NUMBERS.values(), ids=NUMBERS)
def test_numbers(values, classes):
    assert look_like_classes(values) is classes
    assert look_like_classes(np.array(values, dtype=object)) is classes
    assert look_like_classes(np.reshape(values, (-1, 1))) is classes


@pytest.mark.parametrize(
    "values", [["a", "b", "c"], [True, False], np.array([True, 2.5], object), np.array(["1", 2])]
)
def test_text_and_booleans_are_classes_however_few(values):
    assert look_like_classes(values) is True


@pytest.mark.parametrize("values", [[], [[1, 2], [3, 4]], np.array(["2020-01-01"], "M8[D]")])
def test_nothing_several_columns_and_dates_are_no_classes(values):
    assert look_like_classes(values) is False


@pytest.mark.parametrize(
    "values",
    [values for values, _ in NUMBERS.values() if np.isfinite(values).all() and np.ptp(values)],
)
def test_a_table_and_an_estimator_agree(values):
    task = read_target(pd.Series(values, name="y"), "auto", Reader()).task
    coded = coded_targets(values, len(values), "auto", None)
    assert (coded.classes is not None) is (task == "classification")


def test_the_folds_of_a_table_agree_with_it():
    y = np.random.default_rng(0).permutation(np.repeat(np.arange(9), 4))
    folds = np.arange(len(y)) % 5
    assert look_like_classes(y)
    assert all(look_like_classes(y[folds != fold]) for fold in range(5))
