"""Methods on named data sets with stored splits: the cells of a paper table."""

from dataclasses import dataclass
from pathlib import Path

from sklearn.base import BaseEstimator

from kernelwise.data import Catalogue
from kernelwise.evaluation.fold_records import FoldRecord, measure_fold
from kernelwise.methods import METHODS
from kernelwise.papers.class_measures import class_measures
from kernelwise.papers.kernel_measures import kernel_measures
from kernelwise.papers.own_kernels import definition_of_kernels, own_kernels
from kernelwise.runs.cells import Cell
from kernelwise.runs.store import Store


@dataclass(frozen=True)
class BenchmarkTrial:
    """A trial that fits a cell's method to the training rows of its split."""

    folder: Path | None = None

    def __call__(self, cell: Cell) -> FoldRecord:
        named = Catalogue(self.folder).load(cell.dataset)
        X_train, y_train, X_test, y_test = named.split(cell.split, cell.number)
        method = METHODS[cell.method]
        method.check_rows(len(y_train))
        kernels = own_kernels(named, X_train)
        estimator = method.estimator(named.task, X_train.shape[1], cell.seed, kernels)
        return measure_fold(estimator, X_train, y_train, X_test, y_test, _measures)


def _measures(fitted: BaseEstimator, X_train, y_train, X_test, y_test) -> dict[str, float]:
    about_kernels = kernel_measures(fitted, X_train, y_train, X_test, y_test)
    return about_kernels | class_measures(fitted, X_test, y_test)


def define_cells(store: Store, cells: list[Cell], folder: Path | None = None) -> None:
    """Record in the store what the data sets and the methods of the cells are.

    Raises a StoreError if it holds results of other data or another method of the same name.
    """
    catalogue = Catalogue(folder)
    for dataset in dict.fromkeys(cell.dataset for cell in cells):
        named = catalogue.load(dataset)
        store.define("data set", dataset, named.fingerprint)
        kernels = definition_of_kernels(named)
        for method in dict.fromkeys(cell.method for cell in cells if cell.dataset == dataset):
            definition = METHODS[method].definition(named.task, named.X.shape[1], kernels)
            store.define("method", f"{method} on {dataset}", definition)
