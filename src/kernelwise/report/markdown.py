"""A document in Markdown: the same sections, with tables in place of pictures."""

from __future__ import annotations

import re
from typing import Any

from kernelwise.report.document import Code, Document, Figure, Gallery, Section, Table

# What would mean something else than itself.
SPECIAL = re.compile(r"([\\`*_{}\[\]|#~])")


def as_markdown(document: Document) -> str:
    """The whole document; the same document gives the same text."""
    texts = [f"# {escaped(document.title)}", escaped(" · ".join(document.subject))]
    texts += [f"**{escaped(sentence)}**" for sentence in document.lead]
    for section in document.sections:
        texts += _section(section)
    return "\n\n".join(texts) + "\n"


def escaped(text: str) -> str:
    """Text in one line that means nothing but itself."""
    plain = SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _section(section: Section) -> list[str]:
    texts = [f"## {escaped(section.title)}"]
    for part in section.parts:
        texts += _part(part)
    return texts


def _part(part: Any) -> list[str]:
    if isinstance(part, Table):
        return _table(part)
    if isinstance(part, Figure):
        return [f"### {escaped(part.title)}", escaped(part.about), *_table(part.table)]
    if isinstance(part, Gallery):
        texts = [f"### {escaped(part.title)}", escaped(part.about)]
        for figure in part.figures:
            texts += _table(figure.table)
        return texts
    if isinstance(part, Code):
        return [escaped(part.title), _fenced(part)]
    if part.kind == "listing":
        return ["\n".join(f"- {escaped(item)}" for item in part.items)]
    if part.kind == "note":
        return [f"**{part.severity} {part.code}** {escaped(part.text)}"]
    return [escaped(part.text)]


def _fenced(code: Code) -> str:
    """Lines within a fence that is longer than any in them."""
    longest = max((len(run) for run in re.findall("`+", code.text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{code.language}\n{code.text.rstrip()}\n{fence}"


def _table(table: Table) -> list[str]:
    rule = ["---:" if column.is_number else "---" for column in table.columns]
    heads = [escaped(column.name) for column in table.columns]
    rows = [[escaped(cell.text) for cell in row] for row in table.rows]
    lines = (f"| {' | '.join(line)} |" for line in (heads, rule, *rows))
    title = f"**{escaped(table.title)}.** {escaped(table.about)}".rstrip()
    return [title, "\n".join(lines)]
