"""The target: its task, its values, rows without one, and classes that look alike."""

import numpy as np
import pandas as pd
import pytest

from kernelwise.data import DataError, Dataset, Wishes
from kernelwise.data.target import read_truth
from kernelwise.errors import ArgumentError


def read(target, task="auto", **wishes):
    frame = pd.DataFrame({"x": np.arange(len(target)) ** 2 % 11, "y": target})
    return Dataset.from_frame(frame, "y", task, wishes=Wishes(**wishes))


def codes(table):
    return [check.code for check in table.checks if check.code.startswith(("KW3", "KW215"))]


@pytest.mark.parametrize(
    ("target", "task"),
    [
        (["a", "b"] * 10, "classification"),
        ([True, False] * 10, "classification"),
        ([0, 1] * 10, "classification"),
        (["0", "1"] * 10, "classification"),
        ([3.0, 4.0, 5.0, 6.0] * 5, "classification"),
        (list(range(10)) * 5, "classification"),
        (list(range(11)) * 5, "regression"),
        (list(range(20)), "regression"),
        ([1, 2, 3, 4, 5, 6] * 3, "classification"),
        (list(range(8)), "regression"),
        (pd.array([1, 2, 1, 2, 3], dtype="Int64"), "classification"),
        ([0.5, 1.5] * 10, "regression"),
        (["0,5", "1,5"] * 10, "regression"),
        (pd.Categorical([1, 2] * 10), "classification"),
        (["inf", "sup"] * 10, "classification"),
    ],
)
def test_task_detection(target, task):
    table = read(target)
    assert table.task == task
    assert table.task_reason.startswith("it holds")


def test_a_task_can_be_asked_for():
    table = read([0, 1, 0, 1], "regression")
    assert table.task == "regression" and table.target.dtype == float
    with pytest.raises(ArgumentError, match="regression needs numbers") as refused:
        read(list("abab"), "regression")
    assert refused.value.argument == "task"
    quarters = read([0.25, 0.5] * 2, "classification")
    assert list(quarters.target) == ["0.25", "0.5"] * 2


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (["a", None, None], "has 1 value"),
        (["a", "a", "a"], "only one class, 'a'"),
        ([1, 1, 1], "only one class, '1'"),
        ([1.5, 1.5, 1.5], "1.5 in every row"),
        ([1.5, 2.5, np.inf], "has inf in row 3"),
        ([1, 1, 2, 2, np.inf], "has inf in row 5"),
        (["1.5", "", "inf"], "has inf in row 3"),
        ([1.5, 2.5, 1.7e308], "has 1.7e.308 in row 3"),
        (np.arange(12) * 1e-200, "no value beyond.*rescale"),
        (pd.date_range("2020-01-01", periods=9), "holds dates"),
        ([*map(str, np.arange(30) / 7), "high"], "row 31 has 'high'"),
        ([f"n{i}" for i in range(30)], "30 different texts in 30 rows, such as 'n0'"),
    ],
)
def test_bad_targets_say_why(target, message):
    with pytest.raises(DataError, match=f"target 'y'.*{message}"):
        read(target)


def test_rows_without_a_target_are_left_out_and_said():
    table = read(["a", None, "b", "NA"] * 10)
    assert len(table.target) == len(table.features) == 20
    assert list(table.features["x"][:2]) == [0, 4]
    assert codes(table) == ["KW215", "KW301"]
    assert "missing in 20 of 40 rows (first: row 2, counted from 1)" in table.notes[1]
    kept = read(["a", "NA"] * 10, missing=())
    assert sorted(set(kept.target)) == ["NA", "a"]


@pytest.mark.parametrize("words", ["?", " - ", "missing", "unknown"])
def test_words_for_gaps_in_a_target_of_numbers_are_rows_without(words):
    table = read(["1.5", "2.5", words, "4"] * 10)
    assert table.task == "regression" and len(table.target) == 30
    classes = read(["yes", "no", words] * 10)
    assert len(classes.target) == 30 and "KW303" in codes(classes)


def test_numbers_of_the_target_are_said_if_they_have_marks():
    table = read(["0,637", "0,568", "1,25"] * 10)
    assert list(table.target[:3]) == [0.637, 0.568, 1.25]
    assert any("'0,637' in 'y' as 0.637" in note for note in table.notes)
    assert list(read(["12 kg", "7.5 kg", "3 kg"] * 10).target[:2]) == [12, 7.5]
    names = read([f"n{i}" for i in range(30)], "classification")
    assert len(set(names.target)) == 30


def test_named_gaps_of_a_typed_target_are_left_out():
    table = read([1.5, -999.0, 2.5, 4.0] * 10, missing=("-999",))
    assert len(table.target) == 30 and table.target.min() == 1.5
    assert len(read([0, 1, -999] * 10, missing=("-999",)).target) == 20


def test_the_truth_is_read_as_the_target_was():
    known = read(["0,637", "0,568", "6,604"] * 10).target_column
    values = read_truth(pd.Series(["6,604", "?", "0,5"], name="y"), "regression", known)[1]
    assert list(values) == [6.604, 0.5]
    grams = read(["12 kg", "7.5 kg", "3 kg"] * 10).target_column
    with pytest.raises(DataError, match="holds text such as '500 g'"):
        read_truth(pd.Series(["500 g", "700 g"], name="y"), "regression", grams)
    codes = read(["01", "02"] * 10).target_column
    labels = read_truth(pd.Series(["01", "02", "new"], name="y"), "classification", codes)[1]
    assert list(labels) == ["1", "2", "new"]


def test_class_names_that_look_alike():
    blanks = read(["yes", "yes ", "no", " no"] * 5)
    assert sorted(set(blanks.target)) == ["no", "yes"] and codes(blanks) == ["KW303"]
    case = read(["Yes", "yes", "no", "no"] * 5)
    assert sorted(set(case.target)) == ["Yes", "no", "yes"] and codes(case) == ["KW303"]
    assert not codes(read(["yes", "no", "maybe", "no"] * 5))


def test_whole_numbers_beyond_doubles_stay_apart():
    big = 2**53
    for target in ([big, big + 1] * 10, [str(big), str(big + 1)] * 10):
        table = read(target)
        assert table.task == "classification"
        assert sorted(set(table.target)) == [str(big), str(big + 1)]


def test_rare_classes_are_said():
    assert codes(read(["a", "b"] * 20 + ["c"])) == ["KW302"]
    assert codes(read(["a"] * 95 + ["b"] * 5)) == ["KW306"]
    assert codes(read(["a"] * 30 + ["b"] * 10)) == []


def test_dates_are_no_target_unless_they_are_said_to_be_classes():
    days = [f"2020-01-{1 + row % 3:02}" for row in range(12)]
    with pytest.raises(DataError, match="target 'y' holds dates such as '2020-01-01'") as refused:
        read([*days, "unknown"])
    assert refused.value.check.code == "KW305"
    assert set(read(days, "classification").target) == set(days)
