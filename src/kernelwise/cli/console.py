"""What the command line says: results on standard output, notes and errors on standard error."""

import functools
import os
import re
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer
from rich.cells import cell_len
from rich.console import Console

from kernelwise.cli import output
from kernelwise.cli.app import INTERRUPTED, TRACEBACK
from kernelwise.cli.options import OutputOptions, with_options
from kernelwise.errors import ArgumentError

if TYPE_CHECKING:
    from kernelwise.data import Check, Dataset
    from kernelwise.report.grids import Grid

USAGE_OR_DATA, UNEXPECTED, NOT_USEFUL = 2, 1, 3
# Options that are not named like the library's argument.
OPTIONS = {"folder": "data-dir"}
SERIOUS = ("stop", "care", "tip")
# The option that follows the advice of a check.
OPTION_FOR = {
    "KW107": "--delimiter, --encoding",
    "KW201": "--missing",
    "KW202": "--decimal",
    "KW203": "--numeric, --categorical",
    "KW205": "--categorical",
    "KW206": "--features",
    "KW207": "--drop",
    "KW210": "--drop",
    "KW211": "--drop, --categorical",
    "KW215": "--missing",
    "KW216": "--decimal",
    "KW217": "--groups",
    "KW218": "--missing",
    "KW303": "--missing",
    "KW306": "--balanced",
}
NUMBERS = re.compile(r"[-+]?\d[\d.e+-]*")
# What can move a terminal's cursor, rename its window or turn text around: the control characters
# of ASCII and Latin-1, line and paragraph separators, and changes of the direction of writing.
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def say(text: str) -> None:
    """Print one line of results."""
    if output.current.shows_lines:
        typer.echo(visible(text), err=output.current.holds_data)


def say_lines(text: str) -> None:
    """Print several lines of results; only a line feed ends one, as names may hold the rest."""
    for line in text.removesuffix("\n").split("\n"):
        say(line)


def note(text: str) -> None:
    """Print one line the user should know about, on standard error."""
    if output.current.shows_lines:
        typer.echo("note: " + one_line(text), err=True)
    output.current.document.setdefault("notes", []).append(" ".join(text.split()))


def errors_in_one_line(command: Callable) -> Callable:
    """Make a command answer bad input with one line and an exit code, never a traceback.

    It also gets the options of its output, ``--json`` and ``--quiet``. ``kernelwise --traceback``,
    or the environment variable ``KERNELWISE_TRACEBACK``, puts the traceback before the line.
    """

    @with_options(printed=OutputOptions)
    @functools.wraps(command)
    def guarded(*arguments, printed: OutputOptions, **options):
        output.begin(printed.json, printed.quiet)
        try:
            command(*arguments, **options)
            output.current.finish()
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
    if (check := getattr(error, "check", None)) is not None:  # a DataError, too heavy to import
        output.current.put(code=check.code)
        _fail(f"{error} ({check.code})", USAGE_OR_DATA)
    if isinstance(error, (ValueError, OSError, ImportError)):
        _fail(str(error), USAGE_OR_DATA)
    name = type(error).__name__
    hint = "this is a defect; kernelwise --traceback ... shows where: please report it"
    _fail(f"{name}: {error} ({hint})", UNEXPECTED)


def _fail(text: str, code: int) -> None:
    output.current.put(error=" ".join(text.split()))
    output.current.finish()
    typer.echo("error: " + one_line(text), err=True)
    raise typer.Exit(code)


def end(code: int) -> None:
    """End the command with an exit code, its output complete."""
    output.current.finish()
    raise typer.Exit(code)


def one_line(text: str) -> str:
    return visible(" ".join(text.split()))


def visible(text: str) -> str:
    """Text with control characters shown, such as \\x1b: names in a file may be someone else's."""
    return CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Show each different warning of the block once, as a note, when the block has ended."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    show_messages(str(warning.message) for warning in caught)


def show_messages(messages: Iterable[str]) -> None:
    """Print each message once in a command, as a note; if only numbers differ, it is the same."""
    for message in messages:
        words = NUMBERS.sub("", message)
        if words not in output.current.said:
            output.current.said.add(words)
            note(message)


def show_dataset(dataset: "Dataset", name: str) -> None:
    """Print the size of a table in memory, the task and the reason for it."""
    columns = dataset.numeric_columns, dataset.categorical_columns
    target = dataset.task, dataset.target_name, dataset.task_reason
    show_table(name, len(dataset.target), columns, target)


def show_table(
    name: str,
    rows: int | None,
    columns: tuple[Sequence[str], Sequence[str]],
    target: tuple[str | None, str, str],
) -> None:
    """Print the size of a table, the task and the reason for it.

    Parameters
    ----------
    name, rows : of the table; None: nobody has counted them
    columns : the numeric and the categorical ones
    target : the task, the name of the target, and why it is this task
    """
    numeric, categorical = columns
    counted = "" if rows is None else f" {rows} rows,"
    say(
        f"Table:           {name},{counted} "
        f"{len(numeric)} numeric and {len(categorical)} categorical columns"
    )
    task, target_name, reason = target
    say(f"Task:            {task} of '{target_name}', because {reason}")
    output.current.put(
        table=name,
        rows=rows,
        target=target_name,
        task=task,
        numeric_columns=numeric,
        categorical_columns=categorical,
    )


def show_checks(checks: Iterable["Check"], results: bool = False) -> None:
    """Print each check: how serious it is, its code, what was seen and what to do.

    They go to standard error, unless they are the results that were asked for.
    """
    checks = list(checks)
    for check in sorted(checks, key=lambda check: SERIOUS.index(check.severity)):
        option = f" ({OPTION_FOR[check.code]})" if check.code in OPTION_FOR else ""
        if output.current.shows_lines:
            line = f"{check.severity} {check.code}: {check}{option}"
            typer.echo(one_line(line), err=not results)
    output.current.put(
        checks=[
            {"code": c.code, "severity": c.severity, "text": c.text, "advice": c.advice}
            for c in checks
        ]
    )


def show_grid(grid: "Grid") -> None:
    """Print a grid of texts; on a terminal in parts that fit its width."""
    lines = [dict(zip(grid.heading, line, strict=True)) for line in grid.lines]
    output.current.document.setdefault("grids", []).append(lines)
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
