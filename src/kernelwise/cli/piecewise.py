"""What ``kernelwise fit`` and ``check`` do with tables that are not to be in memory."""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator

from kernelwise.cli import console, output
from kernelwise.cli.choices import ON_LANDMARKS, Learning
from kernelwise.cli.cluster import client_of
from kernelwise.cli.limits import announced, uses_landmarks
from kernelwise.cli.models import Wanted, estimator_for, fit_in_time, save_and_say, show_learned
from kernelwise.cli.options import ColumnOptions, FileOptions, PieceOptions
from kernelwise.cli.own_judgment import honest_error_of, without_memory
from kernelwise.cli.progressing import FitProgress, shown
from kernelwise.cli.records import Origin, complete_record
from kernelwise.data import Dataset, TableStream, Wishes, open_rows
from kernelwise.data.frame_pieces import rows_in_piece
from kernelwise.data.long_tables import look
from kernelwise.data.ranges import number_ranges
from kernelwise.evaluation import HonestError
from kernelwise.persistence import ModelMetadata
from kernelwise.scale import Engine

# Pieces that are in memory at a time: one to work on, and one that is read ahead.
HELD_PIECES = 2


@dataclass(frozen=True)
class LongTable:
    """A file to be read in pieces, and what is said about it."""

    path: Path
    target: str
    task: Any
    columns: ColumnOptions
    file: FileOptions

    def wishes(self) -> dict[str, Any]:
        wishes = self.columns.wishes(self.file)
        if wishes.pop("groups") is not None:
            raise ValueError("--groups needs the table in memory: leave it out, or --in-pieces")
        return wishes

    def opened(self) -> TableStream:
        return open_rows(
            self.path,
            self.target,
            task=self.task,
            delimiter=self.file.delimiter_character,
            encoding=self.file.encoding,
            **self.wishes(),
        )


def fit_in_pieces(
    table: LongTable, how: Learning, pieces: PieceOptions, wanted: Wanted, command: str
) -> bool:
    """Fit a model to a table that is read again in every pass; whether it is of any use.

    The parameters are those of `kernelwise.cli.models.fit_table`.
    """
    _check_possible(how)
    console.note(f"{table.path.name} is read in pieces, never as a whole")
    with client_of(pieces.dask, how.jobs) as client:
        with console.warnings_as_notes():
            stream = table.opened().on(client)
        model, error = _learn(stream, table, how, command)
        engine = Engine(client=client)
        metadata = _metadata(stream, model, error, engine) if wanted.model is not None else None
    if wanted.model is not None and metadata is not None:
        save_and_say(model, wanted.model, metadata)
    wanted.write_report(model)
    return error is None or error.is_useful


def _check_possible(how: Learning) -> None:
    if how.machine not in (None, ON_LANDMARKS) or how.landmarks == "none":
        raise ValueError(
            f"a table in pieces needs landmarks: choose --machine {ON_LANDMARKS}, and no "
            "--landmarks none"
        )
    if how.sample is not None:
        raise ValueError("--sample needs the table in memory: choose fewer --landmarks instead")
    if how.folds:
        raise ValueError(
            f"--folds {how.folds} needs the table in memory: leave it out, and rows that the fit "
            "keeps apart judge it, or write --folds 0"
        )


def _learn(
    stream: TableStream, table: LongTable, how: Learning, command: str
) -> tuple[BaseEstimator, HonestError | None]:
    reading = stream.reading
    assert reading is not None and reading.task is not None  # a target was named
    estimator = estimator_for(reading.task, how).set_params(n_jobs=how.jobs)
    rows, n_columns = stream.n_rows or 0, len(reading.columns)
    _show_stream(stream, table.path.name)
    console.show_checks(stream.checks)
    if uses_landmarks(estimator, rows):
        held = min(rows, HELD_PIECES * rows_in_piece(n_columns))
        announced(estimator, rows, n_columns, how, held=held)
    deadline = float("inf")
    if how.seconds is not None and not how.chooses:  # AutoKernel keeps a limit itself
        deadline = time.monotonic() + how.seconds
    progress = FitProgress(1, deadline)
    with shown(progress), console.warnings_as_notes():
        fit_in_time(how, lambda: estimator.fit(stream, None))
        progress.fitted()
    estimator.set_params(n_jobs=None)
    if how.chooses:
        assert reading.target is not None
        origin = Origin.of(table.path, command)
        complete_record(estimator, origin, reading.target.name, stream.checks)
        error = estimator.error_estimate_
    else:
        error = honest_error_of(estimator) if how.folds is None else None
    model = without_memory(estimator)
    show_learned(model, error, reading.task)
    return model, error


def _show_stream(stream: TableStream, name: str) -> None:
    reading = stream.reading
    assert reading is not None and reading.target is not None
    categories = [column.name for column in reading.columns if column.kind == "category"]
    numbers = [n for c in reading.columns if c.kind != "category" for n in c.features]
    console.show_table(
        name,
        stream.n_rows,
        (numbers, categories),
        (reading.task, reading.target.name, reading.reason),
    )


def _metadata(
    stream: TableStream, model: BaseEstimator, error: HonestError | None, engine: Engine
) -> ModelMetadata:
    reading = stream.reading
    assert reading is not None and reading.target is not None
    lowest, highest = number_ranges(stream.pieces(), engine)
    return replace(
        ModelMetadata.of(model),
        target=reading.target.name,
        rows=stream.n_rows,
        columns=reading.columns,
        target_column=reading.target,
        lowest=lowest,
        highest=highest,
        honest_error=error.numbers() if error else None,
    )


def show_look(table: LongTable) -> Dataset:
    """Say what is seen at some places of a table, and how many rows that were."""
    file = table.file
    seen = look(table.path, delimiter=file.delimiter_character, encoding=file.encoding)
    console.note(f"looked at {len(seen.sample)} rows, from all over the table")
    output.current.put(rows_looked_at=len(seen.sample))
    found = Dataset.from_frame(
        seen.sample,
        table.target,
        table.task,
        wishes=Wishes(**table.wishes()),
        delimiter=seen.delimiter,
    )
    columns = found.numeric_columns, found.categorical_columns
    target = found.task, found.target_name, found.task_reason
    console.show_table(table.path.name, seen.n_rows, columns, target)
    return found
