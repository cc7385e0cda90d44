"""What a user says about the columns of a table, and whether the table has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from kernelwise.data.checks import DataError

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Wishes:
    """What the user says about the columns of a table; what is not said is found out.

    Attributes
    ----------
    features : the only columns to learn from, even if they look like ids; None: all others
    drop : columns to leave out
    categorical, numeric : columns that hold categories, or numbers
    groups : the column whose equal values mark rows that belong together
    weights : the column of sample weights
    missing : the texts that alone stand for a gap; None: the usual ones
    decimal : the decimal mark; None: found out
    """

    features: tuple[str, ...] | None = None
    drop: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    groups: str | None = None
    weights: str | None = None
    missing: tuple[str, ...] | None = None
    decimal: str | None = None

    def __post_init__(self) -> None:
        if self.decimal not in (None, ".", ","):
            raise ValueError(f"the decimal mark must be '.' or ',', not {self.decimal!r}")

    @property
    def asked_for(self) -> tuple[str, ...]:
        """Columns the user has named, which are not left out for what they look like."""
        return (*(self.features or ()), *self.categorical, *self.numeric)


def check_roles(frame: "DataFrame", target: str | None, wishes: Wishes) -> None:
    roles: dict[str, Sequence[str]] = {"target": [target] if target is not None else []}
    roles |= {"features": wishes.features or (), "drop": wishes.drop}
    roles |= {"categorical": wishes.categorical, "numeric": wishes.numeric}
    roles |= {"groups": [wishes.groups] if wishes.groups else []}
    roles |= {"weights": [wishes.weights] if wishes.weights else []}
    for role, names in roles.items():
        check_names(frame, names)
        if role != "target" and target in names:
            raise DataError("KW214", f"'{target}' is the target and cannot be in {role} as well")
    if both := set(wishes.categorical) & set(wishes.numeric):
        raise DataError("KW214", f"'{min(both)}' cannot be both categorical and numeric")


def check_names(frame: "DataFrame", names: Sequence[str]) -> None:
    """Refuse names that a table does not have, with those that are near."""
    for name in names:
        if name not in frame.columns:
            raise DataError("KW214", _unknown_name(frame, name))


def _unknown_name(frame: "DataFrame", name: str) -> str:
    near = get_close_matches(name, list(frame.columns), n=3)
    names = near or list(frame.columns[:8])
    shown = ", ".join(f"'{name}'" for name in names)
    hint = f"did you mean {shown}?" if near else f"the table's columns begin with {shown}"
    return f"the table has no column '{name}': {hint}"


def feature_names(frame: "DataFrame", target: str | None, wishes: Wishes) -> list[str]:
    others = {target, wishes.groups, wishes.weights, *wishes.drop}
    chosen = wishes.features if wishes.features is not None else frame.columns
    names = [name for name in dict.fromkeys(chosen) if name not in others]
    if not names:
        said = f"the table has no column besides the target '{target}'"
        raise DataError("KW214", said if len(frame.columns) == 1 else "no column is left to use")
    return names
