"""Long text files in chunks of whole rows, and rows from all over a file."""

import gzip
import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from kernelwise.data.checks import DataError
from kernelwise.data.delimited import NAMED_DELIMITER, parse
from kernelwise.data.file_bytes import GZIP, decoded
from kernelwise.data.piece_reading import within

if TYPE_CHECKING:
    from pandas import DataFrame

# Bytes that tell the encoding, characters of a chunk, and bytes of a look into a file.
HEAD, CHUNK, LOOK = 2_000_000, 8_000_000, 65_536
LOOKS = 16


@dataclass(frozen=True)
class TextFile:
    """A text file with delimiters that is read in chunks.

    Attributes
    ----------
    path, encoding : which, and how its letters are coded
    header : the text of its header, with a line before it that names the delimiter, if any
    delimiter : between columns
    """

    path: Path
    encoding: str
    header: str
    delimiter: str

    @classmethod
    def of(cls, path: Path, delimiter: str | None, encoding: str | None) -> "TextFile":
        with _opened(path) as file:
            head = file.read(HEAD)
        if len(head) == HEAD:
            head = head[: head.rfind(b"\n") + 1] or head
        text, found = decoded(head, path, encoding)
        delimiter = parse(text, path, delimiter)[2]
        return cls(path, found, _header(text), delimiter)

    def chunks(self) -> Iterator["DataFrame"]:
        """Some thousand rows at a time, as texts."""
        with _opened(self.path) as file, _text(file, self.encoding) as stream:
            line = 1
            try:
                for text in whole_rows(stream, CHUNK):
                    rows = (
                        text.removeprefix("\ufeff").removeprefix(self.header) if line == 1 else text
                    )
                    if rows.strip():
                        yield self._frame(rows, line)
                    line += text.count("\n")
            except UnicodeDecodeError:
                said = f"{self.path} is not text in {self.encoding} after line {line}"
                raise DataError("KW100", said, "name its encoding") from None

    def looks(self) -> Iterator["DataFrame"]:
        """Rows from places all over the file after its first chunk, unless it is packed."""
        if self.encoding.startswith(("utf-16", "utf-32")):
            return
        with open(self.path, "rb") as file:
            if file.read(2) == GZIP:
                return
            size = file.seek(0, io.SEEK_END)
            places = [place * size // LOOKS for place in range(1, LOOKS)]
            for place in places if size > LOOKS * LOOK else ():
                if place < CHUNK:
                    continue
                file.seek(place)
                lines = file.read(LOOK).split(b"\n")[1:-1]
                text = b"\n".join(lines).decode(self.encoding, errors="replace")
                # Inside quotes, what looks like a row may be none.
                with suppress(DataError):
                    yield self._frame(text, 1)

    def _frame(self, rows: str, line: int) -> "DataFrame":
        try:
            return parse(self.header + rows, self.path, self.delimiter)[0]
        except DataError as error:
            if line == 1:
                raise
            raise within(f"the rows from line {line} on", error) from None


def whole_rows(stream: io.TextIOBase, characters: int) -> Iterator[str]:
    """Text in chunks that end with a row: at the end of a line that is not inside quotes."""
    rest = ""
    while text := stream.read(characters):
        rest += text
        if end := _end_of_rows(rest):
            yield rest[:end]
            rest = rest[end:]
    if rest:
        yield rest


def _end_of_rows(text: str) -> int:
    end = len(text)
    while (end := max(text.rfind("\n", 0, end), text.rfind("\r", 0, end))) >= 0:
        if text.count('"', 0, end) % 2 == 0:
            return end + 1
    return 0


def _header(text: str) -> str:
    """The first row that is not blank, and what is before it."""
    named = NAMED_DELIMITER.match(text)
    first = end = named.end() if named else 0
    while end < len(text):
        found = [place for mark in "\r\n" if (place := text.find(mark, end)) >= 0]
        end = min(found, default=len(text)) + 1
        row = text[first:end]
        if row.strip() and row.count('"') % 2 == 0:
            break
    rest = text[end : end + 1]
    return text[: end + (text[end - 1 : end] == "\r" and rest == "\n")]


def _opened(path: Path) -> BinaryIO:
    with open(path, "rb") as file:
        packed = file.read(2) == GZIP
    return cast(BinaryIO, gzip.open(path, "rb")) if packed else open(path, "rb")


def _text(file: BinaryIO, encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(file, encoding=encoding, newline="")
