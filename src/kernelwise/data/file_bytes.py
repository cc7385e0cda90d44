"""What kind of file this is, by its first bytes, and its text if it is one."""

import gzip
import io
import sys
import zipfile
import zlib
from pathlib import Path

from kernelwise.data.checks import DataError

STANDARD_INPUT = Path("-")
MARKS = {
    "parquet": b"PAR1",
    "feather": b"ARROW1",
    "feather of version 1": b"FEA1",
    "zip": b"PK\x03\x04",
    "Excel file of before 2007": b"\xd0\xcf\x11\xe0",
    "PDF file": b"%PDF",
    "SQLite database": b"SQLite format 3",
    "HDF5 file": b"\x89HDF",
    "picture": b"\x89PNG",
    "numpy array": b"\x93NUMPY",
}
READABLE = ("text", "parquet", "feather", "excel")
# In this order: UTF-32 begins with the mark of UTF-16.
BYTE_ORDER_MARKS = {
    "utf-8-sig": (b"\xef\xbb\xbf",),
    "utf-32": (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"),
    "utf-16": (b"\xff\xfe", b"\xfe\xff"),
}
GZIP = b"\x1f\x8b"


def read_bytes(path: Path) -> bytes:
    """The bytes of a file or, for ``-``, of standard input, unpacked from gzip or a zip of one."""
    try:
        if path == STANDARD_INPUT:
            content = sys.stdin.buffer.read()
        elif path.is_dir():
            raise DataError("KW100", f"{path} is a folder, not a table")
        elif not path.exists():
            raise DataError("KW100", f"{path}: no such file")
        else:
            content = path.read_bytes()
        if content.startswith(GZIP):
            content = gzip.decompress(content)
        elif content.startswith(MARKS["zip"]):
            content = _only_member(content)
        elif path.suffix.lower() == ".gz":
            raise DataError("KW100", f"{path} cannot be read: it is not a gzip file")
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError) as error:
        raise DataError("KW100", f"{path} cannot be read: {error}") from None
    return content


def kind_of(content: bytes, path: Path) -> str:
    """ "text", "parquet", "feather" or "excel", by the first bytes; a DataError for others."""
    kind = next((name for name, mark in MARKS.items() if content.startswith(mark)), "text")
    if kind == "zip":
        kind = "excel" if _is_workbook(content) else "zip archive"
    if kind not in READABLE:
        advice = "save its table as CSV, Parquet, Feather or .xlsx"
        raise DataError("KW100", f"{path} is a {kind}, not a table", advice)
    return kind


def _only_member(content: bytes) -> bytes:
    """The one file of a zip archive; an archive of several (such as a workbook) as it is."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = [name for name in archive.namelist() if not name.endswith("/")]
        files = [name for name in files if not name.startswith("__MACOSX")]
        return archive.read(files[0]) if len(files) == 1 else content


def _is_workbook(content: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except zipfile.BadZipFile:
        return False


def decoded(content: bytes, path: Path, encoding: str | None) -> tuple[str, str]:
    """The text of a file, and the encoding it was read with.

    Without a byte order mark, text that is not UTF-8 is taken as Windows-1252, which contains
    Latin-1's letters; zero bytes at every other place tell UTF-16.
    """
    given = encoding is not None
    encoding = encoding or _encoding_of(content)
    try:
        text = content.decode(encoding)
    except LookupError:
        raise DataError("KW100", f"there is no encoding '{encoding}'", "try utf-8") from None
    except (UnicodeDecodeError, UnicodeError):
        if given or encoding.startswith("utf-16"):
            raise DataError("KW100", f"{path} is not text in {encoding}") from None
        encoding, text = "latin-1", content.decode("latin-1")
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        raise DataError("KW100", f"{path} holds NUL characters: it is not a text file")
    return text, encoding


def _encoding_of(content: bytes) -> str:
    for encoding, marks in BYTE_ORDER_MARKS.items():
        if content.startswith(marks):
            return encoding
    start = content[:4096]
    if len(start) > 3 and len(content) % 2 == 0:
        for encoding, place in (("utf-16-le", 1), ("utf-16-be", 0)):
            if start[place::2].count(0) > 0.7 * len(start) / 2:
                return encoding
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
