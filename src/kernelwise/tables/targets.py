"""The targets a user gives: labels or quantities, checked, and labels as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from kernelwise.tables.columns import is_missing

# Whole numbers are classes if there are two, or at most so many, on so many rows each on average.
MOST_CLASSES, ROWS_PER_CLASS = 10, 5


def read_labels(y: Any, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """One label per row, and the sorted classes: at least two."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    labels = column_or_1d(y, warn=True)
    if labels.dtype == object and any(is_missing(label) for label in labels):
        raise ValueError("y contains missing labels; drop those rows, or name them")
    if labels.dtype == object and all(isinstance(label, Real) for label in labels):
        labels = np.array(labels.tolist())  # numbers and booleans, as columns of mixed tables are
    check_classification_targets(labels)
    check_consistent_length(np.empty(n_rows), labels)
    classes = np.unique(labels)
    if len(classes) < 2:
        raise ValueError(f"y has one class only ({classes[0]!r}); at least 2 are needed")
    return labels, classes


def read_quantities(y: Any, n_rows: int, estimator: Any) -> np.ndarray:
    """Finite numbers, of shape (rows,) or (rows, outputs)."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    values = check_array(y, dtype=np.float64, ensure_2d=False, input_name="y", estimator=estimator)
    check_consistent_length(np.empty(n_rows), values)
    if values.ndim == 2 and values.shape[1] == 1:
        values = column_or_1d(values, warn=True)
    return values


def one_vs_rest(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """-1 and +1: one column for two classes, positive for the second; else one per class."""
    mass = np.eye(n_classes)[codes]
    return 2 * (mass[:, 1:] if n_classes == 2 else mass) - 1


def are_few_whole_numbers(values: np.ndarray) -> bool:
    """Whether numbers look like classes rather than like a quantity."""
    if not np.all(values == np.round(values)):
        return False
    return len(np.unique(values)) <= max(2, min(MOST_CLASSES, len(values) // ROWS_PER_CLASS))


def look_like_classes(y: Any) -> bool:
    """Text, booleans and at most 10 different whole numbers are classes; other numbers are not."""
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1 or not len(values):
        return False
    if values.dtype == object:
        if any(not isinstance(value, Real) or isinstance(value, bool) for value in values):
            return True
        values = values.astype(float)
    if values.dtype.kind not in "iuf":
        return values.dtype.kind in "bUS"
    # Not by the number of rows, as a table's task is: folds of one table must agree.
    return bool(np.all(values == np.round(values))) and len(np.unique(values)) <= MOST_CLASSES


@dataclass(frozen=True)
class CodedTargets:
    """Targets as numbers, (rows, outputs); codes to stratify by; the classes, if they are such."""

    values: np.ndarray
    codes: np.ndarray
    classes: np.ndarray | None


def coded_targets(y: Any, n_rows: int, task: str, estimator: Any) -> CodedTargets:
    """Labels as -1 and +1, quantities standardised; task "auto" looks at y."""
    if task == "classification" or (task == "auto" and y is not None and look_like_classes(y)):
        labels, classes = read_labels(y, n_rows)
        codes = np.searchsorted(classes, labels)
        return CodedTargets(one_vs_rest(codes, len(classes)), codes, classes)
    values = read_quantities(y, n_rows, estimator).reshape(n_rows, -1)
    spread = values.std(axis=0)
    if not spread.any():
        raise ValueError("y is the same in every row: there is nothing to learn from it")
    values = (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return CodedTargets(values, np.zeros(n_rows, int), None)
