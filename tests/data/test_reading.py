"""Tables: reading, the kinds of columns, the task, and the pipeline behind them."""

import datetime
import gzip
import re

import numpy as np
import pandas as pd
import pytest

from kernelwise import LSSVMClassifier, LSSVMRegressor
from kernelwise.data import Dataset, match_columns, read_table, write_table
from kernelwise.data.columns import column_kinds, normalize
from kernelwise.data.pipeline import table_pipeline
from kernelwise.data.target import detect_task
from kernelwise.errors import ArgumentError
from kernelwise.tables.columns import UnseenLevelWarning


@pytest.fixture
def frame():
    """Twelve rows with a number, a text and a boolean column, with gaps."""
    generator = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "size": [np.nan, *generator.normal(size=11)],
            "color": [None, *["red", "green", "blue"] * 3, "red", "green"],
            "sold": [True, False] * 6,
            "label": ["yes", "no"] * 6,
        }
    )


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".tsv", ".parquet"])
def test_a_table_survives_writing_and_reading(frame, tmp_path, suffix):
    path = tmp_path / f"table{suffix}"
    write_table(frame, path)
    pd.testing.assert_frame_equal(read_table(path), frame, check_dtype=False)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.csv", b"", "is empty"),
        ("blank.csv", b"\n\n", "is empty"),
        ("header.csv", b"a,b\n", "no rows"),
        ("quote.csv", b'a,b\n1,"2\n', "not a well-formed CSV"),
        ("latin.csv", b"a,b\n1,caf\xe9\n", "UTF-8"),
        ("semicolons.csv", b"a;b\n1;2\n", "semicolons"),
        ("decimal-commas.csv", b"a;b\n1,5;2,5\n", "semicolons"),
        ("tabs.csv", b"a\tb\n1\t2\n", "tabs"),
        ("zipped.csv.gz", b"not gzip", "cannot be read"),
        ("garbled.csv.gz", gzip.compress(b"a,b\n", mtime=0)[:10] + b"\xff" * 9, "cannot be read"),
        ("bad.parquet", b"a,b\n1,2\n", "not a readable Parquet"),
        ("empty.parquet", b"", "not a readable Parquet"),
        ("table.xlsx", b"a", "must end in one of"),
    ],
)
def test_unreadable_tables_say_why(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        read_table(path)


@pytest.mark.parametrize(
    ("name", "content", "line", "fields", "names"),
    [
        ("first.csv", b"a,b,y\n1,2,3,\n4,5,6,\n", 2, 4, 3),
        ("two-more.csv", b"a,b\n1,2,,\n", 2, 4, 2),
        ("later.csv", b"a,b\n1,2\n1\n1,2,3\n", 4, 3, 2),
        ("one.csv", b"a\n1,\n", 2, 2, 1),
        ("blank-lines.csv", b"\n\na,b\n\n   \n1,2,3\n", 6, 3, 2),
        ("bom-and-crlf.csv", b'\xef\xbb\xbf"a","b"\r\n1,2\r\n1,2,\r\n', 3, 3, 2),
        ("carriage-returns.csv", b"a,b\r1,2\r1,2,3\r", 3, 3, 2),
        ("newlines-in-quotes.csv", b'a,b\n"x\ny, z\n",1\n"p,q",2,\n', 5, 3, 2),
        ("newline-in-header.csv", b'"a\nb",c\n1,2,3\n', 3, 3, 2),
        ("tabs.tsv", b"a\tb\n1\t2\t\n", 2, 3, 2),
        ("zipped.csv.gz", gzip.compress(b"a,b\n1,2,\n", mtime=0), 2, 3, 2),
        ("zipped.tsv.gz", gzip.compress(b'a\tb\n"1\n"\t2\n1\t2\t3\n', mtime=0), 4, 3, 2),
        ("not-utf-8.csv", b"a,b\n1,2,\xe9\n", 2, 3, 2),
        ("huge-field.csv", b"a,b\n1," + b"x" * 200_000 + b"\n1,2,3\n", 3, 3, 2),
    ],
)
def test_a_row_longer_than_the_header_is_refused(tmp_path, name, content, line, fields, names):
    path = tmp_path / name
    path.write_bytes(content)
    message = f"{path}, line {line}: the row has {fields} fields, but the header has only {names}:"
    with pytest.raises(ValueError, match=re.escape(message)):
        read_table(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("quoted.csv", b'a, "b, c"\n"x\ny", "2, 3"\np,q\n'),
        ("crlf.csv", b'\xef\xbb\xbf"a","b, c"\r\n"x\ny","2, 3"\r\np,q\r\n'),
        ("tabs.tsv", b'a\tb, c\n"x\ny"\t2, 3\np\tq\n'),
        ("zipped.csv.gz", gzip.compress(b'a,"b, c"\n"x\ny","2, 3"\np,q\n', mtime=0)),
    ],
)
def test_separators_and_newlines_in_quotes_are_no_fields(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    expected = pd.DataFrame({"a": ["x\ny", "p"], "b, c": ["2, 3", "q"]})
    pd.testing.assert_frame_equal(read_table(path), expected)


def test_gaps_at_the_end_of_a_row_are_missing_values(tmp_path):
    (tmp_path / "short.csv").write_bytes(b"a,b,c\n1,2\n3\n4,5,6\n")
    expected = pd.DataFrame({"a": [1, 3, 4], "b": [2, np.nan, 5], "c": [np.nan, np.nan, 6]})
    pd.testing.assert_frame_equal(read_table(tmp_path / "short.csv"), expected)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"a,b,a\n1,2,3\n", "a"),
        (b'\xef\xbb\xbfa,b,"a"\r\n1,2,3\r\n', "a"),
        (b"b,NA, NA\n1,2,3\n", "NA"),
        (b"a,b,a\n1,2,3,4\n", "a"),
    ],
)
def test_a_name_of_two_columns_is_refused(tmp_path, content, name):
    (tmp_path / "table.csv").write_bytes(content)
    with pytest.raises(ValueError, match=f"two columns named '{name}'"):
        read_table(tmp_path / "table.csv")


