"""Columns that would mislead: names, row numbers, ids, constants, and the target in disguise."""

import re
from collections.abc import Collection
from dataclasses import dataclass
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
# A correlation beyond this is that of a copy in other units, perhaps rounded.
SAME = 0.9999
# So many rows per text, at least, before it is worth a note that a column decides the target.
ROWS_PER_LEVEL = 5
# A text that begins with a number, perhaps after a sign or a currency.
LIKE_NUMBERS = r"[^\w]{0,3}(?:[A-Z]{3} )?\d"
NAMELESS = re.compile(r"Unnamed: \d+'*")
LIKE_AN_ID = re.compile(
    r"(?:^|.*[\s_.\-])(?:id|ids|uid|uuid|guid|idx|index|rowid|rownames?|row|key)$|"
    r"(?:id|idx|index|uuid|guid)(?:[\s_.\-].*)?$|"
    r".*[a-z](?:ID|Id)$|"
    r"(?:.*[\s_.\-])?(?:row|case|record|sample|patient|customer|subject|passenger|serial|order|"
    r"participant|account|sequence|observation|obs)[\s_.\-]*(?:id|no|nr|num|number|#)\.?$"
)
PLACEHOLDERS = (-9, -99, -999, -9999, -99999, 99, 999, 9999, 99999, 999999)
# Those of columns that are not left out from a file either.
KEPT = ("KW207", "KW210", "KW217")
TO_KEEP = "name it among the features to keep it"
TO_DROP = "drop it if it says nothing about a new row"


@dataclass(frozen=True)
class Suspect:
    """A column that may mislead a model.

    Attributes
    ----------
    code, text : of the check, and what was seen
    to_drop, to_keep : advice where it takes part, and where it was left out
    """

    code: str
    text: str
    to_drop: str = TO_DROP
    to_keep: str = ""

    def taking_part(self) -> Check:
        return Check(self.code, self.text, self.to_drop)

    def left_out(self) -> Check:
        comma = "," if ", " in self.text else ""
        return Check(self.code, f"{self.text}{comma} and is left out", self.to_keep)


def misleading(
    features: "DataFrame", columns: list[Column], asked_for: Collection[str]
) -> dict[str, Suspect]:
    """Columns that say nothing, or name rows; not those that were asked for."""
    found = {}
    for column in columns:
        series = features[column.features[0]]
        if column.name in asked_for or len(column.features) > 1:
            continue
        suspect = _says_nothing(series, column) or _names_rows(series, column)
        if suspect is not None:
            found[column.name] = suspect
    return found


def _says_nothing(series: "Series", column: Column) -> Suspect | None:
    present = series.dropna()
    distinct = present.nunique()
    if distinct == 0:
        return Suspect("KW208", f"column '{column.name}' is empty", "drop it")
    if distinct == 1 and len(present) == len(series) > 1:
        return Suspect("KW208", f"column '{column.name}' has one value in every row", "drop it")
    return None


def _names_rows(series: "Series", column: Column) -> Suspect | None:
    if len(series) < ROWS_TO_TELL:
        return None
    if column.kind == "category":
        return _different_texts(series, column.name)
    if column.kind != "number":
        return None
    series = series.dropna()
    if len(series) < ROWS_TO_TELL:
        return None
    values = series.to_numpy()
    if np.any(values != np.round(values)):
        return None
    like_an_id = _is_like_an_id(column.name)
    if series.nunique() < len(values):
        return _shared_id(series, column.name) if like_an_id else None
    numbered = values[0] in (0, 1) and np.all(np.diff(values) == 1)
    rising = np.all(np.diff(values) > 0)
    if numbered or NAMELESS.fullmatch(column.name):
        return Suspect("KW206", f"column '{column.name}' numbers the rows", to_keep=TO_KEEP)
    if like_an_id:
        said = f"column '{column.name}' has a different whole number in every row, like an id"
        return Suspect("KW206", said, to_keep=TO_KEEP)
    if rising:
        said = f"column '{column.name}' rises from row to row in whole numbers, like an id"
        return Suspect("KW207", said)
    return None


