"""What ``kernelwise predict`` does; loaded when it is run."""

import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kernelwise.cli import console, output, results
from kernelwise.cli.app import names_of
from kernelwise.cli.options import FileOptions
from kernelwise.data import Column, match_columns, read_table, write_table
from kernelwise.data.checks import Check, count
from kernelwise.data.matching import as_written
from kernelwise.data.pipeline import final_step
from kernelwise.data.reading import table_suffix
from kernelwise.data.target import read_truth
from kernelwise.data.texts import category_text
from kernelwise.data.wishes import check_names
from kernelwise.evaluation.judging import judged
from kernelwise.optional import import_optional
from kernelwise.persistence import ModelMetadata, load_model
from kernelwise.tables.columns import UnseenLevelWarning

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Wanted:
    """What to write: columns to keep, the level of intervals, and whether to judge."""

    kept: str | None
    level: float | None
    score: bool


def predict_table(
    model: Path, table: Path, file: FileOptions, wanted: Wanted, out: Path | None
) -> None:
    """Write the predictions of a saved model for each row of a table."""
    if out is not None:
        table_suffix(out)
    output.current.holds_data = out is None
    with console.warnings_as_notes():
        pipeline, metadata = load_model(model)
    raw = read_table(table, delimiter=file.delimiter_character, encoding=file.encoding)
    kept = tuple(dict.fromkeys(names_of(wanted.kept) or ()))
    if "prediction" in kept:
        raise ValueError("--id prediction: the table to write has a column of that name already")
    check_names(raw.frame, (*kept, *([metadata.target] if wanted.score else [])))
    features, odd = match_columns(
        raw.frame, columns_of(metadata), decimal=file.decimal, missing=file.missing_texts
    )
    features = _in_own_terms(features, pipeline)
    used = {column.name for column in columns_of(metadata)}
    extra = [name for name in raw.frame.columns if name not in {*used, metadata.target, *kept}]
    if extra:
        console.note(f"columns the model does not use: {', '.join(extra)}")
    unseen = _unseen(features, pipeline)
    console.show_checks([*raw.checks, *odd, *unseen, *_outside(features, metadata)])
    with console.warnings_as_notes(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLevelWarning)  # said above
        predictions = _predictions(pipeline, features, model, wanted.level)
    result = raw.frame[list(kept)].join(predictions) if kept else predictions
    _write(result, out, metadata)
    if wanted.score:
        _score(raw.frame, metadata, file, predictions, pipeline)


def columns_of(metadata: ModelMetadata) -> tuple[Column, ...]:
    """How to read the columns of a model; plainly where its file does not say."""
    if metadata.columns:
        return metadata.columns
    numeric = (Column(name, "number") for name in metadata.numeric_columns)
    return (*numeric, *(Column(name, "category") for name in metadata.categorical_columns))


def _write(result: "DataFrame", out: Path | None, metadata: ModelMetadata) -> None:
    output.current.put(target=metadata.target, rows=len(result))
    if out is not None:
        write_table(result, out)
        output.current.put(predictions_file=str(out))
        console.say(f"Predicted '{metadata.target}' for {count(len(result), 'row')}: {out}")
    elif output.current.as_json:
        output.current.put(predictions=result.to_dict(orient="records"))
    else:
        result.to_csv(sys.stdout, index=False)


def _outside(features: "DataFrame", metadata: ModelMetadata) -> list[Check]:
    """Columns of numbers with rows beyond all that the model has seen."""
    checks = []
    for name, low in metadata.lowest.items():
        if name not in features.columns or name not in metadata.highest:
            continue
        high = metadata.highest[name]
        beyond = int(((features[name] < low) | (features[name] > high)).sum())
        if beyond:
            said = f"column '{name}': {beyond} of {len(features)} rows are outside what the model "
            said += f"has seen, {low:.6g} to {high:.6g}"
            checks.append(Check("KW501", said, "predictions there are guesses"))
    return checks


