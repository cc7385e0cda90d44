"""Documents as texts and as files."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path

from kernelwise.files import check_can_write, written_whole
from kernelwise.insight.fit_record import FitRecord
from kernelwise.optional import import_optional
from kernelwise.report.document import Document
from kernelwise.report.fit_document import fit_document
from kernelwise.report.html import as_html
from kernelwise.report.markdown import as_markdown

FORMATS: dict[str, Callable[[Document], str]] = {".html": as_html, ".md": as_markdown}


def fit_report(
    record: FitRecord, path: str | PathLike[str] | None = None, title: str | None = None
) -> str:
    """The report on a fit as HTML, or as the ending of ``path`` says, where it is written too.

    The same record gives the same text (with the same version of matplotlib).

    Parameters
    ----------
    record : ``record_`` of an AutoKernel, or what ``FitRecord.from_json`` read
    path : a file ending in .html or .md, written whole; None: nothing is written
    title : None: what is predicted
    """
    where = None if path is None else Path(path)
    if where is None:
        return as_html(fit_document(record, title))
    check_page(where)
    return write_page(fit_document(record, title), where)


def check_page(path: Path) -> None:
    """Raise an error if a report cannot be written there, or a package for it is missing."""
    if path.suffix not in FORMATS:
        raise ValueError(f"{path}: the name of a report must end in {' or '.join(FORMATS)}")
    check_can_write(path)
    if FORMATS[path.suffix] is as_html:
        import_optional("jinja2", extra="report")
        import_optional("matplotlib", extra="report")


def write_page(document: Document, path: Path) -> str:
    """Write a document whole or not at all, in the format of the file's ending; return its text."""
    text = FORMATS[path.suffix](document)
    with written_whole(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    return text
