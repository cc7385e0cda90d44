"""A column of texts: its different texts, stripped, and which of them stand for a gap."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

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


# Booleans as other programs write them.
TRUTH = {"TRUE": "True", "true": "True", "FALSE": "False", "false": "False"}


@dataclass(frozen=True, eq=False)
class Texts:
    """A column as numbers of its different texts, -1 for a gap."""

    levels: list[str]
    codes: np.ndarray

    @classmethod
    def of(cls, series: "Series") -> "Texts":
        """Any column as texts: blanks around are dropped, 1.0 is 1, missing and empty are gaps."""
        pd = import_optional("pandas", extra="cli")
        codes, values = pd.factorize(series, use_na_sentinel=True)
        texts = [level_text(value) for value in values]
        levels = list(dict.fromkeys(text for text in texts if text))
        number = {text: code for code, text in enumerate(levels)}
        renumbered = np.array([number.get(text, -1) for text in texts] + [-1], dtype=np.int64)
        return cls(levels, renumbered[codes])

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
        return Texts([self.levels[code] for code in kept], number[self.codes])

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
        """The texts row by row, NaN for a gap."""
        levels = np.empty(len(self.levels) + 1, dtype=object)
        levels[:-1], levels[-1] = self.levels, np.nan
        return levels[self.codes]


def some_texts(series: "Series", most: int = 2000) -> list[str]:
    """Different texts from all over a column, which tell how the others are written."""
    few = series.iloc[:: 1 + len(series) // most].dropna().unique()
    return [text for value in few if (text := level_text(value))]


def level_text(value: object) -> str:
    """A value as text; 1.0 and "1.0" equal 1, and TRUE equals True."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    text = str(value).strip()
    whole, point, zeros = text.partition(".")
    if point and zeros and not zeros.strip("0") and whole.lstrip("+-").isdigit():
        return whole
    return TRUTH.get(text, text)
