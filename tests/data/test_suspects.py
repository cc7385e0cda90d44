"""Columns that would mislead: each is left out, or warned of, with a reason."""

import numpy as np
import pandas as pd
import pytest

from kernelwise.data import DataError, Dataset, Wishes

ROWS = 40
CLASSES = np.where(np.arange(ROWS) < 20, "a", "b")
generator = np.random.default_rng(0)


def read(target=CLASSES, wishes=None, **columns):
    frame = pd.DataFrame({**columns, "noise": generator.normal(size=ROWS), "y": target})
    return Dataset.from_frame(frame, "y", wishes=wishes)


def said(table, name):
    return [check.code for check in table.checks if f"'{name}'" in check.text]


@pytest.mark.parametrize("name", ["patient_id", "id", "PatientId", "ID", "row", "Sample No", "idx"])
def test_ids_are_left_out(name):
    for numbers in (1000 + 7 * np.arange(ROWS), generator.permutation(ROWS) + 300):
        table = read(**{name: numbers})
        assert name not in table.features and said(table, name) == ["KW206"]
    kept = read(wishes=Wishes(features=(name, "noise")), **{name: numbers})
    assert name in kept.features


@pytest.mark.parametrize("name", ["grade", "width", "idea", "hybrid", "paid", "x", "keyboard"])
def test_other_names_are_no_ids(name):
    table = read(**{name: generator.permutation(ROWS) + 300})
    assert name in table.features and not said(table, name)


@pytest.mark.parametrize("first", [0, 1])
def test_row_numbers_are_left_out_whatever_their_name(first):
    table = read(x=np.arange(ROWS) + first)
    assert "x" not in table.features and said(table, "x") == ["KW206"]


def test_rising_whole_numbers_are_warned_of():
    table = read(year=1950 + np.arange(ROWS), target=generator.permutation(CLASSES))
    assert "year" in table.features and said(table, "year") == ["KW207"]
    only = Dataset.from_frame(pd.DataFrame({"x": range(ROWS), "y": CLASSES}), "y")
    assert list(only.features) == ["x"] and said(only, "x") == ["KW207"]


def test_a_nameless_first_column_is_left_out():
    table = read(**{"Unnamed: 0": generator.permutation(ROWS) + 5})
    assert list(table.features) == ["noise"] and said(table, "Unnamed: 0") == ["KW206"]


def test_labels_of_noise_sorted_by_class_are_not_learned_through_an_id():
    """The table that once had an honest error of 4 %."""
    table = read(patient_id=np.arange(1, 2 * ROWS, 2))
    assert list(table.features) == ["noise"]


def test_constant_and_empty_columns_are_left_out():
    table = read(same=1.5, empty=np.nan, one="a", gap=[None, *["a"] * (ROWS - 1)])
    assert list(table.features) == ["noise", "gap"]
    assert [said(table, name) for name in ("same", "empty", "one")] == [["KW208"]] * 3


def test_texts_that_name_rows_are_left_out():
    names = [f"n{i}" for i in range(ROWS)]
    for texts in (names, names[:21] + ["n0"] * 19):
        table = read(name=texts)
        assert list(table.features) == ["noise"] and said(table, "name") == ["KW205"]
    assert "name" in read(name=names, wishes=Wishes(categorical=("name",))).features
    assert "name" in read(name=names[:20] + names[:20]).features


@pytest.mark.parametrize(
    "target", [CLASSES, np.arange(ROWS) % 2, np.arange(ROWS) % 2 == 0, generator.normal(size=ROWS)]
)
def test_copies_of_the_target_are_left_out(target):
    target = generator.permutation(target)
    table = read(copy=target, target=target)
    assert list(table.features) == ["noise"] and said(table, "copy") == ["KW209"]
    kept = read(copy=target, target=target, wishes=Wishes(features=("copy", "noise")))
    assert "copy" in kept.features and said(kept, "copy") == ["KW210"]


def test_columns_that_decide_the_target_are_warned_of():
    target = generator.permutation(CLASSES)
    quantity = generator.normal(size=ROWS)
    recoded = np.where(target == "a", "no", "yes")
    above = np.where(target == "a", 1.0, 2.0) + generator.random(ROWS) / 2
    assert said(read(recoded=recoded, target=target), "recoded") == ["KW210"]
    assert said(read(above=above, target=target), "above") == ["KW210"]
    assert said(read(scaled=3 - 2 * quantity, target=quantity), "scaled") == ["KW210"]
    tied = np.sqrt(np.arange(1.0, ROWS + 1))
    assert said(read(tied=tied), "tied") == ["KW210"]
    tied[20] = tied[19]
    assert not said(read(tied=tied), "tied")
    almost = recoded.copy()
    almost[0] = "yes" if almost[0] == "no" else "no"
    assert not said(read(almost=almost, target=target), "almost")
    assert not said(read(rough=quantity + 0.1 * above, target=quantity), "rough")
    rounded = said(read(rounded=(24 - quantity).round(3), target=quantity), "rounded")
    assert rounded == ["KW210"]
    for gapped in (above.copy(), recoded.astype(object)):
        gapped[:2] = np.nan
        assert said(read(gapped=gapped, target=target), "gapped") == ["KW210"]
    assert "recoded" in read(recoded=recoded, target=target).features


def test_a_gap_does_not_hide_an_id():
    ids = np.where(np.arange(ROWS) == 5, np.nan, 1000 + 7 * np.arange(ROWS))
    table = read(patient_id=ids)
    assert "patient_id" not in table.features and said(table, "patient_id") == ["KW206"]


def test_ids_of_several_rows_are_offered_as_groups():
    patients = np.repeat(np.arange(20), 2) * 7
    for ids in (patients, [f"p{i}" for i in patients]):
        table = read(patient_id=ids, target=generator.permutation(CLASSES))
        assert said(table, "patient_id") == ["KW217"] and "patient_id" in table.features
    labels = np.repeat(generator.permutation(CLASSES[::2]), 2)
    deciding = read(who=np.repeat([f"p{i}" for i in range(8)], 5), target=np.repeat(labels[:8], 5))
    assert not said(deciding, "who") or "KW210" in said(deciding, "who")


def test_texts_that_look_like_numbers_are_left_out_with_care():
    for texts in (
        [f"<{i}.5" for i in range(ROWS)],
        [f"{i}.1k" if i % 2 else f"{i} m" for i in range(ROWS)],
    ):
        table = read(x=texts)
        assert "x" not in table.features and said(table, "x") == ["KW203"]


def test_rows_in_the_order_of_time_are_said():
    days = pd.date_range("2020-01-01", periods=ROWS)
    codes = [check.code for check in read(day=days).checks]
    assert "KW406" in codes
    assert "KW406" not in [check.code for check in read(day=generator.permutation(days)).checks]


def test_nothing_left_is_refused():
    with pytest.raises(DataError, match="every column has a different text"):
        Dataset.from_frame(
            pd.DataFrame({"name": [f"n{i}" for i in range(ROWS)], "y": CLASSES}), "y"
        )
    with pytest.raises(DataError, match="no column is left to learn from: column 'same'"):
        Dataset.from_frame(pd.DataFrame({"same": 1, "y": CLASSES}), "y")
