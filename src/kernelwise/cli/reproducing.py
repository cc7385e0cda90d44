"""The command ``kernelwise reproduce``."""

import shlex
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from kernelwise.cli import console
from kernelwise.cli.app import app, names_of
from kernelwise.cli.running import (
    DEFAULT_STORE,
    Dask,
    Jobs,
    RetryFailed,
    StorePath,
    check_output,
    executor_for,
    installed,
    option,
    run_in_store,
    say_versions,
)
from kernelwise.data import Catalogue
from kernelwise.methods import METHODS, methods_named
from kernelwise.optional import import_optional
from kernelwise.papers import TABLES, PaperComparison, PublishedTable, compare_with_paper
from kernelwise.papers.benchmark import BenchmarkTrial, define_cells
from kernelwise.papers.words import splits_in_words
from kernelwise.report.grids import companion_grid, paper_grid
from kernelwise.report.pages import write_page
from kernelwise.runs import Cell, CellResult, Store
from kernelwise.runs.executors import Executor
from kernelwise.runs.results_csv import read_results, write_results

KINDS = ("generated", "published", "folds", "thirds", "random")

DataDir = Annotated[
    Path | None,
    typer.Option(help="Folder of the benchmark sets; default: the variable KERNELWISE_DATA."),
]
Splits = Annotated[
    str | None, typer.Option(help=f"Which splits: {', '.join(KINDS)}; default: the table's own.")
]
FromCsv = Annotated[
    Path | None, typer.Option("--from", help="Show the results in a CSV file; compute nothing.")
]
Take = Annotated[
    Path | None,
    typer.Option(help="First take the results of the same cells in a CSV file into the store."),
]
Pages = Annotated[
    Path | None,
    typer.Option(help="Folder for a page per table, with pictures, made from the CSV file."),
]


@app.command(epilog="Example:  kernelwise reproduce first-level-table-3 --replicates 20 --jobs 2")
@console.errors_in_one_line
def reproduce(
    tables: Annotated[
        list[str] | None, typer.Argument(help="One or more paper tables; see --list.")
    ] = None,
    list_tables: Annotated[
        bool, typer.Option("--list", help="List the tables, what they need, how long they take.")
    ] = False,
    replicates: Annotated[
        int, typer.Option(help="Splits, or trials, per data set; half as many on costly ones.")
    ] = 10,
    splits: Splits = None,
    datasets: Annotated[
        str | None, typer.Option(help="Only these of a table's data sets, comma-separated.")
    ] = None,
    methods: Annotated[
        str | None, typer.Option(help="Only these methods, comma-separated.")
    ] = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    store: StorePath = DEFAULT_STORE,
    data_dir: DataDir = None,
    retry_failed: RetryFailed = False,
    take: Take = None,
    csv: Annotated[Path | None, typer.Option(help="Write the results to this CSV file.")] = None,
    from_csv: FromCsv = None,
    pages: Pages = None,
) -> None:
    """Run paper tables again, and show our figures beside the printed ones.

    Finished cells are kept in the store: an interrupted run resumes where it stopped.
    """
    catalogue = Catalogue(data_dir)
    if not tables and (csv or from_csv or pages):
        raise ValueError("name one or more paper tables: see kernelwise reproduce --list")
    if list_tables or not tables:
        _list_tables(catalogue)
        return
    published = [_table_named(name) for name in dict.fromkeys(tables)]
    _check_outputs(csv, pages, from_csv, store)
    of_table = _methods_of(published, names_of(methods))
    published = [table for table in published if table.name in of_table]
    _check_grid(published, replicates, splits)
    for table in published:
        table.check(of_table[table.name], names_of(datasets))
    executor = executor_for(jobs, dask)
    if from_csv is not None:
        if datasets or methods or take:
            raise ValueError(
                "--from shows a file as it is: leave out --datasets, --methods and --take"
            )
        results, heading = read_results(from_csv)
        say_versions(results)
    else:
        asked = replicates, splits, names_of(datasets)
        of_table = _installed(published, of_table)
        cells = [c for t in published for c in _cells(t, catalogue, *asked, of_table[t.name])]
        known = read_results(take)[0] if take is not None else []
        results, heading = _run(cells, catalogue, executor, store, retry_failed, known), {}
    if csv is not None:
        # Show what the file says, so that its pages can be made again from it alone.
        results, heading = _written(csv, published, results)
    comparisons = [compare_with_paper(table, results) for table in published]
    for comparison in comparisons:
        show_comparison(comparison)
    if csv is not None:
        console.say(f"Results:         {csv}")
    if pages is not None and (source := csv or from_csv) is not None:
        _write_pages(comparisons, results, {"results": source.name, **heading}, pages)


