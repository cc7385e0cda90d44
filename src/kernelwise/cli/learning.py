"""The commands ``kernelwise fit``, ``kernelwise predict`` and ``kernelwise demo``."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from sklearn.datasets import load_breast_cancer

from kernelwise.cli import console
from kernelwise.cli.app import Seed, app, check_jobs, check_memory
from kernelwise.data import Dataset, match_columns, read_table, write_table
from kernelwise.data.pipeline import table_pipeline
from kernelwise.data.reading import table_suffix
from kernelwise.estimators import LSSVMClassifier, LSSVMRegressor, SVMClassifier, lssvm, svm
from kernelwise.evaluation import honest_error, possible_folds
from kernelwise.files import check_can_write
from kernelwise.kernels.names import KERNEL_NAMES
from kernelwise.optional import import_optional
from kernelwise.persistence import ModelMetadata, load_model, save_model


class Task(StrEnum):
    """What to predict: detected from the target, classes, or quantities."""

    AUTO = "auto"
    CLASSIFICATION = "classification"
    REGRESSION = "regression"


class Machine(StrEnum):
    """What uses the kernel: least squares, or support vectors (classes only)."""

    LSSVM = "lssvm"
    SVM = "svm"


# What can be named on the command line: a table has no precomputed kernel, and nothing is given
# that could be used as given. The first selection is the default.
KERNELS = tuple(name for name in KERNEL_NAMES if name != "precomputed")
SELECTIONS: dict[Machine, tuple[str, ...]] = {
    Machine.LSSVM: ("first-level", *(n for n in lssvm.SELECTIONS if n and n != "first-level")),
    Machine.SVM: ("evidence", *(n for n in svm.SELECTIONS if n and n != "evidence")),
}

Kernel = Annotated[str, typer.Option(help=f"Kernel to adapt: {', '.join(KERNELS)}.")]
MachineName = Annotated[
    Machine, typer.Option(help="lssvm: least squares; svm: support vectors, for classes only.")
]
Selection = Annotated[
    str | None,
    typer.Option(
        help="How its parameters are chosen, the first if not said: "
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
    kernel: Kernel = "mixed",
    selection: Selection = None,
    machine: MachineName = Machine.LSSVM,
    task: Annotated[Task, typer.Option(help="What the target is.")] = Task.AUTO,
    folds: Folds = 5,
    jobs: Jobs = 1,
    seed: Seed = 0,
    force: Force = False,
) -> None:
    """Fit a model to a table, say what it learnt, and save it.

    The other columns are the features. Text and true/false columns are categories, gaps are
    filled in, numbers are standardized: all inside the saved model.
    """
    selection = _checked_options(kernel, machine, selection, folds, jobs)
    _check_output(out, inputs=[table], overwrite=force)
    if out.suffix != ".skops":
        raise ValueError(f"--out {out}: the name of a model file must end in .skops")
    dataset = Dataset.from_frame(read_table(table), target, task.value)
    estimator = _estimator(dataset.task, machine, kernel, selection, seed)
    pipeline, error = _learn(dataset, table.name, estimator, folds, jobs, seed)
    metadata = ModelMetadata(
        target=dataset.target_name,
        task=dataset.task,
        numeric_columns=dataset.numeric_columns,
        categorical_columns=dataset.categorical_columns,
        classes=tuple(map(str, getattr(pipeline, "classes_", ()))),
        rows=len(dataset.target),
        honest_error=error and error.numbers(),
    )
    save_model(pipeline, out, metadata)
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
    table_suffix(out)
    pipeline, metadata = load_model(model)
    frame = read_table(table)
    features = match_columns(frame, metadata.numeric_columns, metadata.categorical_columns)
    extra = [name for name in frame.columns if name not in {*features.columns, metadata.target}]
    if extra:
        console.note(f"columns the model does not use: {', '.join(extra)}")
    with console.warnings_as_notes():
        predictions = _predictions(pipeline, features, model)
    write_table(predictions, out)
    console.say(f"Predicted '{metadata.target}' for {len(predictions)} rows: {out}")


@app.command(epilog="Example:  kernelwise demo --kernel ard-laplacian")
@console.errors_in_one_line
def demo(
    kernel: Kernel = "mixed",
    selection: Selection = None,
    machine: MachineName = Machine.LSSVM,
    folds: Folds = 5,
    jobs: Jobs = 1,
    seed: Seed = 0,
) -> None:
    """Fit the breast-cancer table that ships with scikit-learn, and say what was learnt."""
    selection = _checked_options(kernel, machine, selection, folds, jobs)
    bunch = load_breast_cancer(as_frame=True)
    frame = bunch.data.assign(diagnosis=bunch.target_names[bunch.target])
    dataset = Dataset.from_frame(frame, "diagnosis")
    estimator = _estimator(dataset.task, machine, kernel, selection, seed)
    _learn(dataset, "breast cancer", estimator, folds, jobs, seed)


def _estimator(task: str, machine: Machine, kernel: str, selection: str, seed: int):
    if machine is Machine.SVM:
        if task != "classification":
            raise ValueError("--machine svm learns classes, and the target is a quantity")
        return SVMClassifier(kernel, selection, random_state=seed)
    kind = LSSVMClassifier if task == "classification" else LSSVMRegressor
    return kind(kernel, selection, random_state=seed)


def _learn(dataset, name, estimator, folds, jobs, seed):
    """Fit, estimate the honest error, say all of it; the fitted pipeline and the error."""
    console.show_dataset(dataset, name)
    check_memory(len(dataset.target))
    pipeline = table_pipeline(dataset, estimator)
    folds = _possible_folds(dataset, folds)
    error = None
    with console.progress("learning", steps=folds + 1) as advance, console.warnings_as_notes():
        pipeline.fit(dataset.features, dataset.target)
        advance()
        if folds:
            error = honest_error(
                pipeline,
                dataset.features,
                dataset.target,
                folds=folds,
                random_state=seed,
                n_jobs=jobs,
                on_fold=advance,
            )
    console.show_choice(pipeline[-1])
    if error:
        console.show_messages(error.messages)
        console.show_error(error, dataset.task)
    console.show_relevance(pipeline[:-1].get_feature_names_out(), pipeline[-1].relevance_)
    return pipeline, error


def _possible_folds(dataset, folds: int) -> int:
    stratified = dataset.task == "classification"
    possible = possible_folds(dataset.target, folds, stratified)
    few = "the rarest class" if stratified else "the table"
    if folds and not possible:
        console.note(f"{few} has too few rows for an honest error")
    elif possible < folds:
        console.note(f"{few} has only {possible} rows: {possible} folds instead of {folds}")
    return possible


def _predictions(pipeline, features, model: Path):
    """A table with one row per row of ``features``."""
    pd = import_optional("pandas", extra="cli")
    # A changed file can be a valid model of something else; what it raises means just that.
    try:
        predictions = pd.DataFrame({"prediction": pipeline.predict(features)})
        if hasattr(pipeline, "predict_proba"):
            probabilities = pipeline.predict_proba(features)
            for label, column in zip(pipeline.classes_, probabilities.T, strict=True):
                predictions[f"probability_{label}"] = column
    except Exception as error:
        raise ValueError(f"{model} cannot predict this table: {error}") from error
    return predictions


def _checked_options(
    kernel: str, machine: Machine, selection: str | None, folds: int, jobs: int
) -> str:
    """The selection, the machine's default if none was named."""
    selection = selection or SELECTIONS[machine][0]
    for option, given, known in (
        ("--kernel", kernel, KERNELS),
        ("--selection", selection, SELECTIONS[machine]),
    ):
        if given not in known:
            raise ValueError(f"{option} {given}: choose one of {', '.join(known)}")
    check_jobs(jobs)
    if folds == 1:
        raise ValueError("--folds 1: cross-validation needs at least 2 folds, or 0 to skip it")
    return selection


def _check_output(out: Path, inputs: list[Path], overwrite: bool) -> None:
    for path in inputs:
        if out.exists() and path.exists() and out.samefile(path):
            raise ValueError(f"--out {out} is also an input: choose another name")
    check_can_write(out, overwrite)
