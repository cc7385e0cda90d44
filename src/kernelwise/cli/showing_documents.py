"""A document in lines of a terminal."""

import textwrap
from typing import Any

from kernelwise.cli import console
from kernelwise.cli.records import words_width
from kernelwise.report.document import Code, Document, Figure, Gallery, Table
from kernelwise.report.grids import grid_of


def show_document(document: Document) -> None:
    """Print all sections, with tables in place of pictures."""
    console.say(document.title)
    console.say(" · ".join(document.subject))
    for sentence in document.lead:
        _say_paragraph(sentence)
    for section in document.sections:
        console.say("")
        console.say(section.title)
        console.say("-" * len(section.title))
        for part in section.parts:
            _say(part)


def _say(part: Any) -> None:
    if isinstance(part, Figure):
        _say_table(part.table)
    elif isinstance(part, Gallery):
        for figure in part.figures:
            _say_table(figure.table)
    elif isinstance(part, Table):
        _say_table(part)
    elif isinstance(part, Code):
        console.say("")
        console.say_lines(f"{part.title}:\n{textwrap.indent(part.text, '  ')}")
    elif part.kind == "listing":
        for item in part.items:
            _say_paragraph(f"- {item}")
    elif part.kind == "note":
        _say_paragraph(f"{part.severity} {part.code}: {part.text}")
    else:
        _say_paragraph(part.text)


def _say_table(table: Table) -> None:
    console.say("")
    console.say(f"{table.title}:")
    console.show_grid(grid_of(table))


def _say_paragraph(text: str) -> None:
    console.say("")
    console.say_lines(textwrap.fill(text, words_width(), break_long_words=False))
