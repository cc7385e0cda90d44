"""Paper tables: their printed figures, and the grid of cells they need."""

from math import sqrt

import pytest

from kernelwise.evaluation import mean_ranks
from kernelwise.methods import METHODS
from kernelwise.papers import TABLES
from kernelwise.papers.published import printed_figures

TABLE_2, TABLE_3, TABLE_4 = (TABLES[f"first-level-table-{number}"] for number in (2, 3, 4))
DATASETS = TABLE_2.datasets
PLENTY = dict.fromkeys(DATASETS, 100)
# Printed, but not legible in the text of the paper.
LOST = {(TABLES["bemkl-table-1"].paper, "wdbc", "BEMKL-DENSE")}


def printed_ranks(table):
    columns = {
        method: [table.printed[dataset][method].mean for dataset in table.datasets]
        for method in table.columns
    }
    return mean_ranks(columns).values


@pytest.mark.parametrize(
    ("table", "ranks"),
    [
        (TABLE_2, [1.8571, 1.8571, 2.2857]),
        (TABLE_3, [2.6429, 2.1429, 1.2143]),
        # The paper has the last two the wrong way round.
        (TABLE_4, [2.3462, 2.4615, 2.6923, 2.5000]),
    ],
)
def test_the_printed_figures_have_the_printed_mean_ranks(table, ranks):
    assert printed_ranks(table) == pytest.approx(ranks, abs=5e-5)


