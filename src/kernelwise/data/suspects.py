"""Columns that would mislead: names, row numbers, ids, constants, and the target in disguise."""

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from kernelwise.data.checks import Check
from kernelwise.data.columns import Column
from kernelwise.data.target import Target

if TYPE_CHECKING:
    from pandas import DataFrame, Series

# With fewer rows, texts may all differ and numbers all rise by chance.
ROWS_TO_TELL = 10
# With fewer, a column may decide the target by chance.
ROWS_TO_DECIDE = 20
# More different texts than this, or than half the rows, name rows rather than kinds of rows.
MOST_LEVELS = 1000
# So many rows per text, at least, before it is worth a note that a column decides the target.
ROWS_PER_LEVEL = 5
NAMELESS = re.compile(r"Unnamed: \d+'*")
LIKE_AN_ID = re.compile(
    r"(?:^|.*[\s_.\-])(?:id|ids|uid|uuid|guid|idx|index|rowid|rownames?|row|key)$|"
    r"(?:id|idx|index|uuid|guid)(?:[\s_.\-].*)?$|"
    r".*[a-z](?:ID|Id)$|"
    r"(?:.*[\s_.\-])?(?:row|case|record|sample|patient|customer|subject|passenger|serial|order|"
    r"participant|account|sequence|observation|obs)[\s_.\-]*(?:id|no|nr|num|number|#)\.?$"
)
ADVICE = "name it among the features to keep it"


def left_out(
    features: "DataFrame", columns: list[Column], asked_for: Collection[str]
) -> dict[str, Check]:
    """Checks by column: those to leave out, and those that may be ids (KW207)."""
    found = {}
    for column in columns:
        series = features[column.features[0]]
        if column.name in asked_for or len(column.features) > 1:
            continue
        check = _says_nothing(series, column) or _names_rows(series, column)
        if check is not None:
            found[column.name] = check
    return found


def _says_nothing(series: "Series", column: Column) -> Check | None:
    present = series.dropna()
    distinct = present.nunique()
    if distinct == 0:
        return Check("KW208", f"column '{column.name}' is empty and is left out")
    if distinct == 1 and len(present) == len(series) > 1:
        said = f"column '{column.name}' has one value in every row and is left out"
        return Check("KW208", said)
    return None


def _names_rows(series: "Series", column: Column) -> Check | None:
    if len(series) < ROWS_TO_TELL:
        return None
    if column.kind == "category":
        return _different_texts(series, column.name)
    if column.kind != "number" or series.isna().any():
        return None
    values = series.to_numpy()
    if np.any(values != np.round(values)) or series.nunique() < len(values):
        return None
    numbered = values[0] in (0, 1) and np.all(np.diff(values) == 1)
    rising = np.all(np.diff(values) > 0)
    like_an_id = LIKE_AN_ID.match(column.name) or LIKE_AN_ID.match(column.name.lower())
    if numbered or NAMELESS.fullmatch(column.name):
        return Check("KW206", f"column '{column.name}' numbers the rows and is left out", ADVICE)
    if like_an_id:
        said = f"column '{column.name}' has a different whole number in every row, like an id"
        return Check("KW206", f"{said}, and is left out", ADVICE)
    if rising:
        said = f"column '{column.name}' rises from row to row in whole numbers: is it an id?"
        return Check("KW207", said, "drop it if it says nothing about a new row")
    return None


def _different_texts(series: "Series", name: str) -> Check | None:
    levels, rows = series.nunique(), int(series.notna().sum())
    if levels == rows == len(series):
        said = f"column '{name}' is left out: every row has a different text"
    elif NAMELESS.fullmatch(name) and levels == rows:
        said = f"column '{name}' is left out: it names the rows"
    elif levels > MOST_LEVELS or (levels > rows / 2 and rows >= ROWS_TO_DECIDE):
        said = f"column '{name}' is left out: it has {levels} different texts in {rows} rows"
    else:
        return None
    return Check("KW205", said, "say that it is categorical to keep it")


def target_in_disguise(
    features: "DataFrame", columns: list[Column], target: Target
) -> dict[str, Check]:
    """Checks by column: copies of the target (KW209), and columns that decide it alone (KW210)."""
    found: dict[str, Check] = {}
    if len(features) < ROWS_TO_DECIDE:
        return found
    for column in columns:
        for name in column.features:
            check = _disguise(features[name], column, target)
            if check is not None:
                found[column.name] = check
                break
    return found


def _disguise(series: "Series", column: Column, target: Target) -> Check | None:
    copied = f"column '{column.name}' is a copy of target '{target.name}' and is left out"
    decides = f"column '{column.name}' alone decides target '{target.name}'"
    known = "drop it if it is not known before the target is"
    values = series.to_numpy()
    if target.task == "regression":
        if column.kind == "category":
            return None
        if np.array_equal(values, target.values):
            return Check("KW209", copied)
        return Check("KW210", decides, known) if _is_linear(values, target.values) else None
    if np.array_equal(series.astype(str), _texts(target.values)):
        return Check("KW209", copied)
    codes, levels = series.factorize(use_na_sentinel=False)
    if column.kind != "category" and _in_one_piece_each(values, target.values):
        return Check("KW210", decides, known)
    few = len(levels) * ROWS_PER_LEVEL <= len(series)
    labels = np.unique(target.values, return_inverse=True)[1]
    if few and len(np.unique([codes, labels], axis=1).T) == len(levels):
        return Check("KW210", decides, known)
    return None


def _texts(labels: np.ndarray) -> np.ndarray:
    kind = labels.dtype.kind
    return (labels.astype(float) if kind in "iu" else labels).astype(str)


def _is_linear(values: np.ndarray, target: np.ndarray) -> bool:
    present = ~np.isnan(values)
    if present.mean() < 0.5 or present.sum() < ROWS_TO_DECIDE or np.ptp(values[present]) == 0:
        return False
    if np.ptp(target[present]) == 0:
        return False
    return abs(np.corrcoef(values[present], target[present])[0, 1]) > 1 - 1e-9


def _in_one_piece_each(values: np.ndarray, labels: np.ndarray) -> bool:
    """Whether each class has the values between two thresholds to itself."""
    if np.isnan(values).any():
        return False
    order = np.argsort(values, kind="stable")
    ordered, of = values[order], labels[order]
    changes = np.flatnonzero(of[1:] != of[:-1])
    ties = ordered[changes] == ordered[changes + 1]
    return len(changes) == len(np.unique(labels)) - 1 and not ties.any()
