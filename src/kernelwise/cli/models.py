"""What ``kernelwise fit`` and ``demo`` do; loaded when one of them is run."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sklearn.base import BaseEstimator
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import Pipeline

from kernelwise.auto import AutoKernelClassifier, AutoKernelRegressor
from kernelwise.cli import console, output, results
from kernelwise.cli.choices import Learning
from kernelwise.cli.durations import duration
from kernelwise.cli.limits import folds_to_fit, judges_itself, uses_landmarks, within_limits
from kernelwise.cli.options import ColumnOptions, FeatureOptions, FileOptions
from kernelwise.cli.own_judgment import (
    JudgedClassifier,
    JudgedRegressor,
    honest_error_of,
    without_memory,
)
from kernelwise.cli.pages import PageOptions
from kernelwise.cli.progressing import FitProgress, TimeUp, shown
from kernelwise.cli.records import Origin, complete_record, show_fit
from kernelwise.data import Dataset, read
from kernelwise.data.pipeline import final_step, table_pipeline
from kernelwise.data.target import Task
from kernelwise.estimators import RVMClassifier, RVMRegressor, SVMClassifier
from kernelwise.evaluation import HonestError, folds_for, group_folds, honest_error
from kernelwise.insight.headline import headline
from kernelwise.persistence import ModelMetadata, save_model
from kernelwise.report.fit_document import fit_document

# Evaluations of AutoKernel on a table of a few hundred rows, its copies included.
EVALUATIONS_OF_CHOICE = 1500


@dataclass(frozen=True)
class Wanted:
    """What a fit writes, if anything: the model, and a report."""

    model: Path | None
    page: PageOptions

    def write_report(self, model: BaseEstimator) -> None:
        """Write the report on a fitted AutoKernel, if it was asked for."""
        if self.page.report is not None:
            self.page.write(fit_document(final_step(model).record_))


def read_dataset(
    table: Path, target: str, task: Any, columns: FeatureOptions, file: FileOptions
) -> Dataset:
    """Read a table as the options say."""
    return read(
        table,
        target,
        task=task,
        delimiter=file.delimiter_character,
        encoding=file.encoding,
        **columns.wishes(file),
    )


def fit_table(
    table: Path,
    target: str,
    task: Task | Literal["auto"],
    columns: ColumnOptions,
    file: FileOptions,
    how: Learning,
    wanted: Wanted,
    command: str,
) -> bool:
    """Fit a model to a table, say what it learned, and save it; whether it is of any use.

    Parameters
    ----------
    table, target, task : the file, the column to predict, and what it is
    columns, file : what the user says about them
    how : how to learn
    wanted : the files to write
    command : that repeats this fit
    """
    dataset = read_dataset(table, target, task, columns, file)
    learned, pipeline, error = _learn(dataset, Origin.of(table, command), how)
    if wanted.model is not None:
        save_and_say(pipeline, wanted.model, _metadata(learned, pipeline, error))
    wanted.write_report(pipeline)
    return error is None or error.is_useful


def save_and_say(model: BaseEstimator, out: Path, metadata: ModelMetadata) -> None:
    """Save a model, and say where."""
    save_model(model, out, metadata)
    console.say(f"Saved:           {out}")
    output.current.put(model=str(out))


def fit_example(how: Learning, page: PageOptions, command: str) -> None:
    """Fit scikit-learn's breast-cancer table, and say what was learned, in the end in one line."""
    bunch = load_breast_cancer(as_frame=True)
    frame = bunch.data.assign(diagnosis=bunch.target_names[bunch.target])
    origin = Origin("breast cancer", None, command)
    _, pipeline, _ = _learn(Dataset.from_frame(frame, "diagnosis"), origin, how)
    if how.chooses:
        console.say("")
        console.say(headline(pipeline[-1].record_))
    Wanted(None, page).write_report(pipeline)


def _metadata(dataset: Dataset, pipeline: Pipeline, error: HonestError | None) -> ModelMetadata:
    numbers = dataset.features[list(dataset.numeric_columns)]
    return ModelMetadata(
        target=dataset.target_name,
        task=dataset.task,
        numeric_columns=dataset.numeric_columns,
        categorical_columns=dataset.categorical_columns,
        classes=tuple(map(str, getattr(pipeline, "classes_", ()))),
        rows=len(dataset.target),
        columns=dataset.columns,
        target_column=dataset.target_column,
        lowest={str(name): float(value) for name, value in numbers.min().dropna().items()},
        highest={str(name): float(value) for name, value in numbers.max().dropna().items()},
        honest_error=error.numbers() if error else None,
    )


def estimator_for(task: Task, how: Learning) -> BaseEstimator:
    """What learns a target of some task, as the options say."""
    options: dict[str, Any] = {"random_state": how.seed}
    if how.balanced:
        if task != "classification":
            raise ValueError("--balanced is for classes, and the target is a quantity")
        options["class_weight"] = "balanced"
    if how.chooses:
        chosen = AutoKernelClassifier if task == "classification" else AutoKernelRegressor
        return chosen(
            folds="auto" if how.folds is None else how.folds,
            max_time=how.seconds,
            landmarks=how.wanted_landmarks,
            n_jobs=how.jobs,
            **options,
        )
    if how.machine == "svm":
        if task != "classification":
            raise ValueError("--machine svm learns classes, and the target is a quantity")
        return SVMClassifier(how.kernel, how.selection, **options)
    if how.machine == "lssvm":
        options["landmarks"] = how.wanted_landmarks
    kinds = {"lssvm": (JudgedClassifier, JudgedRegressor), "rvm": (RVMClassifier, RVMRegressor)}
    kind = kinds[str(how.machine)][task != "classification"]
    return kind(how.kernel, how.selection, **options)


