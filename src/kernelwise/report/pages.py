"""A page of a paper table run again, with its pictures, from records alone."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from kernelwise.files import check_can_write, written_whole
from kernelwise.papers import PaperComparison
from kernelwise.report.figures import save_figure
from kernelwise.report.grids import companion_grid, cost_grid, paper_grid
from kernelwise.report.paper_figures import paper_figures, shows_cost
from kernelwise.runs import CellResult


def write_page(
    comparison: PaperComparison,
    results: Sequence[CellResult],
    heading: Mapping[str, str],
    path: Path,
) -> list[Path]:
    """Write a Markdown page and, beside it, its figures as SVG; return the files written.

    The same results give the same bytes. ``heading`` says where they come from.
    """
    if path.suffix != ".md":
        raise ValueError(f"{path}: the name of a page must end in .md")
    path.parent.mkdir(parents=True, exist_ok=True)
    check_can_write(path)
    pictures = {
        path.with_name(f"{path.stem}-{name}.svg"): (caption, figure)
        for name, caption, figure in paper_figures(comparison, results)
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


def _texts(comparison: PaperComparison, heading: Mapping[str, str]) -> list[str]:
    """The paragraphs before the pictures."""
    table = comparison.table
    texts = [
        f"# {table.name}",
        f"{table.caption}. {table.paper}.",
        f"Splits: {comparison.splits}.",
        "\n".join(f"- {key}: `{value}`" for key, value in heading.items() if key != "splits"),
        comparison.legend,
        paper_grid(comparison).markdown(),
        "\n".join(f"- {sentence}" for sentence in (*comparison.sentences(), *table.notes)),
    ]
    if comparison.companions:
        texts += ["## Methods beside the paper's", companion_grid(comparison).markdown()]
    if shows_cost(table):
        texts += ["## Cost", "Median CPU seconds of one fit.", cost_grid(comparison).markdown()]
    if comparison.problems:
        texts += [
            "## Not run, or not fully",
            "\n".join(f"- {problem}" for problem in comparison.problems),
        ]
    return texts
