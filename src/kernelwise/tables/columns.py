"""A user's table as the numbers a kernel sees: categories as codes, numbers standardized."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from kernelwise.notices import warn_user
from kernelwise.tables.gaps import Gaps, UnseenGapWarning, called
from kernelwise.tables.normal_scores import NormalScores

# Below this standard deviation, relative to the largest magnitude, a column is constant.
CONSTANT = 1e-14
# New rows further out than this, in standard deviations, count as this far: squares stay finite.
FARTHEST = 1e100


class UnseenLevelWarning(UserWarning):
    """A categorical column has levels that were not seen in fit."""


def quiet_check() -> np.errstate:
    """For scikit-learn's check for infinite numbers, whose sum may overflow to both sides."""
    return np.errstate(over="ignore", invalid="ignore")


def refuse_equal_names(X: Any) -> None:
    """Refuse a data frame with two columns of one name."""
    seen = set()
    for name in X.columns:
        if name in seen:
            raise ValueError(f"X has two columns named {name!r}: rename one")
        seen.add(name)


def is_frame(X: Any) -> bool:
    """Whether X is a pandas or polars data frame, or anything with named, typed columns."""
    return hasattr(X, "columns") and hasattr(X, "dtypes") and hasattr(X, "__getitem__")


def as_frame(X: Any) -> Any:
    """A pyarrow table as a data frame of pandas, all else as it is."""
    from_arrow = type(X).__module__.partition(".")[0] == "pyarrow" and hasattr(X, "to_pandas")
    return X.to_pandas() if from_arrow else X


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


def as_numbers(X: Any, estimator: Any, takes_gaps: bool) -> np.ndarray:
    """The float matrix of numeric columns; an error about text or dates says what to do."""
    if is_frame(X) and any(is_date(X[name].dtype) for name in X.columns):
        raise ValueError(
            f"column {X.columns[0]!r} of X holds dates or times; turn them into numbers, such as "
            "days since a date, or leave the column out"
        )
    finite = "allow-nan" if takes_gaps else True
    try:
        with quiet_check():
            return check_array(
                gaps_as_nan(X),
                dtype=np.float64,
                estimator=estimator,
                input_name="X",
                ensure_all_finite=finite,
            )
    except OverflowError:
        raise ValueError("X holds a whole number too large for double precision") from None
    except ValueError as error:
        if "could not convert" not in str(error):
            raise
        where = f"column {X.columns[0]!r} of X" if is_frame(X) else "X"
        raise ValueError(
            f"{where} holds text where numbers are needed ({error}). Pass a pandas or polars data "
            "frame with the default categorical_features='from_dtype' to use text columns as "
            "categories, or encode them as numbers"
        ) from error


