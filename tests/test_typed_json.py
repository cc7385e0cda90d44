"""Records read back from JSON: every annotation is kept to, and nested records are built."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import pytest

from kernelwise.typed_json import record_of


@dataclass(frozen=True)
class Column:
    name: str
    spread: float
    gaps: int
    kept: bool = True
    levels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    columns: tuple[Column, ...]
    kind: Literal["wide", "long"]
    size: tuple[int, float]
    shares: dict[str, float] | None = None
    first: Column | None = None
    notes: dict = field(default_factory=dict)


COLUMN = Column("dose", 1.5, 2, False, ("low", "high"))
TABLE = Table((COLUMN, Column("site", 2, 0)), "wide", (2, 0.5), {"dose": 1}, COLUMN, {"a": [1]})
GIVEN: dict[str, Any] = json.loads(json.dumps(asdict(TABLE)))


def test_a_record_comes_back_the_same():
    assert record_of(Table, GIVEN) == TABLE
    least = {"columns": [], "kind": "long", "size": [1, 1]}
    assert record_of(Table, least) == Table((), "long", (1, 1))


def changed(path, value):
    """The given JSON with one value at a path of names and numbers replaced."""
    copy = json.loads(json.dumps(GIVEN))
    place = copy
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (["columns"], {"0": 1}, r"columns is no tuple"),
        (["columns", 1], "site", r"columns\[1\] is no Column"),
        (["columns", 1, "name"], None, r"columns\[1\].name is no str"),
        (["columns", 0, "spread"], True, r"columns\[0\].spread is no float"),
        (["columns", 0, "spread"], "1", r"columns\[0\].spread is no float"),
        (["columns", 0, "gaps"], 1.0, r"columns\[0\].gaps is no int"),
        (["columns", 0, "gaps"], True, r"columns\[0\].gaps is no int"),
        (["columns", 0, "kept"], 1, r"columns\[0\].kept is no bool"),
        (["columns", 0, "levels", 1], 3, r"columns\[0\].levels\[1\] is no str"),
        (["columns", 0, "extra"], 3, r"columns\[0\].'extra' is unknown"),
        (["kind"], "deep", "kind is no typing.Literal"),
        (["size"], [2], r"size is no tuple\[int, float\]"),
        (["size"], [2, 0.5, 1], r"size is no tuple\[int, float\]"),
        (["size"], [0.5, 2], r"size\[0\] is no int"),
        (["shares", "dose"], None, r"shares is no dict\[str, float\] \| None"),
        (["first"], {"name": "dose"}, r"first is no .*Column \| None"),
        (["notes"], [], "notes is no dict"),
    ],
    ids=str,
)
def test_a_value_of_another_type_is_named(path, value, told):
    with pytest.raises(ValueError, match=f"^{told}"):
        record_of(Table, changed(path, value))


def test_a_missing_field_is_named():
    with pytest.raises(ValueError, match=r"^kind is missing$"):
        record_of(Table, {name: value for name, value in GIVEN.items() if name != "kind"})
    with pytest.raises(ValueError, match=r"^Table is no Table$"):
        record_of(Table, [1])
