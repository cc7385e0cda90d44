"""Numbers of a record as cells of a table, each with what it is sorted by."""

from __future__ import annotations

from kernelwise.insight.fit_record import FitRecord
from kernelwise.insight.headline import number
from kernelwise.report.document import Cell

UNKNOWN = Cell("-")


def unit(record: FitRecord) -> str:
    """What errors are given in, after their name."""
    return ", %" if record.task == "classification" else ""


def scale(record: FitRecord) -> float:
    """What errors are multiplied by to be shown."""
    return 100.0 if record.task == "classification" else 1.0


def error_cell(record: FitRecord, value: float | None) -> Cell:
    """An error, in percent of rows or in units of the target."""
    if value is None:
        return UNKNOWN
    if record.task == "classification":
        return Cell(_minus(f"{100 * value:.1f}"), value)
    return Cell(_minus(number(value)), value)


def interval_cell(record: FitRecord, low: float | None, high: float | None) -> Cell:
    """An interval, sorted by its lower end."""
    if low is None or high is None:
        return UNKNOWN
    ends = (error_cell(record, end).text for end in (low, high))
    return Cell(" to ".join(ends), low)


def share_cell(share: float | None, digits: int = 1) -> Cell:
    """A share in percent."""
    if share is None:
        return UNKNOWN
    return Cell(f"{100 * share:.{digits}f} %", share)


def shares_cell(low: float | None, high: float | None) -> Cell:
    """An interval of shares in percent."""
    if low is None or high is None:
        return UNKNOWN
    return Cell(f"{100 * low:.1f} to {100 * high:.1f} %", low)


def number_cell(value: float | None) -> Cell:
    """A number with three digits."""
    return UNKNOWN if value is None else Cell(_minus(number(value)), value)


def count_cell(value: float) -> Cell:
    """A whole number, or a sum of weights."""
    return Cell(f"{value:g}" if value != round(value) else f"{value:.0f}", value)


def _minus(text: str) -> str:
    return text.replace("-", "\u2212") if text.startswith("-") else text
