"""Names that are going to change: they work on, and say what to use instead and until when."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from kernelwise.notices import warn_user

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Deprecation:
    """What to use instead, the version that said so first, and the one that lacks the old name.

    Examples
    --------
    >>> Deprecation("fit", since="0.2.0", removal="0.4.0").says("learn")
    'learn is deprecated since kernelwise 0.2.0 and goes in 0.4.0: use fit'
    """

    instead: str
    since: str
    removal: str

    def says(self, old: str) -> str:
        """The sentence of the warning."""
        return (
            f"{old} is deprecated since kernelwise {self.since} and goes in {self.removal}: "
            f"use {self.instead}"
        )


def deprecated(why: Deprecation) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function or method that warns at each call, and is otherwise what it was."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def warning(*args: P.args, **kwargs: P.kwargs) -> R:
            warn_user(why.says(function.__qualname__), FutureWarning)
            return function(*args, **kwargs)

        return warning

    return decorate


def renamed(module: str, names: Mapping[str, Deprecation]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module some of whose names are new; the old ones lead to them."""

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn_user(names[name].says(f"{module}.{name}"), FutureWarning)
        return getattr(import_module(module), names[name].instead)

    return find
