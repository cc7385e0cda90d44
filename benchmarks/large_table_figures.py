"""Curves for the page on large tables: cost against rows, error against landmarks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib import rc_context
from matplotlib.ticker import NullFormatter

from benchmarks.large_table_results import BESIDE, BOOSTING, CURVE, LANDMARKS, Results
from kernelwise.files import written_whole
from kernelwise.report.style import BLUE, DARK, MIDDLE, ORANGE, figure_style, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLORS = (BLUE, ORANGE, DARK)
COSTS = {
    "in total": (CURVE, "cpu_seconds", BLUE, "-o"),
    "passes over all rows": (CURVE, "pass_seconds", BLUE, "--s"),
    "learning the kernel": (CURVE, "learning_seconds", MIDDLE, ":^"),
    BESIDE: (BESIDE, "cpu_seconds", ORANGE, "-o"),
}


def cost_curve(results: Results) -> Figure:
    """CPU seconds and peak memory of 1,000 landmarks against rows, boosting beside them."""
    figure = new_figure(8.6, 3.6)
    left, right = figure.subplots(1, 2)
    rows = [size.rows for size in results.curve]
    for label, (method, column, color, line) in COSTS.items():
        costs = [results.mean(size, method, column) for size in results.curve]
        left.plot(rows, costs, line, color=color, ms=4, label=label)
    for method, color in ((CURVE, BLUE), (BESIDE, ORANGE)):
        peaks = [results.mean(size, method, "peak_gb") for size in results.curve]
        right.plot(rows, peaks, "-o", color=color, ms=4, label=method)
    left.set(xscale="log", yscale="log", xlabel="rows", ylabel="CPU seconds of a fit")
    right.set(xscale="log", xlabel="rows", ylabel="peak memory of the process, GB", ylim=(0, None))
    left.legend()
    right.legend()
    return figure


def error_curve(results: Results) -> Figure:
    """Errors against landmarks; dashed lines are the best boosted trees of the same rows."""
    tables = list(dict.fromkeys(size.table for size in results.compared))
    figure = new_figure(2.6 * len(tables), 3.4)
    for axes, table in zip(figure.subplots(1, len(tables)), tables, strict=True):
        sizes = [size for size in results.compared if size.table == table]
        for size, color in zip(sizes, COLORS, strict=False):
            counts = [m for m, method in LANDMARKS.items() if method in results.methods[size]]
            errors = [results.mean(size, LANDMARKS[count]) for count in counts]
            axes.plot(counts, errors, "-o", color=color, ms=4, label=f"{size.rows:,} rows")
            trees = [method for method in BOOSTING if method in results.methods[size]]
            best = min(results.mean(size, method) for method in trees)
            axes.axhline(best, color=color, ls="--", lw=0.8)
        unit = "root mean squared error" if sizes[0].quantities else "wrong, %"
        axes.set(xscale="log", xlabel="landmarks", ylabel=unit, title=table)
        axes.set_xticks(list(LANDMARKS), [str(count) for count in LANDMARKS])
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.legend()
    return figure


FIGURES = {"large-tables-cost.svg": cost_curve, "large-tables-landmarks.svg": error_curve}


def write_figures(results: Results, folder: Path) -> None:
    """Texts stay texts, which can be searched and are small."""
    for name, draw in FIGURES.items():
        with (
            figure_style(),
            rc_context({"svg.fonttype": "none"}),
            written_whole(folder / name) as temporary,
        ):
            draw(results).savefig(temporary, format="svg", metadata={"Date": None})
