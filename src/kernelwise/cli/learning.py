"""The commands ``kernelwise fit``, ``kernelwise predict`` and ``kernelwise demo``."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kernelwise.cli import console
from kernelwise.cli.app import Seed, app
from kernelwise.cli.choices import DEFAULT_KERNELS, KERNELS, SELECTIONS, USUAL_FOLDS, Learning
from kernelwise.cli.command_lines import command_line
from kernelwise.cli.durations import seconds_of
from kernelwise.cli.options import ColumnOptions, FileOptions, InPieces, PieceOptions, with_options
from kernelwise.cli.pages import PageOptions, check_output


class Task(StrEnum):
    """What to predict: detected from the target, classes, or quantities."""

    AUTO = "auto"
    CLASSIFICATION = "classification"
    REGRESSION = "regression"


class Machine(StrEnum):
    """What uses the kernel: least squares, support vectors (classes only) or relevance vectors."""

    LSSVM = "lssvm"
    SVM = "svm"
    RVM = "rvm"


Table = Annotated[
    Path,
    typer.Argument(
        help="CSV, Parquet, Feather or Excel file, folder of Parquet files, or - for a pipe."
    ),
]
Target = Annotated[str, typer.Option(help="Name of the column to predict.")]
TaskName = Annotated[Task, typer.Option(help="What the target is.")]
Kernel = Annotated[
    str | None,
    typer.Option(
        help=f"The only kernel to adapt: {', '.join(KERNELS)}. By default several are tried and "
        "joined; where only --machine or --selection is named, the kernel is "
        + ", ".join(f"{name} for {machine}" for machine, name in DEFAULT_KERNELS.items())
        + "."
    ),
]
MachineName = Annotated[
    Machine | None,
    typer.Option(
        help="The only machine: lssvm: least squares; svm: support vectors, for classes only; "
        "rvm: relevance vectors."
    ),
]
Selection = Annotated[
    str | None,
    typer.Option(
        help="How the parameters of one kernel are chosen; the first is the default. "
        + "; ".join(f"{machine}: {', '.join(names)}" for machine, names in SELECTIONS.items())
        + "."
    ),
]
Folds = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Folds of the honest error, in each of which everything is chosen again; 0 skips it. "
        f"If not given: {USUAL_FOLDS}, beyond 1000 rows one of them, and on landmarks rows that "
        "are kept apart.",
    ),
]
Landmarks = Annotated[
    str | None,
    typer.Option(
        help="Rows that stand for all: auto (2000 beyond 3000 rows), none, or a number; not for "
        "svm and rvm."
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        help="Blocks of rows, or folds of a named kernel, at the same time; -1: one per core."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output file if it exists.")]
Sample = Annotated[
    int | None, typer.Option(min=10, help="Learn from so many random rows, classes in their share.")
]
TimeLimit = Annotated[
    str | None,
    typer.Option(
        help="Such as 90s, 10m or 2h: as many candidates, landmarks or rows as that allows."
    ),
]
Balanced = Annotated[
    bool, typer.Option("--balanced", help="Let every class count the same, however rare it is.")
]
# What does not change the model that is fitted.
NOT_OF_THE_FIT = ("out", "report", "open", "force", "jobs", "json", "quiet", "strict")
Strict = Annotated[
    bool, typer.Option("--strict", help="End with code 3 if nothing useful was learned.")
]


@app.command(epilog="Example:  kernelwise fit patients.csv --target outcome --out model.skops")
@console.errors_in_one_line
@with_options(columns=ColumnOptions, file=FileOptions, pieces=PieceOptions, page=PageOptions)
def fit(
    context: typer.Context,
    table: Table,
    target: Target,
    out: Annotated[
        Path | None, typer.Option(help="Model file to write, ending in .skops; none by default.")
    ] = None,
    kernel: Kernel = None,
    selection: Selection = None,
    machine: MachineName = None,
    task: TaskName = Task.AUTO,
    balanced: Balanced = False,
    landmarks: Landmarks = None,
    folds: Folds = None,
    sample: Sample = None,
    time_limit: TimeLimit = None,
    jobs: Jobs = 1,
    seed: Seed = 0,
    strict: Strict = False,
    force: Force = False,
    *,
    columns: ColumnOptions,
    file: FileOptions,
    pieces: PieceOptions,
    page: PageOptions,
) -> None:
    """Fit a model to a table, say what was seen and what was learned, and save it.

    Several kernels are tried and joined, unless --kernel, --machine or --selection names one way.
    The other columns are the features. Text and true/false columns are categories, dates become
    numbers, gaps are filled in, numbers are standardized: all inside the saved model.
    """
    how = Learning.of(
        kernel,
        machine,
        selection,
        folds=folds,
        jobs=jobs,
        seed=seed,
        balanced=balanced,
        sample=sample,
        seconds=None if time_limit is None else seconds_of(time_limit),
        landmarks=landmarks,
    )
    if out is not None:
        check_output("--out", out, inputs=[table], overwrite=force)
        if out.suffix != ".skops":
            raise ValueError(f"--out {out}: the name of a model file must end in .skops")
    page.check(inputs=[table], overwrite=force)
    if page.report is not None and not how.chooses:
        raise ValueError(
            f"--report {page.report}: there is a report where kernels are chosen; leave out "
            "--kernel, --machine and --selection"
        )
    from kernelwise.cli import models

    command = command_line(context, without=NOT_OF_THE_FIT)
    wanted = models.Wanted(out, page)
    if pieces.are_wanted(table):
        from kernelwise.cli import piecewise

        long = piecewise.LongTable(table, target, task.value, columns, file)
        useful = piecewise.fit_in_pieces(long, how, pieces, wanted, command)
    else:
        useful = models.fit_table(table, target, task.value, columns, file, how, wanted, command)
    if strict and not useful:
        console.end(console.NOT_USEFUL)


@app.command(epilog="Example:  kernelwise predict model.skops new.csv --out predictions.csv")
@console.errors_in_one_line
@with_options(file=FileOptions, pieces=InPieces)
def predict(
    model: Annotated[Path, typer.Argument(help="Model file written by kernelwise fit.")],
    table: Annotated[Path, typer.Argument(help="Table with the same columns, or -.")],
    out: Annotated[
        Path | None, typer.Option(help="CSV or Parquet file to write; standard output by default.")
    ] = None,
    id: Annotated[
        str | None, typer.Option("--id", help="Columns to keep, separated by commas.")
    ] = None,
    interval: Annotated[
        float | None,
        typer.Option(help="A level such as 0.9: write intervals too, or sets of classes."),
    ] = None,
    score: Annotated[
        bool, typer.Option("--score", help="Judge the predictions; the table has the target.")
    ] = False,
    force: Force = False,
    *,
    file: FileOptions,
    pieces: InPieces,
) -> None:
    """Predict each row of a table with a saved model.

    Columns are found by name. A classifier also writes the probability of each class.
    """
    if interval is not None and not 0 < interval < 1:
        raise ValueError(f"--interval {interval:g}: write a share between 0 and 1, such as 0.9")
    if out is not None:
        check_output("--out", out, inputs=[model, table], overwrite=force)
    from kernelwise.cli import predicting

    wanted = predicting.Wanted(id, interval, score)
    in_pieces = pieces.are_wanted(table)
    predicting.predict_table(model, table, file, wanted, out, in_pieces)


@app.command(epilog="Example:  kernelwise demo --folds 2")
@console.errors_in_one_line
def demo(
    context: typer.Context,
    kernel: Kernel = None,
    selection: Selection = None,
    machine: MachineName = None,
    folds: Folds = None,
    jobs: Jobs = 1,
    seed: Seed = 0,
    report: Annotated[
        Path, typer.Option(help="Report to write, ending in .html or .md; it is overwritten.")
    ] = Path("kernelwise-demo.html"),
) -> None:
    """Fit the breast-cancer table that ships with scikit-learn, and report what was learned."""
    how = Learning.of(kernel, machine, selection, folds=folds, jobs=jobs, seed=seed)
    page = PageOptions(report) if how.chooses else PageOptions()
    page.check(inputs=[], overwrite=True)
    from kernelwise.cli import models

    models.fit_example(how, page, command_line(context, without=NOT_OF_THE_FIT))
