"""The same numbers as arrays of other types, as lists, and as data frames of pandas and polars."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import scipy.sparse


def as_some_type(rng: np.random.Generator, X: np.ndarray) -> Any:
    """One of many forms, most often a plain one."""
    if rng.random() < 0.4:
        return X
    forms = (*PLAIN, *FRAMES)
    return forms[int(rng.integers(len(forms)))](rng, X)


def _whole(X: np.ndarray, kind: Any) -> np.ndarray:
    limits = np.iinfo(kind)
    # Half the largest: a double cannot hold the largest of 64 bits.
    return np.clip(
        3 * np.nan_to_num(np.clip(X, -1e300, 1e300)), limits.min // 2, limits.max // 2
    ).astype(kind)


def _single(rng, X):
    with np.errstate(over="ignore", under="ignore"):
        return X.astype(np.float32)


def _objects(rng, X):
    found = X.astype(object)
    for instead in (None, "text", True, pd.NA, 10**400, [1, 2])[: int(rng.integers(1, 7))]:
        if rng.random() < 0.4 and found.size:
            found.flat[int(rng.integers(found.size))] = instead
    return found


PLAIN: tuple[Callable[[np.random.Generator, np.ndarray], Any], ...] = (
    _single,
    lambda rng, X: _whole(X, np.int8),
    lambda rng, X: _whole(X, np.uint16),
    lambda rng, X: _whole(X, np.int64),
    lambda rng, X: _whole(X, np.uint64),
    lambda rng, X: np.nan_to_num(X) > 0,
    lambda rng, X: X.astype(np.longdouble),
    lambda rng, X: X.astype(">f8"),
    lambda rng, X: np.asfortranarray(X),
    lambda rng, X: X.astype(str),
    lambda rng, X: X + 0j,
    lambda rng, X: _whole(X, np.int64).astype("datetime64[s]"),
    lambda rng, X: X.tolist(),
    lambda rng, X: np.ma.masked_invalid(X),
    lambda rng, X: scipy.sparse.csr_matrix(np.nan_to_num(X)),
    lambda rng, X: X[:, 0],
    lambda rng, X: X[:, :, None],
    lambda rng, X: X[:, :0],
    lambda rng, X: X[:0],
    lambda rng, X: X[0, 0],
    lambda rng, X: None,
    lambda rng, X: "text",
    _objects,
    _objects,
)


def _typed_columns(rng: np.random.Generator, X: np.ndarray) -> dict[str, Any]:
    """Columns of many types; a gap wherever X has one."""
    makers: tuple[Callable[[np.ndarray], Any], ...] = (
        lambda x: x,
        lambda x: x,
        lambda x: pd.array(np.round(np.clip(x, -1e9, 1e9)), dtype="Int64"),
        lambda x: pd.Categorical(np.where(np.isnan(x), None, np.where(x > 0, "a", "b"))),
        lambda x: pd.array(np.where(x > 0, "a", None), dtype="string"),
        lambda x: pd.array(np.where(np.isnan(x), None, x > 0), dtype="boolean"),
        lambda x: x > 0,
        lambda x: np.where(x > 0, "a", "b").astype(object),
        lambda x: np.where(np.isnan(x), None, x),
        lambda x: np.array(
            [("a", 1, None, 2.5, True)[int(i)] for i in np.arange(len(x)) % 5], dtype=object
        ),
        lambda x: pd.Categorical(np.round(np.clip(np.nan_to_num(x), -3, 3))),
        lambda x: pd.to_datetime(_whole(x, np.int32), unit="s"),
        lambda x: pd.to_timedelta(_whole(x, np.int32), unit="s"),
        lambda x: pd.array(np.nan_to_num(x), dtype=pd.SparseDtype(float)),
        lambda x: pd.array(x, dtype="Float64"),
        lambda x: _whole(x, np.int8),
        lambda x: x + 0j,
        lambda x: [[value] for value in x],
        lambda x: pd.period_range("2020", periods=len(x), freq="D"),
        lambda x: pd.interval_range(0, len(x), len(x)),
    )
    # Most frames have only one or two columns of a type that a table would not have.
    chosen = [int(rng.integers(len(makers) if rng.random() < 0.4 else 2)) for _ in X.T]
    return {f"c{i}": makers[kind](X[:, i]) for i, kind in enumerate(chosen)}


def _pandas(rng, X):
    frame = pd.DataFrame(_typed_columns(rng, X))
    ways = (
        lambda: list(frame.columns),
        lambda: list(range(frame.shape[1])),
        lambda: ["c0"] * frame.shape[1],
        lambda: [0, *frame.columns[1:]],
        lambda: [None, *frame.columns[1:]],
        lambda: pd.MultiIndex.from_tuples([("a", i) for i in range(frame.shape[1])]),
        lambda: pd.date_range("2020", periods=frame.shape[1]),
        lambda: ["\x1b[2J\n", *frame.columns[1:]],
    )
    frame.columns = ways[int(rng.integers(len(ways))) if rng.random() < 0.4 else 0]()
    if rng.random() < 0.2:
        frame.index = [7] * len(frame)
    return frame


def _polars(rng, X):
    columns = {}
    for i, x in enumerate(X.T):
        kinds = (
            lambda x: pl.Series(x),
            lambda x: pl.Series([None if np.isnan(v) else float(v) for v in x], dtype=pl.Float64),
            lambda x: pl.Series(["a" if v > 0 else None for v in x], dtype=pl.String),
            lambda x: pl.Series(["a" if v > 0 else "b" for v in x], dtype=pl.Categorical),
            lambda x: pl.Series([bool(v > 0) for v in x]),
            lambda x: pl.Series(_whole(x, np.int32)).cast(pl.Date),
            lambda x: pl.Series([None] * len(x), dtype=pl.Null),
            lambda x: pl.Series([[1.0]] * len(x), dtype=pl.List(pl.Float64)),
            lambda x: pl.Series(_whole(x, np.int16)).cast(pl.Decimal(10, 2)),
        )
        columns[f"c{i}"] = kinds[int(rng.integers(len(kinds) if rng.random() < 0.4 else 2))](x)
    return pl.DataFrame(columns)


FRAMES = (_pandas,) * 8 + (_polars,) * 5 + (lambda rng, X: pd.Series(X[:, 0]),)
