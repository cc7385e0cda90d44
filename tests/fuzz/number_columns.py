"""Columns of numbers, written in many ways; the values never come from the texts."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from fuzz.meant import Meant


def digits(
    mantissa: int, decimals: int, *, mark: str = ".", thousands: str = "", minus: str = "-"
) -> str:
    """``mantissa / 10**decimals`` with these marks."""
    text = str(abs(mantissa)).rjust(decimals + 1, "0")
    whole, rest = (text[:-decimals], text[-decimals:]) if decimals else (text, "")
    if thousands:
        whole = f"{int(whole):,}".replace(",", thousands)
    return (minus if mantissa < 0 else "") + whole + (mark + rest if rest else "")


def value(mantissa: int, decimals: int) -> float:
    return float(Fraction(mantissa, 10**decimals))


def drawn(
    rng: np.random.Generator, n: int, anchors: Sequence[int], decimals: Sequence[int], size: int
) -> list[tuple[int, int]]:
    """Mantissas and decimals; the anchors have the first number of decimals."""
    found = []
    for row in range(n):
        places = int(rng.choice(decimals)) if row not in anchors else decimals[0]
        found.append((int(rng.integers(-size, size)) * 10 + int(rng.integers(1, 10)), places))
    return found


def _column(texts: list[str], found: list[tuple[int, int]], **options) -> Meant:
    return Meant(tuple(texts), numbers=tuple(value(*pair) for pair in found), **options)


# In all columns with marks the anchors are sure: 1,5 can only be a decimal comma and 1.5 only a
# decimal point. Other rows may have 1,234, which these decide.


def plain(rng, n, anchors):
    found = drawn(rng, n, anchors, (2, 1, 2, 3, 4), 50_000)
    return _column([digits(*pair) for pair in found], found, ordinary=True)


def whole(rng, n, anchors):
    size = int(rng.choice([2, 20, 10_000]))
    found = [(int(rng.integers(-size, size)), 0) for _ in range(n)]
    pad = rng.random() < 0.2
    return _column([f"{p[0]:05d}" if pad else digits(*p) for p in found], found)


def decimal_commas(rng, n, anchors):
    found = drawn(rng, n, anchors, (2, 1, 2, 3, 4), 9_000)
    thousands = "." if rng.random() < 0.3 else ""
    return _column(
        [digits(*pair, mark=",", thousands=thousands) for pair in found], found, ordinary=True
    )


def thousands_marks(rng, n, anchors):
    found = drawn(rng, n, anchors, (2, 2, 1, 0), 9_000_000)
    mark = str(rng.choice([",", ",", " ", "'", "\u202f"]))
    return _column([digits(*pair, thousands=mark) for pair in found], found, ordinary=True)


def currencies(rng, n, anchors):
    found = drawn(rng, n, anchors, (2,), 90_000)
    before, after = [("$", ""), ("\u20ac ", ""), ("", " \u20ac"), ("", "%"), ("", " %")][
        int(rng.integers(5))
    ]
    thousands = "," if rng.random() < 0.5 else ""
    texts = [
        ("-" if m < 0 else "") + before + digits(abs(m), d, thousands=thousands) + after
        for m, d in found
    ]
    return _column(texts, found, ordinary=True)


def odd_forms(rng, n, anchors):
    """Signs, exponents, points without digits on one side."""
    texts, numbers = [], []
    for row in range(n):
        mantissa, form = int(rng.integers(1, 9_000)), int(rng.integers(6))
        if row in anchors:
            form = 0
        forms = (
            (f"{mantissa}e-2", value(mantissa, 2)),
            (f"+{digits(mantissa, 1)}", value(mantissa, 1)),
            (f"{mantissa}E+05", float(mantissa * 10**5)),
            (f".{mantissa:04d}", value(mantissa, 4)),
            (f"{mantissa}.", float(mantissa)),
            (digits(-mantissa, 1, minus="\u2212"), value(-mantissa, 1)),
        )
        texts.append(forms[form][0])
        numbers.append(forms[form][1])
    return Meant(tuple(texts), numbers=tuple(numbers))


def extremes(rng, n, anchors):
    base = plain(rng, n, anchors)
    pool = {
        "1e308": 1e308,
        "-1.7976931348623157e308": -1.7976931348623157e308,
        "1e400": np.inf,
        "inf": np.inf,
        "-Infinity": -np.inf,
        "1e-320": 1e-320,
        "5e-324": 5e-324,
        "1e-400": 0.0,
    }
    texts, numbers = list(base.texts), list(base.numbers or ())
    everywhere = rng.random() < 0.2
    for row in range(n):
        if row not in anchors and (everywhere or rng.random() < 0.1):
            texts[row] = str(rng.choice(list(pool)))
            numbers[row] = pool[texts[row]]
    return Meant(tuple(texts), numbers=tuple(numbers), harmless=False)


def beyond_doubles(rng, n, anchors):
    """Whole numbers beyond 2**53: read as the nearest double, and said to be."""
    found = [2**53 + int(rng.integers(1, 10**6)) for _ in range(n)]
    numbers = tuple(float(number) for number in found)
    return Meant(tuple(map(str, found)), numbers=numbers, rounded=True)


def row_numbers(rng, n, anchors):
    start = int(rng.integers(0, 3))
    found = [(start + row, 0) for row in range(n)]
    return _column([digits(*pair) for pair in found], found)


def constant(rng, n, anchors):
    return _column(["7.5"] * n, [(75, 1)] * n)


NUMBER_MAKERS = (
    *(plain, plain, plain, whole, whole, decimal_commas, thousands_marks, currencies, odd_forms),
    *(extremes, beyond_doubles, row_numbers, constant),
)
