"""Whether the columns that were read are those of the file."""

from datetime import datetime, timedelta
from typing import Any
from unicodedata import category

import numpy as np

from fuzz.manners import Unmannerly
from fuzz.meant import Meant
from fuzz.tables import TableCase

DAY = timedelta(days=1)
EXPLANATIONS = ("KW203", "KW205", "KW206", "KW208", "KW209")


def check_target(case: TableCase, dataset: Any) -> np.ndarray:
    """Which rows have a target, if the target was read as it was meant."""
    meant = case.columns[case.target]
    values = meant.numbers if meant.words is None else meant.words
    if values is None:
        raise Unmannerly(f"dates were read as a target: {meant.texts[:5]}")
    known = np.array([value is not None for value in values])
    if len(dataset.target) != known.sum() or len(dataset.features) != known.sum():
        raise Unmannerly(f"{len(dataset.target)} rows were read, not {known.sum()}")
    silent = case.must_say | (set() if known.all() else {"KW301"})
    if silent := silent - {check.code for check in dataset.checks}:
        raise Unmannerly(f"the reading should have said {silent}")
    expected = [value for value in values if value is not None]
    if dataset.target.dtype.kind == "U" and meant.words is None:
        texts = [text.strip() for text, there in zip(meant.texts, known, strict=True) if there]
        agrees = list(dataset.target) == texts
    else:
        agrees = list(dataset.target) == expected
    if not agrees:
        raise Unmannerly(f"the target is {list(dataset.target)[:5]}, not {expected[:5]}")
    return known


def check_features(case: TableCase, features: Any, dataset: Any, known: np.ndarray) -> None:
    """Every column is what was meant by its name; ``features`` has all rows of the file."""
    kinds = {column.name: column for column in dataset.columns}
    if unmeant := set(kinds) - set(case.columns):
        raise Unmannerly(f"columns that the file does not have: {unmeant}")
    expected_names = [name for column in dataset.columns for name in column.features]
    if sorted(expected_names) != sorted(features.columns):
        raise Unmannerly(f"the features are {list(features.columns)}, not {expected_names}")
    for name, meant in case.columns.items():
        if name == case.target:
            continue
        if name not in kinds:
            _check_explained(name, meant, case, dataset, known)
        elif kinds[name].kind == "date":
            _check_dates(name, meant, kinds[name], features, known)
        else:
            _check_values(name, meant, kinds[name].kind, features[name], dataset)


def _check_values(name: str, meant: Meant, kind: str, column: Any, dataset: Any) -> None:
    values = meant.numbers if kind == "number" else meant.words
    if values is None:
        raise Unmannerly(f"column {name!r} was read as {kind}: {meant.texts[:5]}")
    for row, (found, value) in enumerate(zip(column, values, strict=True)):
        missing = found != found
        if missing != (value is None) or (value is not None and found != value):
            raise Unmannerly(
                f"column {name!r}, row {row}: {meant.texts[row]!r} was read as {found!r}"
            )
    if kind == "number" and meant.words is not None and not _named("KW203", name, dataset):
        raise Unmannerly(f"column {name!r}: texts among numbers went without a word")
    if kind == "number" and meant.rounded and not _named("KW211", name, dataset):
        raise Unmannerly(f"column {name!r}: rounded numbers went without a word")


def _check_dates(name: str, meant: Meant, column: Any, features: Any, known: np.ndarray) -> None:
    if meant.moments is None:
        raise Unmannerly(f"column {name!r} was read as dates: {meant.texts[:5]}")
    there = [moment for moment, k in zip(meant.moments, known, strict=True) if k and moment]
    first = min(there)
    for part in meant.parts:
        values = [_part(moment, part, first) for moment in meant.moments]
        if part not in column.parts:
            if len({value for value, k in zip(values, known, strict=True) if k} - {None}) > 1:
                raise Unmannerly(f"column {name!r}: the {part} varies and was left out")
            continue
        for row, (found, value) in enumerate(
            zip(features[f"{name} ({part})"], values, strict=True)
        ):
            # A day in microseconds, divided: the last digit may differ.
            wrong = found == found if value is None else not abs(found - value) < 1e-6
            if wrong:
                text = meant.texts[row]
                raise Unmannerly(f"column {name!r}, row {row}: {part} of {text!r} is {found!r}")


def _part(moment: datetime | None, part: str, first: datetime) -> float | None:
    if moment is None:
        return None
    midnight = datetime(moment.year, moment.month, moment.day)
    return {
        "days": (moment - first) / DAY,
        "weekday": float(moment.weekday()),
        "month": float(moment.month),
        "hour": (moment - midnight) / timedelta(hours=1),
    }[part]


def _check_explained(
    name: str, meant: Meant, case: TableCase, dataset: Any, known: np.ndarray
) -> None:
    """A column is left out for a reason that is said, and true."""
    codes = [code for code in EXPLANATIONS if _named(code, name, dataset)]
    if not codes:
        raise Unmannerly(f"column {name!r} was left out without a word")
    values = next(v for v in (meant.words, meant.numbers, meant.moments) if v is not None)
    shown = [value for value, k in zip(values, known, strict=True) if k]
    present = [value for value in shown if value is not None]
    target = case.columns[case.target]
    holds = {
        "KW203": meant.words is not None,
        "KW205": meant.words is not None,
        "KW206": meant.numbers is not None and len(set(present)) == len(present),
        "KW208": len(set(shown)) <= 1,
        "KW209": target.texts == meant.texts,
    }
    if not any(holds[code] for code in codes):
        raise Unmannerly(f"column {name!r} was left out under {codes}: {meant.texts[:5]}")


def _named(code: str, name: str, dataset: Any) -> bool:
    """Whether a check of this code names the column: long names are cut, controls shown."""
    odd = ("Cc", "Zl", "Zp")
    shown = "".join(ascii(c)[1:-1] if category(c) in odd else c for c in name)
    quoted = f"'{shown}'" if len(name) < 100 else f"'{shown[:50]}"
    return any(check.code == code and quoted in check.text for check in dataset.checks)