def _write_pages(
    comparisons: list[PaperComparison],
    results: list[CellResult],
    heading: Mapping[str, str],
    folder: Path,
) -> None:
    for comparison in comparisons:
        path = folder / f"{comparison.table.name}.md"
        write_page(comparison, results, heading, path)
        console.say(f"Page:            {path}")


def _check_outputs(
    csv: Path | None, pages: Path | None, from_csv: Path | None, store: Path
) -> None:
    if csv is not None:
        check_output("--csv", csv, [store] if from_csv is None else [store, from_csv])
    if pages is None:
        return
    if csv is None and from_csv is None:
        raise ValueError("--pages makes pages from a CSV file: add --csv or --from")
    if pages.exists() and not pages.is_dir():
        raise ValueError(f"--pages {pages} is a file: name a folder")
    import_optional("matplotlib", extra="report")


def _check_grid(tables: list[PublishedTable], replicates: int, splits: str | None) -> None:
    if splits is not None and splits not in KINDS:
        raise ValueError(f"--splits {splits}: choose from {', '.join(KINDS)}")
    with option(f"--replicates {replicates}"):
        for table in tables:
            table.protocol.check(replicates)


def _methods_of(
    tables: list[PublishedTable], asked: list[str] | None
) -> Mapping[str, list[str] | None]:
    """The methods to run for each table: those asked for, each of which must be in some table.

    A table that has none of them is left out, with a note.
    """
    if asked is None:
        return dict.fromkeys(table.name for table in tables)
    names = [method.name for method in methods_named(asked)]
    if len(tables) == 1:
        return {tables[0].name: names}  # the table itself says what it lacks
    for name in names:
        if not any(name in table.runnable for table in tables):
            raise ValueError(f"none of these paper tables has the method {name}")
    found = {table.name: [name for name in names if name in table.runnable] for table in tables}
    for table, there in found.items():
        if not there:
            console.note(f"{table} has none of these methods: left out")
    return {table: there for table, there in found.items() if there}


def _installed(
    tables: list[PublishedTable], of_table: Mapping[str, list[str] | None]
) -> dict[str, list[str]]:
    """The methods to run for each table whose packages are installed; of None, all that can run."""
    known: dict[str, bool] = {}
    for table in tables:
        asked = of_table[table.name]
        for name in asked or table.runnable:
            if name not in known:
                known[name] = bool(installed([METHODS[name]], by_name=asked is not None))
    return {t.name: [n for n in of_table[t.name] or t.runnable if known[n]] for t in tables}


def _written(
    path: Path, tables: list[PublishedTable], results: list[CellResult]
) -> tuple[list[CellResult], dict[str, str]]:
    """Write the results, and read them back."""
    splits = [splits_in_words(table, table.results(results)) for table in tables]
    command = shlex.join(["kernelwise", *sys.argv[1:]])
    heading = {"command": command, "splits": "; ".join(dict.fromkeys(splits))}
    write_results(path, results, heading)
    return read_results(path)


def _run(
    asked: list[Cell],
    catalogue: Catalogue,
    executor: Executor,
    path: Path,
    retry_failed: bool,
    known: list[CellResult],
) -> list[CellResult]:
    """Compute each cell once, though tables share some.

    Parameters
    ----------
    asked, catalogue : the cells of all tables, and where their data sets are
    executor, path : where cells are computed, and the store that keeps them
    retry_failed : whether to compute failed cells again
    known : results from elsewhere, by the same methods, that need not be computed
    """
    cells = list(dict.fromkeys(asked))
    if not cells:
        raise ValueError("there is nothing to run: see the notes above")

    def define(store: Store) -> None:
        define_cells(store, cells, catalogue.folder)
        wanted = set(cells)
        store.add(result for result in known if result.cell in wanted)

    return run_in_store(
        cells,
        BenchmarkTrial(catalogue.folder),
        path,
        executor,
        define=define,
        retry_failed=retry_failed,
    )


