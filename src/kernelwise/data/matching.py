"""A new table for a model: its columns found by name and read as they were in fit."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from kernelwise.data.checks import Check, DataError, count, listed
from kernelwise.data.columns import Column, features_frame, typed_numbers, values_of
from kernelwise.data.numbers import OTHER, decimal_marks, numbers_in
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
    written, odd = as_written(frame, columns, decimal, missing)
    features, checks = read_columns(frame, written)
    return features, (*odd, *checks)


def read_columns(
    frame: "DataFrame", columns: Sequence[Column]
) -> tuple["DataFrame", tuple[Check, ...]]:
    """The features of some rows, whose columns are written as these are, and what was odd."""
    read = [values_of(frame[column.name], column) for column in columns]
    features = features_frame([values for values, _ in read], frame.index)
    return features, tuple(check for _, checks in read for check in checks)


def as_written(
    frame: "DataFrame",
    columns: Sequence[Column],
    decimal: str | None,
    missing: tuple[str, ...] | None,
) -> tuple[list[Column], list[Check]]:
    """The columns as a new table writes them: with another decimal mark, or other gaps.

    A DataError says which of them it does not have. Numbers that can have one mark only decide for
    their column. The others have the mark of the fit, unless all that decide have changed theirs.
    """
    _check_there(frame, columns)
    marks = {c.name: _sure_mark(frame[c.name], c) for c in columns if c.kind == "number"}
    decided = [(c, marks[c.name]) for c in columns if marks.get(c.name)]
    switched = bool(decided) and all(mark != column.decimal for column, mark in decided)
    found, odd = [], []
    for column in columns:
        if column.kind == "number":
            fitted = OTHER[column.decimal] if switched else column.decimal
            mark = decimal or marks[column.name] or fitted
            odd += _about_marks(frame[column.name], column, mark)
            column = replace(column, decimal=mark)
        found.append(column if missing is None else replace(column, missing=missing))
    return found, odd


def _about_marks(series: "Series", column: Column, mark: str) -> list[Check]:
    """A note if numbers are written with another mark than in fit, or may be read in two ways."""
    if typed_numbers(series) is not None:
        return []
    texts = [text.removesuffix(column.unit).strip() for text in some_texts(series)]
    marked = [text for text in texts if "," in text or "." in text]
    if marked and mark != column.decimal:
        said = f"numbers of column '{column.name}' have a decimal '{mark}' here, and "
        return [Check("KW202", f"{said}'{column.decimal}' where the model was fitted")]
    grouped = [text for text in marked if OTHER[mark] in text and mark not in text]
    if grouped and len(grouped) == len(marked):
        (value,) = numbers_in(grouped[:1], mark)
        said = (
            f"column '{column.name}' has numbers like '{grouped[0]}'; it was read as {value:.12g}"
        )
        return [Check("KW216", said, "name the decimal mark if that is wrong")]
    return []


def _check_there(frame: "DataFrame", columns: Sequence[Column]) -> None:
    missing = [column.name for column in columns if column.name not in frame.columns]
    if not missing:
        return
    said = f"the table lacks {count(len(missing), 'column')} the model was fitted on"
    near = {name.casefold(): name for name in frame.columns}
    found = get_close_matches(missing[0].casefold(), list(near), n=1)
    advice = f"is '{missing[0]}' what it calls '{near[found[0]]}'?" if found else ""
    raise DataError("KW214", f"{said}: {listed(missing)}; it has {listed(frame.columns)}", advice)


def _sure_mark(series: "Series", column: Column) -> str | None:
    """The decimal mark that the numbers of a column must have; None if they do not say."""
    if typed_numbers(series) is not None:
        return None
    return decimal_marks(text.removesuffix(column.unit) for text in some_texts(series)).sure
