"""AutoKernel beside the first-level paper's methods: a column where it was run, and only there."""

import pytest
from made_results import made

from kernelwise.papers import TABLES, compare_with_paper
from kernelwise.report.pages import write_page
from kernelwise.runs import Cell

NAMES = ("first-level-table-2", "first-level-table-3", "first-level-table-4")


def results(methods):
    """Two splits of two data sets; AUTO has one percent less than the rest."""
    return [
        made(
            Cell(dataset, "generated", number, method),
            error=0.19 if method == "AUTO" else 0.2,
            values=[0.5, 2.0],
        )
        for method in methods
        for dataset in ("ida_thyroid", "ida_titanic")
        for number in (0, 1)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_auto_is_run_beside_the_papers_methods_and_never_in_place_of_one(name):
    table = TABLES[name]
    assert table.companions[0] == "AUTO" and "AUTO" not in table.columns
    cells = table.cells(3, None, {"thyroid": 2, "image": 9}, ["AUTO"])
    assert [(cell.dataset, cell.number) for cell in cells] == [
        ("ida_image", 0),
        ("ida_thyroid", 0),
        ("ida_image", 1),
        ("ida_thyroid", 1),
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ran", [True, False])
def test_a_page_has_the_column_where_auto_was_run(name, ran, tmp_path):
    table = TABLES[name]
    methods = (*table.columns, "LAPLACIAN", *(["AUTO"] if ran else []))
    known = results([method for method in methods if method in table.runnable])
    comparison = compare_with_paper(table, known)
    assert ("AUTO" in comparison.companions) == ran
    page, *_ = write_page(comparison, known, {}, tmp_path / f"{name}.md")
    text = page.read_text()
    assert ("| AUTO |" in text) == ("| 19.00" in text) == ran
    if ran:
        assert comparison.all_ranks.order[0] == "AUTO" and "AUTO" not in comparison.ranks.methods