def _cells(
    table: PublishedTable,
    catalogue: Catalogue,
    replicates: int,
    kind: str | None,
    datasets: list[str] | None,
    methods: list[str] | None,
) -> list[Cell]:
    """The cells asked for, with a note about missing splits.

    Parameters
    ----------
    table, catalogue : the paper table, and where its data sets are
    replicates, kind : how many splits or trials, and of which kind; None: the table's own
    datasets, methods : which of the table's; None: all
    """
    if table.files and not catalogue.names().keys() & set(table.datasets.values()):
        raise ValueError(f"{table.name} needs a file of your own: {table.files}")
    found = {
        name: (of_set, catalogue.load(table.datasets[name]).splits.get(of_set, 0))
        for name in (table.datasets if datasets is None else datasets)
        for of_set in [kind or table.protocol.kind_of(name)]
    }
    for of_set in dict.fromkeys(of_set for of_set, _ in found.values()):
        counts = {name: count for name, (its, count) in found.items() if its == of_set}
        if lacking := [name for name, count in counts.items() if count == 0]:
            console.note(f"no {of_set} splits of {', '.join(lacking)}: left out")
        short = [
            f"{name} {count}"
            for name, count in counts.items()
            if 0 < count < table.protocol.splits_of(name, replicates)
        ]
        if short:
            console.note(f"fewer {of_set} splits than asked for: {', '.join(short)}")
    available = {name: count for name, (_, count) in found.items()}
    return table.cells(replicates, kind, available, methods, datasets)


def _table_named(name: str) -> PublishedTable:
    if name not in TABLES:
        near = get_close_matches(name, TABLES)
        hint = f"did you mean {' or '.join(near)}?" if near else f"choose from {', '.join(TABLES)}"
        raise ValueError(f"there is no paper table {name!r}: {hint}")
    return TABLES[name]


def _list_tables(catalogue: Catalogue) -> None:
    known = catalogue.names()
    for table in TABLES.values():
        missing = [name for name, stored in table.datasets.items() if stored not in known]
        console.say(f"{table.name}: {table.caption}")
        console.say(f"    {table.paper}")
        console.say(f"    methods: {', '.join(table.runnable)}")
        lacking = [name for name in table.columns if name not in table.runnable]
        if lacking:
            console.say(f"    shown from the paper, not run: {', '.join(lacking)}")
        found, count = len(table.datasets) - len(missing), len(table.datasets)
        but = f"; missing: {', '.join(missing)}" if 0 < found < count else ""
        console.say(f"    needs {count} data sets, {found} found{but}")
        if table.files:
            console.say(f"    a file of your own: {table.files}")
        if table.cpu_minutes:
            console.say(f"    takes about {table.cpu_minutes:g} CPU minutes per replicate")
    if not any(stored in known for table in TABLES.values() for stored in table.datasets.values()):
        console.note("name the folder of the benchmark sets by --data-dir or KERNELWISE_DATA")


def show_comparison(comparison: PaperComparison) -> None:
    """Print ours beside the paper's, then the companions, then the findings in words."""
    table = comparison.table
    console.say(f"Table:           {table.name}: {table.caption}")
    console.say(f"Paper:           {table.paper}")
    console.say(f"Splits:          {comparison.splits}")
    console.say(f"Shown:           {comparison.legend}")
    console.say("")
    console.show_grid(paper_grid(comparison))
    console.say("")
    if comparison.companions:
        console.say("Other methods on the same splits:")
        console.show_grid(companion_grid(comparison))
        console.say("")
    for sentence in (*comparison.sentences(), *table.notes):
        console.say(sentence)
    console.show_messages(comparison.problems)
