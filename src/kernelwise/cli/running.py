"""Long runs on the command line: where they run, their store, progress and end."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

from kernelwise.cli import console
from kernelwise.cli.app import check_jobs
from kernelwise.cli.durations import duration
from kernelwise.files import check_can_write
from kernelwise.runs import (
    Cell,
    CellResult,
    DaskExecutor,
    JoblibExecutor,
    Progress,
    Store,
    run_cells,
)
from kernelwise.runs.executors import Executor
from kernelwise.runs.runner import Trial

if TYPE_CHECKING:
    from kernelwise.methods import Method

Jobs = Annotated[int, typer.Option(help="Cells to compute at the same time; -1: one per core.")]
Dask = Annotated[
    str | None,
    typer.Option(help="Run on a Dask cluster: 'local', or a scheduler such as tcp://host:8786."),
]
StorePath = Annotated[
    Path, typer.Option("--store", help="File of finished cells; a stopped run resumes from it.")
]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Compute failed cells again.")]

DEFAULT_STORE = Path("kernelwise-results.sqlite")
# Without a terminal for a bar, one line this often.
SECONDS_BETWEEN_LINES = 60


def executor_for(jobs: int, dask: str | None) -> Executor:
    """Processes on this machine, or a Dask cluster."""
    check_jobs(jobs)
    with option(f"--dask {dask}"):
        return JoblibExecutor(jobs) if dask is None else DaskExecutor(dask, jobs)


def installed(methods: Iterable["Method"], by_name: bool) -> list["Method"]:
    """The methods whose packages are installed; one asked for by name must be."""
    found = []
    for method in methods:
        reason = method.why_missing()
        if reason and by_name:
            raise ImportError(reason)
        if reason:
            console.note(f"left out: {reason}")
        else:
            found.append(method)
    return found


def check_output(option: str, path: Path, inputs: list[Path]) -> None:
    """Raise a ValueError for a file that cannot be written, or is read in the same run."""
    check_can_write(path)
    if path.resolve() in {other.resolve() for other in inputs}:
        raise ValueError(f"{option} {path} is also an input or the store: choose another name")


@contextmanager
def option(given: str) -> Iterator[None]:
    """Put the option that was given before the text of a ValueError raised inside."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{given}: {error}") from None


def run_in_store(
    cells: list[Cell],
    trial: Trial,
    path: Path,
    executor: Executor,
    *,
    define: Callable[[Store], None],
    retry_failed: bool = False,
) -> list[CellResult]:
    """Compute what the store lacks, showing progress; return the results of ``cells``.

    Parameters
    ----------
    cells, trial : what to compute, and the function that computes a cell
    path, executor : the file of the store, and where cells are computed
    define : records in the store what the names in the cells mean, before any work
    retry_failed : whether to compute failed cells again
    """
    with opened(path) as store:
        define(store)
        with shown_progress() as show:
            progress = run_cells(
                cells, trial, store, executor, retry_failed=retry_failed, on_progress=show
            )
        wanted = set(cells)
        results = [result for result in store.results() if result.cell in wanted]
    console.say(
        f"Cells:           {progress.done} computed, {progress.known} known before, "
        f"{progress.failed} failed, {progress.skipped} skipped; kept in {path}"
    )
    say_versions(results)
    return results


def say_versions(results: list[CellResult]) -> None:
    """Print a note if results of different code or machines are mixed."""
    if len(environments := {result.environment for result in results}) > 1:
        console.note(
            f"the results come from {len(environments)} versions of the code, its libraries or "
            "machines; choose another --store to compute everything again"
        )


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    """Open a store; an interruption inside says what was kept."""
    with Store(path) as store:
        try:
            yield store
        except KeyboardInterrupt:
            finished = len(store.finished())
            console.note(
                f"interrupted: {finished} finished cells are in {path}; "
                "run the same command again to continue"
            )
            raise typer.Exit(console.INTERRUPTED) from None


@contextmanager
def shown_progress() -> Iterator[Callable[[Progress], None]]:
    """A bar with the time left on a terminal, a line now and then elsewhere."""
    terminal = Console(stderr=True)
    if not terminal.is_terminal:
        yield _Lines()
        return
    columns = [BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}")]
    with Bar(*columns, console=terminal, transient=True) as bar:
        task = bar.add_task("")
        yield lambda progress: bar.update(
            task,
            total=progress.total,
            completed=progress.finished,
            description=progress_in_words(progress),
        )


class _Lines:
    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        if time.monotonic() - self._last >= SECONDS_BETWEEN_LINES:
            self._last = time.monotonic()
            counted = f"{progress.finished} of {progress.total} cells, "
            console.note(counted + progress_in_words(progress))


def progress_in_words(progress: Progress) -> str:
    """Progress in words, such as "2 failed, about 12 min left"."""
    words = [f"{progress.failed} failed"] if progress.failed else []
    if progress.seconds_left is not None:
        words.append(f"about {duration(progress.seconds_left)} left")
    return ", ".join(words)