def test_columns_without_a_name_and_names_with_dots_are_no_repetition(tmp_path):
    (tmp_path / "table.csv").write_bytes(b"a,,a.1,\n1,2,3,4\n")
    assert list(read_table(tmp_path / "table.csv")) == ["a", "Unnamed: 1", "a.1", "Unnamed: 3"]


def test_missing_files_and_folders_are_named(tmp_path):
    with pytest.raises(ValueError, match=r"absent\.csv: no such file"):
        read_table(tmp_path / "absent.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(ValueError, match="is a folder"):
        read_table(tmp_path / "folder.csv")


def test_a_failed_write_leaves_the_old_table(frame, tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    write_table(frame, path)
    before = path.read_bytes()

    def stop_half_way(frame, file, **options):
        file.write_text("half")
        raise OSError("no space left")

    monkeypatch.setattr(pd.DataFrame, "to_csv", stop_half_way)
    with pytest.raises(OSError, match="no space left"):
        write_table(frame[:3], path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_kinds_of_columns(frame):
    numeric, categorical = column_kinds(frame.assign(count=range(12)))
    assert numeric == ("size", "count")
    assert categorical == ("color", "sold", "label")


def test_one_category_has_one_text_in_every_dtype():
    as_read = [
        pd.Series([1, 2], dtype="category"),
        pd.Series([1.0, 2.0]),
        pd.Series(["1", " 2"]),
        pd.Series([1, 2], dtype="Int64"),
    ]
    for series in as_read:
        assert list(normalize(pd.DataFrame({"x": series}), [], ["x"])["x"]) == ["1", "2"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, np.inf], "has inf in row 2"),
        ([-np.inf, 1.0], "has -inf in row 1"),
        ([1.0, 1e300], r"has 1e\+300 in row 2"),
        ([1e-300, 2e-300], "rescale it to ordinary units"),
        ([datetime.datetime(2020, 1, 1)] * 2, "dates or times"),
    ],
)
def test_numbers_that_cannot_be_standardized_are_refused(values, message):
    with pytest.raises(ValueError, match=f"'x'.*{message}"):
        Dataset.from_frame(pd.DataFrame({"x": values, "y": ["a", "b"]}), "y")


