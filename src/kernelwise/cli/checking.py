"""The commands ``kernelwise check`` and ``kernelwise show``."""

from pathlib import Path
from typing import Annotated

import typer

from kernelwise.cli import console
from kernelwise.cli.app import app
from kernelwise.cli.learning import Table, Target, Task, TaskName
from kernelwise.cli.options import ColumnOptions, FileOptions, InPieces, with_options


@app.command(epilog="Example:  kernelwise check patients.csv --target outcome")
@console.errors_in_one_line
@with_options(columns=ColumnOptions, file=FileOptions, pieces=InPieces)
def check(
    table: Table,
    target: Target,
    task: TaskName = Task.AUTO,
    *,
    columns: ColumnOptions,
    file: FileOptions,
    pieces: InPieces,
) -> None:
    """Check a table in seconds: how it is read, and what would mislead a model. Nothing is fitted.

    Each finding has a code, explained in the documentation, and a severity: stop (nothing can be
    learned; the command ends with code 2), care (look at it) or tip.
    """
    from kernelwise.cli import models, results

    if pieces.are_wanted(table):
        from kernelwise.cli import piecewise

        long = piecewise.LongTable(table, target, task.value, columns, file)
        dataset = piecewise.show_look(long)
    else:
        dataset = models.read_dataset(table, target, task.value, columns, file)
        console.show_dataset(dataset, models.shown_name(table))
    results.show_columns(dataset)
    console.show_checks(dataset.checks, results=True)
    serious = sum(check.severity == "care" for check in dataset.checks)
    others = len(dataset.checks) - serious
    console.say(f"Checks:          {serious} to look at, {others} to know")


@app.command(epilog="Example:  kernelwise show model.skops")
@console.errors_in_one_line
def show(
    model: Annotated[Path, typer.Argument(help="Model file written by kernelwise fit.")],
) -> None:
    """Show what a model file holds: target, columns, kernel, honest error, relevances, versions."""
    from kernelwise.cli import showing

    showing.show_model(model)
