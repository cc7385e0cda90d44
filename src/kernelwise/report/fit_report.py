"""A report on a fit, as a text and as a file."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path

from kernelwise.files import check_can_write, written_whole
from kernelwise.insight.fit_record import FitRecord
from kernelwise.report.document import Document
from kernelwise.report.fit_document import fit_document
from kernelwise.report.html import as_html
from kernelwise.report.markdown import as_markdown

FORMATS: dict[str, Callable[[Document], str]] = {".html": as_html, ".md": as_markdown}


def fit_report(
    record: FitRecord, path: str | PathLike[str] | None = None, title: str | None = None
) -> str:
    """The report as HTML, or as what the ending of ``path`` says, where it is written whole."""
    where = None if path is None else Path(path)
    as_text = as_html if where is None else format_of(where)
    return written(as_text(fit_document(record, title)), where)


def format_of(path: Path) -> Callable[[Document], str]:
    """What renders a document for a file; a ValueError if its name or place will not do."""
    if path.suffix not in FORMATS:
        raise ValueError(f"{path}: the name of a report must end in {' or '.join(FORMATS)}")
    check_can_write(path)
    return FORMATS[path.suffix]


def written(text: str, path: Path | None) -> str:
    """The text, which is then also in the file."""
    if path is not None:
        with written_whole(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return text