def gaps_as_nan(X: Any) -> Any:
    """Objects with NaN for None and for pandas' NA, which is no float; numbers as they are."""
    values = np.asarray(X)
    if values.dtype != object or values.ndim != 2:
        return X
    rows = [[np.nan if is_missing(value) else value for value in row] for row in values]
    return np.array(rows, dtype=object)


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
    (code -1). Missing numbers are filled, and a kernel sees that they were missing: each column
    with gaps has a second coordinate, after those of all columns. With ``standardize=False``
    numbers stay in the user's units, and there is one coordinate per column, as the user's kernel
    expects.
    """

    categorical: np.ndarray
    standardize: bool = True
    levels: dict[int, list] = field(default_factory=dict)
    magnitude: np.ndarray = field(default_factory=lambda: np.empty(0))
    center: np.ndarray = field(default_factory=lambda: np.empty(0))
    spread: np.ndarray = field(default_factory=lambda: np.empty(0))
    # The categorical columns that had gaps in fit; models of format 1 do not know.
    gaps: list[int] | None = None
    # Earlier versions refused missing numbers, and so do the models they saved.
    takes_gaps: bool = False
    missing: Gaps | None = None
    checks: tuple[str, ...] = ()
    # What becomes of the standardized columns, where a kernel compares ranks.
    scores: NormalScores | None = None

    @property
    def n_columns(self) -> int:
        """The number of columns as given."""
        return len(self.magnitude) - len(self.shown)

    @property
    def shown(self) -> np.ndarray:
        """Numbers of the columns whose gaps have coordinates of their own."""
        return np.empty(0, int) if self.missing is None else self.missing.shown

    @property
    def column_of(self) -> np.ndarray:
        """The column of each coordinate."""
        return np.concatenate([np.arange(self.n_columns), self.shown])

    def coordinate_names(self, names: Sequence[str] | None) -> list[str] | None:
        """Names of the coordinates, from those of the columns; None: they are only numbered."""
        if not len(self.shown):
            return None if names is None else list(names)
        columns = [f"column {r}" for r in range(self.n_columns)] if names is None else list(names)
        return [*columns, *(f"gaps of {columns[r]}" for r in self.shown)]

    def learn_levels(self, X: Any) -> None:
        self.gaps = []
        for index in map(int, self.categorical):
            given = column_values(X, index).tolist()
            values = {x for x in given if not is_missing(x)}
            self.levels[index] = sorted(values, key=lambda x: (type(x).__name__, x))
            if any(map(is_missing, given)):
                self.gaps.append(index)

    def numbers(self, X: Any, estimator: Any) -> np.ndarray:
        """The float matrix of X, categories as codes, gaps as NaN, not yet standardized."""
        if is_frame(X) and not X.shape[1]:
            raise ValueError("Found 0 feature(s): X has no columns; at least 1 is needed")
        if not is_frame(X) and not self.levels:
            numbers = as_numbers(X, estimator, self.takes_gaps)
        else:
            numbers = np.empty(X.shape)
            for index in range(X.shape[1]):
                if index in self.levels:
                    numbers[:, index] = self._codes(X, index)
                else:
                    column = X[[X.columns[index]]] if is_frame(X) else X[:, [index]]
                    numbers[:, index] = as_numbers(column, estimator, self.takes_gaps)[:, 0]
        if self.missing is not None:
            self._warn_of_new_gaps(numbers, list(X.columns) if is_frame(X) else None)
        return numbers

    def _warn_of_new_gaps(self, numbers: np.ndarray, names: Sequence[str] | None) -> None:
        assert self.missing is not None
        counts = np.isnan(numbers).sum(axis=0)
        for r in map(int, np.flatnonzero((counts > 0) & (self.missing.counts == 0))):
            warn_user(
                f"column {called(r, names)}: {counts[r]} of {len(numbers)} values are missing, but "
                f"none was in fit; they count as its median, {self.missing.fill[r]:.6g}",
                UnseenGapWarning,
            )

    def _codes(self, X: Any, index: int) -> np.ndarray:
        levels = {level: code for code, level in enumerate(self.levels[index])}
        values = column_values(X, index).tolist()
        codes = np.array([len(levels) if is_missing(x) else levels.get(x, -1) for x in values])
        new = codes == -1
        if self.gaps is not None and index not in self.gaps:
            new |= codes == len(levels)
        if unseen := int(new.sum()):
            name = called(index, list(X.columns) if is_frame(X) else None)
            warn_user(
                f"column {name}: {unseen} of {len(codes)} rows have a level that was not seen in "
                "fit; it counts as different from all others",
                UnseenLevelWarning,
            )
        return codes

    def learn_gaps(
        self, numbers: np.ndarray, weights: np.ndarray, names: Sequence[str] | None
    ) -> None:
        self.missing = Gaps.learn(numbers, weights, show=self.standardize)
        self.checks = self.missing.words(names)

    def filled(self, numbers: np.ndarray) -> np.ndarray:
        """The coordinates that the numbers become, not yet standardized."""
        return numbers if self.missing is None else self.missing.filled(numbers)

    def learn_scales(self, coordinates: np.ndarray, weights: np.ndarray) -> None:
        found = Scales.learn(coordinates, weights)
        plain = np.full(coordinates.shape[1], not self.standardize)
        plain[self.categorical] = True
        plain[coordinates.shape[1] - len(self.shown) :] = True
        self.magnitude = np.where(plain, 1.0, found.magnitude)
        self.center = np.where(plain, 0.0, found.center)
        self.spread = np.where(plain, 1.0, found.spread)

    def scaled(self, numbers: np.ndarray) -> np.ndarray:
        """Rows as the kernel sees them."""
        return self.standardized(self.filled(numbers))

    def unscaled(self, scaled: np.ndarray) -> np.ndarray:
        """Rows as the kernel sees them in their own units again; gaps as what filled them."""
        coordinates = Scales(self.magnitude, self.center, self.spread).unscaled(scaled)
        return coordinates[:, : self.n_columns]

    def standardized(self, coordinates: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            scaled = Scales(self.magnitude, self.center, self.spread).scaled(coordinates)
        if self.standardize:
            scaled = np.clip(scaled, -FARTHEST, FARTHEST)
        return scaled if self.scores is None else self.scores(scaled)
