"""Tables of texts, for a terminal and for a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from kernelwise.evaluation import MeanRanks
from kernelwise.experiments import Entry, TableComparison
from kernelwise.experiments.comparison import SummaryLine
from kernelwise.experiments.quantities import Quantity


@dataclass(frozen=True)
class Grid:
    """A heading and lines of equally many texts; the first column is left-aligned."""

    heading: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """As a Markdown table."""
        rule = ("---", *("---:" for _ in self.heading[1:]))
        lines = ([text.strip() for text in line] for line in (self.heading, rule, *self.lines))
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def paper_grid(comparison: TableComparison) -> Grid:
    """The paper's columns: our mean ± its standard error, beside it the printed one.

    A table that sums up has no lines of single data sets. The mean ranks are among the paper's
    methods that finished every data set, ours and printed.
    """
    table, columns = comparison.table, comparison.table.columns
    lines = [
        (
            dataset,
            *(_beside(comparison.entries[dataset, name], table.quantity) for name in columns),
        )
        for dataset in comparison.datasets
        if not table.further
    ]
    lines += [
        (line.label, *(_summed_up(line, method) for method in columns))
        for line in comparison.summary
    ]
    return Grid(("ours / paper", *columns), tuple(lines))


def companion_grid(comparison: TableComparison, methods: Sequence[str]) -> Grid:
    """Our means ± standard errors of other methods, with the mean rank among all."""
    quantity = comparison.table.quantity
    lines = [
        (dataset, *(_ours(comparison.entries[dataset, method], quantity) for method in methods))
        for dataset in comparison.datasets
    ]
    if comparison.table.means:
        ours = comparison.summary[0].ours
        means = [
            _figure(ours[name], None, quantity.decimals) if name in ours else "-"
            for name in methods
        ]
        lines.append(("mean", *means))
    if comparison.all_ranks is not None:
        ranks = [_rank(comparison.all_ranks, method) for method in methods]
        lines.append(("rank among all", *ranks))
    return Grid(("ours", *methods), tuple(lines))


def cost_grid(comparison: TableComparison) -> Grid:
    """Median CPU seconds of one fit."""
    methods = [name for name in comparison.methods if _was_run(comparison, name)]
    lines = [
        (dataset, *(_seconds(comparison.entries[dataset, method]) for method in methods))
        for dataset in comparison.datasets
    ]
    return Grid(("CPU seconds", *methods), tuple(lines))


def _was_run(comparison: TableComparison, method: str) -> bool:
    return any(comparison.entries[dataset, method].values for dataset in comparison.datasets)


def _ours(entry: Entry, quantity: Quantity) -> str:
    if not entry.values:
        return "-"
    error = None if len(entry.values) == 1 else entry.standard_error
    return _figure(entry.mean, error, quantity.decimals)


def _beside(entry: Entry, quantity: Quantity) -> str:
    printed = "-"
    if entry.printed is not None:
        printed = _figure(entry.printed.mean, entry.printed.standard_error, quantity.decimals)
    # So wide that numbers stay aligned.
    return f"{_ours(entry, quantity)} / {printed} {entry.mark:<2}"


def _figure(mean: float, error: float | None, decimals: int) -> str:
    spread = "" if error is None else f"±{error:.{decimals}f}"
    return f"{mean:.{decimals}f}{spread}"


def _summed_up(line: SummaryLine, method: str) -> str:
    both = (
        f"{values[method]:.{line.decimals}f}" if method in values else "-"
        for values in (line.ours, line.paper)
    )
    return f"{' / '.join(both)}   "


def _rank(ranks: MeanRanks | None, method: str) -> str:
    return f"{ranks.of(method):.2f}" if ranks is not None and method in ranks.methods else "-"


def _seconds(entry: Entry) -> str:
    return f"{entry.cpu_seconds:.2f}" if entry.values else "-"