@pytest.mark.parametrize(
    ("target", "task"),
    [
        (["a", "b"] * 10, "classification"),
        ([True, False] * 10, "classification"),
        ([0, 1] * 10, "classification"),
        ([3.0, 4.0, 5.0, 6.0] * 5, "classification"),
        (list(range(10)) * 5, "classification"),
        (list(range(11)) * 5, "regression"),
        (list(range(20)), "regression"),
        ([1, 2, 3, 4, 5, 6] * 3, "classification"),
        (list(range(8)), "regression"),
        (pd.array([1, 2, 1, 2, 3], dtype="Int64"), "classification"),
        ([1, 1, 2, 2, np.inf], "regression"),
        ([0.5, 1.5] * 10, "regression"),
        (pd.Categorical([1, 2] * 10), "classification"),
    ],
)
def test_task_detection(target, task):
    detected, reason = detect_task(pd.Series(target, name="y"))
    assert detected == task
    assert reason.startswith("it holds")


def test_a_task_can_be_asked_for():
    frame = pd.DataFrame({"x": range(4), "y": [0, 1, 0, 1]})
    dataset = Dataset.from_frame(frame, "y", task="regression")
    assert dataset.task == "regression" and dataset.target.dtype == float
    with pytest.raises(ArgumentError, match="regression needs numbers") as refused:
        Dataset.from_frame(frame.assign(y=list("abab")), "y", task="regression")
    assert refused.value.argument == "task"
    quarters = Dataset.from_frame(frame.assign(y=[0.25, 0.5] * 2), "y", task="classification")
    assert list(quarters.target) == ["0.25", "0.5"] * 2


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (["a", None, "b"], r"missing in 1 of 3 rows \(first: row 2\)"),
        ([1.5, np.nan, np.nan], "missing in 2 of 3 rows"),
        (["a", "a", "a"], "only one class, 'a'"),
        ([1, 1, 1], "only one class, '1'"),
        ([1.5, 1.5, 1.5], "1.5 in every row"),
        ([1.5, 2.5, np.inf], "has inf in row 3"),
    ],
)
def test_bad_targets_say_why(target, message):
    with pytest.raises(ValueError, match=f"target 'y'.*{message}"):
        Dataset.from_frame(pd.DataFrame({"x": range(3), "y": target}), "y")


def test_bad_tables_say_why(frame):
    with pytest.raises(ValueError, match="no column 'labels': did you mean 'label'"):
        Dataset.from_frame(frame, "labels")
    with pytest.raises(ValueError, match="no column 'zzz': the table's columns begin with 'size'"):
        Dataset.from_frame(frame, "zzz")
    with pytest.raises(ValueError, match="only one row"):
        Dataset.from_frame(frame[:1], "label")
    with pytest.raises(ValueError, match="no column besides the target"):
        Dataset.from_frame(frame[["label"]], "label")


def test_columns_that_tell_nothing_are_noted(frame):
    odd = frame.assign(empty=np.nan, same=3, id=[f"row {i}" for i in range(12)])
    odd["age"] = [*map(str, [4, 5] * 5), "6", "?"]
    notes = "\n".join(Dataset.from_frame(odd, "label").notes)
    for expected in ("'empty' is empty", "'same' has one value", "'id' is left out", "of '?'"):
        assert expected in notes
    assert "id" not in Dataset.from_frame(odd, "label").features.columns
    assert not Dataset.from_frame(frame, "label").notes


@pytest.mark.parametrize("form", ["2020-01-{:02}", "{:02}/02/2021", "2020.01.{:02} 12:30"])
def test_text_of_dates_is_refused_like_dates(frame, form):
    dated = frame.assign(day=[form.format(i + 1) for i in range(12)])
    with pytest.raises(ValueError, match="'day' holds dates or times"):
        Dataset.from_frame(dated, "label")
    dated.loc[3, "day"] = "unknown"
    assert "day" not in Dataset.from_frame(dated, "label").numeric_columns


