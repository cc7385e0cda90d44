"""The table that was learned from."""

from __future__ import annotations

from typing import Any

from kernelwise.insight.fit_record import ColumnRecord, FitRecord
from kernelwise.report.document import Paragraph, Section, Table, TableCell, columns, text_cell
from kernelwise.report.sections.cells import UNKNOWN, count_cell, number_cell, share_cell

HOW = {
    "number": "as a number, in standard deviations; a gap is the median, and is seen",
    "category": "equal or not; a gap is a level of its own",
}


def data(record: FitRecord) -> Section:
    """Rows, classes and columns."""
    repeated = record.n_rows - record.n_distinct
    said = f"{record.n_rows} rows, {repeated} of them repeat others. {len(record.columns)} columns."
    used = {one.kind for one in record.columns}
    said += "".join(f" {kind.capitalize()}: {HOW[kind]}." for kind in HOW if kind in used)
    parts: list[Any] = [Paragraph(said)]
    if record.classes:
        parts.append(_classes(record))
    heads = columns(
        *("Column", "Type", "Gaps", "Distinct", "Lowest", "Highest", "Most common"), texts=(0, 1, 6)
    )
    parts.append(Table("Columns", heads, tuple(_column(one) for one in record.columns)))
    return Section("data", "Data", "The data", tuple(parts), is_open=False)


def _classes(record: FitRecord) -> Table:
    total = sum(record.counts)
    rows = tuple(
        (text_cell(label), count_cell(count), share_cell(count / total if total else None))
        for label, count in zip(record.classes, record.counts, strict=True)
    )
    return Table(
        f"Classes of '{record.target}'",
        columns("Class", "Weight" if record.weighted else "Rows", "Share"),
        rows,
    )


def _column(one: ColumnRecord) -> tuple[TableCell, ...]:
    return (
        text_cell(one.name),
        text_cell(one.kind),
        count_cell(one.missing),
        count_cell(one.distinct) if one.distinct else UNKNOWN,
        number_cell(one.low),
        number_cell(one.high),
        text_cell(one.common) if one.common is not None else UNKNOWN,
    )
