"""Why rows are predicted as they are, in words."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from kernelwise.auto.recording import feature_names
from kernelwise.insight import describe, headline, row_effects
from kernelwise.tables.columns import as_frame, column_values, is_frame


def effects_in_words(model: Any, X: Any, width: int) -> str:
    """A paragraph for each row: which features moved its output, how far, and which together.

    Cost: as many predictions of the rows as there are features, and 15 more.
    """
    frame = as_frame(X)
    given = frame if is_frame(frame) else np.asarray(X, dtype=object)
    effects, names = row_effects(model, X), feature_names(model)
    columns = [column_values(given, r) for r in range(len(names))]
    found = []
    if model.record_.is_trivial:
        found.append(textwrap.fill(headline(model.record_), max(width, 40)))
    for row in range(len(effects)):
        text = describe(effects[row], names, [column[row] for column in columns])
        found.append("\n".join(_wrapped(line, width) for line in text.splitlines()))
    return "\n\n".join(found) + "\n"


def _wrapped(line: str, width: int) -> str:
    return textwrap.fill(line, max(width, 40), subsequent_indent="  ", break_long_words=False)
