"""The record of a fit: plain data from which words, pages and pictures are made, and nothing else.

A record is JSON with a number of its format; what is not known is None, or an empty tuple.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from kernelwise.typed_json import record_of

# The number of the format; a change that an older reader would misread makes it larger.
SCHEMA = 1


@dataclass(frozen=True)
class ColumnRecord:
    """One column of the table.

    ``kind`` says how it is compared. ``missing`` and ``distinct`` count values; ``low`` and
    ``high`` are the ends of numbers, ``common`` the most common level of a category.
    """

    name: str
    kind: Literal["number", "category"]
    missing: int
    distinct: int
    low: float | None = None
    high: float | None = None
    common: str | None = None


@dataclass(frozen=True)
class CheckRecord:
    """One thing to know first: its code, how serious it is, what was seen, and what to do."""

    code: str
    severity: str
    text: str
    advice: str = ""


@dataclass(frozen=True)
class OptimumRecord:
    """Where one of several searches ended, and how much its machine differs from the chosen one.

    ``disagreement`` is the share of rows with another held-out class; of quantities the root mean
    squared difference.
    """

    value: float
    disagreement: float | None = None


@dataclass(frozen=True)
class TraceRecord:
    """A search: how many points, why it ended, and some of its values in order.

    ``optima`` are those of several searches, if there were several.
    """

    n_points: int
    reason: str
    values: tuple[float, ...]
    at_limits: tuple[str, ...] = ()
    optima: tuple[OptimumRecord, ...] = ()


@dataclass(frozen=True)
class CandidateRecord:
    """One line of the leaderboard: a candidate, or the stack; ``words`` say what was chosen."""

    name: str
    weight: float
    error: float | None
    low: float | None
    high: float | None
    seen: float
    seconds: float
    factorizations: int
    verdict: str
    words: str = ""
    trace: TraceRecord | None = None

    @property
    def optimism(self) -> float | None:
        """How much better the search saw it than it is."""
        return None if self.error is None else self.error - self.seen


@dataclass(frozen=True)
class ErrorRecord:
    """The error on rows that no choice has seen, with its 95 % interval, and that of no model.

    ``folds`` is how many copies judged it; ``measures`` are further numbers by name, of which the
    balanced error has an interval too. A model ``is_useful`` if it is shown to be better than a
    constant answer, by its error (``beats_constant``) or by its balanced error.
    """

    value: float
    low: float
    high: float
    baseline: float
    seen: float
    folds: int
    rows: int
    is_useful: bool
    measures: dict[str, float] = field(default_factory=dict)
    balanced_low: float | None = None
    balanced_high: float | None = None
    beats_constant: bool = True


@dataclass(frozen=True)
class RecallRecord:
    """The share of the rows of a class that are found, with its 95 % interval."""

    label: str
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class CalibrationBin:
    """Rows of similar probability: its mean, the share that came true with its interval, rows."""

    predicted: float
    observed: float
    low: float
    high: float
    rows: int


@dataclass(frozen=True)
class WrongRow:
    """A row that was predicted wrong: its number in the table, and how sure the prediction was."""

    row: int
    truth: str
    prediction: str
    probability: float


@dataclass(frozen=True)
class Coverage:
    """The share of unseen rows within the intervals of a level."""

    level: float
    share: float


@dataclass(frozen=True)
class FeatureRecord:
    """One feature: its share of what moves the outputs, and whether it is told apart from noise.

    ``among_first`` is in how many of the copies it is among the first features.
    """

    name: str
    relevance: float
    low: float | None
    high: float | None
    selected: bool
    among_first: int | None = None


@dataclass(frozen=True)
class Stability:
    """How far copies that lack a fold each agree on the order of the features.

    ``copies`` is their number, ``n_first`` how many features count as the first ones, and
    ``order_held`` in how many copies the first three (or fewer) are the same in the same order.
    """

    copies: int
    n_first: int
    order_held: int


@dataclass(frozen=True)
class Square:
    """How many rows have a true and a predicted quantity near these."""

    true: float
    predicted: float
    rows: int


@dataclass(frozen=True)
class DependenceRecord:
    """Mean prediction of the table's rows with one feature set to each of some values.

    ``outputs`` has a line per value: the probability of each class, or each quantity.
    """

    name: str
    values: tuple[float | str, ...]
    outputs: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class CurvePoint:
    """The error of the chosen machines fitted to fewer rows, and the rows.

    ``uncertain`` is the standard error, over folds, of its difference from that of all rows; None
    where one fold judged.
    """

    rows: int
    error: float
    uncertain: float | None = None


@dataclass(frozen=True)
class FitRecord:
    """Everything that is known about a fit.

    Attributes
    ----------
    task, target, classes : what is predicted; the number of rows of each class is in ``counts``
    n_rows, n_distinct : rows of the table, and different ones among them
    columns, checks : the columns, and what to know about them first
    candidates, combine, skipped : what predicts first (the stack or, with ``combine="best"``, the
        chosen candidate), then each other candidate; what was not tried, and why
    error : on rows that no choice has seen; None where it was not estimated
    confusion, recalls : rows of each class (lines) by predicted label, of these rows; which share
        of each class is found
    calibration, surest_wrong : of the probabilities of these rows
    pairs, squares : true and predicted quantities of some of these rows; of many rows also how many
        lie in each square of a grid
    coverage : how many of these rows lie in intervals
    features, stability, dependence : what moves the outputs, and whether copies agree on it; none
        if the table has no features
    is_trivial : whether the model is no better than none; relevances then mean nothing
    curve : would more rows help?
    constant : whether every row has the same quantity, of which there is nothing to learn
    weighted, groups : whether the rows had sample weights other than 1; how many groups there are
        that no fold splits, None if none were given or some fold splits one
    seconds, factorizations : of the whole fit
    parameters : of the estimator, as text
    versions, machine, date : of the libraries, by name; the processor; when the fit ended
    table, sha256, command : where the rows came from, as far as it is known
    """

    task: Literal["classification", "regression"]
    n_rows: int
    n_distinct: int
    columns: tuple[ColumnRecord, ...]
    candidates: tuple[CandidateRecord, ...]
    combine: str
    features: tuple[FeatureRecord, ...]
    is_trivial: bool
    seconds: float
    factorizations: int
    versions: dict[str, str]
    target: str = "y"
    classes: tuple[str, ...] = ()
    counts: tuple[float, ...] = ()
    checks: tuple[CheckRecord, ...] = ()
    skipped: dict[str, str] = field(default_factory=dict)
    error: ErrorRecord | None = None
    confusion: tuple[tuple[int, ...], ...] = ()
    recalls: tuple[RecallRecord, ...] = ()
    calibration: tuple[CalibrationBin, ...] = ()
    surest_wrong: tuple[WrongRow, ...] = ()
    pairs: tuple[tuple[float, float], ...] = ()
    squares: tuple[Square, ...] = ()
    coverage: tuple[Coverage, ...] = ()
    stability: Stability | None = None
    dependence: tuple[DependenceRecord, ...] = ()
    curve: tuple[CurvePoint, ...] = ()
    constant: bool = False
    weighted: bool = False
    groups: int | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    table: str | None = None
    sha256: str | None = None
    command: str | None = None
    machine: str | None = None
    date: str | None = None
    schema: int = SCHEMA

    @property
    def tried(self) -> tuple[CandidateRecord, ...]:
        """The candidates, without their stack."""
        return self.candidates[1:] if self.combine == "stack" else self.candidates

    def as_json(self) -> str:
        """The record as JSON; equal records give the same text."""
        return json.dumps(asdict(self), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> FitRecord:
        """Read what `as_json` wrote; a ValueError says what is wrong with it."""
        value: Any = json.loads(text)
        schema = value.get("schema") if isinstance(value, dict) else None
        if schema != SCHEMA:
            raise ValueError(f"a record of format {schema!r} cannot be read; {SCHEMA} is known")
        return record_of(cls, value)
