"""The measurements of large tables: which cells run, what is kept, and rows that do not overlap."""

import numpy as np
import pytest
from benchmarks import large_tables
from benchmarks.large_table_data import (
    TEST_ROWS,
    friedman_labels,
    friedman_split,
    stored_split,
    write_friedman,
)
from benchmarks.large_table_methods import ALPHAS, WIDTHS, NystroemRidge, timed
from benchmarks.large_tables import Cell, cells, read, run_all, written


@pytest.fixture
def fake(monkeypatch):
    """No fits: what would have run is listed."""
    ran = []

    def run(cell, folder):
        ran.append(cell)
        line = dict(zip(Cell._fields, map(str, cell), strict=True))
        return line | {"error": str(len(ran)), "cpu_seconds": "1"}

    monkeypatch.setattr(large_tables, "run", run)
    monkeypatch.setattr(large_tables, "write", lambda *args: None)
    return ran


def test_finished_cells_are_skipped_and_kept(fake, tmp_path):
    path = tmp_path / "found.csv"
    run_all(path, None, ["magic", "LightGBM"])
    first = list(fake)
    assert len(first) == 6 and {cell.method for cell in first} == {"LightGBM", "LightGBM, 500 x 63"}
    run_all(path, None, ["magic"])
    assert not set(fake[6:]) & set(first)
    assert len(set(fake)) == len(fake) == sum(cell.table == "magic" for cell in cells())
    assert read(path)[first[0]]["error"] == "1"


def test_methods_can_be_measured_again(fake, tmp_path):
    path = tmp_path / "found.csv"
    run_all(path, None, ["diamonds"])
    count = len(fake)
    run_all(path, "ours", ["diamonds"])
    again = fake[count:]
    assert again and all(cell.method.startswith("ours") for cell in again)
    found = read(path)
    assert float(found[again[0]]["error"]) == count + 1
    assert len(found) == count


def test_methods_of_one_split_follow_each_other(fake, tmp_path):
    run_all(tmp_path / "found.csv", None, ["flights"])
    splits = [(cell.rows, cell.seed) for cell in fake]
    assert splits == sorted(splits) and len(set(splits)) == 6


def test_a_file_is_sorted_whatever_ran_first(tmp_path):
    path, some = tmp_path / "found.csv", list(cells())[:20]
    lines = {c: dict(zip(Cell._fields, map(str, c), strict=True)) for c in reversed(some)}
    written(lines, path)
    assert list(read(path)) == some


def test_stored_rows_are_drawn_without_repetition(tmp_path, monkeypatch):
    (tmp_path / "large").mkdir()
    X = np.arange(300.0).reshape(100, 3)
    np.savez(tmp_path / "large" / "diamonds.npz", X=X, price=np.arange(1, 101))
    monkeypatch.setenv("KERNELWISE_DATA", str(tmp_path))
    split, other = (stored_split("diamonds", 70, seed) for seed in (0, 1))
    assert split.X.shape == (70, 3) and split.X_test.shape == (30, 3)
    assert set(split.X[:, 0]).isdisjoint(split.X_test[:, 0])
    assert not np.array_equal(split.X, other.X)
    np.testing.assert_allclose(np.exp(split.y), split.X[:, 0] / 3 + 1)


def test_the_made_table_is_the_same_in_its_file(tmp_path):
    write_friedman(1500, 3, tmp_path)
    split, (X, y) = friedman_split(tmp_path), friedman_labels(1500 + TEST_ROWS, 3)
    train = split.in_memory()
    np.testing.assert_array_equal(train[0], X[:1500])
    np.testing.assert_array_equal(train[1], y[:1500])
    np.testing.assert_array_equal(split.X_test, X[1500:])
    np.testing.assert_array_equal(split.y_test, y[1500:])
    assert y.mean() == 0.5


def test_friedman_labels_are_those_of_the_function():
    """The five columns tell most labels, by the formula, and the sixth none."""
    X, y = friedman_labels(20_000, 0)
    parts = [10 * np.sin(np.pi * X[:, 0] * X[:, 1]), 20 * (X[:, 2] - 0.5) ** 2]
    value = sum(parts) + 10 * X[:, 3] + 5 * X[:, 4]
    agreed = np.mean((value > np.median(value)) == y)
    assert 0.93 < agreed < 0.95, "noise of deviation 1 turns one label in sixteen"
    assert abs(np.corrcoef(X[:, 5], y)[0, 1]) < 0.03


def test_ridge_on_nystroem_features_takes_the_best_width():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1100, 2))
    found = NystroemRidge(True, 2, 0).fit(X, np.sin(6 * X[:, 0]))
    assert found.best[1].gamma == max(WIDTHS) / 2 and found.best[-1].alpha_ in ALPHAS


def test_seconds_of_a_method_are_added_up():
    class Work:
        def run(self, count):
            return sum(range(count))

    before, spent = Work.run, {}
    with timed(Work, "run", spent):
        assert Work().run(10**5) + Work().run(10**6) == sum(range(10**5)) + sum(range(10**6))
    assert spent["run"] > 0 and Work.run is before
