"""Text with delimiters as columns of texts: every field where the file has it, or an error.

One parser, Python's ``csv``, reads every row, and the fields of every row are counted: a row never
shifts another, and no column becomes an index.
"""

import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernelwise.data.checks import Check, DataError, count
from kernelwise.data.numbers import is_plain_number
from kernelwise.optional import import_optional

if TYPE_CHECKING:
    from pandas import DataFrame

DELIMITERS = (",", ";", "\t", "|")
NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars", " ": "blanks"}
MARKUP = {"<!doctype": "a web page", "<html": "a web page", "<table": "a web page", "<?xml": "XML"}
# Excel's own way to name the delimiter, in a line before the header.
NAMED_DELIMITER = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)
# So much of the file tells the delimiter.
SAMPLED_CHARACTERS, SAMPLED_ROWS = 200_000, 200
ROWS_AT_A_TIME = 20_000


@dataclass(frozen=True)
class _Lines:
    """The lines of a text, and which of them has the header."""

    text: str
    header: int

    def start_with_quote(self, first_row: int) -> bool:
        """Whether header and first row begin with a quotation mark, as R writes them."""
        lines = io.StringIO(self.text, newline="")
        starts = [
            line
            for number, line in enumerate(islice(lines, first_row), 1)
            if number in (self.header, first_row)
        ]
        return all(line.lstrip().startswith('"') for line in starts)


@dataclass
class _Rows:
    """What was seen of the rows while they were read."""

    names: int
    lengths: Counter = field(default_factory=Counter)
    first_of_length: dict[int, int] = field(default_factory=dict)


def parse(text: str, path: Path, delimiter: str | None) -> tuple["DataFrame", list[Check], str]:
    """The columns of a text as texts, what was seen, and the delimiter."""
    if not text.strip():
        raise DataError("KW100", f"{path} is empty: it needs a header line and rows")
    _refuse_other_formats(text, path)
    named = NAMED_DELIMITER.match(text)
    skipped = named.end() if named else 0
    found = delimiter or (named.group(1) if named else _delimiter_of(text))
    rows = _rows_of(text[skipped:], path, found, lines_before=1 if named else 0)
    header_line, header = next(rows, (1, []))
    names = [name.strip() for name in header]
    _check_header(names, path)
    lines = _Lines(text, header_line)
    frame, checks = _columns(rows, names, path, lines)
    if found == " " and any(check.code == "KW103" for check in checks):
        # A blank field is no field between blanks: those after it would be in the wrong column.
        said = f"{path} has rows of different numbers of fields between blanks"
        raise DataError("KW104", said, "separate its columns by commas or tabs")
    if found != ",":
        said = f"the columns are separated by {NAMES.get(found, repr(found))}"
        checks.insert(0, Check("KW107", said, "name another delimiter if that is wrong"))
    return frame, checks, found


def _refuse_other_formats(text: str, path: Path) -> None:
    start = text.lstrip()[:200].lower()
    for mark, kind in MARKUP.items():
        if start.startswith(mark):
            raise DataError("KW100", f"{path} is {kind}, not a table", "download the file itself")
    if re.match(r"(\[\s*)?\{\s*\"", start):
        raise DataError("KW100", f"{path} is JSON, not a table", "save it as CSV or Parquet")


def _delimiter_of(text: str) -> str:
    """The delimiter with which most rows have as many fields as the header (or one more).

    Blanks, in one or more, are one only if no other divides the header, and if all rows agree.
    """
    sample = text[:SAMPLED_CHARACTERS]
    if len(text) > len(sample):  # the last line is cut
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    best, best_score = ",", (0.0, 0)
    for delimiter in DELIMITERS:
        if (score := _agreement(sample, delimiter)) > best_score:
            best, best_score = delimiter, score
    if best_score[1] == 0 and _agreement(sample, " ")[0] == 1:
        return " "
    return best


