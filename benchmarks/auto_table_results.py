"""What the measurements of ``benchmarks.auto_tables`` say: means, ranks, differences, costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from benchmarks.auto_table_data import QUANTITIES
from benchmarks.auto_table_methods import AUTO, METHODS, PLAIN
from benchmarks.auto_tables import Cell, cells, read

ALL = tuple(METHODS)
PEERS = tuple(method for method in ALL if method not in (AUTO, PLAIN))
# Of the project's goal for mean ranks.
FIVE = (AUTO, "SVM grid", "forest", "boosting", "linear")
# Means of the same shares in another order differ in their last digits: they are equal.
DIGITS = 9


class Mean(NamedTuple):
    """A mean over splits or sets, and its standard error ``sd / sqrt(count)``; NaN of one value."""

    value: float
    error: float

    @classmethod
    def of(cls, values: np.ndarray) -> Mean:
        count = len(values)
        error = values.std(ddof=1) / np.sqrt(count) if count > 1 else np.nan
        return cls(float(values.mean()), float(error))

    @property
    def behind(self) -> bool:
        """Whether a difference is above 0 by more than its standard error."""
        return round(self.value - self.error, DIGITS) > 0


class Results:
    """The lines of the file; of each set the splits on which every method ran."""

    def __init__(self, path: Path) -> None:
        self.lines = read(path)
        self.splits: dict[tuple[str, str], list[int]] = {}
        wanted = list(dict.fromkeys(cell[:3] for cell in cells()))
        for group, name, split in wanted:
            if all(Cell(group, name, split, method) in self.lines for method in ALL):
                self.splits.setdefault((group, name), []).append(split)

    @property
    def missing(self) -> list[Cell]:
        return [cell for cell in cells() if cell not in self.lines]

    def sets(self, group: str) -> list[str]:
        return [name for own, name in self.splits if own == group]

    def rows(self, group: str, name: str) -> int:
        """Training rows of the first split."""
        return int(self.lines[Cell(group, name, self.splits[group, name][0], AUTO)]["rows"])

    def of(self, group: str, name: str, method: str, column: str = "error") -> np.ndarray:
        """One value per split; shares of wrong labels in percent."""
        splits = self.splits[group, name]
        found = [float(self.lines[Cell(group, name, split, method)][column]) for split in splits]
        percent = column == "error" and group != QUANTITIES
        return np.array(found) * (100 if percent else 1)

    def mean(self, group: str, name: str, method: str, column: str = "error") -> float:
        return round(float(self.of(group, name, method, column).mean()), DIGITS)

    def ranks(
        self, group: str, methods: Sequence[str] = ALL, column: str = "error"
    ) -> dict[str, Mean]:
        """Mean ranks over the sets of a group, 1 for the least; equal means share their ranks."""
        sets = self.sets(group)
        table = [[self.mean(group, name, method, column) for method in methods] for name in sets]
        ranks = rankdata(table, axis=1)
        return {method: Mean.of(own) for method, own in zip(methods, ranks.T, strict=True)}

    def best_peer(self, group: str, name: str, column: str = "error") -> str:
        """The peer of the least mean on the test rows: chosen in hindsight."""
        return min(PEERS, key=lambda method: self.mean(group, name, method, column))

    def ahead(
        self, group: str, name: str, other: str, method: str = AUTO, column: str = "error"
    ) -> Mean:
        """Mean and standard error of ``method - other``, split by split; below 0: ahead."""
        own, others = (self.of(group, name, which, column) for which in (method, other))
        return Mean.of(np.round(own - others, DIGITS))

    def average(self, group: str, method: str, column: str = "error") -> float:
        """The mean over the sets of a group of the means over splits."""
        return float(np.mean([self.mean(group, name, method, column) for name in self.sets(group)]))

    def ratio(self, group: str, other: str) -> float:
        """CPU seconds of AutoKernel over those of another method: geometric mean over sets."""
        names, column = self.sets(group), "cpu_seconds"
        pairs = [
            [self.mean(group, name, method, column) for name in names] for method in (AUTO, other)
        ]
        return float(np.exp(np.mean(np.log(pairs[0]) - np.log(pairs[1]))))
