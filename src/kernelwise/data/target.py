"""The target column: its task, and its values in the form the estimators take."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from kernelwise.data.columns import LARGEST, SMALLEST, level_text
from kernelwise.errors import ArgumentError
from kernelwise.optional import import_optional
from kernelwise.tables.task import look_like_classes

if TYPE_CHECKING:
    from pandas import Series

Task = Literal["classification", "regression"]


def detect_task(target: "Series") -> tuple[Task, str]:
    """Classification or regression, and the reason in words.

    Text, categories and booleans are classes. So are few different whole numbers, by the rule of
    :func:`~kernelwise.tables.task.look_like_classes`. Any other number is a quantity.
    """
    types = import_optional("pandas.api.types", extra="cli")
    target = target.infer_objects()
    distinct = target.nunique()
    if types.is_bool_dtype(target):
        return "classification", "it holds true and false"
    if not types.is_numeric_dtype(target):
        return "classification", f"it holds text ({distinct} different values)"
    values = target.to_numpy(dtype=float)
    if look_like_classes(values):
        return "classification", f"it holds whole numbers with only {distinct} different values"
    kind = "whole numbers" if np.all(values == np.round(values)) else "decimal numbers"
    return "regression", f"it holds {kind} with {distinct} different values"


def check_complete(target: "Series") -> None:
    """Refuse a target with gaps: no label can be imputed."""
    missing = target.isna().to_numpy()
    if missing.any():
        row = int(missing.argmax()) + 1
        raise ValueError(
            f"target '{target.name}' is missing in {missing.sum()} of {len(target)} rows "
            f"(first: row {row}): fill these in, or delete these rows"
        )


def class_labels(target: "Series") -> np.ndarray:
    """Labels as whole numbers, booleans or text; at least two different ones."""
    types = import_optional("pandas.api.types", extra="cli")
    target = target.infer_objects()
    if target.nunique() < 2:
        raise ValueError(
            f"target '{target.name}' has only one class, '{level_text(target.iloc[0])}': "
            "a classifier needs rows of at least two"
        )
    if types.is_bool_dtype(target):
        return target.to_numpy(dtype=bool)
    if types.is_numeric_dtype(target):
        values = target.to_numpy(dtype=float)
        if np.all(values == np.round(values)) and np.abs(values).max() < 2**53:
            return values.astype(np.int64)
    return np.array([level_text(value) for value in target], dtype=str)


def quantities(target: "Series") -> np.ndarray:
    """The target as finite floats that are not all equal."""
    types = import_optional("pandas.api.types", extra="cli")
    target = target.infer_objects()
    if types.is_bool_dtype(target) or not types.is_numeric_dtype(target):
        raise ArgumentError(
            f"target '{target.name}' holds text such as '{level_text(target.iloc[0])}': "
            "regression needs numbers; choose classification",
            argument="task",
        )
    values = target.to_numpy(dtype=float)
    beyond = ~(np.abs(values) <= LARGEST)
    if beyond.any():
        row = int(beyond.argmax())
        raise ValueError(
            f"target '{target.name}' has {values[row]:g} in row {row + 1}, which is too large: "
            "correct it, delete the row, or rescale the column"
        )
    if 0 < np.abs(values).max() < SMALLEST:
        # Squared errors would all be zero, and look like a perfect model.
        raise ValueError(
            f"target '{target.name}' has no value beyond {np.abs(values).max():g}: rescale it to "
            "ordinary units"
        )
    if np.ptp(values) == 0:
        raise ValueError(
            f"target '{target.name}' is {values[0]:g} in every row: there is nothing to learn"
        )
    return values
