"""Tables in files: CSV, Parquet, Feather and Excel in; CSV and Parquet out."""

import io
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernelwise.data.checks import Check, DataError
from kernelwise.data.delimited import parse, with_names
from kernelwise.data.file_bytes import STANDARD_INPUT, decoded, kind_of, read_bytes
from kernelwise.files import written_whole
from kernelwise.optional import import_optional

if TYPE_CHECKING:
    from pandas import DataFrame, ExcelFile

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
PARQUET_SUFFIXES = (".parquet", ".pq")
NAMES_OF_KINDS = {"parquet": "Parquet", "feather": "Feather", "excel": "Excel"}
PLAIN_ENCODINGS = ("utf-8", "utf-8-sig", "ascii")


@dataclass(frozen=True, eq=False)
class RawTable:
    """A file as it was read: texts (of a text file) or typed columns; nothing is interpreted yet.

    ``delimiter`` is None for a file that is no text; ``checks`` say what was seen.
    """

    frame: "DataFrame"
    checks: tuple[Check, ...] = ()
    delimiter: str | None = None


def read_table(
    source: str | Path, *, delimiter: str | None = None, encoding: str | None = None
) -> RawTable:
    """Read a file of any supported kind, known by its first bytes; "-" is standard input.

    A DataError says what is wrong with one that cannot be read. Every row of a text file is where
    it stands in the file: see :mod:`kernelwise.data.delimited`.
    """
    path = Path(source)
    content = read_bytes(path)
    shown = path if path != STANDARD_INPUT else Path("standard input")
    kind = kind_of(content, shown)
    if kind == "text":
        if path.suffix.lower() in (*PARQUET_SUFFIXES, ".xlsx", ".feather", ".arrow"):
            raise DataError("KW100", f"{shown} is not a readable {path.suffix[1:]} file")
        text, found = decoded(content, shown, encoding)
        frame, checks, delimiter = parse(text, shown, delimiter)
        if found not in PLAIN_ENCODINGS:
            said = f"the file was read as {found} text"
            checks.insert(0, Check("KW107", said, "name another encoding if letters are wrong"))
        return RawTable(frame, tuple(checks), delimiter)
    seen: list[Check] = []
    frame = _typed(content, kind, shown, seen)
    return RawTable(frame, tuple(seen))


def write_table(frame: "DataFrame", path: str | Path) -> None:
    """Write a table as CSV or Parquet, by the suffix of its name, whole or not at all."""
    with written_in_blocks(Path(path)) as write:
        write(frame)


@contextmanager
def written_in_blocks(path: Path) -> Iterator[Callable[["DataFrame"], None]]:
    """A function that appends rows to a table, which is there when the context has ended.

    Later rows have the types of the first in Parquet.
    """
    suffix = table_suffix(path)
    with written_whole(path) as temporary:
        if suffix in PARQUET_SUFFIXES:
            with _parquet_writer(temporary) as write:
                yield write
            return
        first = True

        def append(frame: "DataFrame") -> None:
            nonlocal first
            frame.to_csv(temporary, mode="a", header=first, index=False, sep=SEPARATORS[suffix])
            first = False

        yield append


@contextmanager
def _parquet_writer(path: Path) -> Iterator[Callable[["DataFrame"], None]]:
    arrow = import_optional("pyarrow", extra="cli")
    parquet = import_optional("pyarrow.parquet", extra="cli")
    with ExitStack() as ends:
        writer: Any = None

        def append(frame: "DataFrame") -> None:
            nonlocal writer
            if writer is None:
                found = arrow.Schema.from_pandas(frame, preserve_index=False)
                # Of a column that begins with gaps nothing is known: text can hold anything.
                fields = [
                    field.with_type(arrow.string()) if arrow.types.is_null(field.type) else field
                    for field in found
                ]
                writer = ends.enter_context(parquet.ParquetWriter(path, arrow.schema(fields)))
            table = arrow.Table.from_pandas(frame, writer.schema, preserve_index=False)
            writer.write_table(table)

        yield append


def table_suffix(path: Path) -> str:
    """The suffix that tells the format to write (``.csv`` for ``a.csv.gz``), or a ValueError."""
    name = path.name.lower().removesuffix(".gz")
    suffix = Path(name).suffix
    if suffix not in SEPARATORS and suffix not in PARQUET_SUFFIXES:
        known = ", ".join([*SEPARATORS, *PARQUET_SUFFIXES])
        raise ValueError(f"{path}: unknown kind of table; the name must end in one of {known}")
    return suffix


def _typed(content: bytes, kind: str, path: Path, checks: list[Check]) -> "DataFrame":
    pd = import_optional("pandas", extra="cli")
    if kind == "excel":
        import_optional("openpyxl", extra="excel")
    else:
        import_optional("pyarrow", extra="cli")
    readers = {"parquet": pd.read_parquet, "feather": pd.read_feather, "excel": pd.ExcelFile}
    try:
        frame = readers[kind](io.BytesIO(content))
        if kind == "excel":
            return _first_sheet(frame, path, checks)
    except DataError:
        raise
    # A damaged file can make these readers fail in any way.
    except Exception as error:
        reason = str(error).partition("\n")[0].rstrip(". ")
        said = f"{path} is not a readable {NAMES_OF_KINDS[kind]} file: {reason}"
        raise DataError("KW100", said) from None
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    frame.columns = frame.columns.map(lambda name: str(name).strip())
    if len(frame) == 0:
        raise DataError("KW100", f"{path} has a header but no rows")
    return frame


def _first_sheet(book: "ExcelFile", path: Path, checks: list[Check]) -> "DataFrame":
    """The first sheet; its header is read like a row, because pandas renames repeated names."""
    sheets = book.sheet_names
    if len(sheets) > 1:
        said = f"only the first of {len(sheets)} sheets was read, '{sheets[0]}'"
        checks.append(Check("KW107", said))
    pd = import_optional("pandas", extra="cli")
    cells = pd.read_excel(book, header=None, dtype=object, keep_default_na=False)
    if len(cells) < 2:
        raise DataError("KW100", f"{path} needs a header line and rows in its first sheet")
    names = ["" if name != name else str(name).strip() for name in cells.iloc[0]]
    rows = cells.iloc[1:].reset_index(drop=True)
    # A blank cell is text here, and would make texts of all numbers beside it.
    columns = [rows[index].where(rows[index] != "", None).infer_objects() for index in rows]
    return with_names(columns, names, path, checks)
