"""Tables in pieces: files, Arrow and Dask give the rows that reading the whole file gives."""

import gzip
import io
import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pytest

from kernelwise.data import DataError, frame_pieces, open_rows, read, text_chunks
from kernelwise.data.piece_reading import TextAmongNumbersWarning
from kernelwise.data.text_chunks import whole_rows
from kernelwise.scale.engine import Engine
from kernelwise.tables.stream_columns import scan_stream

random = np.random.default_rng(0)
N = 3000
TABLE = pd.DataFrame(
    {
        "id": np.arange(N),
        "size": random.normal(size=N).round(4),
        "width": np.where(random.random(N) < 0.1, np.nan, random.exponential(size=N).round(3)),
        "color": random.choice(np.array(["red", "a, b", 'say "x"\nhere', None], object), N),
        "wide": random.random(N) < 0.5,
        "seen": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 300, N), "D"),
        "load": random.integers(1, 4, N).astype(float),
        "late": random.choice(["yes", "no"], N),
    }
)
TABLE.loc[[5, 2999], "late"] = None
TABLE.loc[0, "seen"] = pd.Timestamp("2024-01-01")  # dates are counted from the first that is seen


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(frame_pieces, "NUMBERS_IN_PIECE", 700 * 8)
    monkeypatch.setattr(frame_pieces, "LEAST_ROWS", 300)
    monkeypatch.setattr(text_chunks, "CHUNK", 20_000)


def joined(stream):
    pieces = [piece() for piece in stream.pieces()]
    assert len(pieces) > 1
    frame = pd.concat([piece.features.astype(object) for piece in pieces], ignore_index=True)
    target, weights = (
        None if pieces[0][i] is None else np.concatenate([piece[i] for piece in pieces])
        for i in (1, 2)
    )
    return frame, target, weights


def assert_same_rows(stream, table):
    """What is read in pieces is what was read at once."""
    frame, target, weights = joined(stream)
    assert list(frame.columns) == list(table.features.columns)
    for name in frame.columns:
        one, other = frame[name].to_numpy(), table.features[name].to_numpy()
        assert list(one[~pd.isna(one)]) == list(other[~pd.isna(other)])
        np.testing.assert_array_equal(pd.isna(one), pd.isna(other))
    np.testing.assert_array_equal(target, table.target)
    assert target.dtype.kind == table.target.dtype.kind
    if table.weights is not None:
        np.testing.assert_array_equal(weights, table.weights)


@pytest.fixture
def parquet(tmp_path):
    path = tmp_path / "table.parquet"
    TABLE.to_parquet(path, row_group_size=1000)
    return path


@pytest.fixture
def whole(parquet):
    return read(parquet, "late", weights="load")


OPTIONS = {"target": "late", "weights": "load"}


def test_a_parquet_file(parquet, whole):
    rows = open_rows(parquet, **OPTIONS)
    assert len(rows.pieces()) == 6  # 1000 rows are 700 and 300
    assert_same_rows(rows, whole)
    assert "id" in " ".join(map(str, rows.checks)), "a column of row numbers is left out, and said"


def test_several_files_and_a_folder(tmp_path, whole):
    folder = tmp_path / "parts"
    folder.mkdir()
    for part in range(3):
        TABLE.iloc[1000 * part : 1000 * (part + 1)].to_parquet(folder / f"{part}.parquet")
    assert_same_rows(open_rows(folder, **OPTIONS), whole)
    assert_same_rows(open_rows(sorted(folder.iterdir()), **OPTIONS), whole)


def test_arrow_tables_and_datasets(parquet, whole):
    table = pa.Table.from_pandas(TABLE)
    assert_same_rows(open_rows(table, **OPTIONS), whole)
    assert_same_rows(open_rows(pyarrow.dataset.dataset(parquet), **OPTIONS), whole)


@pytest.mark.parametrize("form", ["plain", "semicolons", "gzip", "utf-16"])
def test_a_text_file(form, tmp_path):
    path = tmp_path / "table.csv"
    if form == "semicolons":
        path.write_text("sep=;\n" + TABLE.to_csv(index=False, sep=";", decimal=","))
    elif form == "gzip":
        path.write_bytes(gzip.compress(TABLE.to_csv(index=False).encode()))
    else:
        path.write_text(TABLE.to_csv(index=False), encoding="utf-16" if form == "utf-16" else None)
    whole = read(path, "late", weights="load")
    rows = open_rows(path, **OPTIONS)
    assert_same_rows(rows, whole)
    assert rows.reading.columns == whole.columns


