"""What the measurements of ``benchmarks.large_tables`` say, over the splits of each table."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.large_table_data import FRIEDMAN, QUANTITIES

CURVE, BESIDE = "ours, 1000 landmarks", "HistGradientBoosting"
LANDMARKS = {count: f"ours, {count} landmarks" for count in (1000, 2000, 6000)}
DEFAULT = LANDMARKS[2000]
# So many rows cost more than the landmarks.
ROWS_COUNT = 100_000
BOOSTING = ("HistGradientBoosting", "LightGBM", "LightGBM, 500 x 63")


class Size(NamedTuple):
    """A table with so many rows to learn from."""

    table: str
    rows: int

    def __str__(self) -> str:
        return f"{self.table}, {self.rows:,} rows"

    @property
    def quantities(self) -> bool:
        return self.table in QUANTITIES


class Results:
    """The lines of the file, each column an array over the splits."""

    def __init__(self, path: Path) -> None:
        self.values: dict[tuple[Size, str, str], list[float]] = {}
        self.methods: dict[Size, list[str]] = {}
        with path.open(newline="") as file:
            for line in csv.DictReader(file):
                size, method = Size(line["table"], int(line["rows"])), line["method"]
                own = self.methods.setdefault(size, [])
                own += [] if method in own else [method]
                for column, text in line.items():
                    if text and column not in ("table", "rows", "method", "seed"):
                        self.values.setdefault((size, method, column), []).append(float(text))

    def of(self, size: Size, method: str, column: str) -> np.ndarray:
        """One value per split; errors of labels in percent. Empty if there are none."""
        found = np.array(self.values.get((size, method, column), []))
        return 100 * found if column == "error" and not size.quantities else found

    def mean(self, size: Size, method: str, column: str = "error") -> float:
        return float(self.of(size, method, column).mean())

    def splits(self, size: Size) -> int:
        return max(len(self.of(size, method, "error")) for method in self.methods[size])

    @property
    def compared(self) -> list[Size]:
        """The sizes on which more than the two methods of the cost curve ran."""
        return [size for size, methods in self.methods.items() if set(methods) - {CURVE, BESIDE}]

    @property
    def curve(self) -> list[Size]:
        """The made table in the order of its rows."""
        return sorted(size for size in self.methods if size.table == FRIEDMAN)

    def best(self, size: Size, *, ours: bool, column: str = "error") -> str:
        """The method with the least mean of a column, ours or a peer's."""
        own = [method for method in self.methods[size] if method.startswith("ours") == ours]
        own = [method for method in own if len(self.of(size, method, column))]
        return min(own, key=lambda method: self.mean(size, method, column))

    def slope(self, column: str) -> float:
        """The exponent of the rows in a cost: least squares through its logarithms.

        Only from `ROWS_COUNT` rows on: below, solving for the landmarks costs as much as the rows.
        """
        sizes = [size for size in self.curve if size.rows >= ROWS_COUNT]
        rows = np.log([size.rows for size in sizes])
        costs = np.log([self.mean(size, CURVE, column) for size in sizes])
        return float(np.polyfit(rows, costs, 1)[0])

    def ratio(self, size: Size, method: str, to: str, column: str = "cpu_seconds") -> float:
        return self.mean(size, method, column) / self.mean(size, to, column)


def shown(values: np.ndarray, decimals: int) -> str:
    """The mean, and the standard deviation over splits if there are several."""
    if not len(values):
        return ""
    mean = f"{values.mean():.{decimals}f}"
    return f"{mean} ± {values.std(ddof=1):.{decimals}f}" if len(values) > 1 else mean


def signed(values: np.ndarray, decimals: int) -> str:
    """The same of differences, with the sign."""
    found = shown(values, decimals)
    return found if found.startswith("-") else f"+{found}"
