"""The committed pages are those of the committed results."""

from pathlib import Path

import pytest

from kernelwise.experiments import TABLES, compare_with_paper
from kernelwise.experiments.results_csv import read_results
from kernelwise.report.pages import write_page

RESULTS = Path(__file__).resolve().parent.parent / "docs" / "results"
FIRST_LEVEL = [name for name in TABLES if name.startswith("first-level")]


@pytest.fixture(scope="module")
def first_level():
    return read_results(RESULTS / "first-level.csv")


@pytest.mark.parametrize("name", FIRST_LEVEL)
def test_a_page_is_made_from_the_results(name, first_level, tmp_path):
    """Texts to the last byte; pictures by name, since another matplotlib draws other bytes."""
    results, heading = first_level
    comparison = compare_with_paper(TABLES[name], results)
    heading = {"results": "first-level.csv", **heading}
    page, *pictures = write_page(comparison, results, heading, tmp_path / f"{name}.md")
    assert page.read_text() == (RESULTS / page.name).read_text()
    assert all((RESULTS / picture.name).stat().st_size > 1000 for picture in pictures)


def test_the_results_are_complete(first_level):
    """Every method of Tables 2 and 3 and ours on all fourteen sets: 10 replicates, 5 on two."""
    table = TABLES["first-level-table-3"]
    wanted = (*TABLES["first-level-table-2"].columns, *table.columns, "LAPLACIAN", "MIXED")
    done = [result.cell for result in first_level[0] if result.status == "done"]
    for name, stored in table.datasets.items():
        for method in wanted:
            found = [cell for cell in done if (cell.dataset, cell.method) == (stored, method)]
            assert len(found) >= (5 if name in table.fewer else 10)
            assert all(cell.split.startswith("generated/") for cell in found)
