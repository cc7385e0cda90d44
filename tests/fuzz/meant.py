"""What the author of a column means: the text in each row, and the value it stands for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

# What programs write for a gap is one everywhere; what people write, among numbers and dates only.
GAPS_OF_PROGRAMS = ("", "", "", "NA", "N/A", "null", "NULL", "NaN", "nan", "None", "n/a", "<NA>")
GAPS_OF_PEOPLE = ("?", "-", "--", ".", "missing", "Unknown", "UNKNOWN", "n.a.", " ? ", "\u2014")


@dataclass(frozen=True)
class Meant:
    """A column: its texts, and its values in each way in which it may be read (None: a gap).

    Attributes
    ----------
    texts : what the file has, before any quotes
    numbers, words, moments : the values as numbers, categories or dates; None: no such reading
    parts : the parts of dates that a column of clock times or days may tell
    harmless : nothing in it is a reason to refuse the table
    rounded : whole numbers that doubles do not tell apart
    ordinary : nothing in it is a reason to leave it out, if it varies
    """

    texts: tuple[str, ...]
    numbers: tuple[float | None, ...] | None = None
    words: tuple[str | None, ...] | None = None
    moments: tuple[datetime | None, ...] | None = None
    parts: tuple[str, ...] = ("days", "weekday", "month", "hour")
    harmless: bool = True
    rounded: bool = False
    ordinary: bool = False

    def without(self, rows: Sequence[int], texts: Sequence[str]) -> "Meant":
        """The same column with gaps in these rows, written so."""

        def emptied(values: Any, instead: Sequence[Any]) -> Any:
            if values is None:
                return None
            changed = dict(zip(rows, instead, strict=True))
            return tuple(changed.get(row, value) for row, value in enumerate(values))

        nothing = [None] * len(rows)
        return replace(
            self,
            texts=emptied(self.texts, texts),
            numbers=emptied(self.numbers, nothing),
            words=emptied(self.words, nothing),
            moments=emptied(self.moments, nothing),
        )


def with_gaps(rng: np.random.Generator, column: Meant, anchors: Sequence[int]) -> Meant:
    """Gaps in some rows, never in those that decide how the column is written."""
    share = rng.choice([0.0, 0.0, 0.1, 0.4])
    rows = [
        row
        for row in range(len(column.texts))
        if row not in anchors and column.texts[row].strip() and rng.random() < share
    ]
    # "?" among categories is a category, and in a column of both it could be either.
    people = column.words is None and rng.random() < 0.6
    written = GAPS_OF_PROGRAMS + (GAPS_OF_PEOPLE if people else ())
    few = rng.choice(written, 3)
    return column.without(rows, [str(rng.choice(few)) for _ in rows])


Maker = Callable[[np.random.Generator, int, Sequence[int]], Meant]
