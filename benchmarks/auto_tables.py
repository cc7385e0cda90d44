"""AutoKernel beside what people would pick, on many tables: ``python -m benchmarks.auto_tables``.

Every cell (group, set, split, method) is kept in a CSV file as soon as it is done; cells that are
in the file are skipped, so a stopped run resumes; ``--again METHOD`` runs those of a method once
more and replaces them. Words choose cells: "ida_heart", "forest". All fits run one after another
in one process and thread. ``error`` is the share of wrong labels, of quantities the root mean
squared error over the deviation of the test rows; CPU seconds are those of `fit`, without the
calibration that gives the SVC of a grid its probabilities.
"""

from __future__ import annotations

import argparse
import csv
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from threadpoolctl import threadpool_limits

from benchmarks.auto_table_data import LARGE, QUANTITIES, SETS, SPLITS_OF_LARGE, split_of, splits_of
from benchmarks.auto_table_methods import METHODS, scores_of
from benchmarks.generators import split as made_rows
from kernelwise.files import written_whole

RESULTS = Path("docs/results/auto-kernel.csv")
MEASURED = ("rows", "error", "log_loss", "cpu_seconds")


class Cell(NamedTuple):
    """One fit."""

    group: str
    set: str
    split: int
    method: str


COLUMNS = (*Cell._fields, *MEASURED)


def cells() -> Iterator[Cell]:
    """All cells in the order of the file."""
    for group, names in SETS.items():
        for name in names:
            for split in range(splits_of(group, name)):
                yield from (Cell(group, name, split, method) for method in METHODS)


def run(cell: Cell) -> dict[str, str]:
    """Fit and score in this process."""
    quantities = cell.group == QUANTITIES
    split = split_of(*cell[:3])
    model = METHODS[cell.method](quantities, split.X.shape[1], cell.split)
    with threadpool_limits(1):
        start = time.process_time()
        model.fit(split.X, split.y)
        seconds = time.process_time() - start
        found = {"cpu_seconds": seconds} | scores_of(model, split, quantities)
    texts = {name: f"{value:.6g}" for name, value in found.items()}
    line = dict(zip(Cell._fields, map(str, cell), strict=True))
    return line | {"rows": str(len(split.y))} | texts


def read(path: Path) -> dict[Cell, dict[str, str]]:
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        lines = list(csv.DictReader(file))
    return {
        Cell(line["group"], line["set"], int(line["split"]), line["method"]): line for line in lines
    }


def written(lines: dict[Cell, dict[str, str]], path: Path) -> None:
    """All cells in the order of `cells`, so that the file does not depend on that of the runs."""
    with written_whole(path) as temporary, temporary.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines[cell] for cell in cells() if cell in lines)


def in_order_of_cost(todo: list[Cell]) -> list[Cell]:
    """Small sets first, and the first splits of all of them before more of any.

    Methods of one split follow each other: the load of the machine is alike for them.
    """
    return sorted(todo, key=lambda cell: (cell.set in LARGE, cell.split >= SPLITS_OF_LARGE))


def run_all(path: Path, again: str | None, words: list[str]) -> None:
    lines = read(path)
    wanted = [cell for cell in cells() if all(word in " ".join(map(str, cell)) for word in words)]
    todo = in_order_of_cost([c for c in wanted if c not in lines or c.method == again])
    for number, cell in enumerate(todo, 1):
        lines[cell] = run(cell)
        written(lines, path)
        print(f"{number}/{len(todo)}", *lines[cell].values(), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.auto_tables", description=__doc__)
    parser.add_argument("words", nargs="*", help="only cells with these words in set or method")
    parser.add_argument("--file", type=Path, default=RESULTS)
    parser.add_argument("--again", choices=METHODS, help="measure this method again")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    # Loading what is compiled is not part of a fit.
    X, y, *_ = made_rows("clusters", 100, 1, 0)
    for make in METHODS.values():
        make(False, X.shape[1], 0).fit(X, y)
    run_all(chosen.file, chosen.again, chosen.words)


if __name__ == "__main__":
    main()
