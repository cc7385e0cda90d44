"""What a fit may leave out where only its predictions are wanted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_ONLY_PREDICTIONS = ContextVar("only_predictions", default=False)


@contextmanager
def only_predictions() -> Iterator[None]:
    """A context in which fits neither rank features nor calibrate probabilities."""
    token = _ONLY_PREDICTIONS.set(True)
    try:
        yield
    finally:
        _ONLY_PREDICTIONS.reset(token)


def predicting_only() -> bool:
    """Whether only predictions are wanted of this fit."""
    return _ONLY_PREDICTIONS.get()
