"""A new table for a model: its columns found by name and read as they were in fit."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from kernelwise.data.checks import Check, DataError, count, listed
from kernelwise.data.columns import Column, features_frame, typed_numbers, values_of
from kernelwise.data.numbers import Marks, decimal_marks
from kernelwise.data.texts import some_texts

if TYPE_CHECKING:
    from pandas import DataFrame, Series


def match_columns(
    frame: "DataFrame",
    columns: Sequence[Column],
    *,
    decimal: str | None = None,
    missing: tuple[str, ...] | None = None,
) -> tuple["DataFrame", tuple[Check, ...]]:
    """The features a model was fitted on, found by name in a new table, and what was odd.

    Parameters
    ----------
    frame, columns : the table, and how the columns of the model were read
    decimal, missing : its decimal mark and its texts for gaps, if the user names them; otherwise
        numbers that can have one decimal mark only decide, and the rest is as in fit
    """
    _check_there(frame, columns)
    marked, odd = [], []
    marks = {c.name: _marks(frame[c.name]) for c in columns if c.kind == "number"}
    table = _sure(sum(marks.values(), Marks()))
    for column in columns:
        if column.kind == "number":
            mark = decimal or _sure(marks[column.name]) or table or column.decimal
            if mark != column.decimal and marks[column.name] != (0, 0):
                said = f"numbers of column '{column.name}' have a decimal '{mark}' here, and "
                odd.append(Check("KW202", f"{said}'{column.decimal}' where the model was fitted"))
            column = replace(column, decimal=mark)
        marked.append(column if missing is None else replace(column, missing=missing))
    read = [values_of(frame[column.name], column) for column in marked]
    features = features_frame([values for values, _ in read], frame.index)
    return features, (*odd, *(check for _, checks in read for check in checks))


def _check_there(frame: "DataFrame", columns: Sequence[Column]) -> None:
    missing = [column.name for column in columns if column.name not in frame.columns]
    if not missing:
        return
    said = f"the table lacks {count(len(missing), 'column')} the model was fitted on"
    near = {name.casefold(): name for name in frame.columns}
    found = get_close_matches(missing[0].casefold(), list(near), n=1)
    advice = f"is '{missing[0]}' what it calls '{near[found[0]]}'?" if found else ""
    raise DataError("KW214", f"{said}: {listed(missing)}; it has {listed(frame.columns)}", advice)


def _marks(series: "Series") -> Marks:
    """What a column of texts says about its decimal mark."""
    return Marks() if typed_numbers(series) is not None else decimal_marks(some_texts(series))


def _sure(marks: Marks) -> str | None:
    if marks.comma == marks.point:
        return None
    return "," if marks.comma > marks.point else "."
