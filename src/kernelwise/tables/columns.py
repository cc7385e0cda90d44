"""A user's table as the numbers a kernel sees: categories as codes, numbers standardized."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

# Below this standard deviation, relative to the largest magnitude, a column is constant.
CONSTANT = 1e-14
# New rows further out than this, in standard deviations, count as this far: squares stay finite.
FARTHEST = 1e100


class UnseenLevelWarning(UserWarning):
    """A categorical column has levels that were not seen in fit."""


def is_frame(X: Any) -> bool:
    """Whether X is a pandas or polars data frame, or anything with named, typed columns."""
    return hasattr(X, "columns") and hasattr(X, "dtypes") and hasattr(X, "__getitem__")


def column_values(X: Any, index: int) -> np.ndarray:
    """One column as an array of objects or numbers."""
    return np.asarray(X[X.columns[index]] if is_frame(X) else X[:, index])


def looks_categorical(X: Any, index: int) -> bool:
    """Whether a column is text, boolean or declared categorical, or of objects with any text."""
    dtype = str(X[X.columns[index]].dtype).lower()
    if dtype.startswith(("cat", "enum", "str", "bool", "utf8")):
        return True
    return dtype == "object" and any(isinstance(x, str) for x in column_values(X, index))


def find_categorical(X: Any, wanted: Any) -> np.ndarray:
    """Indices of the categorical columns: ``"from_dtype"``, None, indices, names or a mask."""
    n_columns = X.shape[1]
    if wanted is None:
        return np.empty(0, int)
    if isinstance(wanted, str):
        if wanted != "from_dtype":
            raise ValueError(
                "categorical_features must be 'from_dtype', None, or a list of column indices, "
                f"names or booleans; got {wanted!r}"
            )
        if not is_frame(X):
            return np.empty(0, int)
        return np.flatnonzero([looks_categorical(X, i) for i in range(n_columns)])
    wanted = np.asarray(wanted)
    if wanted.dtype.kind in "UO":
        names = list(getattr(X, "columns", []))
        missing = [name for name in wanted if name not in names]
        if missing:
            raise ValueError(f"categorical_features names {missing}, which X does not have")
        return np.array([names.index(name) for name in wanted], int)
    if wanted.dtype == bool:
        if len(wanted) != n_columns:
            raise ValueError(
                f"categorical_features has {len(wanted)} booleans for {n_columns} columns"
            )
        return np.flatnonzero(wanted)
    if wanted.size and wanted.dtype.kind not in "iu":
        raise ValueError(
            f"categorical_features must be column indices, names or booleans; got {wanted.tolist()}"
        )
    if wanted.size and (wanted.min() < 0 or wanted.max() >= n_columns):
        raise ValueError(f"categorical_features must lie between 0 and {n_columns - 1}")
    return wanted.astype(int)


def as_numbers(X: Any, estimator: Any) -> np.ndarray:
    """The float matrix of numeric columns; an error about text or dates says what to do."""
    if is_frame(X) and any(is_date(X[name].dtype) for name in X.columns):
        raise ValueError(
            f"column {X.columns[0]!r} of X holds dates or times; turn them into numbers, such as "
            "days since a date, or leave the column out"
        )
    try:
        return check_array(X, dtype=np.float64, estimator=estimator, input_name="X")
    except ValueError as error:
        if "could not convert" not in str(error):
            raise
        where = f"column {X.columns[0]!r} of X" if is_frame(X) else "X"
        raise ValueError(
            f"{where} holds text where numbers are needed ({error}). Pass a pandas or polars data "
            "frame with the default categorical_features='from_dtype' to use text columns as "
            "categories, or encode them as numbers"
        ) from error


def is_date(dtype: Any) -> bool:
    return str(dtype).lower().startswith(("date", "time", "duration", "period"))


def is_missing(value: Any) -> bool:
    # pandas' NA must be recognized before it is compared: its comparisons have no truth value.
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


@dataclass(frozen=True)
class Scales:
    """Scales that standardize columns to weighted mean 0 and variance 1.

    Dividing by the largest magnitude first keeps units of 1e-300 or 1e300 from under- or
    overflowing. A constant column keeps a spread of 1.
    """

    magnitude: np.ndarray
    center: np.ndarray
    spread: np.ndarray

    @classmethod
    def learn(cls, numbers: np.ndarray, weights: np.ndarray) -> Scales:
        magnitude = np.abs(numbers).max(axis=0)
        magnitude[magnitude == 0] = 1.0
        relative, shares = numbers / magnitude, weights / weights.sum()
        center = shares @ relative
        spread = np.sqrt(shares @ (relative - center) ** 2)
        spread[spread <= CONSTANT] = 1.0
        return cls(magnitude, center, spread)

    def scaled(self, numbers: np.ndarray) -> np.ndarray:
        return (numbers / self.magnitude - self.center) / self.spread

    def unscaled(self, scaled: np.ndarray) -> np.ndarray:
        """The numbers in their own units again."""
        return scaled * self.unit + self.center * self.magnitude

    @property
    def unit(self) -> np.ndarray:
        """The standard deviation of each column, in its own units."""
        return self.spread * self.magnitude


@dataclass
class ColumnEncoder:
    """Codes of categories, and scales of numeric columns to unit weighted variance, for predict.

    Missing categories are a level of their own; a level not seen in fit differs from all others
    (code -1). With ``standardize=False`` numbers stay in the user's units.
    """

    categorical: np.ndarray
    standardize: bool = True
    levels: dict[int, list] = field(default_factory=dict)
    magnitude: np.ndarray = field(default_factory=lambda: np.empty(0))
    center: np.ndarray = field(default_factory=lambda: np.empty(0))
    spread: np.ndarray = field(default_factory=lambda: np.empty(0))
    # The categorical columns that had gaps in fit; models of format 1 do not know.
    gaps: list[int] | None = None

    def learn_levels(self, X: Any) -> None:
        self.gaps = []
        for index in map(int, self.categorical):
            given = column_values(X, index).tolist()
            values = {x for x in given if not is_missing(x)}
            self.levels[index] = sorted(values, key=lambda x: (type(x).__name__, x))
            if any(map(is_missing, given)):
                self.gaps.append(index)

    def numbers(self, X: Any, estimator: Any) -> np.ndarray:
        """The float matrix of X, categories as codes, not yet standardized."""
        if is_frame(X) and not X.shape[1]:
            raise ValueError("Found 0 feature(s): X has no columns; at least 1 is needed")
        if not is_frame(X) and not self.levels:
            return as_numbers(X, estimator)
        numbers = np.empty(X.shape)
        for index in range(X.shape[1]):
            if index in self.levels:
                numbers[:, index] = self._codes(X, index)
            else:
                column = X[[X.columns[index]]] if is_frame(X) else X[:, [index]]
                numbers[:, index] = as_numbers(column, estimator)[:, 0]
        return numbers

    def _codes(self, X: Any, index: int) -> np.ndarray:
        levels = {level: code for code, level in enumerate(self.levels[index])}
        values = column_values(X, index).tolist()
        codes = np.array([len(levels) if is_missing(x) else levels.get(x, -1) for x in values])
        new = codes == -1
        if self.gaps is not None and index not in self.gaps:
            new |= codes == len(levels)
        if unseen := int(new.sum()):
            name = repr(X.columns[index]) if is_frame(X) else index
            warnings.warn(
                f"column {name}: {unseen} of {len(codes)} rows have a level that was not seen in "
                "fit; it counts as different from all others",
                UnseenLevelWarning,
                stacklevel=6,
            )
        return codes

    def learn_scales(self, numbers: np.ndarray, weights: np.ndarray) -> None:
        found = Scales.learn(numbers, weights)
        plain = np.full(numbers.shape[1], not self.standardize)
        plain[self.categorical] = True
        self.magnitude = np.where(plain, 1.0, found.magnitude)
        self.center = np.where(plain, 0.0, found.center)
        self.spread = np.where(plain, 1.0, found.spread)

    def scaled(self, numbers: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            scaled = Scales(self.magnitude, self.center, self.spread).scaled(numbers)
        return np.clip(scaled, -FARTHEST, FARTHEST) if self.standardize else scaled
