"""The record of a fit on the command line: what only the command knows, and its words."""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from kernelwise.cli import console, output
from kernelwise.data import Check
from kernelwise.data.file_bytes import STANDARD_INPUT
from kernelwise.insight.fit_record import CheckRecord, FitRecord
from kernelwise.insight.headline import headline
from kernelwise.insight.record_words import record_in_words

GAPS = "KW219"
# Lines of words are no longer than this, however wide the terminal is.
USUAL_WIDTH, MOST_WIDTH = 79, 100


@dataclass(frozen=True)
class Origin:
    """Where rows come from: the name of their table, its file if it has one, and the command."""

    name: str
    file: Path | None
    command: str

    @classmethod
    def of(cls, table: Path, command: str) -> "Origin":
        return cls(shown_name(table), None if table == STANDARD_INPUT else table, command)

    def sha256(self) -> str | None:
        """Of the bytes of the file; None of a folder, or of what was piped."""
        if self.file is None or not self.file.is_file():
            return None
        with self.file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()


def shown_name(table: Path) -> str:
    return "standard input" if table == STANDARD_INPUT else table.name


def complete_record(
    model: Any, origin: Origin, target: str, checks: Iterable[Check], rows: np.ndarray | None = None
) -> None:
    """Add to the record of a fitted AutoKernel what the command knows about its table.

    Parameters
    ----------
    model : the estimator
    origin, target : where its rows come from, and the name of the column to predict
    checks : those of reading the table; where the fit has seen the same, these are kept
    rows : the number of each row in the table; None: all rows took part
    """
    record, read = model.record_, list(checks)
    known = {check.code for check in read}
    found = [CheckRecord(c.code, c.severity, c.text, c.advice) for c in read]
    # Reading has said what there is to say of columns, but for what a fit makes of gaps.
    found += [
        check
        for check in record.checks
        if check.code not in known and (check.code == GAPS or not check.code.startswith("KW2"))
    ]
    wrong = record.surest_wrong
    if rows is not None:
        wrong = tuple(replace(one, row=int(rows[one.row])) for one in wrong)
    model.record_ = replace(
        record,
        target=target,
        table=origin.name,
        sha256=origin.sha256(),
        command=origin.command,
        checks=tuple(sorted(found, key=lambda c: console.SERIOUS.index(c.severity))),
        surest_wrong=wrong,
    )


def checked_record(model: Any, path: Path) -> FitRecord:
    """The record of a model from a file, if it is one: whoever changed the file put in anything.

    Parameters
    ----------
    model : an estimator with a record
    path : the file it was loaded from
    """
    try:
        record = FitRecord.from_json(model.record_.as_json())
        record_in_words(record)
    except Exception as error:
        raise ValueError(
            f"{path} is damaged or was changed ({type(error).__name__}): fit the model again"
        ) from error
    return record


def show_record(record: FitRecord) -> None:
    """Print a record in words; the document gets it as it is, and its numbers by their names."""
    console.say_lines(record_in_words(record, words_width()))
    largest = max(record.tried, key=lambda one: one.weight)
    output.current.put(
        record=asdict(record),
        headline=headline(record),
        kernel=largest.words,
        checks=[asdict(check) for check in record.checks],
        relevance={feature.name: feature.relevance for feature in record.features},
    )
    if record.confusion:
        output.current.put(confusion={"classes": record.classes, "rows": record.confusion})
    if record.error is not None and record.error.folds == 1:
        output.current.put(rows_kept_apart=record.error.rows)


def show_fit(model: Any) -> None:
    """Print what a fitted AutoKernel has learned."""
    show_record(model.record_)
    error, best = model.error_estimate_, model.best_estimator_
    output.current.put(regularization=getattr(best, "regularization_", None), C=None)
    if error is not None:
        output.current.put(honest_error=error.numbers() | {"is_useful": error.is_useful})
    if (passes := getattr(best, "n_passes_", None)) is not None:
        output.current.put(
            landmarks=len(best.landmarks_),
            passes=passes,
            effective_parameters=float(best.effective_parameters_),
        )


def words_width() -> int:
    """The width of lines of words: that of the terminal, within reason."""
    terminal = Console()
    return min(terminal.width, MOST_WIDTH) if terminal.is_terminal else USUAL_WIDTH
