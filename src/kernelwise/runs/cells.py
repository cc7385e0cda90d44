"""One cell of a run, and its result."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from kernelwise.evaluation.fold_records import FoldRecord, Learnt

DONE, FAILED, SKIPPED = "done", "failed", "skipped"
# The fields of a record that a store keeps; messages become one text, predictions are dropped.
NEVER_KEPT = ("messages", "predictions", "probabilities")
KEPT = tuple(f.name for f in fields(FoldRecord) if f.name not in NEVER_KEPT)
SECONDS = ("wall_seconds", "cpu_seconds")


class Cell(NamedTuple):
    """A method on a split of a data set: split number ``number`` of the kind ``split``."""

    dataset: str
    split: str
    number: int
    method: str
    seed: int = 0


class Skipped(Exception):
    """Raised by the work of a cell that does not apply; its text is the reason."""


@dataclass(frozen=True)
class CellResult:
    """A finished cell.

    Attributes
    ----------
    status : "done", "failed" or "skipped"
    reason : the error, or why the cell does not apply; empty when done
    record : the fold record; None unless done
    failed_after : wall and CPU seconds until it failed; None unless failed
    environment : a JSON text of versions and hardware
    """

    cell: Cell
    status: str
    reason: str = ""
    record: FoldRecord | None = None
    failed_after: tuple[float, float] | None = None
    environment: str = "{}"

    @classmethod
    def done(cls, cell: Cell, record: FoldRecord, environment: str) -> "CellResult":
        """The result of a cell that gave a fold record, in plain numbers and texts.

        A value that no store can keep is an error here, in the worker, so it counts for this cell.
        """
        if not isinstance(record, FoldRecord):
            raise TypeError(f"a trial must return a FoldRecord, not {type(record).__name__}")
        if not math.isfinite(record.error):
            raise ValueError(f"the test error is {record.error}")
        return cls(cell, DONE, record=_plain(record), environment=environment)

    @property
    def message(self) -> str:
        """The warnings of a finished fit, else the reason."""
        return self.reason if self.record is None else "\n".join(self.record.messages)

    @property
    def wall_seconds(self) -> float:
        """How long the cell took; 0 where unknown."""
        if self.record is not None:
            return self.record.wall_seconds
        return 0.0 if self.failed_after is None else self.failed_after[0]

    def kept(self) -> dict[str, Any]:
        """The numbers and texts to keep, by name: all of KEPT, or the times of a failed cell."""
        if self.record is None:
            return dict(zip(SECONDS, self.failed_after or (), strict=False))
        plain = asdict(self.record)
        return {name: plain[name] for name in KEPT}

    @classmethod
    def from_kept(
        cls, cell: Cell, status: str, message: str, kept: Mapping[str, Any], environment: str
    ) -> "CellResult":
        """Rebuild a result from what :meth:`kept` returned.

        Parameters
        ----------
        cell, status : the cell and what became of it
        message : the warnings of a finished fit, or the reason
        kept : numbers and texts by name; optional ones may be missing
        environment : a JSON text of versions and hardware
        """
        if status == DONE:
            learnt = Learnt(**kept.get("learnt", {}))
            record = FoldRecord(**{**kept, "learnt": learnt, "messages": _lines(message)})
            return cls(cell, status, record=record, environment=environment)
        wall, cpu = (kept.get(name) for name in SECONDS)
        times = None if wall is None or cpu is None else (wall, cpu)
        return cls(cell, status, message, failed_after=times, environment=environment)

    @property
    def outcome(self) -> tuple:
        """Everything that must not depend on when and where the cell is computed: no times."""
        same = {name: value for name, value in self.kept().items() if name not in SECONDS}
        return self.cell, self.status, json.dumps(same, sort_keys=True)


def _plain(record: FoldRecord) -> FoldRecord:
    """The record without numpy types, NaN (unknown to SQLite) and predictions."""
    names = ("error", "baseline", "inner_error", *SECONDS)
    numbers: dict[str, Any] = {name: _number(getattr(record, name)) for name in names}
    return replace(
        record,
        **numbers,
        n_train=int(record.n_train),
        n_test=int(record.n_test),
        counters=json.loads(json.dumps(record.counters)),
        learnt=Learnt(**json.loads(json.dumps(asdict(record.learnt)))),
        messages=_lines(storable_text("\n".join(record.messages))),
        predictions=np.empty(0),
    )


def storable_text(text: str) -> str:
    """The text with broken characters escaped, as in file names of another encoding."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)