def _different_texts(series: "Series", name: str) -> Suspect | None:
    levels, rows = series.nunique(), int(series.notna().sum())
    like_numbers = series.dropna().drop_duplicates().str.match(LIKE_NUMBERS).mean() > 0.5
    if levels == rows == len(series):
        said = f"column '{name}' has a different text in every row"
    elif NAMELESS.fullmatch(name) and levels == rows:
        said = f"column '{name}' names the rows"
    elif levels > MOST_LEVELS or (levels > rows / 2 and rows >= ROWS_TO_DECIDE):
        said = f"column '{name}' has {levels} different texts in {rows} rows"
    else:
        return _shared_id(series, name) if _is_like_an_id(name) else None
    if like_numbers:
        to_read = "write them as plain numbers or dates"
        said += ", which look like numbers or dates"
        return Suspect("KW203", said, to_read, f"{to_read}, or say what the column holds")
    return Suspect("KW205", said, to_keep="say that it is categorical to keep it")


def _is_like_an_id(name: str) -> bool:
    return bool(LIKE_AN_ID.match(name) or LIKE_AN_ID.match(name.lower()))


def _shared_id(series: "Series", name: str) -> Suspect | None:
    """An id that several rows have."""
    if series.nunique() <= ROWS_TO_TELL:
        return None
    said = f"column '{name}' looks like an id that several rows have"
    return Suspect("KW217", said, "if they belong together, name it as the column of groups")


def target_in_disguise(
    features: "DataFrame", columns: list[Column], target: Target
) -> dict[str, Suspect]:
    """Copies of the target (KW209), and columns that decide it alone (KW210)."""
    found: dict[str, Suspect] = {}
    if len(features) < ROWS_TO_DECIDE:
        return found
    for column in columns:
        for name in column.features:
            suspect = _disguise(features[name], column, target)
            if suspect is not None:
                found[column.name] = suspect
                break
    return found


def _disguise(series: "Series", column: Column, target: Target) -> Suspect | None:
    copied = f"column '{column.name}' is a copy of target '{target.name}'"
    decides = f"column '{column.name}' alone decides target '{target.name}'"
    known = "drop it if it is not known before the target is"
    if series.nunique() > ROWS_TO_TELL and column.kind == "category":
        known += "; if it names what several rows belong to, name it as the column of groups"
    values = series.to_numpy()
    if target.task == "regression":
        if column.kind == "category":
            return None
        if np.array_equal(values, target.values):
            return Suspect("KW209", copied, "drop it")
        return Suspect("KW210", decides, known) if _is_linear(values, target.values) else None
    if np.array_equal(series.astype(str), _texts(target.values)):
        return Suspect("KW209", copied, "drop it")
    present = series.notna().to_numpy()
    labels = np.unique(target.values[present], return_inverse=True)[1]
    if present.mean() < 0.5 or present.sum() < ROWS_TO_DECIDE or not labels.any():
        return None
    if column.kind != "category" and _in_one_piece_each(values[present], labels):
        return Suspect("KW210", decides, known)
    codes, levels = series[present].factorize()
    few = len(levels) * ROWS_PER_LEVEL <= len(codes)
    if few and len(np.unique([codes, labels], axis=1).T) == len(levels):
        return Suspect("KW210", decides, known)
    return None


def placeholders(features: "DataFrame", columns: list[Column]) -> list[Check]:
    """Numbers such as -999, far from all others, that may stand for a gap."""
    found = []
    for column in columns:
        if column.kind != "number" or column.missing is not None:
            continue
        values = features[column.name].dropna().to_numpy()
        for end in (values.min(initial=np.inf), values.max(initial=-np.inf)):
            rest, times = values[values != end], int((values == end).sum())
            if end not in PLACEHOLDERS or times < 2 or len(rest) < ROWS_TO_TELL:
                continue
            if np.abs(rest - end).min() > np.ptp(rest):
                said = f"column '{column.name}' has {end:g} in {times} rows, far from all others"
                found.append(Check("KW218", said, "name it as missing if it stands for a gap"))
    return found


def _texts(labels: np.ndarray) -> np.ndarray:
    kind = labels.dtype.kind
    return (labels.astype(float) if kind in "iu" else labels).astype(str)


def _is_linear(values: np.ndarray, target: np.ndarray) -> bool:
    present = ~np.isnan(values)
    if present.mean() < 0.5 or present.sum() < ROWS_TO_DECIDE or np.ptp(values[present]) == 0:
        return False
    if np.ptp(target[present]) == 0:
        return False
    return abs(np.corrcoef(values[present], target[present])[0, 1]) > SAME


def _in_one_piece_each(values: np.ndarray, labels: np.ndarray) -> bool:
    """Whether each class has the values between two thresholds to itself."""
    order = np.argsort(values, kind="stable")
    ordered, of = values[order], labels[order]
    changes = np.flatnonzero(of[1:] != of[:-1])
    ties = ordered[changes] == ordered[changes + 1]
    return len(changes) == len(np.unique(labels)) - 1 and not ties.any()