def _agreement(sample: str, delimiter: str) -> tuple[float, int]:
    """The share of rows with as many fields as the header or one more, and the header's; or 0."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, skipinitialspace=True)
    lengths = []
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                lengths.append(len(row))
            if len(lengths) > SAMPLED_ROWS:
                break
    except csv.Error:
        pass
    if not lengths or lengths[0] < 2:
        return 0.0, 0
    header, rest = lengths[0], lengths[1:] or lengths
    return sum(length in (header, header + 1) for length in rest) / len(rest), header


def _rows_of(
    text: str, path: Path, delimiter: str, lines_before: int
) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with its line; a quote that never closes is an error."""
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise DataError("KW100", f"the delimiter must be one character, not {delimiter!r}")
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    limit = csv.field_size_limit(sys.maxsize)
    line = 1 + lines_before
    try:
        for row in reader:
            if len(row) > 1 or (row and row[0].strip()):
                yield line, row
            line = reader.line_num + 1 + lines_before
    except csv.Error as error:
        advice = "a quotation mark inside quotes is written twice"
        said = f"{path} is not a well-formed CSV file: line {line}, {error}"
        raise DataError("KW100", said, advice) from None
    finally:
        csv.field_size_limit(limit)


def _check_header(names: list[str], path: Path) -> None:
    if names and all(is_plain_number(name) for name in names):
        advice = "add a first line with the names of the columns"
        raise DataError("KW108", f"{path} has no header: its first line holds numbers", advice)


def _columns(
    rows: Iterator[tuple[int, list[str]]], names: list[str], path: Path, lines: _Lines
) -> tuple["DataFrame", list[Check]]:
    """Rows turned into named columns of texts."""
    seen = _Rows(len(names))
    chunks = list(_chunks(rows, seen, path))
    if not chunks:
        raise DataError("KW100", f"{path} has a header but no rows")
    width = max(seen.lengths)
    if width > len(names):
        quoted = lines.start_with_quote(min(seen.first_of_length.values()))
        names_of_fields, checks = _names_for_longer_rows(names, seen, chunks, path, quoted)
    else:
        names_of_fields, checks = [*names], _short_rows(names, seen, path)
    return _named(chunks, names_of_fields, path, checks)


def _chunks(
    rows: Iterator[tuple[int, list[str]]], seen: _Rows, path: Path
) -> Iterator[list["object"]]:
    """Columns of some thousand rows at a time, in pandas' compact form of texts."""
    pd = import_optional("pandas", extra="cli")
    most = seen.names + 1
    batch: list[list[str]] = []

    def packed() -> list:
        return [pd.Series(column, dtype="str") for column in zip(*batch, strict=True)]

    for line, row in rows:
        length = len(row)
        seen.lengths[length] += 1
        if length not in seen.first_of_length:
            seen.first_of_length[length] = line
        if length > most:
            raise _longer(path, line, length, seen.names)
        batch.append(row + [""] * (most - length))
        if len(batch) == ROWS_AT_A_TIME:
            yield packed()
            batch.clear()
    if batch:
        yield packed()


def _longer(path: Path, line: int, fields: int, names: int) -> DataError:
    said = f"{path}, line {line}: the row has {fields} fields, but the header has only {names}"
    if names == 1:
        return DataError("KW104", said, "remove lines above the header, or name the delimiter")
    return DataError(
        "KW104",
        said,
        "name every column, remove the delimiters at the end of the row, or put values that "
        "contain the delimiter in quotes",
    )


