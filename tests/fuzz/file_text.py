"""From fields to the bytes of a file: delimiters, quotes, newlines, encodings, damage."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fuzz.tables import Draft

ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8", "utf-8-sig", "latin-1")
ENCODINGS += ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le")


@dataclass(frozen=True)
class Style:
    """How a file is written."""

    delimiter: str
    newline: str
    quotes: str  # "needed", "all" or "words"
    padded: bool
    blank_lines: bool
    last_newline: bool
    names_delimiter: bool


def draw_style(rng: np.random.Generator) -> Style:
    return Style(
        delimiter=str(rng.choice([",", ",", ",", ";", "\t", "|"])),
        newline=str(rng.choice(["\n", "\n", "\r\n", "\r"])),
        quotes=str(rng.choice(["needed", "needed", "all", "words"])),
        padded=bool(rng.random() < 0.1),
        blank_lines=bool(rng.random() < 0.1),
        last_newline=bool(rng.random() < 0.8),
        names_delimiter=bool(rng.random() < 0.03),
    )


def as_text(rng: np.random.Generator, draft: Draft, style: Style) -> str:
    """The text of the file."""
    rows = [_line([_header_field(h, style, draft) for h in draft.headers], style)]
    width = len(draft.columns)
    for row in range(draft.rows):
        fields = [
            _field(column.texts[row], style, is_word=column.words is not None)
            for column in draft.columns[: draft.shortened.get(row, width)]
        ]
        fields += draft.appended.get(row, [])
        if draft.row_names is not None:
            name = draft.row_names[row]
            fields.insert(0, _quoted(name) if draft.quotes_row_names else name)
        rows.append(_line(fields, style))
        if style.blank_lines and rng.random() < 0.2:
            rows.append(str(rng.choice(["", "  "])) if style.delimiter != "\t" else "")
    first = f"sep={style.delimiter}{style.newline}" if style.names_delimiter else ""
    return first + style.newline.join(rows) + (style.newline if style.last_newline else "")


def _line(fields: list[str], style: Style) -> str:
    if style.padded and style.delimiter != "\t":
        return f" {style.delimiter} ".join(fields)
    return style.delimiter.join(fields)


def _header_field(text: str, style: Style, draft: Draft) -> str:
    # Row names are told from a spare field by the quotation marks around all names.
    is_from_r = draft.row_names is not None and draft.quotes_row_names
    quoted = is_from_r or _must_quote(text)
    return _quoted(text) if quoted else _field(text, style, is_word=True)


def _field(text: str, style: Style, is_word: bool) -> str:
    # Numbers with a decimal comma need no quotes beside semicolons; words with another delimiter
    # do, or the file could be read with that delimiter as well.
    must = _must_quote(text) if is_word else _must_quote(text, style.delimiter)
    if must or style.quotes == "all" or (style.quotes == "words" and is_word):
        return _quoted(text)
    return text


def _must_quote(text: str, delimiters: str = ",;\t|") -> bool:
    return any(mark in text for mark in delimiters + '"\r\n')


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def as_bytes(rng: np.random.Generator, text: str, draft: Draft, style: Style) -> tuple[bytes, str]:
    """The bytes of the file, perhaps damaged, and the end of its name."""
    encoding = str(rng.choice(ENCODINGS))
    if encoding == "latin-1" and not _is_latin(text):
        encoding = "utf-8"
    if encoding in ("utf-16-le", "utf-16-be", "utf-32-le"):
        draft.must_read = False  # without a mark only zero bytes tell these
    content = text.encode(encoding)
    suffix = {"\t": ".tsv"}.get(style.delimiter, str(rng.choice([".csv", ".csv", ".txt", ""])))
    damage = rng.random()
    if damage < 0.03:
        draft.claims, content = False, rng.bytes(int(rng.integers(0, 3_000)))
    elif damage < 0.1:
        draft.claims, content = False, corrupted(rng, content)
    if rng.random() < 0.08:
        content, suffix = gzip.compress(content, mtime=0), suffix + str(rng.choice([".gz", ""]))
        if rng.random() < 0.3:
            # What is packed has a check sum: it is read as it was, or not at all.
            content, draft.must_read = corrupted(rng, content), False
            draft.claims = draft.claims and content.startswith(b"\x1f\x8b")
    return content, suffix


def corrupted(rng: np.random.Generator, content: bytes) -> bytes:
    """Bytes changed, cut out, put in, or cut off."""
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 6))):
        place, way = int(rng.integers(len(data) + 1)), rng.integers(4)
        if way == 0 and place < len(data):
            data[place] = int(rng.integers(256))
        elif way == 1:
            del data[place : place + int(rng.integers(1, 20))]
        elif way == 2:
            data[place:place] = rng.bytes(int(rng.integers(1, 8)))
        elif rng.random() < 0.2:
            del data[place:]
    return bytes(data)


def _is_latin(text: str) -> bool:
    """Whether Windows-1252 and Latin-1 agree on the text, and it is not UTF-8 by accident."""
    if not all(ord(mark) < 0x80 or 0xA0 <= ord(mark) < 0x100 for mark in text):
        return False
    try:
        return text.encode("latin-1").decode("utf-8").isascii()
    except UnicodeDecodeError:
        return True
