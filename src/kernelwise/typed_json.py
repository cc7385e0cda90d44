"""Dataclasses from JSON values, each checked against its annotation."""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

Record = TypeVar("Record")


def record_of(kind: type[Record], value: Any, place: str = "") -> Record:
    """An instance of a dataclass from a JSON object with its fields.

    Annotations may be plain types, Literal, unions, ``tuple[...]``, ``dict[str, ...]`` and other
    dataclasses, one within the other. A ValueError names the first value of another type.
    """
    if not isinstance(value, Mapping):
        raise _unfit(place or kind.__name__, kind)
    annotations, prefix = get_type_hints(kind), f"{place}." if place else ""
    known = {field.name: field for field in fields(cast(Any, kind))}
    if unknown := sorted(value.keys() - known.keys()):
        raise ValueError(f"{prefix}{unknown[0]!r} is unknown")
    for name, field in known.items():
        if name not in value and field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"{prefix}{name} is missing")
    return kind(
        **{name: _typed(part, annotations[name], prefix + name) for name, part in value.items()}
    )


def _typed(value: Any, annotation: Any, place: str) -> Any:
    kind, parts = get_origin(annotation) or annotation, get_args(annotation)
    if is_dataclass(kind):
        return record_of(cast(type, kind), value, place)
    if kind in (Union, UnionType):
        return _first_that_fits(value, annotation, place)
    if kind is Literal:
        fits = any(type(value) is type(choice) and value == choice for choice in parts)
    elif kind is tuple:
        return _tuple(value, annotation, place)
    elif kind is dict and parts:
        if not isinstance(value, dict):
            raise _unfit(place, annotation)
        return {name: _typed(part, parts[1], f"{place}.{name!r}") for name, part in value.items()}
    elif kind is float:
        fits = type(value) in (float, int)
    else:  # exactly: True is no number
        fits = type(value) is kind
    if not fits:
        raise _unfit(place, annotation)
    return value


def _first_that_fits(value: Any, annotation: Any, place: str) -> Any:
    for choice in get_args(annotation):
        try:
            return _typed(value, choice, place)
        except ValueError:
            continue
    raise _unfit(place, annotation)


def _tuple(value: Any, annotation: Any, place: str) -> tuple:
    """JSON has lists only."""
    parts = get_args(annotation)
    if not isinstance(value, list):
        raise _unfit(place, annotation)
    kinds = [parts[0]] * len(value) if parts[1:] == (...,) else list(parts)
    if len(kinds) != len(value):
        raise _unfit(place, annotation)
    pairs = enumerate(zip(value, kinds, strict=True))
    return tuple(_typed(part, kind, f"{place}[{number}]") for number, (part, kind) in pairs)


def _unfit(place: str, annotation: Any) -> ValueError:
    name = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return ValueError(f"{place} is no {name}")
