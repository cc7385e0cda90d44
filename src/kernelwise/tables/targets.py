"""A user's targets: labels or quantities, checked, with labels as numbers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from kernelwise.tables.columns import Scales, is_missing, quiet_check
from kernelwise.tables.task import look_like_classes

LARGEST, SMALLEST = 1e300, 1e-300
GAPS_IN_Y = "Input y contains NaN; drop those rows"


def read_labels(y: Any, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """One label per row, and the sorted classes: at least two."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    labels = column_or_1d(y, warn=True)
    if labels.dtype == object and any(is_missing(label) for label in labels):
        raise ValueError("y contains missing labels; drop those rows, or name them")
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        raise ValueError(GAPS_IN_Y)
    if labels.dtype == object and all(isinstance(label, Real) for label in labels):
        labels = np.array(labels.tolist())  # numbers and booleans, as columns of mixed tables are
    with warnings.catch_warnings():
        # Classes of few rows are the caller's to judge.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        check_classification_targets(labels)
    check_consistent_length(np.empty(n_rows), labels)
    classes = np.unique(labels)
    if len(classes) < 2:
        raise ValueError(f"y has one class only ({classes.tolist()[0]!r}); at least 2 are needed")
    return labels, classes


def read_quantities(y: Any, n_rows: int, estimator: Any) -> np.ndarray:
    """Finite numbers, of shape (rows,) or (rows, outputs)."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    try:
        with quiet_check():
            values = check_array(
                y, dtype=np.float64, ensure_2d=False, input_name="y", estimator=estimator
            )
    except OverflowError:
        raise ValueError("y holds a whole number too large for double precision") from None
    except ValueError as error:
        if "contains NaN" in str(error):
            raise ValueError(GAPS_IN_Y) from error
        if "could not convert" not in str(error):
            raise
        raise ValueError(f"y holds text, not quantities ({error}): use a classifier") from error
    check_consistent_length(np.empty(n_rows), values)
    if values.ndim == 2 and values.shape[1] == 1:
        values = column_or_1d(values, warn=True)
    _check_size(values)
    return values


def _check_size(values: np.ndarray) -> None:
    """Refuse quantities whose products with coefficients overflow, or that have few digits."""
    sizes = np.abs(values).max(axis=0, initial=0.0).reshape(-1)
    if (sizes > LARGEST).any():
        raise ValueError(f"y has values of {sizes.max():g}, which is too large: rescale it")
    if (tiny := (sizes > 0) & (sizes < SMALLEST)).any():
        raise ValueError(f"y has no value beyond {sizes[tiny][0]:g}: rescale it")


def one_vs_rest(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """-1 and +1: one column for two classes, positive for the second; else one per class."""
    mass = np.eye(n_classes)[codes]
    return 2 * (mass[:, 1:] if n_classes == 2 else mass) - 1


@dataclass(frozen=True)
class CodedTargets:
    """Targets as numbers, (rows, outputs); codes to stratify by; the classes, if there are any."""

    values: np.ndarray
    codes: np.ndarray
    classes: np.ndarray | None


def coded_targets(y: Any, n_rows: int, task: str, estimator: Any) -> CodedTargets:
    """Labels as -1 and +1, quantities standardized; task "auto" looks at y."""
    if task == "classification" or (task == "auto" and y is not None and look_like_classes(y)):
        labels, classes = read_labels(y, n_rows)
        codes = np.searchsorted(classes, labels)
        return CodedTargets(one_vs_rest(codes, len(classes)), codes, classes)
    values = read_quantities(y, n_rows, estimator).reshape(n_rows, -1)
    if not (values != values[0]).any():
        raise ValueError("y is the same in every row: there is nothing to learn from it")
    values = Scales.learn(values, np.ones(n_rows)).scaled(values)
    return CodedTargets(values, np.zeros(n_rows, int), None)
