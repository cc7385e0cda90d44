"""Row effects in a few lines of plain English."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from kernelwise.insight.row_effects import RowEffect
from kernelwise.tables.columns import is_missing

# So many features are named with their effects: the largest, then these.
NAMED_FEATURES = 3
# Less than this share of the largest number says nothing.
NEGLIGIBLE = 0.005
# A pair is named if it has this share of what single features do not explain.
MOSTLY = 0.25


def describe(effect: RowEffect, names: Iterable[str], values: Iterable[Any]) -> str:
    """Three to six lines on what moved the output of one row.

    Parameters
    ----------
    effect : of the row
    names, values : of its features, as in the table; a row of a data frame will do
    """
    names, values = list(names), list(values)  # a row of pandas is numbered by its names
    if not len(names) == len(values) == len(effect.effects):
        raise ValueError(
            f"{len(names)} names and {len(values)} values were given for "
            f"{len(effect.effects)} features"
        )
    words = _Words(effect, names, values)
    lines = [words.prediction()]
    if not effect.effects.any() and not effect.interaction:
        return "\n".join([*lines, "No feature moved it: it is predicted like a typical row."])
    lines += [words.strongest(), words.further(), words.others(), words.together()]
    return "\n".join(line for line in lines if line)


class _Words:
    """The sentences on one row, with as many decimals as its largest number needs."""

    def __init__(self, effect: RowEffect, names: Sequence[str], values: Sequence[Any]) -> None:
        self.effect, self.names, self.values = effect, names, values
        sizes = np.abs(effect.effects)
        self.order = np.argsort(-sizes, kind="stable")
        self.size = float(max(sizes.max(), abs(effect.difference), abs(effect.interaction)))
        self.moved = [r for r in self.order if sizes[r] > NEGLIGIBLE * self.size]

    def prediction(self) -> str:
        effect = self.effect
        said = f"Row {effect.row}: predicted "
        if effect.sides is None:
            said += self.plain(effect.output)
        else:
            sure = "" if effect.probability is None else f" ({effect.probability:.2f})"
            said += f"{str(effect.prediction)!r}{sure}, output {self.plain(effect.output)}"
        typical, difference = self.plain(effect.typical), self.signed(effect.difference)
        return f"{said}; a typical row has {typical} (difference {difference})."

    def strongest(self) -> str:
        if not self.moved:
            return "No single feature moved it: only several together did."
        r = self.moved[0]
        change = float(self.effect.effects[r])
        toward = "" if self.effect.sides is None else f" {self.side(change)}"
        return f"{self.feature(r)} moved it most: {self.signed(change)}{toward}."

    def further(self) -> str:
        some = self.moved[1 : 1 + NAMED_FEATURES]
        said = [f"{self.feature(r)} ({self.signed(float(self.effect.effects[r]))})" for r in some]
        return f"Then {_listed(said)}." if said else ""

    def others(self) -> str:
        named = self.moved[: 1 + NAMED_FEATURES]
        rest = [r for r in self.order if r not in named and self.effect.effects[r]]
        if not rest or not named:
            return ""
        change = self.signed(float(self.effect.effects[rest].sum()))
        other = "feature" if len(rest) == 1 else f"{len(rest)} features"
        return f"The other {other} moved it by {change}{'' if len(rest) == 1 else ' together'}."

    def together(self) -> str:
        effect = self.effect
        strength = max(abs(effect.interaction), abs(effect.pair_interaction))
        if strength <= NEGLIGIBLE * self.size:
            return "These effects add up: no features act together here."
        said = f"What single features do not explain: {self.signed(effect.interaction)}"
        if effect.pair is None:
            return f"{said}."
        if abs(effect.pair_interaction) < MOSTLY * abs(effect.interaction):
            return f"{said}, spread over more than two features."
        first, second = (repr(str(self.names[r])) for r in effect.pair)
        change = self.signed(effect.pair_interaction)
        return f"{said}; the strongest pair is {first} with {second} ({change})."

    def feature(self, r: int) -> str:
        return f"{str(self.names[r])!r} = {_value(self.values[r])}"

    def side(self, change: float) -> str:
        assert self.effect.sides is not None
        positive, negative = self.effect.sides
        if change > 0:
            return f"toward {str(positive)!r}"
        return f"away from {str(positive)!r}" if negative is None else f"toward {str(negative)!r}"

    def signed(self, number: float) -> str:
        said = self.plain(number)
        return said if said.startswith("-") else f"+{said}"

    def plain(self, number: float) -> str:
        """Three digits of the largest number, and as many decimals of all others."""
        if not 1e-4 <= self.size < 1e6:
            return f"{number:.3g}"
        decimals = max(0, 2 - int(np.floor(np.log10(self.size))))
        return f"{round(number, decimals) + 0.0:.{decimals}f}"


def _value(value: Any) -> str:
    if is_missing(value):
        return "missing"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        return repr(str(value))
    return f"{value:.6g}"


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
