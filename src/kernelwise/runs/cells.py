"""One cell of an experiment, and what became of it."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kernelwise.evaluation.fold_records import FoldRecord

DONE, FAILED, SKIPPED = "done", "failed", "skipped"


class Cell(NamedTuple):
    """A method on a split of a data set: ``split`` is a kind and a number, as "generated/3"."""

    dataset: str
    split: str
    method: str
    seed: int = 0


class Skipped(Exception):
    """Raised by the work of a cell that does not apply; its text is the reason."""


@dataclass(frozen=True)
class CellResult:
    """A finished cell: ``status`` is "done", "failed" or "skipped".

    The numbers are those of :class:`~kernelwise.evaluation.fold_records.FoldRecord`, and only
    there when done; of a failed cell the times until it failed. ``environment`` is a JSON text of
    versions and hardware; ``message`` holds the warnings, the error or the reason.
    """

    cell: Cell
    status: str
    message: str = ""
    error: float | None = None
    baseline: float | None = None
    inner_error: float | None = None
    n_train: int | None = None
    n_test: int | None = None
    wall_seconds: float | None = None
    cpu_seconds: float | None = None
    counters: Mapping[str, int] = field(default_factory=dict)
    learnt: Mapping[str, Any] = field(default_factory=dict)
    predictions_hash: str = ""
    environment: str = "{}"

    @classmethod
    def done(cls, cell: Cell, record: FoldRecord, environment: str) -> "CellResult":
        """The result of a cell that gave a fold record, in plain numbers and texts.

        Anything a store could not keep is an error here, in the worker, where it is the cell's.
        """
        if not isinstance(record, FoldRecord):
            raise TypeError(f"a trial returns a FoldRecord, this one {type(record).__name__}")
        if not math.isfinite(record.error):
            raise ValueError(f"the test error is {record.error}")
        return cls(
            cell=cell,
            status=DONE,
            message=storable_text("\n".join(record.messages)),
            error=float(record.error),
            baseline=_number(record.baseline),
            inner_error=_number(record.inner_error),
            n_train=int(record.n_train),
            n_test=int(record.n_test),
            wall_seconds=float(record.wall_seconds),
            cpu_seconds=float(record.cpu_seconds),
            counters=json.loads(json.dumps(record.counters)),
            learnt=json.loads(json.dumps(record.learnt)),
            predictions_hash=record.predictions_hash,
            environment=environment,
        )

    @property
    def measures(self) -> Mapping[str, float]:
        """Further numbers about the fit, such as its number of support vectors."""
        return self.learnt.get("measures", {})

    @property
    def outcome(self) -> tuple:
        """All that must be the same whenever and wherever the cell is computed: no times."""
        return (
            self.cell,
            self.status,
            self.error,
            self.baseline,
            self.inner_error,
            self.n_train,
            self.n_test,
            json.dumps(self.counters, sort_keys=True),
            json.dumps(self.learnt, sort_keys=True),
            self.predictions_hash,
        )


def storable_text(text: str) -> str:
    """Broken characters, as of file names in another encoding, are escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _number(value: float | None) -> float | None:
    """SQLite knows no NaN: it is a missing number."""
    return None if value is None or math.isnan(value) else float(value)
