"""The fuzzer can fail: readers and estimators made wrong are noticed within some seeds."""

import numpy as np
import pandas as pd
import pytest

from fuzz.manners import Unmannerly
from fuzz.seeds import CHECKS
from kernelwise import LSSVMRegressor, data
from kernelwise.data import delimited, file_bytes, kinds, numbers, texts
from kernelwise.estimators import classifier
from kernelwise.tables import targets


def complaints(what, folder, seeds, enough=1):
    """What the fuzzer has to say about the first seeds that it does not accept."""
    found = []
    for seed in seeds:
        try:
            CHECKS[what](seed, folder)
        except Unmannerly as error:
            found.append(str(error))
            if len(found) == enough:
                break
    return found


def changed_frames(change):
    """A reader whose table is changed before anything is made of it."""
    original = delimited._named

    def named(*arguments):
        frame, checks = original(*arguments)
        return change(frame), checks

    return named


def shifted(frame):
    """Every field in the column after its own."""
    return pd.DataFrame(np.roll(frame.to_numpy(), 1, axis=1), columns=frame.columns)


FRAMES = {
    "columns shifted by one": shifted,
    "the last row dropped": lambda frame: frame.iloc[:-1],
    "rows turned around": lambda frame: frame.iloc[::-1].reset_index(drop=True),
    "a column dropped": lambda frame: frame.drop(columns=frame.columns[0]),
    "one field changed": lambda frame: frame.replace({"0": "1"}),
}


@pytest.mark.parametrize("change", FRAMES.values(), ids=FRAMES)
def test_tables_changed_on_the_way_are_noticed(change, tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "_named", changed_frames(change))
    assert complaints("table", tmp_path, range(1, 20))


def decimals_as_thousands(texts, decimal="."):
    return numbers.numbers_in([text.replace(",", "") for text in texts], ".")


@pytest.mark.parametrize(
    ("module", "name", "wrong"),
    [
        (texts, "numbers_in", decimals_as_thousands),
        (texts, "numbers_in", lambda t, d=".": numbers.numbers_in(t, d).astype("f4").astype(float)),
        (delimited, "_short_rows", lambda names, seen, path: []),
        (kinds.Reader, "_say_inexact", lambda self, name, values: None),
        (texts, "WRITTEN_BY_PROGRAMS", frozenset([""])),
        (texts, "WRITTEN_BY_PEOPLE", frozenset()),
        (delimited, "NAMED_DELIMITER", delimited.re.compile("never")),
        (delimited, "DELIMITERS", (",", ";", "\t")),
        (file_bytes, "BYTE_ORDER_MARKS", {}),
    ],
)
def test_a_reader_with_another_rule_is_noticed(module, name, wrong, tmp_path, monkeypatch):
    monkeypatch.setattr(module, name, wrong)
    assert complaints("table", tmp_path, range(1, 200))


def test_a_reader_that_refuses_everything_is_noticed(tmp_path, monkeypatch):
    def refuse(*arguments, **options):
        raise data.DataError("KW100", "no")

    monkeypatch.setattr(data, "read", refuse)
    assert "an ordinary table is refused" in complaints("table", tmp_path, range(1, 20))[0]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (KeyError("column"), "KeyError is raised"),
        (ValueError("two\nlines"), "several lines"),
        (ValueError("long " * 200), "a message of 1000 characters"),
        (ValueError(""), "an empty message"),
    ],
)
@pytest.mark.parametrize("what", ["table", "array"])
def test_errors_without_manners_are_noticed(wrong, said, what, tmp_path, monkeypatch):
    def fail(*arguments, **options):
        raise wrong

    monkeypatch.setattr(data, "read", fail)
    monkeypatch.setattr(targets, "_check_size", fail)
    assert said in complaints(what, tmp_path, range(1, 20))[0]


def test_a_warning_of_another_library_is_noticed(tmp_path, monkeypatch):
    def warn(values):
        np.float64(1.0) / np.float64(0.0)

    monkeypatch.setattr(targets, "_check_size", warn)
    assert "RuntimeWarning" in complaints("array", tmp_path, range(20))[0]


def test_predictions_that_are_not_finite_are_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(LSSVMRegressor, "_outputs", lambda self, X: np.full((len(X), 1), np.nan))
    for what in ("table", "array"):
        assert "not finite" in complaints(what, tmp_path, range(1, 60))[0]


def test_probabilities_that_do_not_add_up_are_noticed(tmp_path, monkeypatch):
    def halves(self, outputs):
        return np.full((len(outputs), len(self.classes_)), 0.4)

    monkeypatch.setattr(classifier.KernelClassifier, "_probabilities", halves)
    assert "add up to 1" in complaints("array", tmp_path, range(40))[0]