def test_a_table_of_nothing_but_names_is_refused():
    names = pd.DataFrame({"name": [f"n{i}" for i in range(12)], "label": ["a", "b"] * 6})
    with pytest.raises(ValueError, match="a different text in every row"):
        Dataset.from_frame(names, "label")


def test_columns_are_matched_by_name(frame):
    shuffled = frame[["label", "sold", "color", "size"]].assign(extra=1)
    matched = match_columns(shuffled, ["size"], ["color", "sold"])
    assert list(matched.columns) == ["size", "color", "sold"]
    with pytest.raises(ValueError, match="lacks 2 columns the model was fitted on: 'size', 'sold'"):
        match_columns(frame[["color"]], ["size"], ["color", "sold"])
    with pytest.raises(ValueError, match="'size' must hold numbers, but row 2 has 'big'"):
        match_columns(frame.assign(size=["1", *["big"] * 11]), ["size"], ["color"])


def test_the_pipeline_passes_the_columns_gaps_included(frame):
    dataset = Dataset.from_frame(frame.assign(empty=np.nan), "label")
    columns = table_pipeline(dataset, LSSVMClassifier())[:-1].fit(dataset.features)
    assert dataset.features["size"].isna().any()
    pd.testing.assert_frame_equal(columns.transform(dataset.features), dataset.features)
    assert list(columns.get_feature_names_out()) == ["size", "empty", "color", "sold"]


def test_the_pipeline_leaves_the_estimator_alone_and_tells_it_the_categories(frame):
    estimator = LSSVMRegressor()
    pipeline = table_pipeline(Dataset.from_frame(frame, "label"), estimator)
    assert pipeline[-1].categorical_features == ["color", "sold"]
    assert estimator.categorical_features == "from_dtype"


@pytest.mark.parametrize(
    ("kind", "target", "method"),
    [(LSSVMClassifier, "label", "decision_function"), (LSSVMRegressor, "price", "predict")],
)
def test_the_pipeline_is_the_estimator_on_a_table_made_ready_by_hand(kind, target, method):
    """Units, the texts of the levels and a level not seen in training change no prediction."""
    generator = np.random.default_rng(0)
    known = pd.DataFrame(
        {"size": generator.normal(50, 9, 60), "color": ["red", "blue", "tan"] * 20}
    )
    known["price"] = known["size"] + 9 * (known["color"] == "red") + generator.normal(size=60)
    known["label"] = np.where(known["price"] > 53, "dear", "cheap")
    known.loc[::7, "size"], known.loc[::5, "color"] = np.nan, None
    dataset = Dataset.from_frame(known[["size", "color", target]], target)
    new = dataset.features[:3].assign(color=["red", np.nan, "pink"])
    pipeline = table_pipeline(dataset, kind("gaussian")).fit(dataset.features, dataset.target)
    with pytest.warns(UnseenLevelWarning, match="'color': 1 of 3 rows"):
        found = getattr(pipeline, method)(new)

    codes = {"red": 3, "tan": 5, "blue": 1, "pink": 9}

    def by_hand(table):
        scaled = (table["size"] - known["size"].mean()) / known["size"].std()
        return np.column_stack([scaled, table["color"].map(codes).fillna(7)])

    model = kind("gaussian", categorical_features=[1])
    model.fit(by_hand(dataset.features), dataset.target)
    with pytest.warns(UnseenLevelWarning):
        expected = getattr(model, method)(by_hand(new))
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_missing_category_is_a_level_of_its_own():
    color = [None, "red", None, "blue"] * 6
    table = pd.DataFrame({"color": color, "label": [text or "none" for text in color]})
    dataset = Dataset.from_frame(table, "label")
    model = table_pipeline(dataset, LSSVMClassifier()).fit(dataset.features, dataset.target)
    assert list(model.predict(dataset.features)) == list(table["label"])


def test_a_target_too_small_to_square_is_refused(frame):
    tiny = frame.assign(label=np.arange(12) * 1e-200)
    with pytest.raises(ValueError, match=r"'label' has no value beyond.*rescale"):
        Dataset.from_frame(tiny, "label")
