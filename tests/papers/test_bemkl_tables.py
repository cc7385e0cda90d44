"""The tables on Bayesian efficient multiple kernel learning: three from the same cells, views, and
matrices between cases, which a small made set stands in for.
"""

import numpy as np
import pytest
from made_results import made
from typer.testing import CliRunner

from kernelwise import BEMKLClassifier, cli
from kernelwise.data import Catalogue
from kernelwise.multikernel import KernelStack
from kernelwise.papers import TABLES, compare_with_paper
from kernelwise.papers.benchmark import BenchmarkTrial, define_cells
from kernelwise.papers.own_kernels import own_kernels
from kernelwise.report.grids import companion_grid, paper_grid
from kernelwise.runs import Cell, Store
from kernelwise.runs.results_csv import read_results

TABLE = TABLES["bemkl-table-1"]


def run(*arguments):
    runner = CliRunner(env={"KERNELWISE_DATA": None})
    return runner.invoke(cli.app, ["reproduce", *map(str, arguments)])


def cell_results(dataset, method, percents, kernels):
    return [
        made(
            Cell(TABLE.datasets[dataset], "random", number, method),
            error=percent / 100,
            measures={} if kernels is None else {"selected_kernels": kernels},
        )
        for number, percent in enumerate(percents)
    ]


@pytest.fixture(scope="module")
def made_cells():
    found = []
    for dataset in ("bupaliver", "wdbc"):
        found += cell_results(dataset, "BEMKL-SPARSE", [30.0, 32.0], kernels=12.0)
        found += cell_results(dataset, "BEMKL-DENSE", [29.0, 30.0], kernels=60.0)
        found += cell_results(dataset, "RBF-LOO", [28.0, 30.0], kernels=None)
    return found


def test_one_run_gives_accuracies_kernels_and_seconds(made_cells):
    accuracies, kernels, seconds = (
        compare_with_paper(TABLES[name], made_cells)
        for name in ("bemkl-table-1", "bemkl-table-1-kernels", "bemkl-table-1-seconds")
    )
    assert accuracies.entries["bupaliver", "BEMKL-SPARSE"].figure == pytest.approx(69.0)
    assert kernels.entries["bupaliver", "BEMKL-DENSE"].figure == 60.0
    assert seconds.entries["bupaliver", "BEMKL-DENSE"].printed.mean == 3.81
    assert accuracies.companions == ["RBF-LOO"] and kernels.companions == []
    assert set(accuracies.table.runnable) - set(kernels.table.runnable) == {"RBF-LOO"}
    assert [line[0] for line in companion_grid(accuracies).lines][:2] == ["bupaliver", "wdbc"]


def test_a_figure_that_is_lost_is_a_dash(made_cells):
    lines = {line[0]: line[1:] for line in paper_grid(compare_with_paper(TABLE, made_cells)).lines}
    assert lines["wdbc"][0].split(" / ")[1].startswith("95.70±0.52")
    assert lines["wdbc"][1].split(" / ")[1].strip() == "-"
    assert lines["mean"][1].strip() == "70.50 / -"


def test_the_cells_of_a_view_weigh_one_kernel_per_view(data_folder):
    """Three of the folds, to be quick."""
    named = Catalogue(data_folder).load("mkl_proteinfold")
    X, y, _, _ = named.split("published", 0)
    kernels = own_kernels(named, X)
    assert len(kernels) == 12
    for kernel, columns in zip(kernels, named.views.values(), strict=True):
        rows = X[:5, columns] / np.linalg.norm(X[:5, columns], axis=1)[:, None]
        np.testing.assert_allclose(kernel(X[:5]), rows @ rows.T, atol=1e-12)
    few = np.isin(y, [1, 7, 16])
    fitted = BEMKLClassifier(kernels).fit(X[few], y[few])
    assert len(fitted.kernels_) == 12 and fitted.score(X[few], y[few]) > 0.9


def test_a_set_of_one_table_has_no_kernels_of_its_own(data_folder):
    named = Catalogue(data_folder).load("bupa")
    assert own_kernels(named, named.X) is None


