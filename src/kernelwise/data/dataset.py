"""A table ready to learn from: features, target, task, and how each column was read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from kernelwise.data.checks import Check, DataError
from kernelwise.data.columns import Column, check_not_tiny, features_frame, numeric_names, values_of
from kernelwise.data.kinds import Reader
from kernelwise.data.reading import read_table
from kernelwise.data.row_checks import few_rows, repeated_rows
from kernelwise.data.suspects import (
    KEPT,
    ROWS_TO_TELL,
    Suspect,
    misleading,
    placeholders,
    target_in_disguise,
)
from kernelwise.data.target import Target, Task, read_target
from kernelwise.data.texts import Texts, some_texts
from kernelwise.data.twins import twins
from kernelwise.data.wishes import Wishes, check_roles, feature_names

if TYPE_CHECKING:
    from pandas import DataFrame, Series


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table split into features and target, checked, in one normal form.

    Attributes
    ----------
    features : DataFrame, the numeric columns as floats, then the categorical ones as text
    columns : how each column was read, for tables to predict
    checks : what was seen, with codes
    target : array of class labels or of floats; None without a target
    target_name, task, task_reason : its column, what it holds, and why; None or empty without one
    target_column : how it was read, for tables to judge predictions by
    weights, groups : sample weights, and numbers of groups; None if no column was named
    rows : the number of each row in the table that was read, from 0; None if nobody has said
    sampled : how many rows `sample` was asked for, and of how many; None: these are all
    """

    features: "DataFrame"
    columns: tuple[Column, ...]
    checks: tuple[Check, ...]
    # None only where no target was named.
    target: np.ndarray = None  # type: ignore[assignment]
    target_name: str = ""
    task: Task = None  # type: ignore[assignment]  # as the target
    task_reason: str = ""
    target_column: Column | None = None
    weights: np.ndarray | None = None
    groups: np.ndarray | None = None
    rows: np.ndarray | None = None
    sampled: tuple[int, int] | None = None

    @property
    def numeric_columns(self) -> tuple[str, ...]:
        return numeric_names(self.features)

    @property
    def categorical_columns(self) -> tuple[str, ...]:
        return tuple(name for name in self.features if name not in self.numeric_columns)

    @property
    def notes(self) -> tuple[str, ...]:
        """The checks in sentences."""
        return tuple(map(str, self.checks))

    @classmethod
    def from_frame(
        cls,
        frame: "DataFrame",
        target: str | None = None,
        task: Task | Literal["auto"] = "auto",
        *,
        wishes: Wishes | None = None,
        delimiter: str | None = None,
    ) -> "Dataset":
        """Split a table by the name of its target column; DataErrors say what is wrong.

        Parameters
        ----------
        frame : the table
        target : the column to predict; None: all columns are features
        task : what the target is; "auto" detects it (:func:`~kernelwise.data.target.read_target`)
        wishes : what is known about the columns
        delimiter : of the file it came from, which helps to tell decimal commas
        """
        wishes = wishes or Wishes()
        frame = frame.rename(columns=str)
        if len(repeated := frame.columns[frame.columns.duplicated()]):
            raise DataError("KW105", f"two columns are named '{repeated[0]}'", "rename one")
        check_roles(frame, target, wishes)
        if len(frame) < 2 and target is not None:
            raise DataError("KW404", "the table has only one row: learning needs several")
        table = frame[feature_names(frame, target, wishes)]
        reader = reader_for(table, wishes, delimiter)
        read = None if target is None else read_target(frame[target], task, reader)
        known = np.ones(len(frame), bool) if read is None else read.known
        features, columns, checks = _read_features(table[known], reader, read, wishes)
        return cls(
            features=features,
            columns=tuple(columns),
            checks=(*(() if read is None else read.checks), *checks),
            **({} if read is None else _target_fields(read)),
            weights=_weights(frame, wishes.weights, reader, known),
            groups=None if wishes.groups is None else group_numbers(frame[wishes.groups][known]),
            rows=np.flatnonzero(known),
        )

    def sample(self, rows: int, seed: int, because: str = "") -> "Dataset":
        """A random sample of the rows, with every class in its share (and at least twice).

        ``because`` is a reason to tell, if the user has not asked for it.
        """
        if rows >= len(self.features):
            return self
        generator = np.random.default_rng(seed)
        strata = np.zeros(len(self.features), int)
        if self.task == "classification":
            strata = np.unique(self.target, return_inverse=True)[1]
        chosen = _stratified(strata, rows, generator)
        said = f"learning from a random sample of {len(chosen)} of {len(self.features)} rows"

        def take(values):
            return None if values is None else values[chosen]

        return replace(
            self,
            features=self.features.iloc[chosen].reset_index(drop=True),
            checks=(*self.checks, Check("KW401", f"{because}: {said}" if because else said)),
            target=take(self.target),
            weights=take(self.weights),
            groups=take(self.groups),
            rows=take(self.rows),
            sampled=(rows, len(self.features)),
        )


