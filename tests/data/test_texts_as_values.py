"""Texts as numbers, dates and gaps: each spelling against the value it stands for."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelwise.data import Dataset, Wishes
from kernelwise.data.dates import DateForm, dates_in, form_of, parts_of
from kernelwise.data.numbers import decimal_marks, is_plain_number, numbers_in
from kernelwise.data.texts import Texts, level_text

DAYS = [f"2020-01-{day:02}" for day in range(1, 20)]
Y = ["a", "a", "b", "b", "a", "b", "b", "b"] * 5


def dataset(values, delimiter=None, **wishes):
    """A table of one column beside a number, as it is read from texts."""
    frame = pd.DataFrame({"x": values, "other": np.arange(len(values)) ** 2 % 7})
    frame["y"] = Y[: len(values)]
    return Dataset.from_frame(frame, "y", wishes=Wishes(**wishes), delimiter=delimiter)


def codes(table):
    return {check.code for check in table.checks if "'x'" in check.text}


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        ("1.5", ".", 1.5),
        ("-1.5e-3", ".", -1.5e-3),
        (".5", ".", 0.5),
        ("1,234.5", ".", 1234.5),
        ("1,234,567", ".", 1234567),
        ("1,5", ",", 1.5),
        ("1.234,5", ",", 1234.5),
        ("1 234,5", ",", 1234.5),
        ("1'234.5", ".", 1234.5),
        ("€ 1,50", ",", 1.5),
        ("-$1,234.50", ".", -1234.5),
        ("12 %", ".", 12),
        ("\u22125", ".", -5),
        ("inf", ".", np.inf),
        ("1,5", ".", np.nan),
        ("12,34", ".", np.nan),
        ("1.5", ",", np.nan),
        ("1_000", ".", np.nan),
        ("0x10", ".", np.nan),
        ("nan", ".", np.nan),
        ("1-2", ".", np.nan),
        ("", ".", np.nan),
    ],
)
def test_numbers(text, decimal, value):
    np.testing.assert_array_equal(numbers_in([text], decimal), [value])
    np.testing.assert_array_equal(numbers_in([text, "7"], decimal), [value, 7])


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5))
def test_numbers_as_programs_write_them_are_exact(values):
    np.testing.assert_array_equal(numbers_in([repr(value) for value in values]), values)
    assert all(is_plain_number(repr(value)) for value in values)
    commas = [repr(value).replace(".", ",") for value in values]
    np.testing.assert_array_equal(numbers_in(commas, ","), values)


def test_what_texts_say_about_the_decimal_mark():
    assert decimal_marks(["1,5", "2,25", "1.234,5", "1.234.567"]) == (4, 0)
    assert decimal_marks(["1.5", "1,234.5", "1,234,567"]) == (0, 3)
    assert decimal_marks(["1,234", "1.234", "12", "a,b", "1,2,3"]) == (0, 0)


@pytest.mark.parametrize(
    ("values", "delimiter", "expected", "said"),
    [
        (["1,5", "2,25"], ";", [1.5, 2.25], "KW202"),
        (["1,5", "2,25"], ",", [1.5, 2.25], "KW202"),
        (["1,234", "5,678"], ";", [1.234, 5.678], "KW202"),
        (["1,234", "5,678"], ",", [1234, 5678], "KW202"),
        (["1.234", "5.678"], ";", [1.234, 5.678], "KW216"),
        (["0,637", "0,568"], ",", [0.637, 0.568], "KW202"),
        (["12 kg", "7,5 kg"], ",", [12, 7.5], "KW202"),
        (["1.234,50 EUR", "USD 12,5"], ";", [1234.5, 12.5], "KW202"),
        (["(1,234.00)", "12.50-"], ",", [-1234, -12.5], "KW202"),
        (["1.234", "5.67"], ";", [1.234, 5.67], None),
        (["1.234", "5.678"], ",", [1.234, 5.678], None),
        (["€ 1.234,50", "€ 2"], ",", [1234.5, 2], "KW202"),
        (["$3", "$1,000"], ",", [3, 1000], "KW202"),
    ],
)
def test_the_decimal_mark_of_a_column(values, delimiter, expected, said):
    table = dataset(values * 10, delimiter)
    assert list(table.features["x"][:2]) == expected
    assert codes(table) == ({said} if said else set())


def test_the_table_decides_where_a_column_cannot():
    frame = pd.DataFrame({"x": ["1.234", "5.678"] * 20, "z": ["0,5", "1,5"] * 20, "y": Y})
    table = Dataset.from_frame(frame, "y", delimiter=";")
    assert list(table.features["x"][:2]) == [1234, 5678]
    forced = Dataset.from_frame(frame, "y", wishes=Wishes(decimal=".", drop=("z",)))
    assert list(forced.features["x"][:2]) == [1.234, 5.678]


@pytest.mark.parametrize("gap", ["?", " - ", "n/a ", "missing", "Unknown", "NA", ".", "#DIV/0!"])
@pytest.mark.parametrize("every", [2, 10])
def test_words_for_gaps_leave_a_column_of_numbers(gap, every):
    values = [gap if i % every == 0 else str(i / 8) for i in range(40)]
    table = dataset(values)
    assert table.numeric_columns == ("x", "other") and codes(table) == {"KW201"}
    expected = [np.nan if i % every == 0 else i / 8 for i in range(40)]
    np.testing.assert_array_equal(table.features["x"], expected)


def test_only_named_texts_are_gaps_if_some_are_named():
    values = ["-9", "1", "2", "3"] * 10
    np.testing.assert_array_equal(
        dataset(values, missing=("-9",)).features["x"][:4], [np.nan, 1, 2, 3]
    )
    country = ["NA", "DE", "FR", "US"] * 10
    table = dataset(country)
    assert codes(table) == {"KW215"} and table.features["x"].isna().sum() == 10
    kept = dataset(country, missing=())
    assert list(kept.features["x"]) == country and not codes(kept)


def test_a_column_that_is_mostly_numbers_is_noted():
    many = [f"<{i}" if i % 11 == 0 else str(i / 8) for i in range(40)]
    table = dataset(many)
    assert "x" in table.numeric_columns and codes(table) == {"KW203"}
    assert table.features["x"].isna().sum() == 4
    half = [f"n{i % 4}" if i % 3 == 0 else str(i / 8) for i in range(40)]
    table = dataset(half, categorical=("other",))
    assert table.numeric_columns == () and codes(table) == {"KW203"}
    few = ["1", "2", "3", "many"] * 10
    table = dataset(few)
    assert table.categorical_columns == ("x",) and codes(table) == {"KW203"}
    assert dataset(few, numeric=("x",)).numeric_columns == ("x", "other")
    assert dataset(["1", "2"] * 10, categorical=("x",)).categorical_columns == ("x",)


@pytest.mark.parametrize(
    ("texts", "form", "unsure"),
    [
        (["2020-01-31", "2020-12-01"], DateForm("year first"), False),
        (["2020/1/31 12:30", "2020/12/1 8:00:30"], DateForm("year first"), False),
        (["2020-01-31T12:30:00Z", "2020-12-01T00:00:00+02:00"], DateForm("year first"), False),
        (["31.1.2020", "1.12.2020"], DateForm("year last", True), False),
        (["1/31/2020", "12/1/2020"], DateForm("year last", False), False),
        (["1/3/2020", "12/1/2020"], DateForm("year last", False), True),
        (["1.3.2020", "12.1.2020"], DateForm("year last", True), True),
        (["31-Jan-2020", "1-Dec-2020"], DateForm("named"), False),
        (["11/11/07", "11/16/07"], DateForm("year last", False), True),
        (["12:30", "08:05"], DateForm("clock"), False),
        (["2020-01-31", "unknown"], None, False),
        ([*DAYS, "0000-00-00"], DateForm("year first"), False),
        (["2020-13-31"], None, False),
        (["31/31/2020"], None, False),
        (["12.5", "13.5"], None, False),
        (["1-2", "3-4"], None, False),
        ([], None, False),
    ],
)
def test_forms_of_dates(texts, form, unsure):
    found = form_of(texts)
    assert found == (form, unsure) or (found[0] is None and form is None)


@given(st.datetimes(min_value=pd.Timestamp("1970-01-01"), max_value=pd.Timestamp("2068-12-31")))
def test_dates_are_those_of_the_calendar(moment):
    spelled = {
        DateForm("year first"): f"{moment:%Y-%m-%d %H:%M:%S}",
        DateForm("year last", True): f"{moment:%d.%m.%Y %H:%M:%S}",
        DateForm("year last", False): f"{moment:%m/%d/%y %H:%M:%S}",
        DateForm("named"): f"{moment:%d %b %Y %H:%M:%S}",
    }
    day = moment.replace(microsecond=0)
    for form, text in spelled.items():
        (found,) = dates_in([text], form)
        assert found == np.datetime64(day), (form, text)
    parts = parts_of(np.array([day], "datetime64[us]"), 0.0, ("days", "weekday", "month", "hour"))
    assert parts["weekday"][0] == day.weekday() and parts["month"][0] == day.month
    assert parts["hour"][0] == pytest.approx(day.hour + day.minute / 60 + day.second / 3600)
    since = (day - pd.Timestamp("1970-01-01")).total_seconds() / 86400
    assert parts["days"][0] == pytest.approx(since, abs=1e-9)


def test_a_column_of_dates_becomes_numbers_that_vary():
    days = pd.date_range("2020-02-27", periods=40, freq="D")
    table = dataset([f"{day:%d.%m.%Y}" if i else "unknown" for i, day in enumerate(days)])
    assert table.numeric_columns[:3] == ("x (days)", "x (weekday)", "x (month)")
    np.testing.assert_array_equal(table.features["x (days)"], [np.nan, *range(39)])
    assert list(table.features["x (month)"][1:4]) == [2, 2, 3]
    assert codes(table) == {"KW201", "KW204", "KW406"}
    typed = dataset(days)
    assert list(typed.features["x (days)"]) == list(range(40))


def test_a_few_texts_among_dates_are_gaps():
    days = [f"{day}.1.2020" for day in range(1, 30)]
    table = dataset([*days, "30.2.2020", *["3.1.2020"] * 10])
    assert "x (days)" in table.numeric_columns and codes(table) >= {"KW203", "KW204"}
    assert table.features["x (days)"].isna().sum() == 1


def test_thousands_that_are_never_below_a_thousand():
    many = [f"{n // 1000}.{n % 1000:03}" if n > 999 else str(n) for n in range(700, 9000, 173)]
    assert len(many) > 45
    frame = pd.DataFrame({"x": many, "y": Y[:8] * 6})
    table = Dataset.from_frame(frame, "y", delimiter=";")
    assert list(table.features["x"]) == list(range(700, 9000, 173)) and codes(table) >= {"KW216"}
    few = Dataset.from_frame(frame[:20], "y", delimiter=";")
    assert few.features["x"][5] == 1.565 and codes(few) >= {"KW216"}


def test_numbers_that_may_stand_for_a_gap():
    values = [str(i % 13) for i in range(38)] + ["-999"] * 2
    table = dataset(values)
    assert codes(table) == {"KW218"} and table.features["x"].min() == -999
    for typed in (values, [float(value) for value in values]):
        assert dataset(typed, missing=("-999",)).features["x"].isna().sum() == 2
    assert not codes(dataset([str(i * 11) for i in range(10)] * 4))


def test_booleans_are_the_same_however_they_are_written():
    for spelled in (["TRUE", "FALSE"], ["true", "false"], [True, False], ["True", "False"]):
        levels = dataset(spelled * 20).features["x"]
        assert list(levels[:2]) == ["True", "False"]


def test_texts_and_gaps():
    texts = Texts.of(pd.Series([" a", "a ", None, "1.0", 1, 1.0, "", "01"], dtype=object))
    assert texts.levels == ["a", "1.0", "1", "01"] and texts.written == ["a", "1.0", "01"]
    assert list(texts.codes) == [0, 0, -1, 1, 2, 2, -1, 3]
    assert list(texts.as_levels()[3:6]) == ["1", "1", "1"]
    assert level_text("1.50") == "1.50" and level_text(2.0) == "2" and level_text("-3.0") == "-3.0"


def test_thousands_keep_their_zeros():
    values = ["1.000", "2.000", "12.000", "1.500", "750", "2.345"] * 6
    table = dataset(values, ";", decimal=",")
    assert list(table.features["x"][:6]) == [1000, 2000, 12000, 1500, 750, 2345]


def test_years_of_two_digits_are_those_of_posix():
    for form, texts in (
        (DateForm("named"), ["1-Jan-69", "1-Jan-75", "1 January 68"]),
        (DateForm("year last", True), ["1.1.69", "1.1.75", "1.1.68"]),
    ):
        years = dates_in(texts, form).astype("datetime64[Y]").astype(int) + 1970
        assert list(years) == [1969, 1975, 2068]
