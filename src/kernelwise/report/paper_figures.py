"""The pictures of a paper table run again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kernelwise.evaluation import MeanRanks
from kernelwise.papers import PaperComparison, PublishedTable
from kernelwise.papers.comparison import post_hoc
from kernelwise.papers.summaries import learnt_values, overall
from kernelwise.report.box_plots import parameter_box_plots, parameter_by_dataset_box_plots
from kernelwise.report.cost import error_against_cost
from kernelwise.report.critical_difference import critical_difference_diagram
from kernelwise.report.figures import histograms
from kernelwise.runs import CellResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Boxes(NamedTuple):
    """Methods whose learned kernel parameters are drawn, for each data set or one for all."""

    methods: tuple[str, ...]
    datasets: tuple[str, ...] = ()


# Figures 4 and 5 of the first-level paper.
BOXES = {
    "first-level-table-2": Boxes(("RBF-XVAL", "RBF-FLKL")),
    "first-level-table-3": Boxes(("ARD-XVAL", "ARD-FLKL"), ("twonorm", "thyroid", "splice")),
}
# Histograms over the replicates, one for each data set: Figures 2 to 4 of the SVM paper.
BIN_WIDTHS = {"svm-table-3": 2.0}


def shows_cost(table: PublishedTable) -> bool:
    """Whether the figures are mean rates of single data sets, to be drawn against their cost."""
    return table.quantity.is_rate and not table.further and table.statistic == "mean"


def paper_figures(
    comparison: PaperComparison, results: Sequence[CellResult]
) -> list[tuple[str, str, "Figure"]]:
    """Name, caption and figure of each picture that the results allow."""
    found = []
    if comparison.ranks is not None:
        caption = "Mean ranks of the paper's methods; a bar joins those that do not differ."
        found.append(("ranks", caption, _diagram(comparison.ranks)))
    if comparison.all_ranks is not None and comparison.all_ranks != comparison.ranks:
        caption = "Mean ranks of all methods that finished every data set."
        found.append(("all-ranks", caption, _diagram(comparison.all_ranks)))
    if shows_cost(comparison.table) and len(points := overall(comparison)) > 1:
        caption = (
            "Mean error over the data sets against the geometric mean of the CPU time of a fit."
        )
        found.append(("cost", caption, error_against_cost(points)))
    return found + _histograms(comparison) + _parameter_figures(comparison, results)


def _diagram(ranks: MeanRanks) -> "Figure":
    return critical_difference_diagram(ranks, post_hoc(ranks))


def _histograms(comparison: PaperComparison) -> list[tuple[str, str, "Figure"]]:
    """Histograms of the replicates' figures."""
    table, found = comparison.table, []
    width, unit = BIN_WIDTHS.get(table.name), table.protocol.unit
    for dataset in comparison.datasets if width is not None else ():
        entries = [comparison.entries[dataset, method] for method in comparison.methods]
        values = {entry.method: entry.values for entry in entries if entry.values}
        if not values:
            continue
        figure = histograms(
            values,
            xlabel=table.quantity.words,
            reference={e.method: e.printed.mean for e in entries if e.values and e.printed},
            reference_name="paper",
            bin_width=width,
        )
        caption = (
            f"{dataset}: {table.quantity.words} of all {unit}, in bins of {width:g}. "
            "Lines: our mean and, dashed, the paper's."
        )
        found.append((f"{unit}-{dataset}", caption, figure))
    return found


def _parameter_figures(
    comparison: PaperComparison, results: Sequence[CellResult]
) -> list[tuple[str, str, "Figure"]]:
    """Box plots of learned kernel parameters over replicates."""
    table = comparison.table
    methods, datasets = BOXES.get(table.name, Boxes(()))
    if not methods:
        return []
    if not datasets:
        by_dataset = {
            method: {
                name: values[method][:, 0]
                for name in comparison.datasets
                if method in (values := learnt_values(results, table.datasets[name], methods))
            }
            for method in methods
        }
        if not all(by_dataset.values()):
            return []
        caption = "The learned kernel parameter over replicates."
        return [("parameters", caption, parameter_by_dataset_box_plots(by_dataset))]
    found = []
    for name in datasets:
        values = learnt_values(results, table.datasets[name], methods)
        if len(values) == len(methods):
            caption = f"{name}: the learned kernel parameters over replicates."
            figure = parameter_box_plots(values, title=name)
            found.append((f"parameters-{name}", caption, figure))
    return found
