"""What the command line says: results on standard output, notes and errors on standard error."""

import functools
import os
import re
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from kernelwise.cli.app import INTERRUPTED, TRACEBACK
from kernelwise.errors import ArgumentError

if TYPE_CHECKING:
    from kernelwise.data import Dataset
    from kernelwise.evaluation import HonestError
    from kernelwise.report.grids import Grid

USAGE_OR_DATA, UNEXPECTED = 2, 1
MOST_FEATURES_SHOWN = 15
# Options that are not named like the library's argument.
OPTIONS = {"folder": "data-dir"}
# What can move a terminal's cursor, rename its window or turn text around: the control characters
# of ASCII and Latin-1, line and paragraph separators, and changes of the direction of writing.
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def say(text: str) -> None:
    """Print one line of results."""
    typer.echo(visible(text))


def note(text: str) -> None:
    """Print one line the user should know about, on standard error."""
    typer.echo("note: " + _one_line(text), err=True)


def errors_in_one_line(command: Callable) -> Callable:
    """Make a command answer bad input with one line and an exit code, never a traceback.

    ``kernelwise --traceback``, or the environment variable ``KERNELWISE_TRACEBACK``, puts the
    traceback before it.
    """

    @functools.wraps(command)
    def guarded(*arguments, **options):
        try:
            return command(*arguments, **options)
        except (typer.Exit, typer.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            _fail("interrupted: nothing was written", INTERRUPTED)
        except Exception as error:
            if os.environ.get(TRACEBACK):
                for line in traceback.format_exc().splitlines():
                    typer.echo(visible(line), err=True)
            _explain(error)

    return guarded


def _explain(error: Exception) -> None:
    if isinstance(error, MemoryError):
        _fail("the table is too large for this machine's memory: use fewer rows", USAGE_OR_DATA)
    if isinstance(error, ArgumentError):
        option = OPTIONS.get(error.argument, error.argument)
        _fail(f"{error} (option --{option})", USAGE_OR_DATA)
    if isinstance(error, (ValueError, OSError, ImportError)):
        _fail(str(error), USAGE_OR_DATA)
    name = type(error).__name__
    hint = "this is a defect; kernelwise --traceback ... shows where: please report it"
    _fail(f"{name}: {error} ({hint})", UNEXPECTED)


def _fail(text: str, code: int) -> None:
    typer.echo("error: " + _one_line(text), err=True)
    raise typer.Exit(code)


def _one_line(text: str) -> str:
    return visible(" ".join(text.split()))


def visible(text: str) -> str:
    """Text with control characters shown, such as \\x1b: names in a file may be someone else's."""
    return CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


@contextmanager
def progress(text: str, steps: int) -> Iterator[Callable[[], None]]:
    """A progress bar on a terminal, nothing elsewhere; yields the function that advances it."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(text, total=steps)
        yield lambda: bar.advance(task)


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Show each different warning of the block once, as a note, when the block has ended."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    show_messages(str(warning.message) for warning in caught)


def show_messages(messages: Iterable[str]) -> None:
    """Print each different message once, as a note."""
    for message in dict.fromkeys(messages):
        note(message)


def show_dataset(dataset: "Dataset", name: str) -> None:
    """Print the size of the table, the task and the reason for it."""
    numeric, categorical = len(dataset.numeric_columns), len(dataset.categorical_columns)
    say(
        f"Table:           {name}, {len(dataset.target)} rows, "
        f"{numeric} numeric and {categorical} categorical columns"
    )
    say(
        f"Task:            {dataset.task} of '{dataset.target_name}', because {dataset.task_reason}"
    )
    show_messages(dataset.notes)


def show_choice(estimator) -> None:
    """Print the chosen kernel, and the regularization, C and support vectors, if any."""
    say(f"Chosen kernel:   {estimator.kernel_.words()}")
    for heading, attribute in (("Regularization:", "regularization_"), ("C:", "C_")):
        if (value := getattr(estimator, attribute, None)) is not None:
            say(f"{heading:<17}{value:.3g}")
    if (vectors := getattr(estimator, "n_relevance_vectors_", None)) is not None:
        say(f"Rows it keeps:   {vectors} (relevance vectors)")
    elif hasattr(estimator, "output_posterior") and estimator._gives_log_odds:
        say("Predicts by:     the mean of the posterior; all rows take part")
    elif (rows := getattr(estimator, "support_", None)) is not None:
        say(f"Support vectors: {len(rows)} rows")
    for step in getattr(estimator.trace_, "steps", [])[-1:]:
        gap = abs(step.gradient - step.propagated).max()
        drawn = min(report.effective_sample for report in step.reports)
        say(
            f"Sampled check:   slopes of the evidence differ by {gap:.1g} per row or less "
            f"(standard error {step.standard_errors.max():.1g}, {drawn:.0f} effective draws)"
        )


def show_error(error: "HonestError", task: str) -> None:
    """Print the honest error with its interval, the error of knowing nothing, and the verdict."""
    classes = task == "classification"
    unit, digits = ("of rows wrong", ".1%") if classes else ("root mean squared", ".4g")
    trivial = "always naming the most frequent class" if classes else "always predicting the mean"
    say(
        f"Honest error:    {error.value:{digits}} {unit}, "
        f"95% interval {error.lower:{digits}} to {error.upper:{digits}}"
    )
    say(f"                 by {error.folds}-fold cross-validation, the kernel chosen in each fold")
    say(f"Knowing nothing: {error.baseline:{digits}} {unit}, by {trivial}")
    if error.beats_trivial:
        least, most = -error.difference_upper, -error.difference_lower
        gain = f"{least:{digits}} to {most:{digits}}{' of rows' if classes else ''}"
        say(f"Verdict:         better than knowing nothing, by {gain} (95% interval)")
        return
    worse = error.difference_lower > 0
    say(f"Verdict:         {'worse' if worse else 'not shown to be better'} than knowing nothing")
    note("do not trust the relevances below: they explain a model that may know nothing")


def show_relevance(names: Iterable[str], relevance: Iterable[float]) -> None:
    """Print the features from the most to the least relevant."""
    ranked = sorted(zip(names, relevance, strict=True), key=lambda pair: -pair[1])
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column("Features by relevance", overflow="fold")
    table.add_column("share", justify="right")
    table.add_column("")
    longest = ranked[0][1]
    for name, share in ranked[:MOST_FEATURES_SHOWN]:
        table.add_row(_one_line(name), f"{share:.1%}", "#" * round(30 * share / longest))
    Console(highlight=False, markup=False).print(table)
    rest = ranked[MOST_FEATURES_SHOWN:]
    if rest:
        say(f"and {len(rest)} more with {sum(share for _, share in rest):.1%} together")


def show_grid(grid: "Grid") -> None:
    """Print a grid of texts; on a terminal in parts that fit its width."""
    rows = [[visible(text) for text in row] for row in (grid.heading, *grid.lines)]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(grid.heading))]
    terminal = Console()
    most = terminal.width if terminal.is_terminal else sum(widths) + 2 * len(widths)
    parts: list[list[int]] = [[]]
    for column in range(1, len(widths)):
        if parts[-1] and widths[0] + sum(2 + widths[c] for c in [*parts[-1], column]) > most:
            parts.append([])
        parts[-1].append(column)
    for part in parts:
        for row in rows:
            padding = [" " * (2 + widths[column] - cell_len(row[column])) for column in part]
            texts = [space + row[column] for space, column in zip(padding, part, strict=True)]
            first = row[0] + " " * (widths[0] - cell_len(row[0]))
            say((first + "".join(texts)).rstrip())
