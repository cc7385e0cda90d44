"""Dates as numbers: days since the first, and weekday, month and hour where they vary."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kernelwise.optional import import_optional

if TYPE_CHECKING:
    from pandas import Series

DAY = 86_400_000_000  # microseconds
PARTS = ("days", "weekday", "month", "hour")
TIME = r"(?:[T ]\s*\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[AaPp][Mm])?)?"
ZONE = r"(?:\s*(?:Z|UTC|[+-]\d{2}:?\d{2}))?"
MONTH_NAME = r"[A-Za-z]{3,9}\.?"
# A date written with numbers: year first, or year last.
YEAR_FIRST = re.compile(rf"(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}})({TIME}){ZONE}")
YEAR_LAST = re.compile(rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2(\d{{4}}|\d{{2}})({TIME}){ZONE}")
NAMED = re.compile(
    rf"\d{{1,2}}[-/. ]{MONTH_NAME}[-/., ]+(\d{{4}}|\d{{2}}){TIME}"
    rf"|{MONTH_NAME} \d{{1,2}},? \d{{4}}{TIME}"
)
CLOCK = re.compile(r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?")


SHORT_YEAR = re.compile(rf"^(\d{{1,2}}[-/. ]{MONTH_NAME}[-/., ]+)(\d{{2}})(?!\d)")
PATTERNS = {"clock": CLOCK, "year first": YEAR_FIRST, "named": NAMED, "year last": YEAR_LAST}
# A column with at least this share of dates holds dates; its other texts are gaps.
MOSTLY = 0.9


class DateForm(NamedTuple):
    """How the dates of a column are written: a kind, and whether the day comes before the month."""

    kind: str  # "typed", "year first", "year last", "named" or "clock"
    day_first: bool = False


def form_of(texts: Sequence[str]) -> tuple[DateForm | None, bool]:
    """How nine in ten of these texts are written as dates; and whether day and month may swap.

    In 3/4/2020 the month comes first, in 3.4.2020 and 3-4-2020 the day, unless a number above 12
    decides it.
    """
    for kind, pattern in PATTERNS.items():
        matches = [match for text in texts if (match := pattern.fullmatch(text))]
        if not matches or len(matches) < MOSTLY * len(texts):
            continue
        form, unsure = DateForm(kind), False
        if kind == "year last":
            first, second = (max(int(match[part]) for match in matches) for part in (1, 3))
            unsure = first <= 12 and second <= 12
            slashes = any(match[2] == "/" for match in matches)
            form = DateForm(kind, day_first=not slashes if unsure else first > 12)
            unsure = unsure or any(len(match[4]) == 2 for match in matches)
        dated = ~np.isnat(dates_in(texts, form))
        return (form, unsure) if dated.mean() >= MOSTLY else (None, False)
    return None, False


def dates_in(texts: Sequence[str], form: DateForm) -> np.ndarray:
    """Texts as moments without time zones (those with one in UTC); NaT where one is none."""
    pd = import_optional("pandas", extra="cli")
    if form.kind in PATTERNS:
        pattern = PATTERNS[form.kind]
        texts = [text if pattern.fullmatch(text) else "" for text in texts]
    if form.kind == "clock":
        texts = [text and f"1970-01-01 {text}" for text in texts]
    if form.kind == "named":
        texts = [SHORT_YEAR.sub(_whole_year, text) for text in texts]
    if form.kind == "year last":
        texts = [_year_first(text, form.day_first) for text in texts]
    moments = pd.to_datetime(
        pd.Series(list(texts), dtype=object), format="mixed", errors="coerce", utc=True
    )
    return moments.dt.tz_localize(None).to_numpy(dtype="datetime64[us]")


def _year_first(text: str, day_first: bool) -> str:
    match = YEAR_LAST.fullmatch(text)
    if match is None:
        return ""
    day, month = (match[1], match[3]) if day_first else (match[3], match[1])
    year = _century(match[4])
    return f"{year:04}-{int(month):02}-{int(day):02}" + text[match.end(4) :]


def _century(digits: str) -> int:
    """A year; of two digits as POSIX reads them, 69 to 99 in the last century."""
    year = int(digits)
    return year if len(digits) > 2 else year + (1900 if year >= 69 else 2000)


def _whole_year(match: re.Match) -> str:
    return f"{match[1]}{_century(match[2])}"


def moments_of(series: "Series") -> np.ndarray:
    """A column of pandas' or Python's dates as moments without time zones."""
    pd = import_optional("pandas", extra="cli")
    moments = pd.to_datetime(series.astype(object), errors="coerce", utc=True)
    return moments.dt.tz_localize(None).to_numpy(dtype="datetime64[us]")


def varying_parts(moments: np.ndarray, form: DateForm) -> tuple[str, ...]:
    """The parts of dates that differ between rows."""
    values = parts_of(moments, 0.0, PARTS)
    possible = ("hour",) if form.kind == "clock" else PARTS
    return tuple(
        part for part in possible if len(np.unique(values[part][~np.isnan(values[part])])) > 1
    )


def first_day(moments: np.ndarray) -> float:
    """The earliest moment, in days since 1970."""
    days = _days(moments)
    return float(np.nanmin(days)) if not np.isnan(days).all() else 0.0


def parts_of(moments: np.ndarray, first: float, parts: Sequence[str]) -> dict[str, np.ndarray]:
    """Numbers of each row: days since ``first``, weekday (Monday 0), month, hour with decimals."""
    moments = moments.astype("datetime64[us]")
    microseconds = moments.astype(np.int64)
    values = {
        "days": _days(moments) - first,
        "weekday": (microseconds // DAY + 3) % 7,
        "month": moments.astype("datetime64[M]").astype(np.int64) % 12 + 1,
        "hour": microseconds % DAY / (DAY / 24),
    }
    return {part: np.where(np.isnat(moments), np.nan, values[part]) for part in parts}


def _days(moments: np.ndarray) -> np.ndarray:
    microseconds = moments.astype("datetime64[us]").astype(np.int64)
    return np.where(np.isnat(moments), np.nan, microseconds / DAY)
