"""Texts as numbers: decimal commas, thousands marks, currencies, and which of two readings holds.

``1,5`` is one and a half; ``1,234`` may be either. A column's other numbers decide, then those of
the whole table, then the delimiter: in a file with commas between its columns, a comma inside a
number marks thousands.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
# Whatever else is in a text, it is not a number as a program writes it.
NOT_PLAIN = re.compile(r"[^0-9+\-.eE]")
SIGNS = "$€£¥₹₽₩¢"
CODES = "EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RUB|BRL|MXN"
AROUND = re.compile(rf"^(?:[{SIGNS}\s]|{CODES})+|(?:[{SIGNS}%\s]|{CODES})+$")
AFTER_SIGN = re.compile(rf"(?<=^[+-])[{SIGNS}\s]+")
# As accountants write negative numbers: (12) or 12-.
NEGATIVE = re.compile(r"\((?P<inside>[^()+-]+)\)|(?P<before>[^()+-]*\d)-")
# Digits in threes, after the first one to three, which are no 0.
IN_THREES = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}({re.escape(mark)}\d{{3}})+") for mark in ",."}
# A number and a unit after it.
WITH_UNIT = re.compile(r"[^A-Za-z]*\d\s*(?P<unit>[A-Za-z\u00b0\u00b5][^\d]{0,11})")
THREES_WITH_BLANKS = re.compile(r"[+-]?\d{1,3}([ \u00a0\u2009\u202f'\u2019]\d{3})+([.,]\d+)?")
BLANKS = str.maketrans("", "", " \u00a0\u2009\u202f'\u2019")
FEWEST_GROUPED = 44  # 0.9**44 < 0.01: a last decimal is 0, and is then left out, one time in ten
OTHER = {",": ".", ".": ","}


class Marks(NamedTuple):
    """How many texts can only have a decimal comma, how many only a decimal point."""

    comma: int = 0
    point: int = 0

    def __add__(self, other):
        return Marks(self.comma + other[0], self.point + other[1])

    @property
    def sure(self) -> str | None:
        """The mark that more of them must have; None if they do not say."""
        if self.comma == self.point:
            return None
        return "," if self.comma > self.point else "."


def is_plain_number(text: str) -> bool:
    """Whether a text is a finite number as programs write it."""
    return PLAIN.fullmatch(text.strip()) is not None


def decimal_marks(texts: Iterable[str]) -> Marks:
    """What the texts of a column say about its decimal mark."""
    comma = point = 0
    for text in texts:
        if "," not in text and "." not in text:
            continue
        reading = _sure_mark(_bare(text))
        comma += reading == ","
        point += reading == "."
    return Marks(comma, point)


def has_ambiguous_commas(texts: Iterable[str]) -> bool:
    """Whether a text such as 1,234 could be either."""
    return any("," in text and IN_THREES[","].fullmatch(_bare(text)) for text in texts)


def are_groups(texts: Sequence[str]) -> bool:
    """Whether the points of all these texts may mark thousands, as in 1.234."""
    return bool(texts) and all(IN_THREES["."].fullmatch(_bare(text)) for text in texts)


def look_grouped(texts: Sequence[str]) -> bool:
    """Whether points very likely mark thousands: always three digits after, and none below 1000.

    Decimals end in three digits that often by chance only if there are few of them.
    """
    pointed = [text for text in texts if "." in text]
    whole = [text for text in texts if "." not in text and is_plain_number(text)]
    enough = len(pointed) >= FEWEST_GROUPED and len(whole) > 0
    return enough and are_groups(pointed) and all(len(text.strip("+-")) <= 3 for text in whole)


def common_unit(texts: Sequence[str]) -> str:
    """The unit that ends every one of these texts after a number, such as kg; or none."""
    units = set()
    for text in texts:
        found = WITH_UNIT.fullmatch(text)
        units.add("" if found is None else found["unit"])
        if len(units) > 1 or "" in units:
            return ""
    return units.pop() if units else ""


def numbers_in(texts: Sequence[str], decimal: str = ".") -> np.ndarray:
    """Texts as floats; NaN where a text is no number, infinite where it says so.

    Cost: some microseconds per text that is not as programs write numbers.
    """
    plain = plain_numbers(texts, decimal) if "" not in texts else None
    if plain is not None:
        return plain
    return np.fromiter((_number(text, decimal) for text in texts), float, len(texts))


def plain_numbers(texts: Sequence[str], decimal: str = ".") -> np.ndarray | None:
    """Texts as programs write numbers as floats, NaN for empty ones; None if another is among them.

    Cost: 0.2 microseconds per text.
    """
    joined = "".join(texts)
    if decimal == ",":
        if "." in joined:
            return None
        joined, texts = joined.replace(",", "."), [text.replace(",", ".") for text in texts]
    if NOT_PLAIN.search(joined):
        return None
    try:
        return np.fromiter((float(text) if text else np.nan for text in texts), float, len(texts))
    except ValueError:  # such as 1-2, or two points
        return None


def _bare(text: str) -> str:
    """Without blanks, currencies and percent signs around, and with an ordinary minus in front."""
    text = AROUND.sub("", text.replace("\u2212", "-"))
    if (negative := NEGATIVE.fullmatch(text)) is not None:
        text = "-" + AROUND.sub("", negative["inside"] or negative["before"])
    return AFTER_SIGN.sub("", text)


def _number(text: str, decimal: str) -> float:
    text = _bare(text)
    if INFINITE.fullmatch(text):
        return float(text)
    if THREES_WITH_BLANKS.fullmatch(text):
        text = text.translate(BLANKS)
    thousands = OTHER[decimal]
    if thousands in text:
        whole, mark, rest = text.partition(decimal)
        if not IN_THREES[thousands].fullmatch(whole):
            return np.nan
        text = whole.replace(thousands, "") + mark + rest
    text = text.replace(decimal, ".")
    return float(text) if PLAIN.fullmatch(text) else np.nan


def _sure_mark(text: str) -> str | None:
    """The decimal mark of a number that can have no other; None for both, neither or no number."""
    if THREES_WITH_BLANKS.fullmatch(text):
        text = text.translate(BLANKS)
    readable = [mark for mark in ".," if not np.isnan(_number(text, mark))]
    # 1.234 is a number with a point as programs write it, whatever else it may be.
    return readable[0] if len(readable) == 1 else None
