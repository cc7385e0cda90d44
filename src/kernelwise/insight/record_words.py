"""A record in words: what ``explain()`` and the command line print."""

from __future__ import annotations

import textwrap

from kernelwise.insight.fit_record import FitRecord
from kernelwise.insight.headline import headline
from kernelwise.insight.record_sentences import (
    about_check,
    about_choice,
    about_curve,
    about_error,
    about_features,
    about_reasons,
    about_table,
    about_time,
)

UNBROKEN = "\u00a0"
# Width of the words at the left of each paragraph.
MARGIN = 14


def record_in_words(record: FitRecord, width: int = 79) -> str:
    """The whole record in a few paragraphs: how good, what was chosen and why, features, care."""
    paragraphs = [
        ("How good", [headline(record), *about_error(record)]),
        ("Chosen", about_choice(record)),
        ("Why", about_reasons(record)),
        ("Features", about_features(record)),
        ("Care", [f"{check.code} {about_check(check)}" for check in record.checks]),
        ("More rows?", about_curve(record)),
        ("Time", about_time(record)),
    ]
    lines = [*_wrapped(about_table(record), width, 0), ""]
    for name, sentences in paragraphs:
        if name == "Care":
            for place, sentence in enumerate(sentences):
                lines += _paragraph("" if place else name, sentence, width)
        elif sentences:
            lines += _paragraph(name, " ".join(sentences), width)
    return "\n".join(lines) + "\n"


def _paragraph(name: str, text: str, width: int) -> list[str]:
    lines = _wrapped(text, width, MARGIN)
    return [f"{name:<{MARGIN}}{lines[0].strip()}", *lines[1:]]


def _wrapped(text: str, width: int, margin: int) -> list[str]:
    # A number and its percent sign stay on one line.
    lines = textwrap.wrap(
        text.replace(" %", f"{UNBROKEN}%"),
        max(width, margin + 20),
        initial_indent=" " * margin,
        subsequent_indent=" " * margin,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(UNBROKEN, " ") for line in lines] or [""]
