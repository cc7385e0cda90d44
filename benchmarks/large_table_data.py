"""Tables of ten thousand to a million rows for ``benchmarks.large_tables``, and their splits."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

TEST_ROWS = 50_000
# Columns that mean nothing stand beside the five of Friedman's first function.
FRIEDMAN_COLUMNS = 20
# The file of a stored table and its column to predict.
STORED = {
    "magic": ("magic", "gamma"),
    "diamonds": ("diamonds", "price"),
    "flights": ("nycflights_250k", "late"),
}
FRIEDMAN = "friedman"
QUANTITIES = ("diamonds",)


@dataclass(frozen=True)
class Split:
    """Rows to learn from, in memory or in a Parquet file with the target ``y``, and new rows."""

    X: np.ndarray | None
    y: np.ndarray | None
    file: Path | None
    X_test: np.ndarray
    y_test: np.ndarray

    def in_memory(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows to learn from as arrays, in single precision as they are stored."""
        if self.file is None:
            assert self.X is not None and self.y is not None
            return self.X, self.y
        from pyarrow import parquet

        file = parquet.ParquetFile(self.file)
        n_rows, n_columns = file.metadata.num_rows, file.metadata.num_columns - 1
        X, y = np.empty((n_rows, n_columns), np.float32), np.empty(n_rows, np.int8)
        begin = 0
        # Group by group: the peak of a peer's memory shall not be that of reading.
        for number in range(file.num_row_groups):
            group = file.read_row_group(number)
            own = slice(begin, begin + group.num_rows)
            for column in range(n_columns):
                X[own, column] = group.column(column).to_numpy()
            y[own] = group.column("y").to_numpy()
            begin = own.stop
        return X, y


def stored_split(table: str, rows: int, seed: int) -> Split:
    """Rows drawn by the seed, and others to test on, at most `TEST_ROWS`."""
    name, target = STORED[table]
    folder = Path(os.environ.get("KERNELWISE_DATA", "../shared/data")) / "large"
    with np.load(folder / f"{name}.npz") as found:
        X, y = found["X"], found[target]
    if table in QUANTITIES:
        y = np.log(y.astype(float))
    order = np.random.default_rng(seed).permutation(len(y))
    test, train = order[rows:][:TEST_ROWS], order[:rows]
    return Split(X[train], y[train], None, X[test], y[test])


def friedman_labels(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Whether Friedman's first function, with noise of deviation 1, is above its median."""
    rng = np.random.default_rng([seed, rows])
    X = rng.random((rows, FRIEDMAN_COLUMNS), np.float32)
    value = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    value += 10 * X[:, 3] + 5 * X[:, 4] + rng.standard_normal(rows)
    return X, (value > np.median(value)).astype(np.int8)


def write_friedman(rows: int, seed: int, folder: Path) -> None:
    """Write the rows to learn from and the test rows of a made table as Parquet files."""
    from pyarrow import parquet, table

    X, y = friedman_labels(rows + TEST_ROWS, seed)
    for name, own in (("train", slice(rows)), ("test", slice(rows, None))):
        columns = {f"x{r:02d}": X[own, r] for r in range(FRIEDMAN_COLUMNS)} | {"y": y[own]}
        parquet.write_table(table(columns), folder / f"{name}.parquet", row_group_size=100_000)


def friedman_split(folder: Path) -> Split:
    """The made table in a folder; only its test rows are read."""
    empty = np.empty((0, FRIEDMAN_COLUMNS))
    X_test, y_test = Split(None, None, folder / "test.parquet", empty, empty).in_memory()
    return Split(None, None, folder / "train.parquet", X_test, y_test)
