"""Columns of a table: numbers, categories or dates, and one form of each for a kernel.

A column may be whole numbers in one file, decimals in a file with gaps and text in a third. A
`Column` says how it was read when a model was fitted; new tables are read the same way, so that
equal values stay equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from kernelwise.data.checks import Check, DataError, count
from kernelwise.data.dates import DateForm, dates_in, form_of, moments_of, parts_of
from kernelwise.data.numbers import numbers_in, plain_numbers
from kernelwise.data.texts import Texts
from kernelwise.optional import import_optional

if TYPE_CHECKING:
    from pandas import DataFrame, Series

Kind = Literal["number", "category", "date"]
# Squares of anything beyond these overflow or vanish in double precision.
LARGEST, SMALLEST = 1e100, 1e-100
# A column of numbers in which more of a new table's texts are unreadable holds something else.
MOST_UNREADABLE = 0.5
NO_DATE = np.datetime64("NaT", "us")


@dataclass(frozen=True)
class Column:
    """How a column was read.

    Attributes
    ----------
    name, kind : its name in the table, and what it holds
    decimal, unit : the decimal mark of its numbers, and a unit that follows each, if any
    missing : the texts that alone stand for a gap; None: the usual ones
    dates, day_first : how its dates are written, as in `DateForm`
    first, parts : the day that dates are counted from (days since 1970), and what is told of each
    """

    name: str
    kind: Kind
    decimal: str = "."
    unit: str = ""
    missing: tuple[str, ...] | None = None
    dates: str = ""
    day_first: bool = False
    first: float = 0.0
    parts: tuple[str, ...] = ()

    @property
    def form(self) -> DateForm:
        return DateForm(self.dates, self.day_first)

    @property
    def features(self) -> tuple[str, ...]:
        """The names of what a kernel sees of it."""
        if self.kind != "date":
            return (self.name,)
        return tuple(f"{self.name} ({part})" for part in self.parts)


def holds_dates(series: "Series") -> bool:
    """Whether a column holds pandas' or Python's dates (not texts of dates)."""
    types = import_optional("pandas.api.types", extra="cli")
    if types.is_datetime64_any_dtype(series):
        return True
    return series.dtype == object and types.infer_dtype(series, skipna=True) in (
        *("datetime", "datetime64", "date"),
    )


def typed_numbers(series: "Series") -> np.ndarray | None:
    """A column of numbers (or of times) as floats, NaN for gaps; None if it holds another type."""
    types = import_optional("pandas.api.types", extra="cli")
    series = series.infer_objects()
    if types.is_timedelta64_dtype(series):
        return series.dt.total_seconds().to_numpy(dtype=float)
    decimal = series.dtype == object and types.infer_dtype(series, skipna=True) == "decimal"
    if types.is_bool_dtype(series) or types.is_complex_dtype(series):
        return None
    if decimal or types.is_numeric_dtype(series):
        return series.to_numpy(dtype=float, na_value=np.nan)
    return None


def numbers_of(series: "Series", decimal: str) -> np.ndarray | None:
    """A column of texts, all as programs write numbers or empty, as floats; else None."""
    types = import_optional("pandas.api.types", extra="cli")
    if series.dtype.kind != "O" or isinstance(series.dtype, types.CategoricalDtype):
        return None
    texts = series.fillna("").to_list()
    if not all(type(text) is str for text in texts):
        return None
    return plain_numbers(texts, decimal)


def typed_whole(series: "Series") -> bool:
    """Whether a column is typed as whole numbers."""
    types = import_optional("pandas.api.types", extra="cli")
    return types.is_integer_dtype(series)


def values_of(series: "Series", column: Column) -> tuple[dict[str, np.ndarray], list[Check]]:
    """The features of a column of a table, read as it was read before; and what was odd."""
    if column.kind == "category":
        texts = Texts.of(series)
        return {column.name: texts.without(texts.gaps(column.missing, False)).as_levels()}, []
    if column.kind == "date":
        return _dates_of(series, column)
    numbers = typed_numbers(series)
    if numbers is not None:
        numbers = _without_missing(numbers, column)
    elif column.missing is None:
        numbers = numbers_of(series, column.decimal)
    if numbers is not None:
        return {column.name: _checked(numbers, column.name)}, []
    given = Texts.of(series)
    texts = given.without(given.gaps(column.missing, by_people=True))
    values = texts.numbers(column.decimal, column.unit)
    checks = _unreadable(texts, np.isnan(values), column)
    return {column.name: _checked(texts.spread(values, np.nan), column.name)}, checks


def _without_missing(numbers: np.ndarray, column: Column) -> np.ndarray:
    """Typed numbers, with those as gaps that were named so."""
    named = numbers_in(column.missing or (), column.decimal)
    return np.where(np.isin(numbers, named), np.nan, numbers) if len(named) else numbers


def _dates_of(series: "Series", column: Column) -> tuple[dict[str, np.ndarray], list[Check]]:
    if holds_dates(series):
        return _named_parts(moments_of(series), column), []
    given = Texts.of(series)
    texts = given.without(given.gaps(column.missing, by_people=True))
    form = None if column.dates == "typed" else column.form
    moments = dates_in(texts.levels, form) if form else np.full(len(texts.levels), NO_DATE)
    if np.isnat(moments).all() and (form := form_of(texts.levels)[0]) is not None:
        moments = dates_in(texts.levels, form)  # written in another way than in fit
    checks = _unreadable(texts, np.isnat(moments), column)
    return _named_parts(texts.spread(moments, np.datetime64("NaT")), column), checks


def features_frame(values: Sequence[dict[str, np.ndarray]], index) -> "DataFrame":
    """The features of all columns in one table: numbers first, then categories."""
    pd = import_optional("pandas", extra="cli")
    found: dict[str, np.ndarray] = {}
    for columns in values:
        if taken := found.keys() & columns.keys():
            said = f"a column and a part of another's dates are both named '{min(taken)}'"
            raise DataError("KW105", said, "rename one")
        found |= columns
    numeric = [name for name, array in found.items() if array.dtype == float]
    names = [*numeric, *(name for name in found if found[name].dtype != float)]
    return pd.DataFrame(found, index=index, columns=names)


def numeric_names(features: "DataFrame") -> tuple[str, ...]:
    """The columns of floats."""
    return tuple(name for name in features.columns if features[name].dtype.kind == "f")


def check_not_tiny(features: "DataFrame") -> None:
    """Refuse columns whose spread would vanish when squared to standardize them."""
    for name in numeric_names(features):
        largest = features[name].abs().max()
        if 0 < largest < SMALLEST:
            said = f"column '{name}' has no value beyond {largest:g}"
            raise DataError("KW213", said, "rescale it to ordinary units")


def _checked(values: np.ndarray, name: str) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        beyond = np.abs(values) > LARGEST
    if beyond.any():
        row = int(beyond.argmax())
        said = f"column '{name}' has {values[row]:g} in row {row + 1}, which is too large"
        raise DataError("KW213", said, "correct it, leave it empty, or rescale the column")
    return values


def _named_parts(moments: np.ndarray, column: Column) -> dict[str, np.ndarray]:
    parts = parts_of(moments, column.first, column.parts)
    return dict(zip(column.features, parts.values(), strict=True))


def _unreadable(texts: Texts, unreadable: np.ndarray, column: Column) -> list[Check]:
    """What a column of a new table holds that is no number or date, taken as gaps."""
    if not unreadable.any():
        return []
    counts = texts.counts()
    rows, present = int(counts[unreadable].sum()), int(counts.sum())
    example = texts.levels[int(unreadable.argmax())]
    what = f"{column.kind}s"
    if rows > MOST_UNREADABLE * present:
        row = int((texts.codes == int(unreadable.argmax())).argmax())
        said = f"column '{column.name}' must hold {what}, but row {row + 1} has '{example}'"
        raise DataError("KW213", said, "correct it, or leave it empty")
    said = f"column '{column.name}': texts such as '{example}' in {count(rows, 'row')} were gaps"
    return [Check("KW201", said, f"it must hold {what}")]
