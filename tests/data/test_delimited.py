"""Text files, byte by byte: every field is where the file has it, or an error names the line."""

import gzip
import io
import re
import zipfile

import numpy as np
import pandas as pd
import pytest

from kernelwise.data import DataError, read, read_table, write_table


def written(folder, content, name="table.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def codes(table):
    return [check.code for check in table.checks]


def texts(table):
    return {name: list(column) for name, column in table.frame.items()}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.csv", b"", "is empty"),
        ("blank.csv", b"\n\n", "is empty"),
        ("header.csv", b"a,b\n", "no rows"),
        ("quote.csv", b'a,b\n1,"2\n3,4\n', "not a well-formed CSV file: line 2"),
        ("inside.csv", b'a,b\n1,"2"3\n', "not a well-formed CSV file: line 2"),
        ("nul.csv", b"a,b\n1,\x002\n", "NUL"),
        ("numbers.csv", b"1,2\n3,4\n", "has no header"),
        ("page.csv", b"<!DOCTYPE html>\n<html>", "is a web page"),
        ("part.csv", b"<table><tr>", "is a web page"),
        ("json.csv", b'{"a": 1}\n', "is JSON"),
        ("zipped.csv.gz", b"not gzip", "cannot be read"),
        ("garbled.csv.gz", gzip.compress(b"a,b\n", mtime=0)[:10] + b"\xff" * 9, "cannot be read"),
        ("bad.parquet", b"a,b\n1,2\n", "not a readable parquet"),
        ("cut.parquet", b"PAR1 and no more", "not a readable Parquet"),
        ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1", "Excel file of before 2007"),
        ("paper.pdf", b"%PDF-1.4", "is a PDF file"),
    ],
)
def test_unreadable_tables_say_why(tmp_path, name, content, message):
    with pytest.raises(DataError, match=message):
        read_table(written(tmp_path, content, name))


@pytest.mark.parametrize(
    ("name", "content", "line", "fields", "names"),
    [
        ("some.csv", b"a,b,y\n1,2,3,\n4,5,6\n", 2, 4, 3),
        ("two-more.csv", b"a,b\n1,2,,\n", 2, 4, 2),
        ("later.csv", b"a,b\n1,2\n1\n1,2,3\n", 4, 3, 2),
        ("blank-lines.csv", b"\n\na,b\n\n   \n1,2,3\n", 6, 3, 2),
        ("bom-and-crlf.csv", b'\xef\xbb\xbf"a","b"\r\n1,2\r\n1,2,\r\n', 3, 3, 2),
        ("carriage-returns.csv", b"a,b\r1,2\r1,2,3\r", 3, 3, 2),
        ("newlines-in-quotes.csv", b'a,b\n"x\ny, z\n",1\n"p,q",2,\n', 5, 3, 2),
        ("newline-in-header.csv", b'"a\nb",c\n1,2,3\n', 3, 3, 2),
        ("tabs.tsv", b"a\tb\n1\t2\n1\t2\t3\n", 3, 3, 2),
        ("semicolons.csv", b"a;b\n1;2\n1;2;3\n", 3, 3, 2),
        ("zipped.csv.gz", gzip.compress(b"a,b\n1,2,3\n", mtime=0), 2, 3, 2),
        ("not-utf-8.csv", b"a,b\n1,2,\xe9\n", 2, 3, 2),
        ("huge-field.csv", b"a,b\n1," + b"x" * 200_000 + b"\n1,2,3\n", 3, 3, 2),
        ("decimal-commas.csv", b"x,y\n1,5,a\n2,5,b\n", 2, 3, 2),
        ("numbered.csv", b"id,x,y\n1,2,5,a\n2,3,5,b\n", 2, 4, 3),
        ("named.csv", b"name,x,y\nann,2,5,a\nbob,3,5,b\n", 2, 4, 3),
        ("equal-names.csv", b'"x","y"\n"1",2.5,a\n"1",3.5,b\n', 2, 3, 2),
    ],
)
def test_a_row_longer_than_the_header_is_refused(tmp_path, name, content, line, fields, names):
    path = written(tmp_path, content, name)
    message = f"{path}, line {line}: the row has {fields} fields, but the header has only {names}:"
    with pytest.raises(DataError, match=re.escape(message)) as refused:
        read_table(path)
    assert refused.value.check.code == "KW104"


@pytest.mark.parametrize("end", [",", ",  "])
def test_one_spare_empty_field_in_every_row_is_dropped(tmp_path, end):
    rows = "".join(f"{i},{i % 2},{i / 4}{end}\n" for i in range(30))
    table = read_table(written(tmp_path, "a,y,b\n" + rows))
    assert list(table.frame) == ["a", "y", "b"] and codes(table) == ["KW101"]
    assert list(table.frame["a"][:3]) == ["0", "1", "2"]
    assert list(table.frame["y"][:3]) == ["0", "1", "0"]