def read(
    source: str | Path,
    target: str | None = None,
    *,
    task: Task | Literal["auto"] = "auto",
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] | None = None,
    features: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    categorical: Sequence[str] = (),
    numeric: Sequence[str] = (),
    groups: str | None = None,
    weights: str | None = None,
) -> Dataset:
    """Read a table from a file as ``kernelwise fit`` does; its ``checks`` say what was seen.

    Parameters
    ----------
    source : a CSV file (or with other delimiters, or packed by gzip), Parquet, Feather or Excel
        file; "-" is standard input
    target, task : the column to predict, and what it is; without a target all are features
    delimiter, decimal, encoding, missing : how a text file is written; found out if None
    features, drop, categorical, numeric : the columns to learn from, and what they hold
    groups, weights : columns of groups of rows that belong together, and of sample weights

    Examples
    --------
    >>> table = kernelwise.data.read("patients.csv", target="outcome")   # doctest: +SKIP
    >>> LSSVMClassifier().fit(table.features, table.target)              # doctest: +SKIP
    """
    wishes = Wishes(
        features=None if features is None else _several(features),
        drop=_several(drop),
        categorical=_several(categorical),
        numeric=_several(numeric),
        groups=groups,
        weights=weights,
        missing=None if missing is None else _several(missing),
        decimal=decimal,
    )
    raw = read_table(source, delimiter=delimiter, encoding=encoding)
    found = Dataset.from_frame(raw.frame, target, task, wishes=wishes, delimiter=raw.delimiter)
    return replace(found, checks=(*raw.checks, *found.checks))


def reader_for(table: "DataFrame", wishes: Wishes, delimiter: str | None) -> Reader:
    """What reads the columns of a table as its owner wishes."""
    return Reader.for_table(
        table,
        missing=wishes.missing,
        decimal=wishes.decimal,
        delimiter=delimiter,
        categorical=wishes.categorical,
        numeric=wishes.numeric,
    )


def _several(texts: str | Sequence[str]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)


def group_numbers(column: "Series") -> np.ndarray:
    """The number of each row's group; groups are numbered as they first appear."""
    texts = Texts.of(column)
    numbers = texts.without(texts.gaps(None, by_people=False)).codes
    missing = numbers < 0
    if missing.any():
        said = (
            f"group column '{column.name}' is missing in {missing.sum()} of {len(column)} rows "
            f"(first: row {int(missing.argmax()) + 1})"
        )
        raise DataError("KW405", said, "fill these in, or delete these rows")
    return numbers


def _weights(
    frame: "DataFrame", name: str | None, reader: Reader, known: np.ndarray
) -> np.ndarray | None:
    if name is None:
        return None
    decimal = reader.decimal_for(some_texts(frame[name]))
    values = values_of(frame[name], Column(name, "number", decimal=decimal))[0][name]
    wrong = known & ~(values >= 0)
    if wrong.any() or not (values[known] > 0).any():
        row = int(wrong.argmax()) + 1
        said = f"column of weights '{name}' has a gap or a negative number in row {row}"
        raise DataError("KW405", said, "weights are numbers of at least 0, not all of them 0")
    return values[known]


def _target_fields(read: Target) -> dict[str, Any]:
    return {
        "target": read.values,
        "target_name": read.name,
        "task": read.task,
        "task_reason": read.reason,
        "target_column": read.column,
    }


