"""Manners of any outcome: a fit, or one or two sentences; nothing else, and in time."""

import signal
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sklearn.exceptions import ConvergenceWarning, DataConversionWarning

LONGEST_MESSAGE = 400
# Of processor time, so that a busy machine is no failure.
MOST_SECONDS = 20

Result = TypeVar("Result")


class Unmannerly(AssertionError):
    """What came of a seed is not what may come of it."""


class TookTooLong(BaseException):
    """Not an Exception: nothing in between may take it for one of its own."""


def refused_or(
    attempt: Callable[[], Result], errors: tuple[type[Exception], ...]
) -> Result | Exception:
    """What the attempt returns, or its error, if that is of these types and well said."""
    try:
        with _in_time(), _no_foreign_warnings():
            return attempt()
    except Unmannerly:
        raise
    except TookTooLong:
        raise Unmannerly(f"it took more than {MOST_SECONDS} s") from None
    except errors as error:
        _check_message(error)
        return error
    except Exception as error:
        raise Unmannerly(f"{type(error).__name__} is raised: {_where(error)}") from error


def _check_message(error: Exception) -> None:
    message = str(error)
    if "sklearn" in traceback.extract_tb(error.__traceback__)[-1].filename:
        return  # check_estimator asks for these words of scikit-learn's, some of several lines
    short = message if len(message) < 300 else f"{message[:200]} ... {message[-50:]}"
    if not message.strip():
        raise Unmannerly(f"an empty message: {_where(error)}")
    if "\n" in message or "\r" in message:
        raise Unmannerly(f"a message of several lines: {short!r}") from error
    if len(message) > LONGEST_MESSAGE:
        raise Unmannerly(f"a message of {len(message)} characters: {short!r}") from error


def _where(error: BaseException) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{str(error)[:200]!r} at {frame.filename}:{frame.lineno}"


@contextmanager
def _in_time() -> Iterator[None]:
    def stop(number, frame):
        raise TookTooLong

    earlier = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, earlier)


@contextmanager
def _no_foreign_warnings() -> Iterator[None]:
    """Warnings of kernelwise's own kinds may be; those of other libraries are ours to prevent."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        ours = warning.category.__module__.startswith("kernelwise")
        # scikit-learn's names for a search that ended early, and for y as one column, in our words
        # or where check_estimator asks for them.
        known = issubclass(warning.category, (ConvergenceWarning, DataConversionWarning))
        if not (ours or known):
            where = f"{warning.filename}:{warning.lineno}"
            raise Unmannerly(f"{warning.category.__name__}: {warning.message} at {where}")