@pytest.mark.parametrize(
    ("table", "sums"),
    [
        (TABLE_2, [(200.242, 2.201), (200.046, 2.259), (202.530, 2.287)]),
        (TABLE_3, [(206.544, 2.467), (205.363, 2.345), (195.843, 2.055)]),
        (TABLE_4, [(190.4, 20.3), (186.1, 18.7), (188.3, 19.4), (186.5, 19.2)]),
    ],
)
def test_the_printed_figures_add_up(table, sums):
    """Sums over the rows of the paper's text: of the means, and of what follows the ± signs."""
    for method, expected in zip(table.columns, sums, strict=True):
        printed = [row[method] for row in table.printed.values()]
        scales = [sqrt(entry.replicates) if table is TABLE_4 else 1 for entry in printed]
        spreads = [e.standard_error * scale for e, scale in zip(printed, scales, strict=True)]
        assert (sum(e.mean for e in printed), sum(spreads)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_figure_of_a_table_is_there(table):
    assert [name for name in table.printed if name in table.datasets] == list(table.datasets)
    for dataset, row in table.printed.items():
        wanted = [name for name in table.columns if (table.paper, dataset, name) not in LOST]
        assert list(row) == wanted
    assert len(set(table.datasets.values())) == len(table.datasets)
    assert set(table.runnable) <= set(METHODS) and len(set(table.runnable)) == len(table.runnable)
    assert (table.cpu_minutes > 0) == (not table.files), "what cannot be run has no known cost"
    assert {name for pair in table.ratios for name in pair} <= set(table.runnable)
    assert set(table.protocol.other_kinds) <= set(table.datasets)


@pytest.mark.parametrize("table", [TABLE_2, TABLE_3, TABLE_4])
def test_first_level_figures_are_plausible(table):
    assert list(table.printed) == list(table.datasets)
    assert table.protocol.kind == "generated" and table.has_spread
    for dataset, row in table.printed.items():
        for printed in row.values():
            assert 0 < printed.mean < 50 and 0 < printed.standard_error < 1
            assert printed.replicates == (20 if dataset in ("image", "splice") else 100)


def test_standard_deviations_become_standard_errors():
    """Table 4 rounds the figures that Tables 2 and 3 print with more digits."""
    assert TABLE_4.printed["heart"]["MKL"].standard_error == pytest.approx(4.1 / 10)
    assert TABLE_4.printed["splice"]["IKL"].standard_error == pytest.approx(0.3 / sqrt(20))
    for fuller, method in ((TABLE_2, "RBF-XVAL"), (TABLE_3, "ARD-FLKL")):
        for dataset, row in TABLE_4.printed.items():
            known = fuller.printed[dataset][method]
            scale = sqrt(known.replicates)
            assert row[method].mean == pytest.approx(known.mean, abs=0.0501)
            assert row[method].standard_error * scale == pytest.approx(
                known.standard_error * scale, abs=0.0501
            )


def test_reading_printed_figures():
    found = printed_figures("a 1.5 0.2 2.5 0.3\nb_c 3 1 4 2", ["X", "Y"], {"a": 4, "b_c": 9})
    assert found["a"]["Y"].standard_error == 0.3 and found["b_c"]["X"].mean == 3
    with pytest.raises(ValueError):
        printed_figures("a 1.5 0.2", ["X", "Y"], {"a": 4})
    alone = printed_figures("a 1.5 0.2", ["X", "Y"], {"a": 4}, spread=None)
    assert alone["a"]["Y"].mean == 0.2 and alone["a"]["Y"].standard_error is None
    deviation = printed_figures("a 1.5 0.2", ["X"], {"a": 4}, spread="deviation")
    assert deviation["a"]["X"].standard_error == 0.1


def test_whole_replicates_come_first():
    cells = TABLE_3.cells(3, "generated", PLENTY, datasets=["heart", "image"])
    per_replicate = len(TABLE_3.runnable)
    assert {cell[1:3] for cell in cells[: 2 * per_replicate]} == {("generated", 0)}
    assert [cell.method for cell in cells[:per_replicate]] == list(TABLE_3.runnable)
    numbers = [cell.number for cell in cells]
    assert numbers == sorted(numbers) and len(set(cells)) == len(cells)
    # Two replicates of image, where the paper has 20 for 100.
    assert sum(cell.dataset == "ida_image" for cell in cells) == 2 * per_replicate
    assert sum(cell.dataset == "ida_heart" for cell in cells) == 3 * per_replicate


def test_folds_are_seeded_by_their_number_and_other_splits_are_not():
    tables = TABLE_2, TABLES["alignment-table-7"]
    grids = [
        table.cells(3, table.protocol.kind, dict.fromkeys(table.datasets, 3)) for table in tables
    ]
    seeds = [{cell[1:3]: cell.seed for cell in grid} for grid in grids]
    assert seeds == [
        {("generated", 0): 0, ("generated", 1): 0, ("generated", 2): 0},
        {("folds", 0): 0, ("folds", 1): 1, ("folds", 2): 2},
    ]


@pytest.mark.parametrize(("replicates", "half"), [(1, 1), (2, 1), (3, 2), (20, 10)])
def test_half_the_replicates_on_the_costly_sets(replicates, half):
    cells = TABLE_2.cells(replicates, "generated", PLENTY, methods=["RBF-LOO"])
    counts = {name: sum(c.dataset == stored for c in cells) for name, stored in DATASETS.items()}
    assert counts == {
        name: half if name in ("image", "splice") else replicates for name in TABLE_2.datasets
    }


def test_filters_and_names_given_twice():
    cells = TABLE_2.cells(
        1,
        "published",
        PLENTY,
        methods=["LINEAR", "RBF-LOO", "LINEAR"],
        datasets=["thyroid", "heart", "thyroid"],
    )
    assert [(cell.dataset, cell.method) for cell in cells] == [
        ("ida_thyroid", "LINEAR"),
        ("ida_thyroid", "RBF-LOO"),
        ("ida_heart", "LINEAR"),
        ("ida_heart", "RBF-LOO"),
    ]
    assert {cell[1:3] for cell in cells} == {("published", 0)}


def test_no_more_splits_than_there_are():
    available = {"heart": 5, "thyroid": 1, "diabetis": 0}
    cells = TABLE_2.cells(7, "published", available, methods=["RBF-LOO"])
    splits = {
        name: [cell.number for cell in cells if cell.dataset == stored]
        for name, stored in DATASETS.items()
    }
    assert {cell.split for cell in cells} == {"published"}
    assert splits["heart"] == list(range(5)) and splits["thyroid"] == [0]
    assert splits["diabetis"] == splits["banana"] == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"replicates": 0}, "use 1 or more replicates, not 0"),
        ({"datasets": ["iris"]}, "has no data set 'iris': choose from banana, breast_cancer"),
        ({"methods": ["SVM"]}, "has no method 'SVM': choose from RBF-XVAL, ARD-FLKL, MKL, IKL"),
        ({"methods": ["LINEAR"]}, "has no method 'LINEAR'"),
    ],
)
def test_what_a_table_cannot_run_is_refused(options, message):
    chosen = {"replicates": 1, "kind": "generated", "available": PLENTY} | options
    with pytest.raises(ValueError, match=message):
        TABLE_4.cells(**chosen)
