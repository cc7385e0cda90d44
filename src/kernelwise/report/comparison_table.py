"""The methods of a comparison side by side."""

from __future__ import annotations

from kernelwise.compare.comparison import MethodComparison, MethodSummary
from kernelwise.compare.words import TRIVIAL, interval_text, number_text
from kernelwise.evaluation import ErrorInterval
from kernelwise.report.document import Table, TableCell, columns, text_cell

LEGEND = (
    "p: of the difference from the best, adjusted for their number (Holm). Mean rank: over these "
    "splits, which share rows, so it is not tested. Claimed inside: by the method's own selection; "
    "optimism: error minus claim. CPU s: median per fit."
)
UNKNOWN, EMPTY = TableCell("-"), TableCell("")


def unit_of(comparison: MethodComparison, target: str) -> str:
    """What errors are given in."""
    if comparison.task == "classification":
        return "wrong rows in percent"
    return f"root mean squared, in units of '{target}'"


def method_table(comparison: MethodComparison) -> Table:
    """A line per method, the lowest error first, and one for the trivial predictor."""
    heads = columns(
        *("method", "error", "95 % interval", "behind the best", "95 % interval"),
        *("p", "mean rank", "claimed inside", "optimism", "CPU s"),
    )
    summaries = (*comparison.compared, *comparison.incomplete)
    baseline = TableCell(number_text(comparison.baseline, comparison), comparison.baseline)
    trivial = text_cell(f"({TRIVIAL[comparison.task]})"), baseline
    lines = [_line(summary, comparison) for summary in summaries]
    empty = [EMPTY] * (len(heads) - len(trivial))
    return Table("Methods", heads, (*lines, (*trivial, *empty)), LEGEND)


def _line(summary: MethodSummary, comparison: MethodComparison) -> tuple[TableCell, ...]:
    name = summary.method
    if summary.finished < summary.asked:
        name += f" ({summary.finished} of {summary.asked} splits)"

    def with_interval(found: ErrorInterval | None) -> tuple[TableCell, TableCell]:
        if found is None:
            return UNKNOWN, UNKNOWN
        value = TableCell(number_text(found.value, comparison), found.value)
        return value, TableCell(interval_text(found, comparison), found.lower)

    claim = summary.inner_error
    return (
        text_cell(name),
        *with_interval(summary.error),
        *with_interval(summary.difference),
        _number(summary.p_value, "{:.3f}"),
        _number(summary.rank, "{:.2f}"),
        UNKNOWN if claim is None else TableCell(number_text(claim, comparison), claim),
        with_interval(summary.optimism)[0],
        _number(summary.cpu_seconds, "{:.2g}"),
    )


def _number(value: float | None, shown: str) -> TableCell:
    return UNKNOWN if value is None else TableCell(shown.format(value), value)