@pytest.fixture
def flowers(tmp_path):
    """Three kinds of 20 cases: the first distance tells them apart, the second is noise."""
    generator = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 20)
    tables = np.eye(3)[y] + 0.4 * generator.normal(size=(60, 3)), generator.normal(size=(60, 3))
    distances = {
        f"D_{number}": np.linalg.norm(table[:, None] - table, axis=2)
        for number, table in enumerate(tables, 1)
    }
    orders = [np.concatenate([20 * k + generator.permutation(20) for k in range(3)]) for _ in "ab"]
    parts = [order.reshape(3, 20) for order in orders]
    splits = {
        "train_idx": [part[:, :14].ravel() for part in parts],
        "test_idx": [part[:, 14:].ravel() for part in parts],
    }
    for name in ("flowers17", "flowers102"):
        np.savez(tmp_path / f"{name}.npz", y=y, **distances, **splits)
    return tmp_path


def test_distances_of_a_file_through_the_command(flowers):
    names = ("bemkl-table-4", "bemkl-table-4-auc", "bemkl-table-4-eer")
    result = run(
        *(*names, "--methods", "BEMKL-OVA,BEMKL-DENSE,MKL-LS,MKL-UNIFORM", "--replicates", 2),
        *("--data-dir", flowers, "--store", flowers / "s.sqlite", "--csv", flowers / "r.csv"),
    )
    assert result.exit_code == 0, result.output
    assert "8 computed, 0 known before, 0 failed, 0 skipped" in result.stdout
    assert result.stdout.count("published splits, 2 per data set") == 3
    results = read_results(flowers / "r.csv")[0]
    assert {result.cell.method for result in results} == {
        *("BEMKL-OVA", "BEMKL-DENSE", "MKL-LS", "MKL-UNIFORM")
    }
    for found in results:
        measures = found.record.learnt.measures
        assert found.record.error < 0.25 and found.record.n_train == 42
        assert measures["auc"] > 0.9 and measures["equal_error_rate"] < 0.2
        assert 1 <= measures["selected_kernels"] <= 2
    shown = compare_with_paper(TABLES["bemkl-table-4-auc"], results)
    assert shown.entries["Flowers102", "BEMKL-OVA"].figure > 0.9


def test_the_scale_of_distances_is_that_of_the_training_cases(flowers):
    named = Catalogue(flowers).load("flowers17")
    X, y, X_test, _ = named.split("published", 1)
    training = X[:, 0].astype(int)
    distances = list(named.matrices.by_name.values())
    stack = own_kernels(named, X)
    for number, one in enumerate(distances):
        among = one[np.ix_(training, training)]
        mean = among[~np.eye(len(training), dtype=bool)].mean()
        np.testing.assert_allclose(stack[number], np.exp(-one / mean), atol=1e-8)
    record = BenchmarkTrial(flowers)(Cell("flowers17", "published", 1, "BEMKL-DENSE"))
    fitted = BEMKLClassifier(
        KernelStack.from_distances(distances, training),
        momentum=False,
        max_sweeps=200,
        tolerance=0.0,
    ).fit(X, y)
    np.testing.assert_array_equal(record.predictions, fitted.predict(X_test))


def test_a_store_knows_what_the_kernels_are(flowers, data_folder, tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        define_cells(store, [Cell("flowers17", "published", 0, "MKL-LS")], flowers)
        define_cells(store, [Cell("mkl_proteinfold", "published", 0, "MKL-LS")], data_folder)
        definitions = dict(store._execute("SELECT name, definition FROM definitions").fetchall())
    assert "exp(-d / s)" in definitions["MKL-LS on flowers17"]
    assert definitions["MKL-LS on mkl_proteinfold"].count("Normalized(Linear(") == 12


def test_a_table_whose_file_is_missing_says_how_it_must_look(data_folder, tmp_path):
    result = run("bemkl-table-5", "--data-dir", data_folder, "--store", tmp_path / "s.sqlite")
    assert result.exit_code == 2 and not (tmp_path / "s.sqlite").exists()
    said = " ".join(result.stderr.split())
    assert "error: bemkl-table-5 needs a file of your own: caltech101.npz in the data" in said
    assert "K_1 to K_10" in said and "train_idx and test_idx" in said


def test_case_numbers_are_no_table(flowers):
    with pytest.raises(ValueError, match="RBF-LOO takes a table of columns, not kernels"):
        BenchmarkTrial(flowers)(Cell("flowers17", "published", 0, "RBF-LOO"))
