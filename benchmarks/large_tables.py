"""Large tables: errors, CPU seconds and memory beside peers, ``python -m benchmarks.large_tables``.

Every cell (table, rows, seed, method) runs in a process of its own with one thread, so that its
peak memory is that of one method alone, and is kept in a CSV file as soon as it is done. Cells
that are in the file are skipped; ``--again WORD`` runs those of the methods with this word in
their names once more and replaces them. CPU seconds and memory are those of `fit`; predictions
are not counted. ``error`` is the share of wrong labels, of quantities the root mean squared
error.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import log_loss, roc_auc_score

from benchmarks.large_table_data import FRIEDMAN, QUANTITIES, Split, friedman_split, stored_split
from benchmarks.large_table_data import write_friedman as write
from benchmarks.large_table_methods import METHODS, OURS, timed
from benchmarks.memory import resident_peak
from kernelwise.data import open_rows
from kernelwise.estimators.landmarks import LandmarkEstimator
from kernelwise.files import written_whole
from kernelwise.selections.growing import Relay

RESULTS = Path("docs/results/large-tables.csv")
SCORES = ("error", "auc", "log_loss")
COSTS = ("cpu_seconds", "learning_seconds", "pass_seconds", "peak_gb")
COLUMNS = ("table", "rows", "seed", "method", *SCORES, *COSTS)
# Rows and seeds of each table.
SIZES = {
    "magic": {14_265: 3},
    "diamonds": {40_000: 2},
    "flights": {10_000: 3, 100_000: 2, 200_000: 1},
    FRIEDMAN: {10_000: 3, 30_000: 1, 100_000: 1, 300_000: 1, 1_000_000: 1},
}
# On sizes that only the curve of costs needs.
FOR_COSTS = {30_000: ("ours, 1000 landmarks", "HistGradientBoosting")}
FOR_COSTS[300_000] = FOR_COSTS[30_000]
# These take minutes each: Nyström features of all rows are in memory, some times over, and
# Friedman's function is so smooth that more landmarks do not help.
NOT_RUN = {
    ("flights", 200_000): ("Nystroem + ridge",),
    (FRIEDMAN, 100_000): ("Nystroem + ridge", "ours, 6000 landmarks"),
    (FRIEDMAN, 1_000_000): ("Nystroem + ridge", "ours, 6000 landmarks"),
}
# The kernels one by one, where they explain what the choice of kernel gives.
ONE_KERNEL_UP_TO = 20_000


class Cell(NamedTuple):
    """What is measured in one process."""

    table: str
    rows: int
    seed: int
    method: str


def cells() -> Iterator[Cell]:
    """All cells, the cheap ones of each table first."""
    for table, sizes in SIZES.items():
        for rows, seeds in sizes.items():
            for method in METHODS:
                one_kernel = method.startswith("ours, 1000, ")
                if method not in FOR_COSTS.get(rows, METHODS):
                    continue
                if method in NOT_RUN.get((table, rows), ()):
                    continue
                if not (one_kernel and rows > ONE_KERNEL_UP_TO):
                    yield from (Cell(table, rows, seed, method) for seed in range(seeds))


def scores_of(model: Any, split: Split, quantities: bool) -> dict[str, float]:
    """How wrong the predictions of new rows are; NaN where a method cannot say."""
    predicted = model.predict(split.X_test)
    if quantities:
        return {"error": float(np.sqrt(np.mean((predicted - split.y_test) ** 2)))}
    found = {"error": float(np.mean(predicted != split.y_test))}
    if hasattr(model, "predict_proba"):
        chances = model.predict_proba(split.X_test)
        found["auc"] = float(roc_auc_score(split.y_test, chances[:, 1]))
        found["log_loss"] = float(log_loss(split.y_test, chances))
    else:
        outputs = model.decision_function(split.X_test)
        found["auc"] = float(roc_auc_score(split.y_test, outputs))
    return found


def measured(cell: Cell, folder: Path) -> dict[str, float]:
    """Fit and score in this process. Ours read a file in pieces, peers as a whole, before."""
    warnings.simplefilter("ignore")
    made, quantities = cell.table == FRIEDMAN, cell.table in QUANTITIES
    split = friedman_split(folder) if made else stored_split(cell.table, cell.rows, cell.seed)
    model = METHODS[cell.method](quantities, split.X_test.shape[1], cell.seed)
    ours, spent = cell.method in OURS, dict[str, float]()
    in_pieces = ours and split.file is not None
    given = () if in_pieces else split.in_memory()
    with ExitStack() as stack:
        stack.enter_context(timed(Relay, "run", spent))
        stack.enter_context(timed(LandmarkEstimator, "_tell_features", spent))
        start = time.process_time()
        model.fit(*((open_rows(split.file, target="y"),) if in_pieces else given))
        total = time.process_time() - start
    found = {"cpu_seconds": total, "peak_gb": resident_peak() / 1e9}
    if ours:
        found["learning_seconds"] = spent["run"]
        # What is left looks at all rows: scan, sums, folds; that of some rows is not counted.
        found["pass_seconds"] = total - sum(spent.values())
    return found | scores_of(model, split, quantities)


def read(path: Path) -> dict[Cell, dict[str, str]]:
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        lines = list(csv.DictReader(file))
    return {
        Cell(line["table"], int(line["rows"]), int(line["seed"]), line["method"]): line
        for line in lines
    }


def written(lines: dict[Cell, dict[str, str]], path: Path) -> None:
    """All cells in the order of `cells`, so that the file does not depend on that of the runs."""
    order = {cell: number for number, cell in enumerate(cells())}
    with written_whole(path) as temporary, temporary.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines[cell] for cell in sorted(lines, key=lambda c: order.get(c, 10**6)))


def run(cell: Cell, folder: Path) -> dict[str, str]:
    command = [sys.executable, "-m", "benchmarks.large_tables", "--cell", *map(str, cell)]
    done = subprocess.run([*command, "--folder", str(folder)], stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    digits = {name: f"{found[name]:.6g}" for name in (*SCORES, *COSTS) if name in found}
    return dict(zip(Cell._fields, map(str, cell), strict=True)) | digits


def run_all(path: Path, again: str | None, words: list[str]) -> None:
    lines = read(path)
    made: tuple[int, int] | None = None
    wanted = [c for c in cells() if all(w in f"{c.table} {c.rows} {c.method}" for w in words)]
    todo = [c for c in wanted if c not in lines or (again is not None and again in c.method)]
    # Methods of one table and seed follow each other: the load of the machine is alike for them.
    todo.sort(key=lambda cell: (cell.rows, cell.table, cell.seed))
    with TemporaryDirectory() as name:
        folder = Path(name)
        for number, cell in enumerate(todo, 1):
            if cell.table == FRIEDMAN and made != (cell.rows, cell.seed):
                write(cell.rows, cell.seed, folder)
                made = (cell.rows, cell.seed)
            lines[cell] = run(cell, folder)
            written(lines, path)
            print(f"{number}/{len(todo)}", *lines[cell].values(), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large_tables", description=__doc__)
    parser.add_argument("words", nargs="*", help="only cells with these words in table or method")
    parser.add_argument("--file", type=Path, default=RESULTS)
    parser.add_argument("--again", metavar="WORD", help="run these methods again: ours, LightGBM")
    parser.add_argument("--cell", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.cell:
        table, rows, seed, method = chosen.cell
        print(json.dumps(measured(Cell(table, int(rows), int(seed), method), chosen.folder)))
    else:
        run_all(chosen.file, chosen.again, chosen.words)


if __name__ == "__main__":
    main()