def test_the_temporary_file_goes_with_the_last_piece(tmp_path):
    path = tmp_path / "table.csv"
    TABLE.to_csv(path, index=False)
    pieces = open_rows(path, **OPTIONS).pieces()
    packed = pieces[0].folder.path
    copy = pickle.loads(pickle.dumps(pieces[0]))
    assert packed.exists() and len(copy().features)
    del copy
    assert packed.exists(), "a copy does not remove it"
    del pieces
    assert not packed.exists()


def test_pieces_can_be_pickled(parquet):
    for piece in open_rows(parquet, **OPTIONS).pieces():
        again = pickle.loads(pickle.dumps(piece))
        pd.testing.assert_frame_equal(again().features, piece().features)


def test_a_stream_is_encoded_as_the_table_in_memory(parquet, whole):
    found = scan_stream(open_rows(parquet, **OPTIONS), engine=Engine(2))
    np.testing.assert_array_equal(found.summary.y, whole.target)
    assert found.summary.columns.levels == {
        list(whole.features).index(name): sorted(whole.features[name].dropna().unique())
        for name in ("color", "wide")
    }
    columns = found.learn_columns(found.summary.weights)
    size = whole.features["size"]
    mean = np.average(size, weights=whole.weights)
    assert columns.center[0] * columns.magnitude[0] == pytest.approx(mean, rel=1e-12)


def test_new_tables_are_read_as_the_one_of_the_fit(parquet, tmp_path):
    rows = open_rows(parquet, **OPTIONS)
    path = tmp_path / "new.csv"
    TABLE.drop(columns=["late", "load"]).iloc[::-1].to_csv(path, index=False)
    new, target, weights = joined(open_rows(path, like=rows))
    assert target is None and weights is None
    expected = joined(rows)[0]
    assert list(new.columns) == list(expected.columns)
    first = joined(open_rows(parquet, like=rows))[0]
    np.testing.assert_array_equal(new["seen (days)"], first["seen (days)"][::-1])
    TABLE.drop(columns="width").to_csv(path, index=False)
    with pytest.raises(DataError, match="no column 'width'"):
        open_rows(path, like=rows)


def test_labels_keep_their_type(tmp_path):
    for labels in (random.integers(0, 3, N), random.random(N) < 0.5):
        path = tmp_path / "t.parquet"
        table = TABLE.drop(columns="late").assign(late=labels)
        table.to_parquet(path, row_group_size=1000)
        assert_same_rows(open_rows(path, "late"), read(path, "late"))


def test_quantities(tmp_path):
    path = tmp_path / "t.csv"
    TABLE.assign(late=random.normal(size=N)).to_csv(path, index=False)
    assert_same_rows(open_rows(path, "late"), read(path, "late"))


def with_text(values):
    return [str(x) for x in values[:-40]] + ["lots"] * 40


def test_texts_among_numbers_further_down_are_gaps(tmp_path):
    """Those of 40 rows at the end, which were not looked at."""
    table = TABLE.assign(size=with_text(TABLE["size"]))
    path = tmp_path / "t.parquet"
    table.to_parquet(path, row_group_size=1000)
    rows = open_rows(path, "late", numeric=["size"])
    with pytest.warns(TextAmongNumbersWarning, match=r"'size': texts such as 'lots' in \d+ rows"):
        frame = joined(rows)[0]
    assert frame["size"].isna().sum() == 39  # one of the last rows has no target
    text = tmp_path / "t.csv"
    table.to_csv(text, index=False)
    found = open_rows(text, "late", numeric=["size"])
    assert "texts such as 'lots'" in " ".join(map(str, found.checks))


