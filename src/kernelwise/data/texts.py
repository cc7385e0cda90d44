"""A column of texts: its different texts, stripped, and which of them stand for a gap."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from kernelwise.data.checks import count
from kernelwise.data.numbers import numbers_in
from kernelwise.optional import import_optional

if TYPE_CHECKING:
    from pandas import Series

# What programs write for a missing value; in every column.
# fmt: off
WRITTEN_BY_PROGRAMS = frozenset((
    "", "NA", "N/A", "#N/A", "#NA", "<NA>", "NULL", "null", "NaN", "nan", "-nan", "-NaN", "None",
    "n/a", "NaT", "#N/A N/A", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN",
))
# What people write for one; only where the rest are numbers or dates. In lower case.
WRITTEN_BY_PEOPLE = frozenset((
    "?", "-", "--", "---", ".", "..", "*", "_", "na", "n.a.", "n.a", "n/a", "nan", "null", "none",
    "nil", "missing", "unknown", "not available", "not applicable", "unavailable", "not known",
    "no data", "nodata", "undefined", "blank", "empty", "tbd", "n.d.", "(null)", "<null>",
    "#value!", "#ref!", "#div/0!", "#name?", "#num!", "#null!", "\u2013", "\u2014",
))
# fmt: on


WHOLE_FLOAT = re.compile(r"^([+-]?\d+)\.0$")
# Booleans as other programs write them.
TRUTH = {"TRUE": "True", "true": "True", "FALSE": "False", "false": "False"}


@dataclass(frozen=True, eq=False)
class Texts:
    """A column as numbers of its different texts, -1 for a gap.

    ``typed`` has the value of each text that was a number in a typed cell, NaN for others: such a
    number has no decimal mark to find out.
    """

    levels: list[str]
    codes: np.ndarray
    typed: np.ndarray

    @classmethod
    def of(cls, series: "Series") -> "Texts":
        """Any column as texts: blanks around are dropped, missing and empty are gaps."""
        pd = import_optional("pandas", extra="cli")
        codes, values = pd.factorize(series, use_na_sentinel=True)
        texts = [level_text(value) for value in values]
        levels = list(dict.fromkeys(text for text in texts if text))
        number = {text: code for code, text in enumerate(levels)}
        renumbered = np.array([number.get(text, -1) for text in texts] + [-1], dtype=np.int64)
        typed = np.full(len(levels), np.nan)
        for text, value in zip(texts, values, strict=True):
            if text and isinstance(value, Real) and not isinstance(value, (bool, np.bool_)):
                typed[number[text]] = float(value)
        return cls(levels, renumbered[codes], typed)

    @property
    def written(self) -> list[str]:
        """The texts that were not typed numbers."""
        return [text for text, value in zip(self.levels, self.typed, strict=True) if value != value]

    def numbers(self, decimal: str, unit: str = "") -> np.ndarray:
        """The number of each text, NaN where it is none."""
        read = numbers_in([text.removesuffix(unit) for text in self.levels], decimal)
        return np.where(np.isnan(self.typed), read, self.typed)

    def counts(self) -> np.ndarray:
        """How many rows have each text."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.levels))

    def without(self, gaps: Collection[int]) -> "Texts":
        """The same column, with the texts of these numbers as gaps."""
        if not gaps:
            return self
        kept = [code for code in range(len(self.levels)) if code not in gaps]
        number = np.full(len(self.levels) + 1, -1)
        number[kept] = np.arange(len(kept))
        return Texts([self.levels[code] for code in kept], number[self.codes], self.typed[kept])

    def gaps(self, missing: Collection[str] | None, by_people: bool) -> set[int]:
        """The numbers of texts that stand for a gap.

        Parameters
        ----------
        missing : exactly these texts; None: those that programs write
        by_people : also those that people write among numbers and dates; not if ``missing`` is
            given
        """
        if missing is not None:
            return {code for code, text in enumerate(self.levels) if text in missing}
        return {
            code
            for code, text in enumerate(self.levels)
            if text in WRITTEN_BY_PROGRAMS or (by_people and text.casefold() in WRITTEN_BY_PEOPLE)
        }

    def spread(self, values: np.ndarray, gap) -> np.ndarray:
        """A value for each row, from one for each text."""
        return np.append(values, np.array([gap], dtype=values.dtype))[self.codes]

    def as_levels(self) -> np.ndarray:
        """The texts row by row as categories, NaN for a gap; 1.0, as floats are written, is 1."""
        levels = np.empty(len(self.levels) + 1, dtype=object)
        levels[:-1] = [category_text(text) for text in self.levels]
        levels[-1] = np.nan
        return levels[self.codes]


def some_texts(series: "Series", most: int = 2000) -> list[str]:
    """Different texts from all over a column, which tell how the others are written."""
    few = series.iloc[:: 1 + len(series) // most].dropna().unique()
    return [text for value in few if isinstance(value, str) and (text := level_text(value))]


def category_text(value: object) -> str:
    """A value as the name of a category: "1.0", as programs write floats, is 1."""
    return WHOLE_FLOAT.sub(r"\1", level_text(value))


def level_text(value: object) -> str:
    """A value as text; 1.0 as 1, and TRUE as True."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    text = str(value).strip()
    return TRUTH.get(text, text)


def levels_alike(texts: Texts) -> list[tuple[str, str]]:
    """Pairs of texts that differ only by case or by blanks inside."""
    seen: dict[str, str] = {}
    pairs = []
    for text in texts.levels:
        key = "".join(text.split()).casefold()
        if key in seen:
            pairs.append((seen[key], text))
        seen.setdefault(key, text)
    return pairs


def gap_words(texts: Texts, gaps: Collection[int]) -> str:
    """The texts that count as gaps, with their numbers of rows."""
    counts = texts.counts()
    chosen = sorted(gaps, key=lambda code: -counts[code])
    shown = ", ".join(
        f"'{texts.levels[code]}' ({count(int(counts[code]), 'row')})" for code in chosen[:4]
    )
    return shown + (f" and {len(chosen) - 4} more" if len(chosen) > 4 else "")
