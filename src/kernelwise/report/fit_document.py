"""The document of a fit, made from its record alone."""

from __future__ import annotations

from kernelwise.insight.fit_record import FitRecord
from kernelwise.insight.headline import headline_sentences
from kernelwise.insight.record_sentences import about_check
from kernelwise.report.document import Document, Note, Section
from kernelwise.report.sections.choice import chosen
from kernelwise.report.sections.errors import errors
from kernelwise.report.sections.features import features
from kernelwise.report.sections.repeat import repeat
from kernelwise.report.sections.search import curve, search
from kernelwise.report.sections.table import data


def fit_document(record: FitRecord, title: str | None = None) -> Document:
    """All that a record says, in the order of a reader's questions.

    Parameters
    ----------
    record : of the fit
    title : None: what is predicted
    """
    rows = f"{record.n_rows} rows, {len(record.columns)} columns"
    made = record.date.partition("T")[0] if record.date else ""
    subject = (f"kernelwise {record.versions['kernelwise']}", record.table or "", rows, made)
    sections = (
        notes(record),
        chosen(record),
        errors(record),
        features(record),
        curve(record),
        search(record),
        data(record),
        repeat(record),
    )
    return Document(
        title or f"Predicting '{record.target}'",
        tuple(item for item in subject if item),
        tuple(headline_sentences(record)),
        tuple(section for section in sections if section.parts),
        record.as_json(),
    )


def notes(record: FitRecord) -> Section:
    """What to know first; without parts there is nothing to know."""
    found = tuple(Note(one.code, one.severity, about_check(one)) for one in record.checks)
    things = "1 thing" if len(found) == 1 else f"{len(found)} things"
    return Section("notes", "Notes", f"{things} to know first", found)
