"""Short labels for features and classes, whose names come from users' tables in any length."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import takewhile

from kernelwise.report.style import as_label, text_width


def short_names(names: Sequence[object], inches: float) -> list[str]:
    """Labels of at most that width; names that differ stay different where possible.

    Long names lose their middle, as names in one table often begin alike. If that makes some
    equal, these begin with the word in which they first differ.
    """
    whole = [" ".join(str(name).split()) for name in names]
    found = [_without_middle(name, inches) for name in whole]
    for label in sorted(set(found)):
        alike = {name for name, own in zip(whole, found, strict=True) if own == label}
        if len(alike) > 1:
            start = _first_different_word(alike)
            found = [
                _without_end(f"…{name[start:]}", inches) if name in alike else own
                for name, own in zip(whole, found, strict=True)
            ]
    return [as_label(label) for label in found]


def _first_different_word(names: set[str]) -> int:
    """The start of the first word that differs."""
    letters = zip(*names, strict=False)
    alike = len(list(takewhile(lambda column: len(set(column)) == 1, letters)))
    return next(iter(names)).rfind(" ", 0, alike) + 1


def _without_middle(name: str, inches: float) -> str:
    def cut(kept: int) -> str:
        return f"{name[: (kept + 1) // 2].rstrip()}…{name[len(name) - kept // 2 :].lstrip()}"

    return _longest(name, cut, inches)


def _without_end(name: str, inches: float) -> str:
    return _longest(name, lambda kept: f"{name[:kept].rstrip()}…", inches)


def _longest(name: str, cut: Callable[[int], str], inches: float) -> str:
    """The name, or its cut with as many letters as there is room for."""
    if text_width([name]) <= inches:
        return name
    return cut(bisect_right(range(len(name)), inches, key=lambda kept: text_width([cut(kept)])) - 1)
