"""Numbers of a record as cells of a table, each with what it is sorted by."""

from __future__ import annotations

import math

from kernelwise.insight.fit_record import FitRecord
from kernelwise.insight.headline import number
from kernelwise.report.document import TableCell

UNKNOWN = TableCell("-")


def unit(record: FitRecord) -> str:
    """What errors are given in, after their name."""
    return ", %" if record.task == "classification" else ""


def scale(record: FitRecord) -> float:
    """What errors are multiplied by to be shown."""
    return 100.0 if record.task == "classification" else 1.0


def error_cell(record: FitRecord, value: float | None) -> TableCell:
    """An error, or a difference of errors, in percent of rows or in units of the target."""
    if value is None:
        return UNKNOWN
    return TableCell(_minus(f"{scale(record) * value:.{_decimals(record)}f}"), value)


def _decimals(record: FitRecord) -> int:
    """As many as give the error of a quantity three digits."""
    if record.task == "classification":
        return 1
    first = record.candidates[0]
    error = first.seen if first.error is None else first.error
    return max(0, 2 - math.floor(math.log10(error))) if error > 0 else 0


def interval_cell(record: FitRecord, low: float | None, high: float | None) -> TableCell:
    """An interval, sorted by its lower end."""
    if low is None or high is None:
        return UNKNOWN
    ends = (error_cell(record, end).text for end in (low, high))
    return TableCell(" to ".join(ends), low)


def share_cell(share: float | None, digits: int = 1) -> TableCell:
    """A share in percent."""
    if share is None:
        return UNKNOWN
    return TableCell(f"{100 * share:.{digits}f} %", share)


def shares_cell(low: float | None, high: float | None) -> TableCell:
    """An interval of shares in percent."""
    if low is None or high is None:
        return UNKNOWN
    return TableCell(f"{100 * low:.1f} to {100 * high:.1f} %", low)


def number_cell(value: float | None) -> TableCell:
    """A number with three digits."""
    return UNKNOWN if value is None else TableCell(_minus(number(value)), value)


def count_cell(value: float) -> TableCell:
    """A whole number, or a sum of weights."""
    return TableCell(f"{value:g}" if value != round(value) else f"{value:.0f}", value)


def _minus(text: str) -> str:
    """With a sign as long as a plus; none before a zero."""
    if not text.startswith("-"):
        return text
    return text[1:] if not text.strip("-0.") else f"\N{MINUS SIGN}{text[1:]}"
