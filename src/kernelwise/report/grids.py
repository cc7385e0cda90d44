"""Grids of texts, for a terminal and for a page."""

from dataclasses import dataclass

from kernelwise.evaluation import MeanRanks
from kernelwise.papers import Entry, PaperComparison, PublishedTable
from kernelwise.papers.comparison import SummaryLine
from kernelwise.papers.quantities import shown
from kernelwise.report.document import Table


@dataclass(frozen=True)
class Grid:
    """A heading and lines of equally many texts; the first column is left-aligned."""

    heading: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """The grid in Markdown."""
        rule = ("---", *("---:" for _ in self.heading[1:]))
        lines = ([text.strip() for text in line] for line in (self.heading, rule, *self.lines))
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def grid_of(table: Table) -> Grid:
    """The texts of a document's table."""
    lines = tuple(tuple(cell.text for cell in row) for row in table.rows)
    return Grid(tuple(column.name for column in table.columns), lines)


def paper_grid(comparison: PaperComparison) -> Grid:
    """The paper's columns: our mean ± its standard error, beside it the printed one.

    Trials have their standard deviation and, in parentheses, the lowest of ours. A table of
    summaries has no lines for single data sets. The mean ranks, ours and printed, are among the
    paper's methods that finished every data set.
    """
    table, columns = comparison.table, comparison.table.columns
    lines = [
        (dataset, *(_beside(comparison.entries[dataset, name], table) for name in columns))
        for dataset in comparison.datasets
        if not table.further
    ]
    lines += [
        (line.label, *(_summed_up(line, method) for method in columns))
        for line in comparison.summary
    ]
    return Grid(("ours / paper", *columns), tuple(lines))


def companion_grid(comparison: PaperComparison) -> Grid:
    """Our figures of the methods beside the paper's, their means, and the mean rank among all."""
    table, methods = comparison.table, comparison.companions
    lines = [
        (dataset, *(_ours(comparison.entries[dataset, method], table) for method in methods))
        for dataset in comparison.datasets
    ]
    for label, ours, _, decimals in comparison.summary:
        if not ours.keys().isdisjoint(methods):
            means = (shown(ours[n], decimals) if n in ours else "-" for n in methods)
            lines.append((label, *means))
    if comparison.all_ranks is not None:
        ranks = [_rank(comparison.all_ranks, method) for method in methods]
        lines.append(("rank among all", *ranks))
    return Grid(("ours", *methods), tuple(lines))


def cost_grid(comparison: PaperComparison) -> Grid:
    """Median CPU seconds of one fit."""
    ran = {name for (_, name), entry in comparison.entries.items() if entry.values}
    methods = [name for name in comparison.methods if name in ran]
    lines = [
        (dataset, *(_seconds(comparison.entries[dataset, method]) for method in methods))
        for dataset in comparison.datasets
    ]
    return Grid(("CPU seconds", *methods), tuple(lines))


def _ours(entry: Entry, table: PublishedTable) -> str:
    if not entry.values:
        return "-"
    decimals = table.quantity.decimals
    if table.statistic == "lowest":
        return shown(entry.lowest, decimals)
    spread = entry.deviation if table.protocol.trials else entry.standard_error
    mean = _figure(entry.mean, None if len(entry.values) == 1 else spread, decimals)
    return f"{mean} ({shown(entry.lowest, decimals)})" if table.protocol.trials else mean


def _beside(entry: Entry, table: PublishedTable) -> str:
    printed = "-"
    if entry.printed is not None:
        spread = entry.printed.deviation if table.protocol.trials else entry.printed.standard_error
        printed = _figure(entry.printed.mean, spread, table.quantity.decimals)
    # Padded so that numbers stay aligned.
    return f"{_ours(entry, table)} / {printed} {entry.mark:<2}"


def _figure(mean: float, spread: float | None, decimals: int | None) -> str:
    return shown(mean, decimals) + ("" if spread is None else f"±{shown(spread, decimals)}")


def _summed_up(line: SummaryLine, method: str) -> str:
    both = (
        shown(values[method], line.decimals) if method in values else "-"
        for values in (line.ours, line.paper)
    )
    return f"{' / '.join(both)}   "


def _rank(ranks: MeanRanks | None, method: str) -> str:
    return f"{ranks.of(method):.2f}" if ranks is not None and method in ranks.methods else "-"


def _seconds(entry: Entry) -> str:
    return f"{entry.cpu_seconds:.2f}" if entry.values else "-"
