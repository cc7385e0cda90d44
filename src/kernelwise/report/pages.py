"""A page of a published table run again, with its pictures, from records alone."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kernelwise.evaluation import MeanRanks
from kernelwise.files import check_can_write, written_whole
from kernelwise.papers import PublishedTable, TableComparison
from kernelwise.papers.comparison import post_hoc
from kernelwise.papers.summaries import learnt_values, overall
from kernelwise.report.box_plots import parameter_box_plots, parameter_by_dataset_box_plots
from kernelwise.report.cost import error_against_cost
from kernelwise.report.critical_difference import critical_difference_diagram
from kernelwise.report.figures import histograms, save_figure
from kernelwise.report.grids import companion_grid, cost_grid, paper_grid
from kernelwise.runs import CellResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STARS = (
    "A star marks a difference at 5 %, two stars one that stays after Holm's correction for the "
    "number of means."
)


def write_page(
    comparison: TableComparison,
    results: Sequence[CellResult],
    heading: Mapping[str, str],
    path: Path,
) -> list[Path]:
    """Write a Markdown page and, beside it, its figures as SVG; the files written.

    The same results give the same bytes. ``heading`` says where they come from.
    """
    if path.suffix != ".md":
        raise ValueError(f"--page {path}: the name of a page must end in .md")
    path.parent.mkdir(parents=True, exist_ok=True)
    check_can_write(path)
    pictures = {
        path.with_name(f"{path.stem}-{name}.svg"): (caption, figure)
        for name, caption, figure in _figures(comparison, results)
    }
    for picture, (_, figure) in pictures.items():
        save_figure(figure, picture)
    links = [
        f"![{caption}]({picture.name})\n\n{caption}" for picture, (caption, _) in pictures.items()
    ]
    with written_whole(path) as temporary:
        texts = [*_texts(comparison, heading), *(["## Pictures", *links] if links else [])]
        temporary.write_text("\n\n".join(texts) + "\n")
    return [path, *pictures]


def _texts(comparison: TableComparison, heading: Mapping[str, str]) -> list[str]:
    """The paragraphs before the pictures."""
    table = comparison.table
    companions = [name for name in comparison.methods if name not in table.columns]
    texts = [
        f"# {table.name}",
        f"{table.caption}. {table.paper}.",
        f"Splits: {comparison.splits}.",
        "\n".join(f"- {key}: `{value}`" for key, value in heading.items() if key != "splits"),
        _legend(table),
        paper_grid(comparison).markdown(),
        "\n".join(f"- {sentence}" for sentence in (*comparison.sentences(), *table.notes)),
    ]
    if companions:
        texts += [
            "## Methods beside the paper's",
            companion_grid(comparison, companions).markdown(),
        ]
    if table.shows_cost:
        texts += ["## Cost", "Median CPU seconds of one fit.", cost_grid(comparison).markdown()]
    if comparison.problems:
        texts += [
            "## Not run, or not fully",
            "\n".join(f"- {problem}" for problem in comparison.problems),
        ]
    return texts


def _legend(table: PublishedTable) -> str:
    legend = f"{table.legend[0].upper()}{table.legend[1:]}: ours / the paper's."
    if table.further or table.statistic == "lowest":
        return legend
    return f"{legend} {STARS if table.has_spread else f'The paper prints no {table.spread}s.'}"


def _figures(
    comparison: TableComparison, results: Sequence[CellResult]
) -> list[tuple[str, str, "Figure"]]:
    """Name, caption and figure of each picture that the results allow."""
    found = []
    if comparison.ranks is not None:
        caption = "Mean ranks of the paper's methods; a bar joins those that do not differ."
        found.append(("ranks", caption, _diagram(comparison.ranks)))
    if comparison.all_ranks is not None and comparison.all_ranks != comparison.ranks:
        caption = "Mean ranks of all methods that finished every data set."
        found.append(("all-ranks", caption, _diagram(comparison.all_ranks)))
    if comparison.table.shows_cost and len(points := overall(comparison, results)) > 1:
        caption = (
            "Mean error over the data sets against the geometric mean of the CPU time of a fit."
        )
        found.append(("cost", caption, error_against_cost(points)))
    return found + _histograms(comparison) + _parameter_figures(comparison, results)


def _diagram(ranks: MeanRanks) -> "Figure":
    return critical_difference_diagram(ranks, post_hoc(ranks))


def _histograms(comparison: TableComparison) -> list[tuple[str, str, "Figure"]]:
    """How the figures of the replicates are distributed, as the table asks for."""
    table, found = comparison.table, []
    for dataset in comparison.datasets if table.bin_width is not None else ():
        entries = [comparison.entries[dataset, method] for method in comparison.methods]
        values = {entry.method: entry.values for entry in entries if entry.values}
        if not values:
            continue
        figure = histograms(
            values,
            xlabel=table.quantity.words,
            reference={e.method: e.printed.mean for e in entries if e.values and e.printed},
            reference_name="paper",
            bin_width=table.bin_width,
        )
        caption = (
            f"{dataset}: {table.quantity.words} of all {table.unit}, in bins of "
            f"{table.bin_width:g}. Lines: our mean and, dashed, the paper's."
        )
        found.append((f"{table.unit}-{dataset}", caption, figure))
    return found


def _parameter_figures(
    comparison: TableComparison, results: Sequence[CellResult]
) -> list[tuple[str, str, "Figure"]]:
    """Box plots of learnt kernel parameters over replicates, as the table asks for."""
    table, methods = comparison.table, comparison.table.box_methods
    if not methods:
        return []
    if not table.box_datasets:
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
        caption = "The learnt kernel parameter over replicates."
        return [("parameters", caption, parameter_by_dataset_box_plots(by_dataset))]
    found = []
    for name in table.box_datasets:
        values = learnt_values(results, table.datasets[name], methods)
        if len(values) == len(methods):
            caption = f"{name}: the learnt kernel parameters over replicates."
            figure = parameter_box_plots(values, title=name)
            found.append((f"parameters-{name}", caption, figure))
    return found