def _names_for_longer_rows(
    names: list[str], seen: _Rows, chunks: list, path: Path, quoted: bool
) -> tuple[list[str | None], list[Check]]:
    """Names for rows with one field more than the header: a spare field, or R's row names (None).

    Row names are the one case in which the *first* field has no name. A value with an unquoted
    decimal comma looks the same, so they must be texts that all differ, and unless the file has
    them in quotes no two columns beside each other may be whole numbers.
    """
    most = seen.names + 1
    error = _longer(path, seen.first_of_length[most], most, seen.names)
    every = len(seen.lengths) == 1
    last = [text for chunk in chunks for text in chunk[-1]]
    if every and not any(text.strip() for text in last):
        said = "every row ends in one spare empty field, which is left out"
        return [*names, ""], [Check("KW101", said)]
    first = [text.strip() for chunk in chunks for text in chunk[0]]
    told_apart = len(set(first)) == len(first) > 1
    if not (every and told_apart):
        raise error
    if not quoted and (any(map(is_plain_number, first)) or _split_decimals(chunks)):
        raise error
    said = (
        "the header has one name less than the rows have fields: the first field of each row was "
        f"taken as its name ('{first[0]}', '{first[1]}', ...) and is left out"
    )
    return [None, *names], [Check("KW102", said, "check that the columns are where they belong")]


def _split_decimals(chunks: list) -> bool:
    """Whether two columns beside each other could be the two halves of decimal numbers."""
    head = chunks[0]
    whole = [
        all(text.strip().lstrip("+-").isdigit() for text in column if text.strip())
        for column in head[1:]
    ]
    return any(a and b for a, b in pairwise(whole))


def _short_rows(names: list[str], seen: _Rows, path: Path) -> list[Check]:
    """A note about rows with fewer fields than the header; an error if no row has them all."""
    rows = seen.lengths.total()
    short = rows - seen.lengths[len(names)]
    if not short:
        return []
    line = min(line for length, line in seen.first_of_length.items() if length < len(names))
    if short == rows and not (names[-1] == "" and set(seen.lengths) == {len(names) - 1}):
        raise DataError(
            "KW104",
            f"{path}, line {line}: no row has as many fields as the header has names "
            f"({len(names)}), this one has {min(seen.lengths)}",
            "remove the names that have no column",
        )
    if short == rows:
        return []
    said = (
        f"{short} of {count(rows, 'row')} have fewer fields than the header (first: line {line}); "
        "the missing ones are gaps"
    )
    return [Check("KW103", said, "check that no field is missing in the middle")]


def _named(
    chunks: list, names: list[str | None], path: Path, checks: list[Check]
) -> tuple["DataFrame", list[Check]]:
    """The fields by their names; those named None are left out."""
    pd = import_optional("pandas", extra="cli")
    names = names + [""] * (len(chunks[0]) - len(names))
    columns = [
        pd.concat([chunk[index] for chunk in chunks], ignore_index=True)
        for index in range(len(names))
    ]
    return with_names(columns, names, path, checks), checks


def with_names(
    given: list, names: Sequence[str | None], path: Path, checks: list[Check]
) -> "DataFrame":
    """A table of columns by their names: none twice, unless they are equal, and none nameless.

    Parameters
    ----------
    given, names : the columns, and the name of each; empty ones get one, None leaves a column out
    path : of the file, for errors
    checks : what was seen goes here
    """
    pd = import_optional("pandas", extra="cli")
    columns: dict[str, Any] = {}
    for index, (column, name) in enumerate(zip(given, names, strict=True)):
        if name is None:
            continue
        if not name:
            if not (column.notna() & (_stripped(column) != "")).any():
                continue  # the spare one, or a nameless column without a value
            name = _free_name(f"Unnamed: {index}", names)
        if name not in columns:
            columns[name] = column
        elif _stripped(column).equals(_stripped(columns[name])):
            said = f"column '{name}' is there twice, with equal values; one is left out"
            checks.append(Check("KW106", said))
        else:
            said = f"{path} has two columns named '{name}'"
            raise DataError("KW105", said, "rename one")
    return pd.DataFrame(columns)


def _stripped(column: Any) -> Any:
    return column.astype(str).str.strip()


def _free_name(name: str, names: Sequence[str | None]) -> str:
    while name in names:
        name += "'"
    return name
