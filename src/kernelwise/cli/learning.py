"""The commands ``kernelwise fit``, ``kernelwise predict`` and ``kernelwise demo``."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kernelwise.cli import console
from kernelwise.cli.app import Seed, app
from kernelwise.cli.choices import DEFAULT_KERNELS, KERNELS, SELECTIONS, Learning
from kernelwise.files import check_can_write


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


Kernel = Annotated[
    str | None,
    typer.Option(
        help=f"Kernel to adapt: {', '.join(KERNELS)}. The default is "
        + ", ".join(f"{name} for {machine}" for machine, name in DEFAULT_KERNELS.items())
        + "."
    ),
]
MachineName = Annotated[
    Machine,
    typer.Option(
        help="lssvm: least squares; svm: support vectors, for classes only; rvm: relevance vectors."
    ),
]
Selection = Annotated[
    str | None,
    typer.Option(
        help="How its parameters are chosen; the first is the default. "
        + "; ".join(f"{machine}: {', '.join(names)}" for machine, names in SELECTIONS.items())
        + "."
    ),
]
Folds = Annotated[int, typer.Option(min=0, help="Folds of the honest error; 0 skips it.")]
Jobs = Annotated[int, typer.Option(help="Folds to run at the same time; -1: one per core.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output file if it exists.")]


@app.command(epilog="Example:  kernelwise fit patients.csv --target outcome --out model.skops")
@console.errors_in_one_line
def fit(
    table: Annotated[Path, typer.Argument(help="CSV or Parquet file, one row per case.")],
    target: Annotated[str, typer.Option(help="Name of the column to predict.")],
    out: Annotated[Path, typer.Option(help="Model file to write, ending in .skops.")],
    kernel: Kernel = None,
    selection: Selection = None,
    machine: MachineName = Machine.LSSVM,
    task: Annotated[Task, typer.Option(help="What the target is.")] = Task.AUTO,
    folds: Folds = 5,
    jobs: Jobs = 1,
    seed: Seed = 0,
    force: Force = False,
) -> None:
    """Fit a model to a table, say what it learned, and save it.

    The other columns are the features. Text and true/false columns are categories, gaps are
    filled in, numbers are standardized: all inside the saved model.
    """
    selection = selection or SELECTIONS[machine][0]
    how = Learning(kernel or DEFAULT_KERNELS[machine], machine, selection, folds, jobs, seed)
    _check_output(out, inputs=[table], overwrite=force)
    if out.suffix != ".skops":
        raise ValueError(f"--out {out}: the name of a model file must end in .skops")
    from kernelwise.cli import models

    models.fit_table(table, target, task.value, how, out)
    console.say(f"Saved:           {out}")


@app.command(epilog="Example:  kernelwise predict model.skops new.csv --out predictions.csv")
@console.errors_in_one_line
def predict(
    model: Annotated[Path, typer.Argument(help="Model file written by kernelwise fit.")],
    table: Annotated[Path, typer.Argument(help="CSV or Parquet file with the same columns.")],
    out: Annotated[Path, typer.Option(help="CSV or Parquet file to write.")],
    force: Force = False,
) -> None:
    """Predict each row of a table with a saved model.

    Columns are found by name. A classifier also writes the probability of each class.
    """
    _check_output(out, inputs=[model, table], overwrite=force)
    from kernelwise.cli import models

    models.predict_table(model, table, out)


@app.command(epilog="Example:  kernelwise demo --kernel ard-laplacian")
@console.errors_in_one_line
def demo(
    kernel: Kernel = None,
    selection: Selection = None,
    machine: MachineName = Machine.LSSVM,
    folds: Folds = 5,
    jobs: Jobs = 1,
    seed: Seed = 0,
) -> None:
    """Fit the breast-cancer table that ships with scikit-learn, and say what was learned."""
    selection = selection or SELECTIONS[machine][0]
    how = Learning(kernel or DEFAULT_KERNELS[machine], machine, selection, folds, jobs, seed)
    from kernelwise.cli import models

    models.fit_example(how)


def _check_output(out: Path, inputs: list[Path], overwrite: bool) -> None:
    for path in inputs:
        if out.exists() and path.exists() and out.samefile(path):
            raise ValueError(f"--out {out} is also an input: choose another name")
    check_can_write(out)
    if out.exists() and not overwrite:
        raise ValueError(f"{out} exists already: choose another name, or overwrite with --force")
