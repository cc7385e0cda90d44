"""What keeping and scheduling a cell costs: 10,000 cells that do next to nothing."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.table import Row
from kernelwise.evaluation.fold_records import FoldRecord, Learnt
from kernelwise.runs import Cell, DaskExecutor, JoblibExecutor, Store, run_cells

LIMIT = 3.0  # ms per cell
EXECUTORS = {
    "joblib, 1 process": lambda: JoblibExecutor(1),
    "joblib, 2 processes": lambda: JoblibExecutor(2),
    "Dask, 2 local workers": lambda: DaskExecutor("local", 2),
}


def tiny_trial(cell: Cell) -> FoldRecord:
    return FoldRecord(
        error=0.25,
        baseline=0.5,
        inner_error=0.2,
        n_train=100,
        n_test=50,
        wall_seconds=0.0,
        cpu_seconds=0.0,
        counters={"factorizations": cell.seed},
        learnt=Learnt(kernel="Gaussian", values=[0.1] * 10),
        predictions_hash="0" * 16,
    )


def bare_loop(cells: list[Cell]) -> float:
    """Wall seconds of the cells without a store."""
    start = time.perf_counter()
    for cell in cells:
        tiny_trial(cell)
    return time.perf_counter() - start


def with_store(cells: list[Cell], executor) -> tuple[float, float]:
    """Wall seconds from the first finished cell on, and until then (starting workers)."""
    first: list[float] = []
    start = time.perf_counter()

    def on_progress(progress) -> None:
        if progress.finished and not first:
            first.extend([time.perf_counter(), progress.finished])

    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "store.sqlite") as store:
        run_cells(cells, tiny_trial, store, executor, on_progress=on_progress)
        end = time.perf_counter()
        assert len(store.finished()) == len(cells)
    began, finished = first
    return (end - began) * len(cells) / max(1, len(cells) - finished), began - start


def run(quick: bool) -> list[Row]:
    cells = [Cell("tiny", "made", i, "none", i) for i in range(1_000 if quick else 10_000)]
    bare = bare_loop(cells)
    rows = []
    for name, executor in EXECUTORS.items():
        total, startup = with_store(cells, executor())
        rows.append(
            Row(
                f"store and scheduling, {name}",
                1e3 * (total - bare) / len(cells),
                unit="ms/cell",
                limit=LIMIT,
                beside=f"{len(cells)} in {total:.1f} s, bare {bare:.2f} s, start {startup:.1f} s",
            )
        )
    return rows
