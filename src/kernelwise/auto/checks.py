"""Checks of a table as an estimator has read it: what to know before believing the model."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from kernelwise.data.checks import MOST_LINES, Check, listed
from kernelwise.data.frame_checks import checks_of_frame
from kernelwise.data.row_checks import few_rows, rare_classes, repeated_rows
from kernelwise.data.twins import twins
from kernelwise.optional import import_optional
from kernelwise.tables.columns import as_frame, column_values, is_frame


def checks_of(model: Any, table: Any, y: Any, reading: Any, names: list[str]) -> list[Check]:
    """What was seen in a table, each under a code.

    Of a data frame the same as `kernelwise.data.read` would see in a file, of arrays what needs no
    names, of a table in pieces only what is at hand.

    Parameters
    ----------
    model, table, y : a fitted estimator, and the rows and targets it was given
    reading, names : how it read them, and what the columns are called
    """
    found = [Check("KW219", sentence) for sentence in _about_gaps(reading.columns, names)]
    if hasattr(reading, "classes"):
        found += _about_classes(reading)
    if reading.rows is not None:
        return found
    used = int((reading.given.weights > 0).sum())
    found += repeated_rows(used - len(np.unique(reading.parts.distinct)), used) + few_rows(used)
    frame = _of_pandas(table)
    if frame is None:
        numeric = np.setdiff1d(np.arange(len(names)), reading.columns.categorical)
        rows = reading.given.X[reading.given.weights > 0]
        return found + twins(rows[:, numeric], [names[r] for r in numeric])
    return found + _about_columns(model, frame, y, reading)


def _about_gaps(columns: Any, names: list[str]) -> list[str]:
    """A sentence for each column with gaps, or one for all if these are many."""
    if len(columns.checks) <= MOST_LINES:
        return list(columns.checks)
    missing = columns.missing
    known = np.flatnonzero((missing.counts > 0) & ~missing.is_empty)
    if len(known) < len(columns.checks):  # a column without any value is told by itself
        return list(columns.checks)
    said = f"{len(known)} columns have missing values, filled with the median of each: "
    said += f"{listed(names[r] for r in known)} (up to {missing.counts.max()} of {missing.n_rows}"
    seen = np.isin(known, missing.shown).all()
    return [said + " in one)" + ("; that a value is missing counts as information" if seen else "")]


def _about_columns(model: Any, frame: Any, y: Any, reading: Any) -> list[Check]:
    kept, classes = reading.given.weights > 0, hasattr(reading, "classes")
    categorical = list(map(int, reading.columns.categorical))
    said = not isinstance(model.categorical_features, str)
    target = model._truth(reading) if classes else np.asarray(y, float)
    return checks_of_frame(
        frame[kept],
        categorical,
        target[kept],
        target_name=target_name(y),
        classes=classes,
        asked_for=[str(frame.columns[r]) for r in categorical] if said else (),
    )


def target_name(y: Any) -> str:
    """What a column of targets is called; without a name "y"."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) else "y"


def _of_pandas(table: Any) -> Any:
    """A data frame as one of pandas; None if it is none, or pandas is not there."""
    frame = as_frame(table)
    if not is_frame(frame) or find_spec("pandas") is None:
        return None
    pandas = import_optional("pandas", extra="cli")
    if isinstance(frame, pandas.DataFrame):
        return frame
    columns = {str(name): column_values(frame, r) for r, name in enumerate(frame.columns)}
    return pandas.DataFrame(columns)


def _about_classes(reading: Any) -> list[Check]:
    given = reading.given
    mass = np.bincount(reading.codes, given.counts, len(reading.classes))
    used = given.counts > 0
    # Classes weigh what they are, unless class weights say otherwise.
    balanced = np.ptp(given.weights[used] / given.counts[used]) > 0
    return rare_classes(reading.classes, mass, balanced)
