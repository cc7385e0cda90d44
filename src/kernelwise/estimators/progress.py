"""scikit-learn's callbacks (new in 1.9, experimental), or nothing where they are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as announced

    HAS_CALLBACKS = True
except ImportError:  # scikit-learn < 1.9
    HAS_CALLBACKS = False

    class CallbackSupportMixin:  # type: ignore[no-redef]  # only if the import failed
        """A stand-in for scikit-learn without callbacks."""

    def announced(method: Any) -> Any:
        return method


Method = TypeVar("Method", bound=Callable[..., Any])


def with_callbacks(method: Method) -> Method:
    """A ``fit`` that calls scikit-learn's callbacks; to a type checker it is what it was."""
    return announced(method)


_listener: ContextVar[Callable[[], None]] = ContextVar("listener", default=lambda: None)


@contextmanager
def listening(function: Callable[[], None]) -> Iterator[None]:
    """Call a function after each criterion evaluation of the fits in this thread.

    It may raise an exception to end the fit.
    """
    token = _listener.set(function)
    try:
        yield
    finally:
        _listener.reset(token)


def progress_of(estimator: Any, X: Any, y: Any) -> tuple[Callable[[], None], Callable[[], None]]:
    """Two functions for a fit to call: after each criterion evaluation, and at its end."""
    listener = _listener.get()
    if not HAS_CALLBACKS or not hasattr(estimator, "_skl_callbacks"):
        return listener, (lambda: None)
    context = estimator._init_callback_context(max_subtasks=None)
    context.call_on_fit_task_begin(estimator=estimator, X=X, y=y)

    def step() -> None:
        listener()
        task = context.subcontext(task_name="criterion evaluation")
        task.call_on_fit_task_begin(estimator=estimator)
        task.call_on_fit_task_end(estimator=estimator)

    return step, lambda: context.call_on_fit_task_end(estimator=estimator, X=X, y=y)