@pytest.mark.parametrize(
    "content",
    [
        b'"x","y"\n"1",2.5,a\n"2",3.5,b\n',
        b'"x","y"\n"Mazda RX4",21,6\n"Datsun",22,4\n',
        b"x,y\nMazda RX4,21.5,a\nDatsun,22.5,b\n",
        b'\n"x","y"\n\n"1",2.5,a\n"2",3.5,b\n',
    ],
)
def test_row_names_as_r_writes_them_are_no_column(tmp_path, content):
    table = read_table(written(tmp_path, content))
    assert list(table.frame) == ["x", "y"] and codes(table) == ["KW102"]
    assert list(table.frame["y"]) in (["a", "b"], ["6", "4"])


def test_row_names_are_known_beside_a_header_of_two_lines(tmp_path):
    table = read_table(written(tmp_path, b'"a\nb","y"\n"1",2,0\n"2",3,1\n'))
    assert texts(table) == {"a\nb": ["2", "3"], "y": ["0", "1"]} and codes(table) == ["KW102"]


def test_gaps_at_the_end_of_a_row_are_said(tmp_path):
    table = read_table(written(tmp_path, b"a,b,c\n1,2\n3\n4,5,6\n"))
    assert texts(table) == {"a": ["1", "3", "4"], "b": ["2", "", "5"], "c": ["", "", "6"]}
    (check,) = table.checks
    assert check.code == "KW103" and "2 of 3 rows" in check.text and "line 2" in check.text


def test_a_header_with_names_that_no_row_has_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"line 2: no row has as many fields .*\(3\)"):
        read_table(written(tmp_path, b"a,b,c\n1,2\n3,4\n"))
    table = read_table(written(tmp_path, b"a,b,\n1,2\n3,4\n"))
    assert texts(table) == {"a": ["1", "3"], "b": ["2", "4"]} and not table.checks


@pytest.mark.parametrize("name", ["a", "NA", "a b"])
def test_a_name_of_two_columns_is_refused_unless_they_are_equal(tmp_path, name):
    content = f"{name},b, {name} \n1,2,3\n4,5,6\n"
    with pytest.raises(DataError, match=f"two columns named '{name}'"):
        read_table(written(tmp_path, content))
    table = read_table(written(tmp_path, content.replace(",3", ",1").replace(",6", ",4")))
    assert list(table.frame) == [name, "b"] and codes(table) == ["KW106"]
    blank = read_table(written(tmp_path, f"{name} ,b ,{name}\n1 ,2 ,1\n4 ,5 ,4\n"))
    assert list(blank.frame) == [name, "b"] and codes(blank) == ["KW106"]


def test_columns_without_a_name_get_one(tmp_path):
    table = read_table(written(tmp_path, b"a,,a.1,\n1,2,3,4\n1,2,3,4\n"))
    assert list(table.frame) == ["a", "Unnamed: 1", "a.1", "Unnamed: 3"]


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-8", []),
        ("utf-8-sig", []),
        *((name, ["KW107"]) for name in ("latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-32")),
    ],
)
def test_encodings(tmp_path, encoding, said):
    content = "größe,ort\n1,Köln\n2,Łódź\n".replace("Łódź", "Orléans").encode(encoding)
    table = read_table(written(tmp_path, content))
    assert texts(table) == {"größe": ["1", "2"], "ort": ["Köln", "Orléans"]}
    assert codes(table) == said


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_delimiters_and_newlines(tmp_path, delimiter, newline):
    rows = [["a", "b c", "d"], ["1,5", 'say "hi"', "x;y"], ["2", "two\nlines", "p|q\tr"]]
    out = io.StringIO()
    pd.DataFrame(rows).to_csv(
        out, sep=delimiter, index=False, header=False, quoting=1, lineterminator=newline
    )
    table = read_table(written(tmp_path, out.getvalue()))
    assert texts(table) == {name: [rows[1][i], rows[2][i]] for i, name in enumerate(rows[0])}
    assert codes(table) == ([] if delimiter == "," else ["KW107"])


def test_blanks_are_delimiters_as_r_writes_them(tmp_path):
    content = '"x" "y z"\n"1" 2.5 "a b"\n"2" 3.5 "c"\n'
    table = read_table(written(tmp_path, content))
    assert texts(table) == {"x": ["2.5", "3.5"], "y z": ["a b", "c"]}
    assert codes(table) == ["KW107", "KW102"]
    aligned = read_table(written(tmp_path, "  x    y\n 1.5   a\n10.25  b\n"))
    assert texts(aligned) == {"x": ["1.5", "10.25"], "y": ["a", "b"]}
    late = "x y z\n" + "1 2 3\n" * 300 + "1  3\n"
    with pytest.raises(DataError, match="different numbers of fields between blanks"):
        read_table(written(tmp_path, late))
    prose = read_table(written(tmp_path, "what they said\nnot much\nnothing at all\n"))
    assert list(prose.frame) == ["what they said"]


