"""Feature columns: which are numbers, which are categories, and one form for each.

A column may be integers in one file, decimals in a file with gaps and text in a third. Here
numbers become floats and categories text (missing: NaN), for fitting and for predicting, so that
equal values stay equal.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kernelwise.optional import import_optional

if TYPE_CHECKING:
    from pandas import DataFrame, Series

# Squares of anything beyond these overflow or vanish in double precision.
LARGEST, SMALLEST = 1e100, 1e-100
# Year first or last, with dashes, slashes or dots; a time may follow.
DATE = r"\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})([T ].*)?"
# With fewer rows, texts may all differ by chance.
ROWS_TO_TELL_NAMES = 10


def column_kinds(frame: "DataFrame") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the numeric and of the categorical columns, in the order of the table.

    Text, categories and booleans are categorical; every number is numeric. Dates are refused.
    """
    numeric = tuple(name for name in frame.columns if _is_numeric(frame[name]))
    categorical = tuple(name for name in frame.columns if name not in numeric)
    return numeric, categorical


def normalize(
    frame: "DataFrame", numeric: Sequence[str], categorical: Sequence[str]
) -> "DataFrame":
    """The named columns only: numeric ones as floats, categorical ones as text or NaN."""
    pd = import_optional("pandas", extra="cli")
    columns = {name: _as_numbers(frame[name]) for name in numeric}
    columns |= {name: _as_levels(frame[name]) for name in categorical}
    return pd.DataFrame(columns, index=frame.index, columns=[*numeric, *categorical])


def match_columns(
    frame: "DataFrame", numeric: Sequence[str], categorical: Sequence[str]
) -> "DataFrame":
    """The columns a model was fitted on, found by name in a new table; extra ones are left out."""
    missing = [name for name in [*numeric, *categorical] if name not in frame.columns]
    if missing:
        raise ValueError(
            f"the table lacks {_count(missing, 'column')} the model was fitted on: "
            f"{_listed(missing)}; it has {_listed(list(frame.columns))}"
        )
    return normalize(frame, numeric, categorical)


def column_notes(features: "DataFrame", numeric: Sequence[str]) -> tuple[str, ...]:
    """Notes for the user about normalized columns that say little or nothing."""
    notes = []
    for name in features.columns:
        present = features[name].dropna()
        distinct = present.nunique()
        if distinct == 0:
            notes.append(f"column '{name}' is empty and says nothing")
        elif distinct == 1 and len(present) == len(features):
            notes.append(f"column '{name}' has one value in every row and says nothing")
        elif name not in numeric and (odd := _odd_text_among_numbers(present)):
            notes.append(f"column '{name}' was taken as categories because of '{odd}'")
    return tuple(notes)


def level_text(value: object) -> str:
    """A category as text; whole numbers without decimals, so that 1.0 equals 1."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    return str(value).strip()


def _is_numeric(series: "Series") -> bool:
    types = import_optional("pandas.api.types", extra="cli")
    series = series.infer_objects()
    date = types.is_datetime64_any_dtype(series) or types.is_timedelta64_dtype(series)
    if date or _is_text_of_dates(series):
        raise ValueError(
            f"column '{series.name}' holds dates or times: turn them into numbers, or delete it"
        )
    if types.is_bool_dtype(series):
        return False
    decimal = series.dtype == object and types.infer_dtype(series, skipna=True) == "decimal"
    return decimal or types.is_numeric_dtype(series)


def _is_text_of_dates(series: "Series") -> bool:
    present = series.dropna()
    if not len(present) or not all(isinstance(value, str) for value in present):
        return False
    return all(re.fullmatch(DATE, value) for value in present)


def names_or_ids(features: "DataFrame", categorical: Sequence[str]) -> list[str]:
    """Categorical columns with a different text in every row: no new row can ever match one."""
    if len(features) < ROWS_TO_TELL_NAMES:
        return []
    return [name for name in categorical if features[name].nunique() == len(features)]


def _as_numbers(series: "Series") -> np.ndarray:
    pd = import_optional("pandas", extra="cli")
    values = pd.to_numeric(series, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    unreadable = np.isnan(values) & series.notna().to_numpy()
    if unreadable.any():
        row = int(unreadable.argmax())
        raise ValueError(
            f"column '{series.name}' must hold numbers, but row {row + 1} has "
            f"'{series.iloc[row]}': correct it, or leave it empty"
        )
    with np.errstate(invalid="ignore"):
        beyond = np.abs(values) > LARGEST
    if beyond.any():
        row = int(beyond.argmax())
        raise ValueError(
            f"column '{series.name}' has {values[row]:g} in row {row + 1}, which is too large: "
            "correct it, leave it empty, or rescale the column"
        )
    return values


def check_not_tiny(features: "DataFrame", numeric: Sequence[str]) -> None:
    """Refuse columns whose spread would vanish when squared to standardize them."""
    for name in numeric:
        largest = features[name].abs().max()
        if 0 < largest < SMALLEST:
            raise ValueError(
                f"column '{name}' has no value beyond {largest:g}: rescale it to ordinary units"
            )


def _as_levels(series: "Series") -> np.ndarray:
    levels = np.full(len(series), np.nan, dtype=object)
    present = series.notna().to_numpy()
    levels[present] = [level_text(value) for value in series[present]]
    return levels


def _odd_text_among_numbers(levels: "Series") -> str | None:
    """The first text of a column that is otherwise (nine rows in ten) made of numbers."""
    pd = import_optional("pandas", extra="cli")
    is_text = pd.to_numeric(levels, errors="coerce").isna()
    return levels[is_text].iloc[0] if 0 < is_text.mean() <= 0.1 else None


def _count(items: Sequence[str], noun: str) -> str:
    return f"{len(items)} {noun}" + ("s" if len(items) != 1 else "")


def _listed(names: Sequence[str], most: int = 8) -> str:
    """Names in quotes; only the first few of many."""
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
