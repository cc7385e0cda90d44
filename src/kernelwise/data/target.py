"""The target column: its task, its values in the form estimators take, and the rows without one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from kernelwise.data.checks import Check, DataError, count
from kernelwise.data.columns import LARGEST, SMALLEST, Column, holds_dates, typed_numbers
from kernelwise.data.dates import form_of
from kernelwise.data.kinds import EXACT, MOSTLY, Reader
from kernelwise.data.numbers import common_unit
from kernelwise.data.row_checks import rare_classes
from kernelwise.data.texts import WRITTEN_BY_PEOPLE, Texts, gap_words, level_text, levels_alike
from kernelwise.errors import ArgumentError
from kernelwise.optional import import_optional
from kernelwise.tables.task import MOST_CLASSES, look_like_classes

if TYPE_CHECKING:
    from pandas import Series

Task = Literal["classification", "regression"]
# With fewer rows, class names may all differ by chance.
ROWS_TO_TELL = 20


@dataclass(frozen=True, eq=False)
class Target:
    """A target as it was read: a value for each row that has one.

    Attributes
    ----------
    name, task, reason : its column, what it holds, and why
    values : class labels or floats, of the rows that have one
    known : which rows of the table have one
    column : how it was read
    checks : what was odd about it
    """

    name: str
    task: Task
    reason: str
    values: np.ndarray
    known: np.ndarray
    column: Column
    checks: tuple[Check, ...]


def read_target(series: "Series", task: Task | Literal["auto"], reader: Reader) -> Target:
    """Read the target: quantities, or the labels of classes.

    Text, categories and booleans are classes. So are few different whole numbers, by the rule of
    :func:`~kernelwise.tables.task.look_like_classes`. Any other number is a quantity.
    """
    name = str(series.name)
    if holds_dates(series):
        raise DataError("KW305", f"target '{name}' holds dates", "turn them into numbers")
    texts, numbers, column, checks = _as_read(series, task, reader)
    if numbers is None and task != "classification":
        _refuse_dates(name, texts, reader)
    known = texts.codes >= 0
    if not known.all():
        checks.append(_say_unknown(name, known))
    if known.sum() < 2:
        said = f"target '{name}' has {count(int(known.sum()), 'value')}: learning needs several"
        raise DataError("KW404", said)
    values = None if numbers is None else numbers[known]
    found, reason = _task_of(values, texts, series)
    if task == "regression" and values is None:
        raise ArgumentError(
            f"target '{name}' holds text such as '{texts.levels[0]}': "
            "regression needs numbers; choose classification",
            argument="task",
        )
    if task != "auto":
        found, reason = task, "you asked for it"
    if found == "regression":
        assert values is not None  # text was refused above
        _check_quantities(values, name, known)
        return Target(name, found, reason, values, known, column, tuple(checks))
    if len(np.unique(texts.codes[known])) < 2:
        said = f"target '{name}' has only one class, '{texts.levels[int(texts.codes[known][0])]}'"
        raise DataError("KW304", said, "a classifier needs rows of at least two")
    if task == "auto" and values is None:
        _refuse_names(name, texts, int(known.sum()))
    labels = _labels(values, texts, series, known)
    checks += _about_classes(name, labels, texts, series)
    return Target(name, found, reason, labels, known, column, tuple(checks))


def _refuse_dates(name: str, texts: Texts, reader: Reader) -> None:
    bare = texts.without(texts.gaps(reader.missing, by_people=True))
    if form_of(bare.levels)[0] is not None:
        said = f"target '{name}' holds dates such as '{bare.levels[0]}'"
        raise DataError("KW305", said, "turn them into numbers, or choose classification")


def _refuse_names(name: str, texts: Texts, rows: int) -> None:
    """Refuse texts that differ in most rows: they are no classes."""
    distinct = len(texts.levels)
    if rows >= ROWS_TO_TELL and distinct > rows / 2:
        said = f"target '{name}' has {distinct} different texts in {rows} rows, such as "
        advice = "choose another column; or classification, if these are classes"
        raise DataError("KW305", f"{said}'{texts.levels[0]}'", advice)


def read_truth(
    series: "Series", task: Task, column: Column | None
) -> tuple[np.ndarray, np.ndarray]:
    """Which rows have a target, and its values there, to judge predictions by.

    ``column`` says how the target is written, where that is known.
    """
    column = column or Column(str(series.name), "number")
    texts = Texts.of(series)
    typed = typed_numbers(series)
    by_people = column.kind == "number"
    bare = texts.without(texts.gaps(column.missing, by_people))
    known = bare.codes >= 0
    if not known.any():
        raise DataError("KW305", f"target '{series.name}' is missing in every row")
    numbers = bare.numbers(column.decimal, column.unit)
    if task == "classification":
        labels = [
            level_text(number) if column.kind == "number" and number == number else text
            for text, number in zip(bare.levels, numbers, strict=True)
        ]
        return known, np.array(labels, dtype=object)[bare.codes[known]].astype(str)
    if np.isnan(numbers).any() and typed is None:
        text = bare.levels[int(np.isnan(numbers).argmax())]
        raise DataError("KW305", f"target '{series.name}' holds text such as '{text}'")
    return known, bare.spread(numbers, np.nan)[known]


def _as_read(
    series: "Series", task: str, reader: Reader
) -> tuple[Texts, np.ndarray | None, Column, list[Check]]:
    """The texts of the target, its numbers if it holds any, how it is written, what was odd."""
    name, texts = str(series.name), Texts.of(series)
    typed = typed_numbers(series)
    if typed is not None:
        gaps = texts.gaps(reader.missing, by_people=False) if reader.missing else set()
        bare = texts.without(gaps)
        column = Column(name, "number", missing=reader.missing)
        values = np.where(bare.codes >= 0, typed, np.nan)
        return bare, values, column, _say_gaps(name, texts, gaps)
    bare = texts.without(texts.gaps(reader.missing, by_people=True))
    unit = common_unit(bare.written)
    decimal = reader.decimal_for([text.removesuffix(unit) for text in bare.written])
    numbers = bare.numbers(decimal, unit)
    readable = ~np.isnan(numbers)
    if len(readable) and readable.all():
        column = Column(name, "number", decimal=decimal, unit=unit, missing=reader.missing)
        reader.say_marks(name, bare.written, decimal, unit)
        seen = _say_gaps(name, texts, texts.gaps(reader.missing, by_people=True))
        return bare, bare.spread(numbers, np.nan), column, [*seen, *reader.checks_of([column])]
    counts = bare.counts()
    share = counts[readable].sum() / max(counts.sum(), 1)
    if share >= MOSTLY and readable.sum() > MOST_CLASSES and task != "classification":
        code = int((~readable).argmax())
        row = int((bare.codes == code).argmax()) + 1
        said = f"target '{name}' holds numbers, but row {row} has '{bare.levels[code]}'"
        raise DataError("KW305", said, "correct it, or leave it empty")
    gaps = texts.gaps(reader.missing, by_people=False)
    column = Column(name, "category", missing=reader.missing)
    return texts.without(gaps), None, column, _say_gaps(name, texts, gaps)


def _say_gaps(name: str, texts: Texts, gaps: set[int]) -> list[Check]:
    if not gaps:
        return []
    said = f"target '{name}': {gap_words(texts, gaps)} counted as gaps, not as values"
    return [Check("KW215", said, "name the texts that are gaps if not")]


def _say_unknown(name: str, known: np.ndarray) -> Check:
    missing, row = int((~known).sum()), int((~known).argmax()) + 1
    said = (
        f"target '{name}' is missing in {missing} of {len(known)} rows (first: row {row}, counted "
        "from 1), which are left out"
    )
    return Check("KW301", said, "they can be predicted with the model")


def _task_of(values: np.ndarray | None, texts: Texts, series: "Series") -> tuple[Task, str]:
    types = import_optional("pandas.api.types", extra="cli")
    distinct = len(texts.levels)
    if types.is_bool_dtype(series):
        return "classification", "it holds true and false"
    if values is None or isinstance(series.dtype, types.CategoricalDtype):
        return "classification", f"it holds text ({distinct} different values)"
    if look_like_classes(values):
        return "classification", f"it holds whole numbers with only {distinct} different values"
    kind = "whole numbers" if np.all(values == np.round(values)) else "decimal numbers"
    return "regression", f"it holds {kind} with {distinct} different values"


def _labels(
    values: np.ndarray | None, texts: Texts, series: "Series", known: np.ndarray
) -> np.ndarray:
    """Labels as whole numbers, booleans or text."""
    types = import_optional("pandas.api.types", extra="cli")
    if types.is_bool_dtype(series):
        return series.to_numpy()[known].astype(bool)
    if values is not None and np.all(values == np.round(values)) and np.abs(values).max() < EXACT:
        return values.astype(np.int64)
    return texts.as_levels()[known].astype(str)


def _about_classes(name: str, labels: np.ndarray, texts: Texts, series: "Series") -> list[Check]:
    checks = []
    if series.dtype.kind == "O" and _differ_by_blanks(series):
        said = f"target '{name}' has class names that differ only by blanks around them"
        checks.append(Check("KW303", f"{said}; they were taken as one"))
    checks += odd_class_names(name, texts)
    return checks + rare_classes(*np.unique(labels, return_counts=True))


def odd_class_names(name: str, texts: Texts) -> list[Check]:
    """Names of classes that look alike, or like a gap."""
    checks = []
    for one, other in levels_alike(texts)[:1]:
        said = f"target '{name}' has classes that differ only in case or blanks"
        checks.append(Check("KW303", f"{said}: '{one}' and '{other}'", "make them equal"))
    for text in texts.levels:
        if text.casefold() in WRITTEN_BY_PEOPLE:
            said = f"class '{text}' of target '{name}' may stand for a gap"
            checks.append(Check("KW303", said, "if so, name it as missing or leave its rows out"))
    return checks


def _differ_by_blanks(series: "Series") -> bool:
    texts = {str(value) for value in series.dropna().unique()}
    return len({text.strip() for text in texts}) < len(texts)


def _check_quantities(values: np.ndarray, name: str, known: np.ndarray) -> None:
    """Refuse quantities that are all equal, or too large or small to compute with."""
    beyond = ~(np.abs(values) <= LARGEST)
    if beyond.any():
        first = int(beyond.argmax())
        row = int(np.flatnonzero(known)[first]) + 1
        said = f"target '{name}' has {values[first]:g} in row {row}, which is too large"
        raise DataError("KW213", said, "correct it, delete the row, or rescale the column")
    if 0 < np.abs(values).max() < SMALLEST:
        # Squared errors would all be zero, and look like a perfect model.
        said = f"target '{name}' has no value beyond {np.abs(values).max():g}"
        raise DataError("KW213", said, "rescale it to ordinary units")
    if np.ptp(values) == 0:
        said = f"target '{name}' is {values[0]:g} in every row"
        raise DataError("KW304", said, "there is nothing to learn")
