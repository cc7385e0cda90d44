"""What ``kernelwise predict`` does; loaded when it is run."""

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kernelwise.cli import console, output, results
from kernelwise.cli.app import names_of
from kernelwise.cli.oddities import Oddities, in_own_terms
from kernelwise.cli.options import FileOptions
from kernelwise.data import Column, read_table
from kernelwise.data.checks import Check, count
from kernelwise.data.long_tables import Look, look
from kernelwise.data.matching import as_written, read_columns
from kernelwise.data.pipeline import final_step
from kernelwise.data.reading import table_suffix, written_in_blocks
from kernelwise.data.target import read_truth
from kernelwise.data.wishes import check_names
from kernelwise.evaluation.judging import judged
from kernelwise.optional import import_optional
from kernelwise.persistence import ModelMetadata, load_model
from kernelwise.tables.columns import UnseenLevelWarning

if TYPE_CHECKING:
    from pandas import DataFrame, Series


@dataclass(frozen=True)
class Wanted:
    """What to write: columns to keep, the level of intervals, and whether to judge."""

    kept: str | None
    level: float | None
    score: bool


def predict_table(
    model: Path,
    table: Path,
    file: FileOptions,
    wanted: Wanted,
    out: Path | None,
    in_pieces: bool = False,
) -> None:
    """Write the predictions of a saved model for each row of a table, one piece after the other."""
    if out is not None:
        table_suffix(out)
    output.current.holds_data = out is None
    with console.warnings_as_notes():
        pipeline, metadata = load_model(model)
    rows = NewRows.of(table, file, in_pieces)
    kept = tuple(dict.fromkeys(names_of(wanted.kept) or ()))
    if "prediction" in kept:
        raise ValueError("--id prediction: the table to write has a column of that name already")
    judged_by = (metadata.target,) if wanted.score else ()
    check_names(rows.sample, (*kept, *judged_by))
    columns = columns_of(metadata)
    written, odd = as_written(rows.sample, columns, file.decimal, file.missing_texts)
    used = [column.name for column in columns]
    extra = [n for n in rows.sample.columns if n not in {*used, metadata.target, *kept}]
    if extra:
        console.note(f"columns the model does not use: {', '.join(extra)}")
    oddities = Oddities(pipeline, metadata)
    blocks = _predicted(pipeline, model, written, wanted.level, oddities)
    scored = []
    with console.warnings_as_notes(), _writing(out, metadata) as write:
        for frame in rows.each([*dict.fromkeys((*used, *kept, *judged_by))]):
            predictions = blocks(frame)
            write(frame[list(kept)].join(predictions) if kept else predictions)
            if wanted.score:
                scored.append((frame[metadata.target], predictions))
    console.show_checks([*rows.checks, *odd, *oddities.checks()])
    if wanted.score:
        _score(rows.sample, metadata, file, scored, pipeline)


def _predicted(
    pipeline: Any, model: Path, written: Sequence[Column], level: float | None, oddities: Oddities
) -> Callable[["DataFrame"], "DataFrame"]:
    """What predicts a data frame whose columns are written in one way."""

    def predicted(frame: "DataFrame") -> "DataFrame":
        features, checks = read_columns(frame, written)
        features = in_own_terms(features, pipeline)
        oddities.add(features, checks)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnseenLevelWarning)  # said among the oddities
            return _predictions(pipeline, features, model, level)

    return predicted


@dataclass(frozen=True, eq=False)
class NewRows:
    """A table to predict: rows that tell how it is written, and all, in one block or in pieces.

    ``checks`` are those of reading the file.
    """

    sample: "DataFrame"
    checks: tuple[Check, ...] = ()
    seen: Look | None = None

    @classmethod
    def of(cls, table: Path, file: FileOptions, in_pieces: bool) -> "NewRows":
        how = {"delimiter": file.delimiter_character, "encoding": file.encoding}
        if in_pieces:
            seen = look(table, **how)
            return cls(seen.sample, seen=seen)
        raw = read_table(table, **how)
        return cls(raw.frame, raw.checks)

    def each(self, columns: Sequence[str]) -> Iterator["DataFrame"]:
        if self.seen is None:
            yield self.sample
        else:
            yield from self.seen.each(columns)


def columns_of(metadata: ModelMetadata) -> tuple[Column, ...]:
    """How to read the columns of a model; plainly where its file does not say."""
    if metadata.columns:
        return metadata.columns
    numeric = (Column(name, "number") for name in metadata.numeric_columns)
    return (*numeric, *(Column(name, "category") for name in metadata.categorical_columns))


@contextmanager
def _writing(out: Path | None, metadata: ModelMetadata) -> Iterator[Callable[["DataFrame"], None]]:
    """What writes predictions: to a file, standard output, or the document; then says where."""
    rows, blocks = 0, []
    with ExitStack() as ends:
        to_file = None if out is None else ends.enter_context(written_in_blocks(out))

        def write(frame: "DataFrame") -> None:
            nonlocal rows
            if to_file is not None:
                to_file(frame)
            elif output.current.as_json:
                blocks.extend(frame.to_dict(orient="records"))
            else:
                frame.to_csv(sys.stdout, index=False, header=rows == 0)
            rows += len(frame)

        yield write
    output.current.put(target=metadata.target, rows=rows)
    if out is not None:
        output.current.put(predictions_file=str(out))
        console.say(f"Predicted '{metadata.target}' for {count(rows, 'row')}: {out}")
    elif output.current.as_json:
        output.current.put(predictions=blocks)


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
    sample: "DataFrame",
    metadata: ModelMetadata,
    file: FileOptions,
    scored: Sequence[tuple["Series", "DataFrame"]],
    pipeline: Any,
) -> None:
    """Judge predictions by the targets that the table has."""
    pd = import_optional("pandas", extra="cli")
    pairs = zip(*scored, strict=True)
    targets, predicted = (pd.concat(parts, ignore_index=True) for parts in pairs)
    column = metadata.target_column
    if column is not None:
        # Beside the features, which may tell that the whole table has another decimal mark.
        every = [*columns_of(metadata), column]
        column = as_written(sample, every, file.decimal, file.missing_texts)[0][-1]
    known, truth = read_truth(targets, metadata.task, column)
    rows = predicted.loc[known]
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
