"""Cells of named data sets: the work of a worker, and what the store knows about them."""

import pickle

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from kernelwise.data import Catalogue
from kernelwise.methods import METHODS
from kernelwise.papers.benchmark import BenchmarkTrial, define_cells
from kernelwise.runs import Cell, Store, StoreError, run_cells
from kernelwise.runs.cells import Skipped


def test_a_cell_is_a_fit_to_the_training_rows_of_its_split(data_folder):
    cell = Cell("ida_heart", "generated", 3, "RBF-LOO", seed=2)
    record = BenchmarkTrial(data_folder)(cell)
    X, y, X_test, y_test = Catalogue(data_folder).load("ida_heart").split("generated", 3)
    fitted = METHODS["RBF-LOO"].estimator("classification", 13, 2).fit(X, y)
    assert np.array_equal(record.predictions, fitted.predict(X_test))
    assert record.error == np.mean(record.predictions != y_test)
    assert record.baseline == np.mean(DummyClassifier().fit(X, y).predict(X_test) != y_test)
    assert (record.n_train, record.n_test) == (170, 100)


def test_published_and_generated_splits_are_different_ones(data_folder):
    trial = BenchmarkTrial(data_folder)
    kinds = [trial(Cell("ida_heart", kind, 0, "LINEAR")) for kind in ("published", "generated")]
    assert kinds[0].predictions_hash != kinds[1].predictions_hash
    with pytest.raises(ValueError, match="no splits 'published'"):
        trial(Cell("ida_diabetis", "published", 0, "LINEAR"))


def test_a_generator_needs_no_folder(monkeypatch):
    monkeypatch.delenv("KERNELWISE_DATA", raising=False)
    record = BenchmarkTrial()(Cell("twonorm", "random", 5, "LINEAR"))
    assert (record.n_train, record.n_test) == (400, 5000)
    assert record.error < 0.05 < record.baseline


def test_a_method_that_is_too_costly_is_skipped(data_folder):
    with pytest.raises(Skipped, match="up to 250 rows, not 468"):
        BenchmarkTrial(data_folder)(Cell("ida_diabetis", "generated", 0, "GP-ARD"))


def test_a_copy_finds_methods_by_name_and_gives_the_same_results(data_folder, tmp_path):
    """That other processes do so too is seen in test_executors.py."""
    cells = [Cell("ida_titanic", "generated", n, m) for n in (0, 1) for m in ("RBF-LOO", "LINEAR")]
    trial = BenchmarkTrial(data_folder)
    outcomes = []
    for number, one in enumerate((trial, pickle.loads(pickle.dumps(trial)))):
        with Store(tmp_path / f"{number}.sqlite") as store:
            assert run_cells(cells, one, store).done == 4
            outcomes.append([result.outcome for result in store.results()])
    assert outcomes[0] == outcomes[1]


def small_set(folder, seed):
    folder.mkdir()
    X = np.random.default_rng(seed).normal(size=(20, 2))
    rows = np.tile(np.arange(12), (2, 1))
    np.savez(
        folder / "small.npz",
        X=X,
        y=np.where(X[:, 0] > 0, 1, -1),
        feature_names=["a", "b"],
        train_idx_gen=rows,
    )
    return folder


def test_a_store_refuses_other_data_or_another_method_of_the_same_name(tmp_path, monkeypatch):
    one, other = small_set(tmp_path / "one", 1), small_set(tmp_path / "other", 2)
    cells = [Cell("small", "generated", n, m) for n in (0, 1) for m in ("RBF-LOO", "LINEAR")]
    with Store(tmp_path / "store.sqlite") as store:
        define_cells(store, cells, one)
        define_cells(store, cells, one)
        with pytest.raises(StoreError, match="another data set small"):
            define_cells(store, cells, other)
        monkeypatch.setitem(METHODS, "LINEAR", METHODS["FOREST"])
        with pytest.raises(StoreError, match="another method LINEAR on small"):
            define_cells(store, cells, one)
        define_cells(store, [cell for cell in cells if cell.method != "LINEAR"], one)


def test_unknown_sets_are_refused_before_any_work(tmp_path, data_folder):
    with Store(tmp_path / "store.sqlite") as store:
        with pytest.raises(ValueError, match=r"no set is called 'ida_hart'.*'ida_heart'"):
            define_cells(store, [Cell("ida_hart", "generated", 0, "LINEAR")], data_folder)
        assert store.finished() == {}
