"""Methods on a user's own table: its folds, its cells, and the work of a worker."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
from sklearn.pipeline import Pipeline

from kernelwise.compare.stored import KIND, definition_of
from kernelwise.data import Dataset
from kernelwise.data.pipeline import one_hot_columns, one_hot_pipeline, table_pipeline
from kernelwise.evaluation.fold_records import FoldRecord, measure_fold
from kernelwise.evaluation.folds import repeated_folds
from kernelwise.evaluation.honest_error import possible_folds
from kernelwise.methods.method import Method
from kernelwise.methods.registry import METHODS
from kernelwise.runs.cells import Cell
from kernelwise.runs.store import Store
from kernelwise.tables.columns import is_missing

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False)
class TableTrial:
    """A trial that fits a cell's method to the training rows of its split of one table.

    Split number 7 of the kind "5-fold" is fold 2 of repeat 1, both counted from 0. The splits are
    those of ``nested_cross_validation`` with the same seed: a run with more repeats begins with the
    same splits, and so continues from a store.

    Attributes
    ----------
    dataset : the table
    identity : a name and 8 hexadecimal digits of ``fingerprint``: the cells' data set
    fingerprint : hash of the table's content, order of rows, target and groups
    folds : how many in each repeat
    fold_of : which fold each row is tested in, shape (repeats, rows)
    seed : of the folds and of the methods
    """

    dataset: Dataset
    identity: str
    fingerprint: str
    folds: int
    fold_of: np.ndarray
    seed: int

    @classmethod
    def of(
        cls,
        dataset: Dataset,
        name: str,
        *,
        folds: int = 5,
        repeats: int = 5,
        groups: np.ndarray | None = None,
        seed: int = 0,
    ) -> "TableTrial":
        """The trial of a table, split into folds.

        Parameters
        ----------
        dataset, name : the table, and what to call it
        folds, repeats : folds of each cross-validation, and how many of these
        groups : a number per row; rows of one group are always in the same fold
        seed : of the folds and of the methods
        """
        target, classes = dataset.target, dataset.task == "classification"
        splits = repeated_folds(
            target, groups, folds, repeats, classes=classes, stratified=classes, random_state=seed
        )
        fold_of = np.empty((repeats, len(target)), dtype=np.int32)
        for number, (_, test) in enumerate(splits):
            fold_of[number // folds, test] = number % folds
        digits = fingerprint(dataset, groups)
        return cls(dataset, f"{name}:{digits[:8]}", digits, folds, fold_of, seed)

    def __call__(self, cell: Cell) -> FoldRecord:
        repeat, fold = divmod(cell.number, self.folds)
        test = self.fold_of[repeat] == fold
        X, y = self.dataset.features, self.dataset.target
        method = METHODS[cell.method]
        method.check_rows(int((~test).sum()))
        estimator = self.estimator(method, X[~test], cell.seed)
        return measure_fold(estimator, X[~test], y[~test], X[test], y[test])

    def estimator(self, method: Method, rows: "DataFrame", seed: int) -> Pipeline:
        """A method behind the column preparation it needs, unfitted.

        Methods without categories get one column per level; ``rows`` shows how many that makes.
        """
        task = self.dataset.task
        if method.categorical:
            return table_pipeline(self.dataset, method.estimator(task, rows.shape[1], seed))
        width = len(one_hot_columns(self.dataset).fit(rows).get_feature_names_out())
        return one_hot_pipeline(self.dataset, method.estimator(task, width, seed))

    def cells(self, methods: list[Method]) -> list[Cell]:
        """Each method on each split, in the order of splits, so that an unfinished run is even."""
        return [
            Cell(self.identity, f"{self.folds}-fold", number, method.name, self.seed)
            for number in range(self.fold_of.shape[0] * self.folds)
            for method in methods
        ]

    def define(self, store: Store, methods: list[Method]) -> None:
        """Record in the store what the table and the methods are.

        Raises a StoreError if it holds results of other data or another method of the same name.
        """
        store.define("data set", self.identity, self.fingerprint)
        store.define(KIND, self.identity, definition_of(self.dataset))
        numbers = self.dataset.features[list(self.dataset.numeric_columns)].to_numpy(float)
        for method in methods:
            learner = method.definition(self.dataset.task, self.dataset.features.shape[1])
            levels = "categories" if method.categorical else "one column per level"
            if method.categorical and np.isnan(numbers).any():
                levels += " and gaps"  # earlier versions filled them before
            name = f"{method.name} on {self.identity}"
            store.define("method", name, f"{learner} with {levels}")


def fingerprint(dataset: Dataset, groups: np.ndarray | None = None) -> str:
    """16 hexadecimal digits of the SHA-256 of everything the folds and fits depend on."""
    digest = sha256()
    names = (dataset.numeric_columns, dataset.categorical_columns)
    digest.update(json.dumps([dataset.task, dataset.target_name, *names]).encode())
    columns = [np.asarray(dataset.features[name]) for name in dataset.features.columns]
    for array in (*columns, dataset.target, *([] if groups is None else [groups])):
        digest.update(f"{array.dtype.kind} {len(array)}".encode())
        digest.update(array.tobytes() if array.dtype.kind in "biuf" else _texts(array))
    return digest.hexdigest()[:16]


def _texts(array: np.ndarray) -> bytes:
    return json.dumps([None if is_missing(text) else str(text) for text in array]).encode()


def feasible_folds(dataset: Dataset, folds: int, groups: np.ndarray | None = None) -> int:
    """``folds``, or as many as are possible; a ValueError if two are not.

    Each fold needs a row (with groups: a group) of each class; quantities need two to train on.
    """
    stratified = dataset.task == "classification"
    labels, codes = np.unique(dataset.target, return_inverse=True)
    if not stratified:
        codes = np.zeros_like(codes)
    # With groups, count one row for each class of each group.
    members = codes if groups is None else np.unique([codes, groups], axis=1)[0]
    possible = possible_folds(members, folds, stratified)
    if possible:
        return possible
    unit = "row" if groups is None else "group"
    if not stratified:
        raise ValueError(f"the table has only {len(members)} {unit}s: too few to compare methods")
    rarest = np.bincount(members).argmin()
    count = int((members == rarest).sum())
    raise ValueError(
        f"class '{labels[rarest]}' of target '{dataset.target_name}' has only {count} {unit}"
        f"{'s' if count > 1 else ''}: a class needs at least 2; delete its rows, or merge it "
        "with another class"
    )
