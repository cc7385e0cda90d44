"""Tables of texts, for a terminal and for a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from kernelwise.evaluation import MeanRanks
from kernelwise.experiments import Entry, TableComparison


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
    """The paper's columns: our mean error ± its standard error, beside it the printed one.

    The mean ranks are among the paper's methods that finished every data set, ours and printed.
    """
    columns = comparison.table.columns
    lines = [
        (dataset, *(_beside(comparison.entries[dataset, method]) for method in columns))
        for dataset in comparison.datasets
    ]
    if comparison.ranks is not None:
        ranks = [
            f"{_rank(comparison.ranks, method)} / {_rank(comparison.paper_ranks, method)}   "
            for method in columns
        ]
        lines.append(("mean rank", *ranks))
    return Grid(("ours / paper", *columns), tuple(lines))


def companion_grid(comparison: TableComparison, methods: Sequence[str]) -> Grid:
    """Our mean errors ± standard errors of other methods, with the mean rank among all."""
    lines = [
        (dataset, *(_ours(comparison.entries[dataset, method]) for method in methods))
        for dataset in comparison.datasets
    ]
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
    return any(comparison.entries[dataset, method].errors for dataset in comparison.datasets)


def _ours(entry: Entry) -> str:
    if not entry.errors:
        return "-"
    if len(entry.errors) == 1:
        return f"{entry.mean:.2f}"
    return f"{entry.mean:.2f}±{entry.standard_error:.2f}"


def _beside(entry: Entry) -> str:
    printed = "-"
    if entry.printed is not None:
        printed = f"{entry.printed.mean:.2f}±{entry.printed.standard_error:.2f}"
    return f"{_ours(entry)} / {printed} {entry.mark:<2}"  # so wide that numbers stay aligned


def _rank(ranks: MeanRanks | None, method: str) -> str:
    return f"{ranks.of(method):.2f}" if ranks is not None and method in ranks.methods else "-"


def _seconds(entry: Entry) -> str:
    return f"{entry.cpu_seconds:.2f}" if entry.errors else "-"
