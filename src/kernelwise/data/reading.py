"""Tables in files: CSV and Parquet in, CSV and Parquet out."""

import csv
import gzip
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from kernelwise.files import written_whole
from kernelwise.optional import import_optional

if TYPE_CHECKING:
    from pandas import DataFrame, Index, Series

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
PARQUET_SUFFIXES = (".parquet", ".pq")


def table_suffix(path: Path) -> str:
    """The suffix that tells a table's format (``.csv`` for ``a.csv.gz``), or a ValueError."""
    name = path.name.lower().removesuffix(".gz")
    suffix = Path(name).suffix
    if suffix not in SEPARATORS and suffix not in PARQUET_SUFFIXES:
        known = ", ".join([*SEPARATORS, *PARQUET_SUFFIXES])
        raise ValueError(f"{path}: unknown kind of table; the name must end in one of {known}")
    return suffix


def read_table(path: str | Path) -> "DataFrame":
    """Read a CSV or Parquet file; a ValueError says what is wrong with one that cannot be read.

    Column names become text. Nothing is converted, imputed or dropped. A row of a CSV file may
    have fewer fields than the header has names (the rest are missing values), never more.
    """
    path = Path(path)
    suffix = table_suffix(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder, not a table")
    if not path.exists():
        raise ValueError(f"{path}: no such file")
    frame = _read_parquet(path) if suffix in PARQUET_SUFFIXES else _read_csv(path, suffix)
    frame.columns = frame.columns.map(str)
    if len(frame) == 0:
        raise ValueError(f"{path} has a header but no rows")
    _check_distinct(frame.columns, path)
    return frame


def write_table(frame: "DataFrame", path: str | Path) -> None:
    """Write a table as CSV or Parquet, by the suffix of its name, whole or not at all."""
    path = Path(path)
    suffix = table_suffix(path)
    with written_whole(path) as temporary:
        if suffix in PARQUET_SUFFIXES:
            frame.to_parquet(temporary, index=False)
        else:
            frame.to_csv(temporary, index=False, sep=SEPARATORS[suffix])


def _read_csv(path: Path, suffix: str) -> "DataFrame":
    pd = import_optional("pandas", extra="cli")
    options = {"sep": SEPARATORS[suffix], "skipinitialspace": True}
    try:
        _check_header(path, options)
        # Whole columns at once: in chunks, one column can end up with numbers and texts mixed.
        return pd.read_csv(path, **options, low_memory=False)
    except pd.errors.EmptyDataError:
        raise ValueError(f"{path} is empty: it needs a header line and rows") from None
    except pd.errors.ParserError as error:
        raise ValueError(_malformed(path, SEPARATORS[suffix], str(error))) from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8 text: save it again as CSV in UTF-8") from None
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None


def _check_header(path: Path, options: dict) -> None:
    """Refuse a header pandas would misread: other separators, repeated names, too few names.

    Asked for a header, pandas renames the second of two equal names, and takes the first fields
    of a long first row as an index, which shifts every column. Without one it does neither, and
    a long second line is a ParserError.
    """
    pd = import_optional("pandas", extra="cli")
    options = options | {"header": None, "dtype": str, "keep_default_na": False}
    names = pd.read_csv(path, **options, nrows=1).iloc[0]
    advice = {";": "by semicolons: save it with commas", "\t": "by tabs: name it .tsv"}
    for separator, what in advice.items():
        if len(names) == 1 and separator in names[0]:
            raise ValueError(f"{path} separates its columns {what}")
    _check_distinct(names[names != ""], path)
    pd.read_csv(path, **options, nrows=2)


def _malformed(path: Path, separator: str, error: str) -> str:
    """What is wrong with a CSV file, from the words of pandas' parser."""
    counts = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", error)
    if counts is None:
        reason = error.strip().removeprefix("Error tokenizing data. C error: ")
        return f"{path} is not a well-formed CSV file: {reason}"
    names, record, fields = map(int, counts.groups())
    line = _line_of_long_row(path, separator, names) or record
    return (
        f"{path}, line {line}: the row has {fields} fields, but the header has only {names}: "
        "name every column, or remove the separators at the end of the row"
    )


def _line_of_long_row(path: Path, separator: str, names: int) -> int | None:
    """The line of the first row with more fields; pandas does not count newlines in quotes."""
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    with opened(path, "rt", encoding="utf-8-sig", errors="replace", newline="") as file:
        rows = csv.reader(file, delimiter=separator, skipinitialspace=True)
        line = 1
        try:
            for row in rows:
                if len(row) > names:
                    return line
                line = rows.line_num + 1
        except csv.Error:  # such as a field beyond its limit of 131072 characters
            pass
    return None


def _read_parquet(path: Path) -> "DataFrame":
    pd = import_optional("pandas", extra="cli")
    import_optional("pyarrow", extra="cli")
    try:
        return pd.read_parquet(path)
    except (OSError, ValueError) as error:  # pyarrow's errors are kinds of these
        reason = str(error).partition("\n")[0].rstrip(". ")
        raise ValueError(f"{path} is not a readable Parquet file: {reason}") from None


def _check_distinct(names: "Series | Index", path: Path) -> None:
    repeated = names[names.duplicated()]
    if len(repeated):
        raise ValueError(f"{path} has two columns named '{next(iter(repeated))}': rename one")
