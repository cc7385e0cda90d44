"""A named set with its splits into training and test rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

import numpy as np
from sklearn.model_selection import StratifiedKFold, train_test_split

from kernelwise.data.case_matrices import CaseMatrices
from kernelwise.data.generators import Maker
from kernelwise.data.target import Task

# Random splits are drawn when asked for; a limit keeps "all of them" finite.
RANDOM_SPLITS = 1000
TEST_SHARE = 0.3
# Splits with few training rows, and the share of these.
THIRD = 0.33
FRESH_TRAINING_ROWS, FRESH_TEST_ROWS = 400, 5000
# Stratified folds; a class needs a row in each.
FOLDS = 10
FOLD_SEED = 0

Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class NamedSet:
    """A set with its splits into training and test rows. Nothing is standardized.

    Attributes
    ----------
    name : the name it was loaded by
    X : matrix of floats, NaN where missing; the imputed copy, if the file has one; for a
        generator, the rows of split 0
    y : whole numbers or text (classification), or floats (regression)
    feature_names : one name for each column of X
    task : "classification" or "regression"
    source : where it was found, in words
    notes : what the file says about how it differs from the original, and about its splits
    stored_splits : for each kind, the row numbers of the training and of the test rows, one
        split per row
    maker : the generator that draws fresh rows for each random split, if there is one
    views : the numbers of the columns of each view, in a set of several views
    matrices : distances or kernels between the cases, in a set without columns; X then holds the
        numbers of the cases
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    task: Task
    source: str
    notes: str = ""
    stored_splits: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    maker: Maker | None = None
    views: Mapping[str, np.ndarray] = field(default_factory=dict)
    matrices: CaseMatrices | None = None

    def __post_init__(self) -> None:
        # One loaded set serves every caller in the process, so none may change it.
        self.X.flags.writeable = self.y.flags.writeable = False

    @cached_property
    def fingerprint(self) -> str:
        """16 hexadecimal digits of the SHA-256 of X, y, the stored splits, views and matrices."""
        digest = sha256()
        arrays = [self.X, self.y]
        for kind in sorted(self.stored_splits):
            digest.update(kind.encode())
            arrays += self.stored_splits[kind]
        parts = dict(self.views) | (dict(self.matrices.by_name) if self.matrices else {})
        for name, array in parts.items():
            digest.update(name.encode())
            arrays.append(array)
        for array in arrays:
            digest.update(f"{array.dtype.str} {array.shape}".encode())
            digest.update(array.tobytes())
        return digest.hexdigest()[:16]

    @property
    def splits(self) -> dict[str, int]:
        """How many splits of each kind there are; their numbers begin with 0.

        "published" and "generated" are stored in the file. "random", for sets without generated
        ones, are 1000 splits drawn with their number as the seed: 30 % test rows, stratified by
        class; or, for a generator, 400 fresh training rows and 5000 fresh test rows. "folds", for
        classes of ten rows or more, are the ten stratified folds of one shuffle with a fixed seed:
        split ``i`` is tested on fold ``i`` and trained on the other nine. "thirds", for classes,
        are drawn like "random" ones, with 33 % training rows.
        """
        counts = {kind: len(train) for kind, (train, _) in self.stored_splits.items()}
        if "generated" not in counts:
            counts["random"] = RANDOM_SPLITS
        if self.task == "classification" and self.maker is None:
            counts["thirds"] = RANDOM_SPLITS
        if self._can_be_folded:
            counts["folds"] = FOLDS
        return counts

    def split(self, kind: str, number: int) -> Split:
        """``X_train, y_train, X_test, y_test`` of one split; always the same for one number."""
        self._check_split(kind, number)
        if kind in self.stored_splits:
            train, test = (rows[number] for rows in self.stored_splits[kind])
        elif self.maker is not None:
            X, y = self.maker(FRESH_TRAINING_ROWS + FRESH_TEST_ROWS, number)
            train, test = np.split(np.arange(len(y)), [FRESH_TRAINING_ROWS])
            return X[train], y[train], X[test], y[test]
        elif kind == "folds":
            train, test = self._folds[number]
        elif kind == "thirds":
            train, test = self._random_rows(number, train_size=THIRD)
        else:
            train, test = self._random_rows(number, test_size=TEST_SHARE)
        return self.X[train], self.y[train], self.X[test], self.y[test]

    def _check_split(self, kind: str, number: int) -> None:
        there = "; ".join(f"{kind} 0 to {count - 1}" for kind, count in self.splits.items())
        if kind not in self.splits:
            raise ValueError(f"the set '{self.name}' has no splits '{kind}'; it has {there}")
        whole = isinstance(number, int | np.integer)
        if not whole or not 0 <= number < self.splits[kind]:
            raise ValueError(f"the set '{self.name}' has no {kind} split {number}; it has {there}")

    def _random_rows(self, number: int, **shares: float) -> list[np.ndarray]:
        classes = self.y if self.task == "classification" else None
        try:
            return train_test_split(
                np.arange(len(self.y)), **shares, random_state=number, stratify=classes
            )
        except ValueError as error:  # a class with a single row, or fewer rows than classes
            raise ValueError(f"the set '{self.name}' has no random splits: {error}") from None

    @cached_property
    def _can_be_folded(self) -> bool:
        if self.task != "classification" or self.maker is not None:
            return False
        return bool(np.unique(self.y, return_counts=True)[1].min() >= FOLDS)

    @cached_property
    def _folds(self) -> list[tuple[np.ndarray, np.ndarray]]:
        shuffled = StratifiedKFold(FOLDS, shuffle=True, random_state=FOLD_SEED)
        return list(shuffled.split(self.X, self.y))