def _learn(
    dataset: Dataset, origin: Origin, how: Learning
) -> tuple[Dataset, Pipeline, HonestError | None]:
    """Fit, estimate the honest error, print both; return what was learned from, and both."""
    pipeline = table_pipeline(dataset, estimator_for(dataset.task, how))
    if how.sample is not None:
        dataset = dataset.sample(how.sample, how.seed)
    dataset = within_limits(dataset, pipeline, how)
    console.show_dataset(dataset, origin.name)
    console.show_checks(dataset.checks)
    if how.chooses:
        error = _choose(pipeline, dataset, how)
        complete_record(
            pipeline[-1], origin, dataset.target_name, dataset.checks, rows=dataset.rows
        )
    else:
        pipeline, error = _fit_and_judge(pipeline, dataset, how)
    show_learned(pipeline, error, dataset.task)
    return dataset, pipeline, error


def _choose(pipeline: Pipeline, dataset: Dataset, how: Learning) -> HonestError | None:
    """Fit AutoKernel, which keeps the limit of time itself; the honest error it brings along."""
    weights_and_groups = {
        f"estimator__{name}": values
        for name, values in (("sample_weight", dataset.weights), ("groups", dataset.groups))
        if values is not None
    }
    progress = FitProgress(1, usual=EVALUATIONS_OF_CHOICE)
    with shown(progress), console.warnings_as_notes():
        pipeline.fit(dataset.features, dataset.target, **weights_and_groups)
    final = pipeline[-1].set_params(n_jobs=None)
    if final.error_estimate_ is None and how.folds != 0:
        console.note("nothing has judged the model on rows that it has not seen")
    return final.error_estimate_


def _fit_and_judge(
    pipeline: Pipeline, dataset: Dataset, how: Learning
) -> tuple[Pipeline, HonestError | None]:
    """Fit the kernel that was named, and again in each fold of the honest error."""
    folds = _possible_folds(dataset, folds_to_fit(pipeline[-1], len(dataset.target), how))
    deadline = float("inf") if how.seconds is None else time.monotonic() + how.seconds
    progress = FitProgress(folds + 1, deadline)
    if dataset.groups is not None:
        inner = group_folds(dataset.target, dataset.groups, dataset.task == "classification")
        pipeline[-1].set_params(cv=inner or pipeline[-1].cv)
    weights = {} if dataset.weights is None else {"estimator__sample_weight": dataset.weights}
    if uses_landmarks(pipeline[-1], len(dataset.target)):
        pipeline[-1].set_params(n_jobs=how.jobs)
    with shown(progress), console.warnings_as_notes():
        fit_in_time(how, lambda: pipeline.fit(dataset.features, dataset.target, **weights))
        progress.fitted()
        pipeline[-1].set_params(n_jobs=None)  # folds run at the same time, with a thread each
        error = _judge(pipeline, dataset, how, folds, progress)
        return without_memory(pipeline), error


def fit_in_time(how: Learning, fit: Callable[[], object]) -> None:
    """Fit; if the time limit passes before the end, say what to do."""
    try:
        fit()
    except TimeUp:
        raise ValueError(
            f"the time limit of {duration(how.seconds or 0)} passed before the model was "
            "fitted: allow more, or learn from a smaller --sample or on fewer --landmarks"
        ) from None


def show_learned(model: BaseEstimator, error: HonestError | None, task: Task) -> None:
    """Print what was chosen, what it is worth, and the features by relevance."""
    final = final_step(model)
    if hasattr(final, "record_"):
        console.say("")
        show_fit(final)
        return
    results.show_choice(final)
    results.show_gaps(final.checks_)
    if error:
        console.show_messages(error.messages)
        results.show_error(error, task)
        if error.confusion:
            results.show_confusion(final.classes_, error.confusion)
    results.show_relevance(final.feature_names_in_, final.relevance_)


def _judge(
    pipeline: Pipeline, dataset: Dataset, how: Learning, folds: int, progress: FitProgress
) -> HonestError | None:
    if judges_itself(pipeline[-1], len(dataset.target), how):
        return honest_error_of(pipeline, dataset.groups)
    if not folds:
        return None
    try:
        return honest_error(
            pipeline,
            dataset.features,
            dataset.target,
            folds=folds,
            random_state=how.seed,
            groups=dataset.groups,
            sample_weight=dataset.weights,
            n_jobs=how.jobs,
            on_fold=progress.fitted,
        )
    except TimeUp:
        console.note("the time limit passed before the honest error was known: it is not shown")
        return None


def _possible_folds(dataset: Dataset, folds: int) -> int:
    if not folds:
        return 0
    classes = dataset.task == "classification"
    possible = folds_for(dataset.target, folds, classes, dataset.groups)
    if not possible:
        few = "all classes but one have" if classes else "the table has"
        console.note(f"{few} too few rows for an honest error")
    elif possible < folds:
        console.note(f"too few rows for {folds} folds: {possible} instead")
    return possible