def test_rows_from_all_over_a_text_file_decide(tmp_path, monkeypatch):
    """The first rows alone would say that the column holds numbers."""
    monkeypatch.setattr("kernelwise.data.long_tables.LOOKED_ROWS", 200)
    kinds = ["1", "2"] * (N // 4) + ["a", "b"] * (N // 4)
    path = tmp_path / "t.csv"
    TABLE.assign(kind=kinds).to_csv(path, index=False)
    with pytest.raises(DataError, match=r"in the rows after row 1\d\d\d: column 'kind' must"):
        open_rows(path, "late")
    monkeypatch.setattr(text_chunks, "LOOK", 2_000)
    (kind,) = (c for c in open_rows(path, "late").reading.columns if c.name == "kind")
    assert kind.kind == "category"


def test_numbers_that_are_too_large_are_told_with_their_place(tmp_path, monkeypatch):
    monkeypatch.setattr("kernelwise.data.long_tables.LOOKED_ROWS", 200)
    path = tmp_path / "t.parquet"
    TABLE.assign(size=np.r_[np.zeros(2800), 1e200, np.zeros(199)]).to_parquet(
        path, row_group_size=1000
    )
    rows = open_rows(path, "late", features=["size", "width"])
    place = r"after row 700 of row group 2 of .*t\.parquet: column 'size' has 1e\+200 in row 101"
    with pytest.raises(DataError, match=place):
        rows.pieces()[5]()


def test_other_labels_further_down_are_an_error(tmp_path, monkeypatch):
    labels = random.integers(0, 3, N).astype(str).astype(object)
    labels[1500] = "other"
    path = tmp_path / "t.csv"
    TABLE.assign(late=labels).to_csv(path, index=False)
    monkeypatch.setattr("kernelwise.data.long_tables.LOOKED_ROWS", 100)
    with pytest.raises(DataError, match="but further down 'other'"):
        open_rows(path, "late")


@pytest.mark.parametrize("characters", [1, 3, 7, 1000])
def test_chunks_of_text_end_with_a_row(characters):
    text = 'a,b\n1,"x\ny"\r\n2,"say ""hi""\n"\n3,z\n4,last'
    chunks = list(whole_rows(io.StringIO(text, newline=""), characters))
    assert "".join(chunks) == text
    assert all(chunk.count('"') % 2 == 0 for chunk in chunks)
    assert characters == 1000 or len(chunks) > 2


def test_a_wrong_row_further_down_is_told_with_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr(text_chunks, "HEAD", 10_000)
    path = tmp_path / "t.csv"
    lines = ["a,b,late", *(f"{i % 7},{i % 11},{'xy'[i % 2]}" for i in range(9000))]
    lines[8500] += ",1,2"
    path.write_text("\n".join(lines))
    with pytest.raises(DataError, match=r"in the rows from line \d+ on: .*5 fields"):
        open_rows(path, "late")


def missing_file(folder):
    return folder / "none.parquet"


def excel(folder):
    path = folder / "t.xlsx"
    TABLE.head(5).to_excel(path, index=False)
    return path


def empty_folder(folder):
    return folder


def damaged(folder):
    path = folder / "t.parquet"
    path.write_bytes(b"PAR1 and then nothing")
    return path


def one_class(folder):
    path = folder / "t.parquet"
    TABLE.assign(late="yes").to_parquet(path)
    return path


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (missing_file, "no such file"),
        (excel, "is a zip file, which is not read in pieces"),
        (empty_folder, "a folder without Parquet files"),
        (damaged, "not a readable Parquet file"),
        (one_class, r"in \d+ rows from all over the table: target 'late' has only one class"),
    ],
)
def test_what_cannot_be_opened_is_said(source, message, tmp_path):
    with pytest.raises(DataError, match=message):
        open_rows(source(tmp_path), "late")


def test_other_objects_are_refused():
    with pytest.raises(TypeError, match="got dict"):
        open_rows({}, "late")


def test_wrong_weights_are_refused(tmp_path):
    path = tmp_path / "t.csv"
    TABLE.assign(load=np.r_[np.ones(N - 1), -1]).iloc[:-2].to_csv(path, index=False)
    assert open_rows(path, **OPTIONS)
    TABLE.assign(load=np.r_[np.ones(N - 3), -1, 1, 1]).to_csv(path, index=False)
    with pytest.raises(DataError, match="'load' has a gap or a negative number"):
        open_rows(path, **OPTIONS)
