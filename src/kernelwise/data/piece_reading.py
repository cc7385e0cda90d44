"""Reading a long table piece by piece: decided on some rows, then done alike with all."""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from kernelwise.data.checks import Check, DataError
from kernelwise.data.columns import Column, features_frame, typed_numbers, values_of
from kernelwise.data.dataset import Dataset, reader_for
from kernelwise.data.kinds import WHOLE
from kernelwise.data.target import Task, read_truth
from kernelwise.data.texts import some_texts
from kernelwise.data.wishes import Wishes, check_names
from kernelwise.notices import warn_user
from kernelwise.tables.row_stream import Piece

if TYPE_CHECKING:
    from pandas import DataFrame

FIRST_ROW = re.compile(r" \(first: row \d+, counted from 1\)")


class TextAmongNumbersWarning(UserWarning):
    """Texts where numbers or dates must be, in a table that is read in pieces; they are gaps."""


@dataclass(frozen=True)
class PieceReading:
    """How every piece of a table is read.

    Attributes
    ----------
    columns : of features
    target, task : how the target is written and what it is; None without a target
    labels : what labels are: "U" for text, "i" for whole numbers, "b" for true and false
    weights : the column of sample weights, if any
    reason : why it is this task
    """

    columns: tuple[Column, ...]
    target: Column | None = None
    task: Task | None = None
    labels: str = "U"
    weights: Column | None = None
    reason: str = ""

    @property
    def used(self) -> list[str]:
        """The columns of the table that are needed."""
        others = [column.name for column in (self.target, self.weights) if column is not None]
        return [*(column.name for column in self.columns), *others]

    def __call__(self, frame: "DataFrame") -> Piece:
        """The rows of a piece that have a target; a warning says which texts were gaps."""
        piece, checks = self.read(frame)
        for check in checks:
            warn_user(str(check), TextAmongNumbersWarning)
        return piece

    def read(self, frame: "DataFrame") -> tuple[Piece, list[Check]]:
        """The rows of a piece that have a target, and what was odd about it."""
        check_names(frame, self.used)
        known, target = self._target(frame)
        frame = frame[known]
        read = [values_of(frame[column.name], column) for column in self.columns]
        features = features_frame([values for values, _ in read], frame.index)
        texts = [name for name in features.columns if features[name].dtype == object]
        # A piece in which every text is missing has a column of categories all the same.
        features = features.astype(dict.fromkeys(texts, "category")).reset_index(drop=True)
        checks = [check for _, found in read for check in found]
        return Piece(features, target, self._weights(frame)), checks

    def _target(self, frame: "DataFrame") -> tuple[np.ndarray, np.ndarray | None]:
        if self.target is None or self.task is None:
            return np.ones(len(frame), bool), None
        series = frame[self.target.name]
        typed = typed_numbers(series) if self.task == "regression" else None
        if typed is not None and self.target.missing is None:
            known = ~np.isnan(typed)  # not as texts, of which each row has another
            return known, typed[known]
        if not series.notna().any():  # nothing is known in this piece
            return np.zeros(len(frame), bool), self._labels(np.empty(0, "U1"))
        known, values = read_truth(series, self.task, self.target)
        return known, self._labels(values)

    def _labels(self, values: np.ndarray) -> np.ndarray:
        if self.task == "regression":
            return values.astype(float)
        if self.labels == "b":
            return values == "True"
        if self.labels != "i":
            return values
        for label in np.unique(values).tolist():
            if not WHOLE.fullmatch(label):
                said = "the target holds whole numbers where it was looked at, but further down"
                raise DataError("KW305", f"{said} '{label}'", "correct it, or leave it empty")
        return values.astype(np.int64)

    def _weights(self, frame: "DataFrame") -> np.ndarray | None:
        if self.weights is None:
            return None
        name = self.weights.name
        values = values_of(frame[name], self.weights)[0][name]
        if not (values >= 0).all():
            said = f"column of weights '{name}' has a gap or a negative number"
            raise DataError("KW405", said, "weights are numbers of at least 0, not all of them 0")
        return values


def reading_of(
    sample: "DataFrame",
    target: str | None,
    task: Task | Literal["auto"],
    wishes: Wishes,
    delimiter: str | None = None,
) -> tuple[PieceReading, tuple[Check, ...]]:
    """How some rows of a table say that all are to be read, as `kernelwise.data.read` would; and
    what was seen in them.
    """
    try:
        found = Dataset.from_frame(sample, target, task, wishes=wishes, delimiter=delimiter)
    except DataError as error:
        raise within(f"{len(sample)} rows from all over the table", error) from None
    weights = None
    if wishes.weights is not None:
        mark = reader_for(sample, wishes, delimiter).decimal_for(some_texts(sample[wishes.weights]))
        weights = Column(wishes.weights, "number", decimal=mark)
    labels = "U" if found.target is None else found.target.dtype.kind
    reading = PieceReading(
        found.columns, found.target_column, found.task, labels, weights, found.task_reason
    )
    return reading, tuple(_without_row(check) for check in found.checks)


def _without_row(check: Check) -> Check:
    """What was seen in some rows, without their numbers, which are not those of the table."""
    return replace(check, text=FIRST_ROW.sub("", check.text))


def within(place: str, error: DataError) -> DataError:
    """An error that says where it is, because it counts rows from there on."""
    check = error.check
    return DataError(check.code, f"in {place}: {check.text}", check.advice)
