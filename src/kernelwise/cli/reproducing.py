"""The command ``kernelwise reproduce``."""

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from kernelwise import console
from kernelwise.cli.app import app, names_of
from kernelwise.cli.running import (
    DEFAULT_STORE,
    Dask,
    Jobs,
    RetryFailed,
    StorePath,
    duration,
    executor_for,
    opened,
    shown_progress,
)
from kernelwise.data import Catalogue
from kernelwise.experiments import (
    TABLES,
    CellResult,
    PublishedTable,
    TableComparison,
    compare_with_paper,
    run_cells,
)
from kernelwise.experiments.benchmark import BenchmarkTrial, define_cells
from kernelwise.experiments.methods import methods_named
from kernelwise.experiments.results_csv import read_results, write_results
from kernelwise.files import check_can_write
from kernelwise.report.grids import Grid, companion_grid, paper_grid

KINDS = ("generated", "published")

DataDir = Annotated[
    Path | None,
    typer.Option(help="Folder of the benchmark sets; else the variable KERNELWISE_DATA."),
]


@app.command(epilog="Example:  kernelwise reproduce first-level-table-3 --replicates 20 --jobs 2")
@console.errors_in_one_line
def reproduce(
    table: Annotated[str | None, typer.Argument(help="A published table; see --list.")] = None,
    list_tables: Annotated[
        bool, typer.Option("--list", help="Say what there is, what it needs, how long it takes.")
    ] = False,
    replicates: Annotated[
        int, typer.Option(help="Splits per data set; half as many on the costly ones.")
    ] = 10,
    splits: Annotated[str, typer.Option(help=f"Which splits: {' or '.join(KINDS)}.")] = KINDS[0],
    datasets: Annotated[
        str | None, typer.Option(help="Only these of the table's data sets, comma-separated.")
    ] = None,
    methods: Annotated[
        str | None, typer.Option(help="Only these methods, comma-separated.")
    ] = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    store: StorePath = DEFAULT_STORE,
    data_dir: DataDir = None,
    retry_failed: RetryFailed = False,
    csv: Annotated[Path | None, typer.Option(help="Write the results to this CSV file.")] = None,
    from_csv: Annotated[
        Path | None, typer.Option("--from", help="Show results of a CSV file; compute nothing.")
    ] = None,
) -> None:
    """Run a published table again, and set our errors beside the paper's.

    Finished cells are kept in the store: an interrupted run goes on where it was.
    """
    catalogue = Catalogue(data_dir)
    if list_tables or table is None:
        _list_tables(catalogue)
        return
    published = _table_named(table)
    if csv is not None:
        check_can_write(csv)
    if from_csv is not None:
        results = read_results(from_csv)[0]
    else:
        asked = _Grid(published, replicates, splits, names_of(datasets), names_of(methods))
        results = _run(asked, catalogue, jobs, dask, store, retry_failed)
    comparison = compare_with_paper(published, results)
    show_comparison(comparison)
    if csv is not None:
        command = shlex.join(["kernelwise", *sys.argv[1:]])
        write_results(csv, results, {"command": command, "splits": comparison.splits})
        console.say(f"Results:         {csv}")


class _Grid:
    """The cells that were asked for, checked."""

    def __init__(
        self,
        table: PublishedTable,
        replicates: int,
        kind: str,
        datasets: list[str] | None,
        methods: list[str] | None,
    ):
        if kind not in KINDS:
            raise ValueError(f"--splits {kind}: choose {' or '.join(KINDS)}")
        self.table, self.replicates, self.kind, self.datasets = table, replicates, kind, datasets
        self.methods = methods and [method.name for method in methods_named(methods)]

    def cells(self, catalogue: Catalogue):
        names = self.table.datasets if self.datasets is None else self.datasets
        available = {
            name: catalogue.load(self.table.datasets[name]).splits.get(self.kind, 0)
            for name in names
            if name in self.table.datasets
        }
        lacking = [name for name, count in available.items() if count == 0]
        if lacking:
            console.note(f"no {self.kind} splits of {', '.join(lacking)}: left out")
        short = [name for name, count in available.items() if 0 < count < self.replicates]
        if short and self.kind == "published":
            counts = ", ".join(f"{name} {available[name]}" for name in short)
            console.note(f"fewer published splits than asked for: {counts}")
        return self.table.cells(self.replicates, self.kind, available, self.methods, self.datasets)


def _run(
    asked: _Grid,
    catalogue: Catalogue,
    jobs: int,
    dask: str | None,
    path: Path,
    retry_failed: bool,
) -> list[CellResult]:
    executor = executor_for(jobs, dask)
    cells = asked.cells(catalogue)
    if not cells:
        raise ValueError("there is nothing to run: see the notes above")
    with opened(path) as store:
        define_cells(store, cells, catalogue.folder)
        with shown_progress() as show:
            progress = run_cells(
                cells,
                BenchmarkTrial(catalogue.folder),
                store,
                executor,
                retry_failed=retry_failed,
                on_progress=show,
            )
        wanted = set(cells)
        results = [result for result in store.results() if result.cell in wanted]
    console.say(
        f"Cells:           {progress.done} computed, {progress.known} known before, "
        f"{progress.failed} failed, {progress.skipped} skipped; kept in {path}"
    )
    _say_versions(results)
    return results


def _say_versions(results: list[CellResult]) -> None:
    if len(environments := {result.environment for result in results}) > 1:
        console.note(
            f"the results come from {len(environments)} versions of the code, its libraries or "
            "machines; choose another --store to compute all again"
        )


def _table_named(name: str) -> PublishedTable:
    if name not in TABLES:
        raise ValueError(f"there is no table {name!r}: choose from {', '.join(TABLES)}")
    return TABLES[name]


def _list_tables(catalogue: Catalogue) -> None:
    known = catalogue.names()
    for table in TABLES.values():
        there = [name for name, stored in table.datasets.items() if stored in known]
        console.say(f"{table.name}: {table.caption}")
        console.say(f"    {table.paper}")
        console.say(f"    methods: {', '.join(table.runnable)}")
        lacking = [name for name in table.columns if name not in table.runnable]
        if lacking:
            console.say(f"    shown from the paper, not run yet: {', '.join(lacking)}")
        console.say(f"    data sets: {len(there)} of {len(table.datasets)} found")
        console.say(f"    time: about {duration(60 * table.cpu_minutes)} of one core per replicate")
    if not any(stored in known for table in TABLES.values() for stored in table.datasets.values()):
        console.note("name the folder of the benchmark sets by --data-dir or KERNELWISE_DATA")


def show_comparison(comparison: TableComparison) -> None:
    """Ours beside the paper's, then the companions, then the findings in words."""
    table = comparison.table
    console.say(f"{table.name}: {table.caption} ({table.paper})")
    console.say(f"Errors in percent ± standard error over splits: {comparison.splits}.")
    show_grid(paper_grid(comparison))
    companions = [name for name in comparison.methods if name not in table.columns]
    if companions:
        show_grid(companion_grid(comparison, companions))
    for sentence in (*comparison.sentences(), *table.notes):
        console.say(sentence)
    console.show_messages(comparison.problems)


def show_grid(grid: Grid) -> None:
    """A table of texts on standard output."""
    shown = Table(box=None, pad_edge=False, header_style="")
    shown.add_column(grid.heading[0])
    for name in grid.heading[1:]:
        shown.add_column(name, justify="right", no_wrap=True)
    for line in grid.lines:
        shown.add_row(*line)
    width = None if sys.stdout.isatty() else max(200, int(os.environ.get("COLUMNS", "0")))
    Console(highlight=False, markup=False, width=width).print(shown)
