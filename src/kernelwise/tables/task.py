"""The rule that decides whether a target holds classes or quantities."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

MOST_CLASSES = 10


def look_like_classes(y: Any) -> bool:
    """Whether an undeclared target holds classes: text, booleans or few whole numbers.

    Whole numbers are classes if there are at most 10 different ones; all other numbers are
    quantities. How many rows there are does not count: a rule such as "five rows per class"
    decides differently for the folds of a table than for the table itself. One exception: three
    or more numbers, all different, are quantities: classes of one row each cannot be learned.
    """
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1 or not len(values):
        return False
    if values.dtype == object:
        if any(not isinstance(value, Real) or isinstance(value, bool) for value in values):
            return True
        values = values.astype(float)
    if values.dtype.kind not in "iuf":
        return values.dtype.kind in "bUS"
    if not (np.isfinite(values).all() and np.all(values == np.round(values))):
        return False
    distinct = len(np.unique(values))
    return distinct <= 2 or distinct <= min(MOST_CLASSES, len(values) - 1)