def _in_own_terms(features: "DataFrame", pipeline: Any) -> "DataFrame":
    """Columns in the order of the fit, and categories as the values they were there.

    A model from Python may know True and 1 where a table has texts.
    """
    names = list(getattr(pipeline, "feature_names_in_", features.columns))
    if set(names) == set(features.columns):
        features = features[names]
    final = final_step(pipeline)
    seen = list(getattr(final, "feature_names_in_", ()))
    for index, levels in getattr(final.columns_, "levels", {}).items():
        own = {category_text(level): level for level in levels}
        if index < len(seen) and seen[index] in features.columns:
            column = features[seen[index]]
            features = features.assign(
                **{seen[index]: column.map(lambda t, own=own: own.get(t, t))}
            )
    return features


def _unseen(features: "DataFrame", pipeline: Any) -> list[Check]:
    """Columns of categories with rows that no training row was like."""
    final = final_step(pipeline)
    names = list(getattr(final, "feature_names_in_", ()))
    checks = []
    for index, levels in getattr(final.columns_, "levels", {}).items():
        series = features[names[index]] if index < len(names) else None
        if series is None:
            continue
        new = ~series.isin(levels) & series.notna()
        if new.any():
            example = series[new].iloc[0]
            said = (
                f"column '{names[index]}': {int(new.sum())} of {len(series)} rows have categories"
            )
            said += f" that the model has not seen, such as '{example}'"
            checks.append(Check("KW502", said, "they count as different from all others"))
    return checks


def _predictions(
    pipeline: Any, features: "DataFrame", model: Path, level: float | None
) -> "DataFrame":
    """A table of predictions, one row per row of ``features``."""
    pd = import_optional("pandas", extra="cli")
    # An altered file can be a valid model of something else; any error here means just that.
    try:
        predictions = pd.DataFrame({"prediction": pipeline.predict(features)}, features.index)
        if hasattr(pipeline, "predict_proba"):
            probabilities = pipeline.predict_proba(features)
            for label, column in zip(pipeline.classes_, probabilities.T, strict=True):
                predictions[f"probability_{label}"] = column
        if level is not None:
            _add_intervals(predictions, pipeline, features, level)
    except Exception as error:
        raise ValueError(f"{model} cannot predict this table: {error}") from error
    return predictions


def _add_intervals(predictions: "DataFrame", pipeline: Any, features, level: float) -> None:
    """Ends that hold a share ``level`` of new quantities, or the classes that hold it."""
    final = final_step(pipeline)
    seen = features if final is pipeline else pipeline[:-1].transform(features)
    if hasattr(pipeline, "classes_"):
        sets = final.predict_set(seen, level)
        names = np.array([str(label) for label in pipeline.classes_])
        predictions["set"] = ["|".join(names[row]) for row in sets]
    else:
        ends = final.predict_interval(seen, level)
        predictions["lower"], predictions["upper"] = ends[:, 0], ends[:, 1]


def _score(
    frame: "DataFrame",
    metadata: ModelMetadata,
    file: FileOptions,
    predictions: "DataFrame",
    pipeline: Any,
) -> None:
    """Judge predictions by the targets that the table has."""
    column = metadata.target_column
    if column is not None:
        # Beside the features, which may tell that the whole table has another decimal mark.
        every = [*columns_of(metadata), column]
        column = as_written(frame, every, file.decimal, file.missing_texts)[0][-1]
    known, truth = read_truth(frame[metadata.target], metadata.task, column)
    rows = predictions.loc[known]
    probabilities = None
    if metadata.task == "classification":
        named = [f"probability_{label}" for label in getattr(pipeline, "classes_", ())]
        probabilities = rows[named].to_numpy() if named else None
        rows, truth = rows.assign(prediction=rows["prediction"].astype(str)), truth.astype(str)
    error = judged(truth, rows["prediction"].to_numpy(), probabilities, metadata.classes)
    output.current.put(score=error.numbers() | {"rows": len(truth)})
    results.show_score(error, metadata.task, len(truth))
    if error.confusion:
        results.show_confusion(error.classes, error.confusion)