def _read_features(
    table: "DataFrame", reader: Reader, read: Target | None, wishes: Wishes
) -> tuple["DataFrame", list[Column], list[Check]]:
    """The features of the rows with a target, how their columns were read, and what was seen."""
    columns = [reader.column(table[name]) for name in table.columns]
    features = _features(table, columns)
    suspects, warned = _suspects(features, columns, read, wishes)
    columns = [column for column in columns if column.name not in suspects]
    if not columns:
        raise _nothing_left(suspects)
    kept = {name for column in columns for name in column.features}
    features = features[[name for name in features if name in kept]]
    check_not_tiny(features)
    checks = [
        *reader.checks_of(columns),
        *suspects.values(),
        *warned,
        *placeholders(features, columns),
        *twins(features[list(numeric_names(features))].to_numpy(), numeric_names(features)),
        *_about_rows(features, columns, read),
    ]
    return features, columns, checks


def _features(table: "DataFrame", columns: list[Column]) -> "DataFrame":
    values = [values_of(table[column.name], column)[0] for column in columns]
    features = features_frame(values, table.index)
    return features.reset_index(drop=True)


def _suspects(
    features: "DataFrame", columns: list[Column], read: Target | None, wishes: Wishes
) -> tuple[dict[str, Check], list[Check]]:
    """What to leave out, by column, and what only to warn of."""
    found = misleading(features, columns, wishes.asked_for)
    disguised = {} if read is None else target_in_disguise(features, columns, read)
    for name in set(disguised) & set(wishes.asked_for):  # kept, whatever it looks like
        said = f"column '{name}' alone decides the target"
        disguised[name] = Suspect("KW210", said, "drop it if it is not known before the target is")
    every = [*found.items(), *disguised.items()]
    out = {name: one.left_out() for name, one in every if one.code not in KEPT}
    warned = {name: one.taking_part() for name, one in every if one.code in KEPT}
    warned = {name: check for name, check in warned.items() if name not in out}
    if len(out) == len(columns):  # what looks like row numbers may be all there is to learn from
        numbered = {name: check for name, check in out.items() if check.code == "KW206"}
        for name in numbered:
            del out[name]
            said = f"column '{name}' looks like row numbers or ids, but no other is left"
            warned[name] = Suspect("KW207", said).taking_part()
    return out, list(warned.values())


def _nothing_left(suspects: dict[str, Check]) -> DataError:
    kinds = {check.code for check in suspects.values()}
    if kinds == {"KW205"}:
        said = "every column has a different text in every row: nothing to learn"
    else:
        said = "no column is left to learn from: " + "; ".join(
            check.text for check in list(suspects.values())[:3]
        )
    return DataError("KW214", said)


def _about_rows(features: "DataFrame", columns: list[Column], read: Target | None) -> list[Check]:
    if read is None:
        return []
    checks, rows = [], len(features)
    for column in columns:
        dated = column.kind == "date" and "days" in column.parts and rows >= ROWS_TO_TELL
        days = features[column.features[0]].dropna() if dated else None
        if days is not None and (days.is_monotonic_increasing or days.is_monotonic_decreasing):
            said = f"the rows are in the order of '{column.name}'"
            advice = "errors are estimated for rows in between; later ones may be harder"
            checks.append(Check("KW406", said, advice))
    repeated = int(features.assign(**{"\0target": read.values}).duplicated().sum())
    return [*checks, *repeated_rows(repeated, rows), *few_rows(rows)]


def _stratified(strata: np.ndarray, rows: int, generator: np.random.Generator) -> np.ndarray:
    """Row numbers, sorted: two of each stratum that has them, and the rest by their shares."""
    counts = np.bincount(strata)
    wanted = np.minimum(counts, 2)
    left = counts - wanted
    room = max(rows - int(wanted.sum()), 0)
    shares = room * left / max(left.sum(), 1)
    more = np.floor(shares).astype(int)
    largest = np.argsort(more - shares, kind="stable")[: room - int(more.sum())]
    more[largest] += 1
    chosen = [
        generator.permutation(np.flatnonzero(strata == stratum))[:number]
        for stratum, number in enumerate(wanted + np.minimum(more, left))
    ]
    return np.sort(np.concatenate(chosen))
