"""Checks of a table: what was seen, how serious it is, and what to do, each under a code.

``docs/checks/index.md`` has an entry for every code.
"""

import re
from dataclasses import dataclass
from typing import Literal

Severity = Literal["stop", "care", "tip"]

# How serious each finding is. stop: nothing is learned; care: the model may be wrong; tip: a fact
# that explains the result. 1xx: the file; 2xx: its columns; 3xx: the target; 4xx: the rows.
SEVERITIES: dict[str, Severity] = {
    "KW100": "stop",  # not readable as a table
    "KW101": "tip",  # a spare empty field or column
    "KW102": "care",  # row names without a heading
    "KW103": "care",  # rows with fewer fields than the header
    "KW104": "stop",  # rows whose fields do not fit the header
    "KW105": "stop",  # a name of two columns
    "KW106": "care",  # a column that is there twice
    "KW107": "tip",  # delimiter, encoding or compression that were detected
    "KW108": "stop",  # no header
    "KW201": "tip",  # texts taken as gaps among numbers
    "KW202": "tip",  # numbers with decimal commas, thousands marks, currencies
    "KW203": "care",  # a column that is mostly numbers
    "KW204": "tip",  # dates became numbers
    "KW205": "tip",  # left out: a different text in (almost) every row, or thousands of texts
    "KW206": "care",  # left out: row numbers or ids
    "KW207": "care",  # numbers that may be ids
    "KW208": "tip",  # left out: empty, or the same value in every row
    "KW209": "care",  # left out: a copy of the target
    "KW210": "care",  # decides the target alone
    "KW211": "care",  # whole numbers beyond 2**53
    "KW212": "tip",  # texts that differ by blanks or case only
    "KW213": "stop",  # numbers too large or too small to compute with
    "KW214": "stop",  # no column to learn from, or not the one that was named
    "KW215": "care",  # texts taken as gaps among categories, or in the target
    "KW216": "care",  # numbers that can be read in two ways
    "KW217": "care",  # an id that several rows have
    "KW218": "care",  # numbers that may stand for a gap
    "KW219": "tip",  # gaps, and what they count as
    "KW220": "care",  # columns that say nearly the same
    "KW301": "care",  # rows without a target
    "KW302": "care",  # classes of very few rows
    "KW303": "care",  # class names that differ by case or blanks only, or look like gaps
    "KW304": "stop",  # a target with nothing to learn
    "KW305": "stop",  # a target that cannot be read
    "KW306": "tip",  # unbalanced classes
    "KW401": "tip",  # only a sample of the rows
    "KW402": "tip",  # repeated rows
    "KW403": "care",  # few rows
    "KW404": "stop",  # too few rows
    "KW405": "stop",  # weights or groups that cannot be used
    "KW406": "care",  # rows in the order of time
    "KW501": "care",  # rows to predict outside what the model has seen
    "KW502": "care",  # categories that the model has not seen
    "KW503": "care",  # a model that is no better than none
}

# The same about more columns than this is said of all of them at once.
MOST_LINES = 3

# Names and values are the file's own: they may hold anything, and be of any length.
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
LONG = re.compile(r"'([^']{100,})'")


@dataclass(frozen=True)
class Check:
    """One finding: its code, what was seen, and what to do if that is wrong.

    Attributes
    ----------
    code : such as "KW205"
    text : what was seen and what was done, without a period; on one line, control characters
        shown, and long names in quotes cut
    advice : what to do, in the library's words
    """

    code: str
    text: str
    advice: str = ""

    def __post_init__(self) -> None:
        cut = LONG.sub(lambda found: f"'{found[1][:60]} ... {found[1][-20:]}'", self.text)
        shown = CONTROLS.sub(lambda found: ascii(found[0])[1:-1], cut)
        object.__setattr__(self, "text", shown)

    @property
    def severity(self) -> Severity:
        return SEVERITIES[self.code]

    def __str__(self) -> str:
        return f"{self.text}: {self.advice}" if self.advice else self.text


class DataError(ValueError):
    """A table that cannot be learned from; ``check`` says why, under a code."""

    def __init__(self, code: str, text: str, advice: str = "") -> None:
        self.check = Check(code, text, advice)
        super().__init__(str(self.check))

    def __reduce__(self):
        return type(self), (self.check.code, self.check.text, self.check.advice)


def count(number: int, noun: str) -> str:
    """A number and its noun: "1 row", "2 rows"."""
    return f"{number} {noun}" + ("s" if number != 1 else "")


def listed(names, most: int = 8) -> str:
    """Names in quotes; only the first few of many."""
    names = list(names)
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
