"""What the command line says: results on standard output, notes and errors on standard error."""

import functools
import os
import re
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from kernelwise.cli import output
from kernelwise.cli.app import INTERRUPTED, TRACEBACK
from kernelwise.cli.options import OutputOptions, with_options
from kernelwise.errors import ArgumentError

if TYPE_CHECKING:
    from kernelwise.data import Check, Dataset
    from kernelwise.evaluation import HonestError
    from kernelwise.evaluation.judging import Judgment
    from kernelwise.report.grids import Grid

USAGE_OR_DATA, UNEXPECTED, NOT_USEFUL = 2, 1, 3
MOST_FEATURES_SHOWN, MOST_MISTAKES_SHOWN = 15, 6
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
    "KW303": "--missing",
    "KW306": "--balanced",
}
# What can move a terminal's cursor, rename its window or turn text around: the control characters
# of ASCII and Latin-1, line and paragraph separators, and changes of the direction of writing.
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def say(text: str) -> None:
    """Print one line of results."""
    if output.current.shows_lines:
        typer.echo(visible(text), err=output.current.holds_data)


def note(text: str) -> None:
    """Print one line the user should know about, on standard error."""
    if output.current.shows_lines:
        typer.echo("note: " + _one_line(text), err=True)
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
    typer.echo("error: " + _one_line(text), err=True)
    raise typer.Exit(code)


def end(code: int) -> None:
    """End the command with an exit code, its output complete."""
    output.current.finish()
    raise typer.Exit(code)


def _one_line(text: str) -> str:
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
    output.current.put(
        table=name,
        rows=len(dataset.target),
        target=dataset.target_name,
        task=dataset.task,
        numeric_columns=dataset.numeric_columns,
        categorical_columns=dataset.categorical_columns,
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
            typer.echo(_one_line(line), err=not results)
    output.current.put(
        checks=[
            {"code": c.code, "severity": c.severity, "text": c.text, "advice": c.advice}
            for c in checks
        ]
    )


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
    _show_measures(error)
    output.current.put(honest_error=error.numbers() | {"beats_trivial": error.beats_trivial})
    if error.beats_trivial:
        least, most = -error.difference_upper, -error.difference_lower
        gain = f"{least:{digits}} to {most:{digits}}{' of rows' if classes else ''}"
        say(f"Verdict:         better than knowing nothing, by {gain} (95% interval)")
        return
    worse = error.difference_lower > 0
    say(f"Verdict:         {'worse' if worse else 'not shown to be better'} than knowing nothing")
    note("do not trust the relevances below: they explain a model that may know nothing")


def show_score(error: "Judgment", task: str, rows: int) -> None:
    """Print the error of predictions for a table that has the target; on standard error."""
    classes = task == "classification"
    unit, digits = ("of rows wrong", ".1%") if classes else ("root mean squared", ".4g")
    note(
        f"error on {rows} rows: {error.value:{digits}} {unit}, 95% interval "
        f"{error.lower:{digits}} to {error.upper:{digits}}; {measures_text(error.measures)}"
    )


def show_columns(dataset: "Dataset") -> None:
    """Print what each column was read as."""
    kinds = {"number": "Numbers:", "category": "Categories:", "date": "Dates:"}
    for kind, heading in kinds.items():
        names = [column.name for column in dataset.columns if column.kind == kind]
        if names:
            say(f"{heading:<17}{', '.join(names)}")


def _show_measures(error: "HonestError") -> None:
    if error.measures:
        say(f"Also held out:   {measures_text(error.measures)}")


def measures_text(measures: Mapping[str, float]) -> str:
    """Measures by name, in one line."""
    percent = {"balanced error", "recall of the rarest class"}
    texts = [
        f"{name} {value:.1%}" if name in percent else f"{name} {value:.4g}"
        for name, value in measures.items()
        if name != "RMSE"  # it is the error itself
    ]
    return ", ".join(texts)


def show_confusion(classes: Iterable[str], confusion: tuple[tuple[int, ...], ...]) -> None:
    """Print which classes were mistaken for which, the most frequent mistakes first."""
    names = [str(name) for name in classes]
    output.current.put(confusion={"classes": names, "rows": confusion})
    mistakes = [
        (number, sum(line), names[true], names[named])
        for true, line in enumerate(confusion)
        for named, number in enumerate(line)
        if named != true and number
    ]
    for place, mistake in enumerate(sorted(mistakes, reverse=True)[:MOST_MISTAKES_SHOWN]):
        number, rows, true, named = mistake
        heading = "Mistakes:" if place == 0 else ""
        say(f"{heading:<17}{number} of {rows} '{true}' named '{named}'")


def show_relevance(names: Iterable[str], relevance: Iterable[float]) -> None:
    """Print the features from the most to the least relevant."""
    ranked = sorted(zip(names, relevance, strict=True), key=lambda pair: -pair[1])
    output.current.put(relevance={name: float(share) for name, share in ranked})
    if not output.current.shows_lines:
        return
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
