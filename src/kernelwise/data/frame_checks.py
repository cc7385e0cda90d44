"""Checks of a data frame in memory, every column of which takes part in a fit."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kernelwise.data.checks import Check
from kernelwise.data.columns import (
    Column,
    features_frame,
    numeric_names,
    typed_numbers,
    typed_whole,
)
from kernelwise.data.kinds import alike_categories, inexact_numbers
from kernelwise.data.suspects import misleading, placeholders, target_in_disguise
from kernelwise.data.target import Target, odd_class_names
from kernelwise.data.texts import Texts
from kernelwise.data.twins import twins
from kernelwise.optional import import_optional

if TYPE_CHECKING:
    from pandas import DataFrame, Series


def checks_of_frame(
    frame: "DataFrame",
    categorical: Collection[int],
    target: np.ndarray,
    *,
    target_name: str = "y",
    classes: bool,
    asked_for: Collection[str] = (),
) -> list[Check]:
    """What would mislead a model, under the codes of reading a table from a file.

    Nothing is left out and nothing read in another way: the columns are what the fit sees.

    Parameters
    ----------
    frame, target : rows, and the label or quantities of each
    categorical : the places of the columns that are compared by equality; others are numbers
    target_name, classes : what the target is called, and whether it has labels
    asked_for : columns of which the user has said what they hold
    """
    frame = frame.rename(columns=str)
    texts = {r: Texts.of(frame.iloc[:, r]) for r in categorical}
    kinds: Sequence[Any] = ["category" if r in texts else "number" for r in range(frame.shape[1])]
    columns = [Column(name, kind) for name, kind in zip(frame.columns, kinds, strict=True)]
    values = [
        {column.name: texts[r].as_levels() if r in texts else _numbers(frame.iloc[:, r])}
        for r, column in enumerate(columns)
    ]
    features = features_frame(values, None)
    found = []
    for r, own in texts.items():
        found += alike_categories(columns[r].name, own)
    for r, column in enumerate(columns):
        if r not in texts and typed_whole(frame.iloc[:, r]):
            found += inexact_numbers(column.name, values[r][column.name])
    suspects = misleading(features, columns, asked_for)
    for one in _targets(target, target_name, classes):
        suspects |= target_in_disguise(features, columns, one)
    found += [suspect.taking_part() for suspect in suspects.values()]
    if classes:
        pd = import_optional("pandas", extra="cli")
        found += odd_class_names(target_name, Texts.of(pd.Series(target)))
    numeric = list(numeric_names(features))
    return [*found, *placeholders(features, columns), *twins(features[numeric].to_numpy(), numeric)]


def _numbers(series: "Series") -> np.ndarray:
    pd = import_optional("pandas", extra="cli")
    numbers = typed_numbers(series)
    return pd.to_numeric(series, errors="coerce").to_numpy(float) if numbers is None else numbers


def _targets(target: np.ndarray, name: str, classes: bool) -> list[Target]:
    """One for the labels, or for each quantity."""
    known = np.ones(len(target), bool)
    task: Any = "classification" if classes else "regression"
    each = target.reshape(len(target), -1).T
    kind: Any = "category" if classes else "number"
    return [Target(name, task, "", one, known, Column(name, kind), ()) for one in each]
