"""Methods on named data sets with stored splits: the cells of a published table."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kernelwise.data import Catalogue, NamedSet
from kernelwise.evaluation.fold_records import FoldRecord, measure_fold
from kernelwise.methods.registry import METHODS
from kernelwise.papers.kernel_measures import kernel_measures
from kernelwise.runs.cells import Cell
from kernelwise.runs.store import Store


@dataclass(frozen=True)
class BenchmarkTrial:
    """Fits the method of a cell to the training rows of its split: the work of a worker."""

    folder: Path | None = None

    def __call__(self, cell: Cell) -> FoldRecord:
        named = _loaded(self.folder, cell.dataset)
        X_train, y_train, X_test, y_test = named.split(cell.split, cell.number)
        method = METHODS[cell.method]
        method.check_rows(len(y_train))
        estimator = method.estimator(named.task, X_train.shape[1], cell.seed)
        return measure_fold(estimator, X_train, y_train, X_test, y_test, kernel_measures)


@lru_cache(maxsize=32)
def _loaded(folder: Path | None, name: str) -> NamedSet:
    return Catalogue(folder).load(name)


def define_cells(store: Store, cells: list[Cell], folder: Path | None = None) -> None:
    """Record in the store what the data sets and the methods of the cells are.

    A StoreError if it holds results of other data or of another method under the same name.
    """
    methods = dict.fromkeys((cell.dataset, cell.method) for cell in cells)
    for dataset in dict.fromkeys(cell.dataset for cell in cells):
        store.define("data set", dataset, _loaded(folder, dataset).fingerprint)
    for dataset, method in methods:
        named = _loaded(folder, dataset)
        definition = METHODS[method].definition(named.task, named.X.shape[1])
        store.define("method", f"{method} on {dataset}", definition)
