"""A document: sections of paragraphs, tables, figures and notes, whatever they are rendered as.

Every text is plain; a renderer escapes it. Every figure comes with a table that says the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


@dataclass(frozen=True)
class Paragraph:
    """Some sentences."""

    kind: ClassVar[str] = "paragraph"
    text: str


@dataclass(frozen=True)
class Listing:
    """Short sentences, one below the other."""

    kind: ClassVar[str] = "listing"
    items: tuple[str, ...]


@dataclass(frozen=True)
class Note:
    """Something to know first: its code, how serious it is, what was seen, and what to do."""

    kind: ClassVar[str] = "note"
    code: str
    severity: str
    text: str


@dataclass(frozen=True)
class Code:
    """Lines to be copied: a command, or a program."""

    kind: ClassVar[str] = "code"
    title: str
    text: str
    language: str


@dataclass(frozen=True)
class TableCell:
    """A text of a table, and the number by which its column is sorted.

    ``shade`` from 0 to 1 says how dark the cell is.
    """

    text: str
    value: float | None = None
    shade: float = 0.0


@dataclass(frozen=True)
class Column:
    """The head of a column; numbers are aligned on the right."""

    name: str
    is_number: bool = True


@dataclass(frozen=True)
class Table:
    """Rows of cells under a title; the first column names the rows.

    ``about`` says what the numbers are, where the heads of the columns do not.
    """

    kind: ClassVar[str] = "table"
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    about: str = ""


@dataclass(frozen=True)
class Figure:
    """A picture, and the table that says the same.

    Parameters
    ----------
    title, about : what it shows, in a few words and in a sentence
    draw : makes the picture
    table : its numbers
    mark : the name of the artists that stand for a row of the table each
    rows : the row of each of these artists, in the order they are drawn in
    folded : whether the table is shown only when it is asked for
    """

    kind: ClassVar[str] = "figure"
    title: str
    about: str
    draw: Callable[[], Drawing] = field(compare=False)
    table: Table
    mark: str = "mark"
    rows: tuple[int, ...] = ()
    folded: bool = True


@dataclass(frozen=True)
class Gallery:
    """Small figures side by side, and what they have in common."""

    kind: ClassVar[str] = "gallery"
    title: str
    about: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Section:
    """A part of a document that can be folded; ``name`` is short, ``title`` is not."""

    id: str
    name: str
    title: str
    parts: tuple[Any, ...]
    is_open: bool = True


@dataclass(frozen=True)
class Document:
    """A whole document.

    Attributes
    ----------
    title, subject : what it is about, and in a few words where that comes from
    lead : the sentences that matter most
    sections : in the order of a reader's questions
    data : JSON from which the document was made, if it is to carry that along
    """

    title: str
    subject: tuple[str, ...]
    lead: tuple[str, ...]
    sections: tuple[Section, ...]
    data: str | None = None


def text_cell(text: object) -> TableCell:
    return TableCell(str(text))


def columns(*names: str, texts: Sequence[int] = (0,)) -> tuple[Column, ...]:
    """Heads of columns of numbers, but for those with texts."""
    return tuple(Column(name, place not in texts) for place, name in enumerate(names))
