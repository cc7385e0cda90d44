"""The commands ``kernelwise check`` and ``kernelwise explain``."""

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
    from kernelwise.cli import models, records, results

    if pieces.are_wanted(table):
        from kernelwise.cli import piecewise

        long = piecewise.LongTable(table, target, task.value, columns, file)
        dataset = piecewise.show_look(long)
    else:
        dataset = models.read_dataset(table, target, task.value, columns, file)
        console.show_dataset(dataset, records.shown_name(table))
    results.show_columns(dataset)
    console.show_checks(dataset.checks, results=True)
    serious = sum(check.severity == "care" for check in dataset.checks)
    others = len(dataset.checks) - serious
    console.say(f"Checks:          {serious} to look at, {others} to know")


@app.command(epilog="Example:  kernelwise explain model.skops new.csv --row 17")
@console.errors_in_one_line
@with_options(file=FileOptions)
def explain(
    model: Annotated[Path, typer.Argument(help="Model file written by kernelwise fit.")],
    table: Annotated[
        Path | None, typer.Argument(help="Table whose rows to explain, or -; none: the model.")
    ] = None,
    row: Annotated[
        list[int] | None,
        typer.Option(
            help="Number of a row of the table; the first below the header is 0. May be given "
            "several times; without it the first 20 rows are explained."
        ),
    ] = None,
    *,
    file: FileOptions,
) -> None:
    """Say in words what a model has learned, or why it predicts the rows of a table as it does.

    The model: how good it is on new rows, what was chosen and why, which features matter. A row:
    which features moved its prediction, how far, and which of them only together.
    """
    from kernelwise.cli import explaining

    if table is None:
        if row:
            raise ValueError(f"--row {row[0]}: name the table that has it, after the model")
        explaining.explain_model(model)
    else:
        explaining.explain_rows(model, table, file, row or ())
