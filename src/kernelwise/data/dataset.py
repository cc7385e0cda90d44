"""A table ready to learn from: features, target, task and the kind of each column."""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal

import numpy as np

from kernelwise.data.columns import (
    check_not_tiny,
    column_kinds,
    column_notes,
    names_or_ids,
    normalize,
)
from kernelwise.data.target import Task, check_complete, class_labels, detect_task, quantities

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table split into features and target, checked, in one normal form.

    Attributes
    ----------
    features : DataFrame, the numeric columns as floats, then the categorical ones as text
    target : array of class labels or of floats
    target_name : name of the target's column
    task : "classification" or "regression"
    task_reason : why this task, in words
    numeric_columns, categorical_columns : names of the features of each kind
    notes : what the user should know about the columns, in sentences
    """

    features: "DataFrame"
    target: np.ndarray
    target_name: str
    task: Task
    task_reason: str
    numeric_columns: tuple[str, ...]
    categorical_columns: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def from_frame(
        cls, frame: "DataFrame", target: str, task: Task | Literal["auto"] = "auto"
    ) -> "Dataset":
        """Split a table by the name of its target column; ValueErrors say what is wrong.

        The task is detected from the target (see :func:`~kernelwise.data.target.detect_task`)
        unless it is given.
        """
        _check_target_name(frame, target)
        if len(frame) < 2:
            raise ValueError("the table has only one row: learning needs several")
        column = frame[target]
        check_complete(column)
        if task == "auto":
            task, reason = detect_task(column)
        else:
            reason = "you asked for it"
        labels = class_labels(column) if task == "classification" else quantities(column)

        table = frame.drop(columns=target)
        numeric, categorical = column_kinds(table)
        if not numeric and not categorical:
            raise ValueError(f"the table has no column besides the target '{target}'")
        features = normalize(table, numeric, categorical)
        names = names_or_ids(features, categorical)
        features = features.drop(columns=names)
        categorical = tuple(name for name in categorical if name not in names)
        if not numeric and not categorical:
            raise ValueError("every column has a different text in every row: nothing to learn")
        check_not_tiny(features, numeric)
        notes = [f"column '{name}' is left out: every row has a different text" for name in names]
        return cls(
            features=features,
            target=labels,
            target_name=target,
            task=task,
            task_reason=reason,
            numeric_columns=numeric,
            categorical_columns=categorical,
            notes=(*notes, *column_notes(features, numeric)),
        )


def _check_target_name(frame: "DataFrame", target: str) -> None:
    if target in frame.columns:
        return
    near = get_close_matches(target, list(frame.columns), n=3)
    names = near or list(frame.columns[:8])
    listed = ", ".join(f"'{name}'" for name in names)
    hint = f"did you mean {listed}?" if near else f"the table's columns begin with {listed}"
    raise ValueError(f"the table has no column '{target}': {hint}")
