"""Gönen, "Bayesian efficient multiple kernel learning": the transcribed tables against what the
paper prints about them, and against the data.
"""

import pytest

from kernelwise.data import Catalogue
from kernelwise.multikernel import KernelBank
from kernelwise.papers import TABLES
from kernelwise.papers.bemkl.paper import DATASETS
from kernelwise.papers.bemkl.table_1 import ACCURACIES, COLUMNS, KERNELS, TIMES

# Table 1: N and P of each data set.
SIZES = {
    "breast": (478, 130),
    "bupaliver": (241, 91),
    "heart": (189, 377),
    "ionosphere": (245, 442),
    "pima": (537, 117),
    "sonar": (144, 793),
    "wdbc": (398, 403),
    "wpbc": (135, 429),
}


@pytest.mark.parametrize("name", SIZES)
def test_training_rows_and_kernels_are_as_printed(data_folder, name):
    named = Catalogue(data_folder).load(DATASETS[name])
    X_train = named.split("random", 0)[0]
    rows, kernels = SIZES[name]
    assert len(X_train) == rows + (name == "sonar")
    assert len(KernelBank.widths_and_degrees().members(X_train.shape[1])) == kernels
    assert kernels == 13 * (X_train.shape[1] + 1)


def test_the_smallest_and_largest_banks_are_those_of_the_text():
    """ "large numbers of kernels, ranging from 91 to 793"."""
    assert set(SIZES) == set(DATASETS)
    numbers = [kernels for _, kernels in SIZES.values()]
    assert (min(numbers), max(numbers)) == (91, 793)


@pytest.mark.parametrize(
    ("table", "sums"),
    [
        # Sums over the lines of the paper's text: means and standard deviations of both columns.
        (ACCURACIES, [(660.89, 20.59), (572.50, 20.02)]),
        (KERNELS, [(238.90, 24.21), (1242.55, 39.69)]),
        (TIMES, [(185.62, 1.14), (144.11, 1.23)]),
    ],
)
def test_the_printed_figures_add_up(table, sums):
    assert table.columns == COLUMNS and table.protocol.kind == "random"
    for method, expected in zip(COLUMNS, sums, strict=True):
        printed = [row[method] for row in table.printed.values() if method in row]
        assert len(printed) == (8 if method == "BEMKL-SPARSE" else 7), "wdbc, not sparse, is lost"
        assert all(figure.replicates == 20 for figure in printed)
        found = sum(figure.mean for figure in printed), sum(figure.deviation for figure in printed)
        assert found == pytest.approx(expected, abs=1e-6)


def test_every_fit_took_less_than_a_minute():
    assert all(figure.mean < 60 for row in TIMES.printed.values() for figure in row.values())


def test_no_more_kernels_are_selected_than_there_are_and_fewer_if_sparse():
    for name, row in KERNELS.printed.items():
        figures = [row[method].mean for method in COLUMNS if method in row]
        assert figures == sorted(figures) and figures[-1] < SIZES[name][1]


@pytest.mark.parametrize(
    ("name", "deviations", "replicates"),
    [("bemkl-table-2", [1.2, 0.1, 0.2], 20), ("bemkl-table-3", [3.0, 1.2, 1.2], 3)],
)
def test_deviations_of_the_smaller_tables(name, deviations, replicates):
    (row,) = TABLES[name].printed.values()
    assert [figure.deviation for figure in row.values()] == pytest.approx(deviations)
    assert {figure.replicates for figure in row.values()} == {replicates}


@pytest.mark.parametrize(("number", "gain"), [(2, -0.3), (3, 0.3), (4, 1.9), (5, 0.4)])
def test_shared_weights_beside_weights_per_class(number, gain):
    """The paper finds sharing better on all image sets."""
    (row,) = TABLES[f"bemkl-table-{number}"].printed.values()
    earlier, per_class, shared = (figure.mean for figure in row.values())
    assert shared - per_class == pytest.approx(gain) and min(per_class, shared) > earlier
