"""What ``kernelwise fit``, ``predict`` and ``demo`` do; loaded when one of them is run."""

from pathlib import Path
from typing import Literal

from sklearn.base import BaseEstimator
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import Pipeline

from kernelwise.cli import console
from kernelwise.cli.app import check_memory
from kernelwise.cli.choices import Learning
from kernelwise.data import Dataset, match_columns, read_table, write_table
from kernelwise.data.pipeline import table_pipeline
from kernelwise.data.reading import table_suffix
from kernelwise.data.target import Task
from kernelwise.estimators import (
    LSSVMClassifier,
    LSSVMRegressor,
    RVMClassifier,
    RVMRegressor,
    SVMClassifier,
)
from kernelwise.evaluation import HonestError, honest_error, possible_folds
from kernelwise.optional import import_optional
from kernelwise.persistence import ModelMetadata, load_model, save_model


def fit_table(
    table: Path, target: str, task: Task | Literal["auto"], how: Learning, out: Path
) -> None:
    """Fit a model to a table, say what it learned, and save it.

    Parameters
    ----------
    table, target, task : the file, the column to predict, and what it is
    how : how to learn
    out : the model file to write
    """
    dataset = Dataset.from_frame(read_table(table), target, task)
    pipeline, error = _learn(dataset, table.name, how)
    metadata = ModelMetadata(
        target=dataset.target_name,
        task=dataset.task,
        numeric_columns=dataset.numeric_columns,
        categorical_columns=dataset.categorical_columns,
        classes=tuple(map(str, getattr(pipeline, "classes_", ()))),
        rows=len(dataset.target),
        honest_error=error.numbers() if error else None,
    )
    save_model(pipeline, out, metadata)


def fit_example(how: Learning) -> None:
    """Fit scikit-learn's breast-cancer table, and say what was learned."""
    bunch = load_breast_cancer(as_frame=True)
    frame = bunch.data.assign(diagnosis=bunch.target_names[bunch.target])
    _learn(Dataset.from_frame(frame, "diagnosis"), "breast cancer", how)


def predict_table(model: Path, table: Path, out: Path) -> None:
    """Write the predictions of a saved model for each row of a table."""
    table_suffix(out)
    with console.warnings_as_notes():
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


def _estimator(task: str, how: Learning) -> BaseEstimator:
    if how.machine == "svm":
        if task != "classification":
            raise ValueError("--machine svm learns classes, and the target is a quantity")
        return SVMClassifier(how.kernel, how.selection, random_state=how.seed)
    kinds = {"lssvm": (LSSVMClassifier, LSSVMRegressor), "rvm": (RVMClassifier, RVMRegressor)}
    kind = kinds[how.machine][task != "classification"]
    return kind(how.kernel, how.selection, random_state=how.seed)


def _learn(dataset: Dataset, name: str, how: Learning) -> tuple[Pipeline, HonestError | None]:
    """Fit, estimate the honest error, print both; return the fitted pipeline and the error."""
    estimator = _estimator(dataset.task, how)
    console.show_dataset(dataset, name)
    check_memory(len(dataset.target))
    pipeline = table_pipeline(dataset, estimator)
    folds = _possible_folds(dataset, how.folds)
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
                random_state=how.seed,
                n_jobs=how.jobs,
                on_fold=advance,
            )
    console.show_choice(pipeline[-1])
    if error:
        console.show_messages(error.messages)
        console.show_error(error, dataset.task)
    console.show_relevance(pipeline[:-1].get_feature_names_out(), pipeline[-1].relevance_)
    return pipeline, error


def _possible_folds(dataset: Dataset, folds: int) -> int:
    stratified = dataset.task == "classification"
    possible = possible_folds(dataset.target, folds, stratified)
    few = "the rarest class" if stratified else "the table"
    if folds and not possible:
        console.note(f"{few} has too few rows for an honest error")
    elif possible < folds:
        console.note(f"{few} has only {possible} rows: {possible} folds instead of {folds}")
    return possible


def _predictions(pipeline: Pipeline, features, model: Path):
    """A table of predictions, one row per row of ``features``."""
    pd = import_optional("pandas", extra="cli")
    # An altered file can be a valid model of something else; any error here means just that.
    try:
        predictions = pd.DataFrame({"prediction": pipeline.predict(features)})
        if hasattr(pipeline, "predict_proba"):
            probabilities = pipeline.predict_proba(features)
            for label, column in zip(pipeline.classes_, probabilities.T, strict=True):
                predictions[f"probability_{label}"] = column
    except Exception as error:
        raise ValueError(f"{model} cannot predict this table: {error}") from error
    return predictions