def test_a_line_that_names_the_delimiter_is_no_header(tmp_path):
    table = read_table(written(tmp_path, b"sep=;\r\na;b\r\n1,5;2\r\n"))
    assert texts(table) == {"a": ["1,5"], "b": ["2"]}


def test_a_delimiter_and_an_encoding_can_be_named(tmp_path):
    path = written(tmp_path, "a:b\nä:2\n".encode("cp850"))
    table = read_table(path, delimiter=":", encoding="cp850")
    assert texts(table) == {"a": ["ä"], "b": ["2"]}
    for options, message in (
        ({"delimiter": "::"}, "one character"),
        ({"encoding": "utf-8"}, "not text in utf-8"),
        ({"encoding": "klingon"}, "no encoding 'klingon'"),
    ):
        with pytest.raises(DataError, match=message):
            read_table(path, **options)


@pytest.fixture
def frame():
    return pd.DataFrame({"size": [1.5, np.nan, 3.25], "color": ["red", None, "a,b"]})


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".tsv", ".parquet"])
def test_a_table_survives_writing_and_reading(frame, tmp_path, suffix):
    path = tmp_path / f"table{suffix}"
    write_table(frame, path)
    pd.testing.assert_frame_equal(read(path).features, frame, check_dtype=False)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_feather_excel_and_zip(frame, tmp_path):
    pytest.importorskip("openpyxl")
    frame.to_feather(tmp_path / "a.feather")
    frame.to_excel(tmp_path / "a.xlsx", index=False)
    with zipfile.ZipFile(tmp_path / "a.csv.zip", "w") as archive:
        archive.writestr("a.csv", frame.to_csv(index=False))
    for path in tmp_path.iterdir():
        pd.testing.assert_frame_equal(read(path).features, frame, check_dtype=False)


def test_workbooks_are_read_cell_by_cell(tmp_path):
    """pandas would rename the second of two equal names, and read one sheet without a word."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    rows = [["id", "when", None, "x", "x"], [7, pd.Timestamp("2020-03-01"), None, 1.5, 1.5]]
    rows.append([9, pd.Timestamp("2020-03-05"), None, "?", "?"])
    for row in rows:
        sheet.append(row)
    book.create_sheet("more")
    book.save(tmp_path / "book.xlsx")
    table = read_table(tmp_path / "book.xlsx")
    assert list(table.frame) == ["id", "when", "x"] and codes(table) == ["KW107", "KW106"]
    features = read(tmp_path / "book.xlsx").features
    np.testing.assert_array_equal(features["x"], [1.5, np.nan])
    np.testing.assert_array_equal(features["when (days)"], [0, 4])
    sheet["E3"] = 4
    book.save(tmp_path / "book.xlsx")
    with pytest.raises(DataError, match="two columns named 'x'"):
        read_table(tmp_path / "book.xlsx")


def test_texts_of_a_workbook_stay_texts(tmp_path):
    pytest.importorskip("openpyxl")
    frame = pd.DataFrame({"zip": ["00501", "00601"] * 5, "land": ["NA", "DE"] * 5})
    frame.to_excel(tmp_path / "a.xlsx", index=False)
    table = read(tmp_path / "a.xlsx", categorical=["zip"], missing=[])
    assert list(table.features["zip"][:2]) == ["00501", "00601"]
    assert list(table.features["land"][:2]) == ["NA", "DE"]
    assert "KW215" in [check.code for check in read(tmp_path / "a.xlsx").checks]


def test_a_blank_cell_makes_no_texts_of_numbers(tmp_path):
    pytest.importorskip("openpyxl")
    pd.DataFrame({"x": [1.125, None, 2.375], "z": ["1,5", "2,5", "0,5"]}).to_excel(
        tmp_path / "a.xlsx", index=False
    )
    features = read(tmp_path / "a.xlsx", decimal=",").features
    np.testing.assert_array_equal(features["x"], [1.125, np.nan, 2.375])
    np.testing.assert_array_equal(features["z"], [1.5, 2.5, 0.5])


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


def test_missing_files_and_folders_are_named(tmp_path):
    with pytest.raises(DataError, match=r"absent\.csv: no such file"):
        read_table(tmp_path / "absent.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match="is a folder"):
        read_table(tmp_path / "folder.csv")
