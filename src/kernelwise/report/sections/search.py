"""Would more rows help, and how the parameters were searched for."""

from __future__ import annotations

from functools import partial
from typing import Any

from kernelwise.insight.fit_record import CandidateRecord, FitRecord, TraceRecord
from kernelwise.insight.headline import number
from kernelwise.insight.record_sentences import about_curve
from kernelwise.report.document import (
    Figure,
    Gallery,
    Paragraph,
    Section,
    Table,
    columns,
    text_cell,
)
from kernelwise.report.page_figures import curve_figure, trace_figure
from kernelwise.report.sections.cells import count_cell, error_cell, number_cell, scale, unit

TRACES = (
    "Gray: the points that were tried, but for those above the first. Blue: the lowest so far. "
    "Criteria of different candidates cannot be compared."
)


def curve(record: FitRecord) -> Section:
    """The error of the chosen machines on fewer rows."""
    title = "Would more rows help?"
    words = about_curve(record)
    if not words:
        said = "Not estimated: the rows are too few, too many or were not judged by folds."
        if record.is_trivial:
            said = "Nothing was learned from any number of rows."
        return Section("curve", "More rows?", title, (Paragraph(said),), is_open=False)
    label = f"error{unit(record)}"
    rows = tuple((count_cell(one.rows), error_cell(record, one.error)) for one in record.curve)
    figure = Figure(
        "Error and rows",
        "The chosen machines fitted to a quarter, a half and three quarters of the rows.",
        partial(curve_figure, record.curve, scale(record), label),
        Table("Errors by rows", columns("Rows", label.capitalize(), texts=()), rows),
    )
    return Section("curve", "More rows?", title, (Paragraph(words[0]), figure), is_open=False)


def search(record: FitRecord) -> Section:
    """Each candidate's search: its values, why it stopped, and parameters at a limit."""
    searched = [one for one in record.candidates if one.trace is not None]
    parts: list[Any] = []
    if searched:
        parts.append(_table(searched))
        drawn = tuple(
            _figure(one, one.trace) for one in searched if one.trace and len(one.trace.values) > 1
        )
        if drawn:
            parts.append(Gallery("The criterion of each search", TRACES, drawn))
    else:
        parts.append(Paragraph("Nothing was searched."))
    if record.skipped:
        skipped = "; ".join(f"'{name}': {reason}" for name, reason in record.skipped.items())
        parts.append(Paragraph(f"Not tried: {skipped}."))
    return Section("search", "Search", "How it searched", tuple(parts), is_open=False)


def _table(searched: list[CandidateRecord]) -> Table:
    traces = [one.trace for one in searched if one.trace is not None]
    several = any(len(trace.optima) > 1 for trace in traces)
    heads = ["Candidate", "Chosen parameters", "Evaluations", "Lowest criterion"]
    heads += ["Why it stopped", "At a limit", *(["Optima"] if several else [])]
    rows = []
    for one, trace in zip(searched, traces, strict=True):
        line = (
            text_cell(one.name),
            text_cell(one.words),
            count_cell(trace.n_points),
            number_cell(min(trace.values, default=None)),
            text_cell(trace.reason),
            text_cell(", ".join(trace.at_limits) or "none"),
        )
        rows.append((*line, text_cell(_optima(trace))) if several else line)
    return Table("Searches of the candidates", columns(*heads, texts=(0, 1, 4, 5, 6)), tuple(rows))


def _optima(trace: TraceRecord) -> str:
    """How far apart several searches ended."""
    values = [one.value for one in trace.optima]
    if len(values) < 2:
        return "1"
    said = f"{len(values)}, from {number(min(values))} to {number(max(values))}"
    apart = [one.disagreement for one in trace.optima if one.disagreement is not None]
    return f"{said}; they disagree by up to {number(max(apart))}" if apart else said


def _figure(one: CandidateRecord, trace: TraceRecord) -> Figure:
    rows = tuple(
        (count_cell(place), number_cell(value)) for place, value in enumerate(trace.values, 1)
    )
    kept = len(trace.values)
    about, head = "", "Evaluation"
    if kept < trace.n_points:
        about, head = f" ({kept} of {trace.n_points} values)", "Kept evaluation"
    return Figure(
        one.name,
        f"Stopped: {trace.reason}.",
        partial(trace_figure, trace),
        Table(f"Criterion of '{one.name}'{about}", columns(head, "Criterion", texts=()), rows),
        mark="",
    )
