"""The table on kernel validity: printed figures, splits of a third, oracles, numbers of vectors."""

import numpy as np
import pytest
from made_results import made

from kernelwise.data import Catalogue
from kernelwise.evaluation import mean_ranks
from kernelwise.papers import TABLES, compare_with_paper
from kernelwise.papers.summaries import overall
from kernelwise.report.grids import companion_grid, paper_grid
from kernelwise.runs import Cell

TABLE = TABLES["rvm-validity-table-1"]


def results(dataset, method, percents, vectors=None, lowest=None):
    """One result for each error in percent, all with so many vectors and one lowest error."""
    measures = {"support_vectors": vectors, "lowest_error": lowest}
    return [
        made(
            Cell(TABLE.datasets[dataset], "thirds", number, method),
            error=percent / 100,
            measures={name: value for name, value in measures.items() if value is not None},
        )
        for number, percent in enumerate(percents)
    ]


@pytest.fixture(scope="module")
def comparison():
    found = []
    for dataset, rvm, svm in (("BUPA", 5.0, 40.0), ("PIMA", 10.0, 60.0)):
        found += results(dataset, "RVM-CV", [20.0, 22.0], vectors=rvm)
        found += results(dataset, "SVM-CV", [20.0, 20.0], vectors=svm)
        found += results(dataset, "RVM-MIN", [30.0, 32.0], lowest=0.15)
        found += results(dataset, "RVM", [18.0, 19.0], vectors=4.0)
    return compare_with_paper(TABLE, found)


def test_the_printed_figures_add_up():
    """Sums over the columns of the paper's text: of the means, and of what follows the ± signs."""
    rows = TABLE.printed.values()
    sums = [223.05, 215.35, 218.5, 235.01, 183.2]
    assert [sum(row[n].mean for row in rows) for n in TABLE.columns] == pytest.approx(sums)
    deviations = [sum(row[name].deviation for row in rows) for name in TABLE.columns[:4]]
    assert deviations == pytest.approx([20.9, 19.5, 22.25, 34.3])


def test_a_third_of_the_rows_is_for_training(data_folder):
    catalogue = Catalogue(data_folder)
    for name, stored in TABLE.datasets.items():
        named = catalogue.load(stored)
        _, y, _, y_test = named.split(TABLE.protocol.kind_of(name), 19)
        assert len(y) == 33 * len(named.y) // 100 and len(y) + len(y_test) == len(named.y)


def test_an_oracle_is_shown_with_its_lowest_error_and_never_ranked(comparison):
    assert comparison.entries["BUPA", "RVM-MIN"].figure == pytest.approx(15.0)
    assert comparison.ranks == mean_ranks({"RVM-CV": [2, 2], "SVM-CV": [1, 1]})
    assert (
        set(comparison.all_ranks.methods) == {"RVM-CV", "SVM-CV", "RVM"} == set(overall(comparison))
    )
    heading, lines = paper_grid(comparison).heading, paper_grid(comparison).lines
    assert lines[0][heading.index("RVM-MIN")].startswith("15.00±0.00 / 31.00")


def test_numbers_of_vectors_are_compared_as_ratios(comparison):
    by_choice = [sentence for sentence in comparison.sentences() if "support vectors" in sentence]
    assert by_choice == [
        "SVM-CV has 6.7 times as many support vectors as RVM-CV in all, 7.0 times in the median "
        "over 2 data sets, 6.0 to 8.0 times on each.",
        "SVM-MV and RVM-MV have no support vectors on the same data set.",
        "SVM-CV has 12.5 times as many support vectors as RVM in all, 12.5 times in the median "
        "over 2 data sets, 10.0 to 15.0 times on each.",
    ]


def test_mean_numbers_of_vectors_are_in_both_grids(comparison):
    grid = paper_grid(comparison)
    line = next(line for line in grid.lines if line[0] == "support vectors: mean")
    shown = dict(zip(grid.heading, line, strict=True))
    assert shown["RVM-CV"].strip() == "7.5 / -" and shown["RVM-MIN"].strip() == "- / -"
    labels = [line[0] for line in companion_grid(comparison).lines]
    assert labels == ["BUPA", "PIMA", "mean", "support vectors: mean", "rank among all"]
    assert companion_grid(comparison).lines[3][1] == "4.0"


def test_tables_that_compare_no_vectors_do_not_count_them():
    table = TABLES["first-level-table-2"]
    result = made(Cell("ida_heart", "generated", 0, "RBF-LOO"), measures={"support_vectors": 5.0})
    found = compare_with_paper(table, [result])
    assert found.vectors == {} and not any("vectors" in line.label for line in found.summary)


def test_splits_of_a_third_in_words(comparison):
    assert comparison.splits == (
        "random splits with 33 % training rows (not the paper's), 2 per data set"
    )
    assert np.isnan(comparison.entries["BUPA", "RVM-MIN"].p_value)
