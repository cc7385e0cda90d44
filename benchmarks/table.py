"""The report of a benchmark, as rows of a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

HEADINGS = ("what", "measured", "limit", "goal", "", "beside")


@dataclass(frozen=True)
class Row:
    """One measured number. Without a limit it is only reported.

    ``at_least`` reverses limit and goal: larger is better. ``beside`` holds times and counters.
    """

    what: str
    measured: float
    unit: str = "F"
    limit: float | None = None
    goal: float | None = None
    at_least: bool = False
    beside: str = ""

    def reaches(self, limit: float | None) -> bool:
        if limit is None:
            return True
        return self.measured >= limit if self.at_least else self.measured <= limit

    @property
    def missed(self) -> bool:
        return not self.reaches(self.limit)

    @property
    def verdict(self) -> str:
        if self.limit is None:
            return ""
        if self.missed:
            return "NOT REACHED"
        return "ok, goal" if self.goal is not None and self.reaches(self.goal) else "ok"

    def cells(self) -> tuple[str, ...]:
        sign = ">=" if self.at_least else "<="
        limits = ["" if x is None else f"{sign} {x:.3g}" for x in (self.limit, self.goal)]
        measured = f"{self.measured:.4g} {self.unit}"
        return (self.what, measured, *limits, self.verdict, self.beside)


def table(rows: Iterable[Row]) -> str:
    """Plain text, one line per row, columns aligned."""
    lines = [HEADINGS, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
