"""Looking into long tables, their sizes and ranges, and tables written block by block."""

import gzip

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest

from kernelwise.data import open_rows, text_chunks, write_table
from kernelwise.data.long_tables import look
from kernelwise.data.matching import as_written, match_columns, read_columns
from kernelwise.data.ranges import number_ranges
from kernelwise.data.reading import written_in_blocks
from kernelwise.scale.engine import Engine

random = np.random.default_rng(0)
N = 2000
TABLE = pd.DataFrame(
    {
        "number": np.where(np.arange(N) % 7 == 0, np.nan, random.normal(size=N)),
        "empty": np.full(N, np.nan),
        "text": random.choice(["a", "b"], N),
        "y": random.normal(size=N),
    }
)


@pytest.fixture
def files(tmp_path):
    TABLE.to_parquet(tmp_path / "t.parquet", row_group_size=300)
    TABLE.to_csv(tmp_path / "t.csv", index=False)
    return tmp_path


def test_sizes_are_known_without_reading_the_rows(files):
    assert look(files / "t.parquet").n_rows == N
    assert open_rows(files / "t.parquet", target="y").n_rows == N
    assert look(pa.Table.from_pandas(TABLE)).n_rows == N
    assert look(pyarrow.dataset.dataset(files / "t.parquet")).n_rows == N
    dask = pytest.importorskip("dask.dataframe").from_pandas(TABLE, npartitions=2)
    assert look(dask).n_rows is None and open_rows(dask, target="y").n_rows is None
    assert look(files / "t.csv").n_rows is None
    assert open_rows(files / "t.csv", target="y").n_rows == N, "text has been packed"


def test_a_look_gives_all_rows_piece_by_piece_with_some_columns(files):
    for name in ("t.parquet", "t.csv"):
        seen = look(files / name)
        found = pd.concat(seen.each(["y", "text"]), ignore_index=True)
        assert list(found.columns) == ["y", "text"]
        np.testing.assert_allclose(found["y"].astype(float), TABLE["y"])


@pytest.mark.parametrize("chunk", [20_000, 10**6])
def test_a_look_into_text_sees_no_row_twice(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(text_chunks, "CHUNK", chunk)
    monkeypatch.setattr(text_chunks, "LOOK", 2000)
    path = tmp_path / "t.csv"
    TABLE.assign(row=np.arange(N)).to_csv(path, index=False)
    sample = look(path).sample
    assert not sample["row"].duplicated().any()
    rows = sample["row"].astype(int)
    assert rows.min() == 0 and rows.max() > 0.9 * N, "from all over the file"


def test_ranges_are_those_of_all_pieces(files):
    stream = open_rows(files / "t.parquet", target="y", features=["number", "empty", "text"])
    lowest, highest = number_ranges(stream.pieces(), Engine())
    assert lowest["number"] == TABLE["number"].min()
    assert highest["number"] == TABLE["number"].max()
    assert set(lowest) == set(highest) == {"number"}, "neither texts nor a column without numbers"


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.csv.gz", "t.parquet"])
def test_blocks_make_the_table_that_is_written_at_once(tmp_path, name):
    table = TABLE.assign(whole=np.arange(N))
    write_table(table, tmp_path / f"at_once_{name}")
    with written_in_blocks(tmp_path / name) as write:
        for first in range(0, N, 700):
            write(table.iloc[first : first + 700])
    read = pd.read_parquet if name.endswith("parquet") else pd.read_csv
    options = {"sep": "\t"} if name.endswith("tsv") else {}
    one, other = (read(tmp_path / n, **options) for n in (name, f"at_once_{name}"))
    pd.testing.assert_frame_equal(one, other)
    np.testing.assert_array_equal(one["whole"], np.arange(N))
    if name.endswith("gz"):
        assert gzip.decompress((tmp_path / name).read_bytes()).startswith(b"number,empty")


def test_later_blocks_of_parquet_have_the_types_of_the_first(tmp_path):
    path = tmp_path / "t.parquet"
    with written_in_blocks(path) as write:
        write(pd.DataFrame({"a": [1, 2], "b": [None, None]}))
        write(pd.DataFrame({"a": [3.0, np.nan], "b": ["x", None]}))
    schema = pyarrow.parquet.read_schema(path)
    assert str(schema.field("a").type) == "int64" and str(schema.field("b").type) == "string"
    assert pd.read_parquet(path)["a"].tolist()[:3] == [1, 2, 3]


def test_a_table_that_fails_halfway_is_not_there(tmp_path):
    with pytest.raises(RuntimeError), written_in_blocks(tmp_path / "t.csv") as write:
        write(TABLE)
        raise RuntimeError
    assert not list(tmp_path.iterdir())


def test_how_columns_are_written_is_decided_for_all_pieces(tmp_path):
    """A piece whose numbers could have either decimal mark has that of the others."""
    path = tmp_path / "t.csv"
    frame = pd.DataFrame({"x": ["1,5", "22,75", "1,234"], "y": ["1", "2", "3"]})
    frame.to_csv(path, index=False, sep=";")
    columns = open_rows(path, target="y", task="regression").reading.columns
    written, _ = as_written(frame, columns, None, None)
    features, odd = read_columns(frame.iloc[2:], written)
    assert features["x"].tolist() == [1.234] and not odd
    assert match_columns(frame, columns)[0]["x"].tolist() == [1.5, 22.75, 1.234]


def test_rows_of_a_sample_have_no_numbers(tmp_path):
    """The first row without a target among those looked at is not that of the table."""
    table = pd.DataFrame({"a": np.arange(60_000.0), "y": np.arange(60_000.0) % 7})
    table.loc[40_001, "y"] = np.nan
    table.loc[20_000:20_400, "y"] = np.nan
    table.to_parquet(tmp_path / "rows.parquet", row_group_size=5_000)
    (check,) = [c for c in open_rows(tmp_path / "rows.parquet", "y").checks if c.code == "KW301"]
    assert "is missing in" in check.text and "first" not in check.text
