"""Benchmark sets in numpy archives: a table, views of the same rows, or matrices between cases."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kernelwise.data.case_matrices import CaseMatrices
from kernelwise.data.named_set import NamedSet
from kernelwise.data.target import Task

VIEW = re.compile(r"X_(\d+)")
MATRIX = re.compile(r"([DK])_(\d+)")
Arrays = Mapping[str, np.ndarray]


class Coding(NamedTuple):
    """Another coding of the rows of a file: the arrays of its columns and of their names."""

    file: str
    columns: str
    names: str


CODINGS = {"heart_statlog_onehot28": Coding("heart_statlog", "X_onehot28", "names28")}


class Rows(NamedTuple):
    """X with the names of its columns; the columns of each view, or matrices between the rows."""

    X: np.ndarray
    names: tuple[str, ...]
    views: Mapping[str, np.ndarray]
    matrices: CaseMatrices | None = None


def read_set(name: str, path: Path) -> NamedSet:
    """The set of a file, in the coding that the name asks for.

    A file has ``y`` and one of these: ``X`` with ``feature_names``; views ``X_1``, ``X_2``, ... of
    the same rows, which become the columns of one X; square matrices between all cases, either
    distances ``D_1``, ``D_2``, ... or kernels ``K_1``, ``K_2``, ..., and X is then a column of case
    numbers. ``train_idx`` and ``test_idx`` have a line of row numbers for each published split. A
    ValueError says what is wrong with the file.
    """
    data = _arrays(path)
    try:
        y, task = _target(data["y"])
        rows = _rows(data, len(y), CODINGS.get(name) if name != path.stem else None)
        if rows.X.shape != (len(y), len(rows.names)):
            raise ValueError("X, y and feature_names disagree about its shape")
        splits = _stored_splits(data, len(y))
    except KeyError as error:
        raise ValueError(f"{path.name} is not a benchmark set: it lacks {error}") from None
    except (ValueError, IndexError, TypeError) as error:
        raise ValueError(f"{path.name} is not a sound benchmark set: {error}") from None
    origin, deviations, published = (
        str(data.get(key, "")) for key in ("provenance", "deviations", "original_splits")
    )
    notes = (deviations, published and f"published splits: {published}")
    return NamedSet(
        name=name,
        X=rows.X,
        y=y,
        feature_names=rows.names,
        task=task,
        source=f"file {path.name}" + (f": {origin}" if origin else ""),
        notes="; ".join(note for note in notes if note),
        stored_splits=splits,
        views=rows.views,
        matrices=rows.matrices,
    )


def _arrays(path: Path) -> dict[str, np.ndarray]:
    try:
        with path.open("rb") as file, np.load(file) as stored:
            return {key: stored[key] for key in stored.files}
    except Exception:  # numpy, zipfile and zlib each have their own for a damaged file
        raise ValueError(
            f"{path.name} cannot be read: it is damaged, or not a numpy archive without pickles"
        ) from None


def _rows(data: Arrays, count: int, coding: Coding | None) -> Rows:
    if coding is not None:
        return Rows(_finite(data[coding.columns]), _texts(data[coding.names]), {})
    views = sorted(filter(VIEW.fullmatch, data), key=lambda key: int(key[2:]))
    matrices = sorted(filter(MATRIX.fullmatch, data), key=lambda key: int(key[2:]))
    if "X" in data or not (views or matrices):
        return Rows(_table(data), _texts(data["feature_names"]), {})
    return _side_by_side(data, views, count) if views else _between_cases(data, matrices, count)


def _table(data: Arrays) -> np.ndarray:
    X = _finite(data["X"])
    if "X_imp" not in data:
        return X
    imputed = _finite(data["X_imp"])
    if imputed.shape != X.shape:
        raise ValueError("X and its imputed copy X_imp differ in shape")
    return imputed


def _finite(columns: np.ndarray) -> np.ndarray:
    X = np.ascontiguousarray(columns, dtype=float)
    if np.isinf(X).any():
        raise ValueError("X holds infinite values")
    return X


def _texts(names: np.ndarray) -> tuple[str, ...]:
    return tuple(str(name) for name in names)


def _side_by_side(data: Arrays, keys: list[str], count: int) -> Rows:
    parts = {key: _finite(data[key]) for key in keys}
    for key, part in parts.items():
        if part.ndim != 2 or len(part) != count:
            raise ValueError(f"the view {key} has the shape {part.shape}, but y has {count} rows")
    ends = np.cumsum([part.shape[1] for part in parts.values()])
    columns = np.split(np.arange(ends[-1]), ends[:-1])
    names = tuple(f"{key}.{n}" for key, part in parts.items() for n in range(1, 1 + part.shape[1]))
    return Rows(np.hstack(list(parts.values())), names, dict(zip(keys, columns, strict=True)))


def _between_cases(data: Arrays, keys: list[str], count: int) -> Rows:
    if len({key[0] for key in keys}) > 1:
        raise ValueError("it holds both distances (D_1, ...) and kernels (K_1, ...): keep one kind")
    for key in keys:
        if data[key].shape != (count, count):
            raise ValueError(f"{key} has the shape {data[key].shape}, but y has {count} cases")
    found = CaseMatrices({key: data[key] for key in keys}, are_distances=keys[0].startswith("D"))
    return Rows(np.arange(float(count))[:, None], ("case",), {}, found)


def _target(y: np.ndarray) -> tuple[np.ndarray, Task]:
    """The target and its task; text, integers, and at most two whole decimals are classes."""
    if y.ndim != 1:
        raise ValueError("y is not one value for each row")
    if y.dtype.kind in "US":
        return y.astype(str), "classification"
    values = y.astype(float)
    if not np.isfinite(values).all():
        raise ValueError("y has missing or infinite values")
    two_classes = len(np.unique(values)) <= 2 and np.all(values == np.round(values))
    if y.dtype.kind in "biu" or two_classes:
        return y.astype(int), "classification"
    return values, "regression"


def _stored_splits(data: Arrays, rows: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The published splits, and the generated ones, which are tested on all other rows."""
    splits = {}
    if "train_idx" in data:
        train, test = (np.atleast_2d(data[key]).astype(int) for key in ("train_idx", "test_idx"))
        splits["published"] = train, test
    if "train_idx_gen" in data:
        train = np.atleast_2d(data["train_idx_gen"]).astype(int)
        left = np.ones((len(train), rows), dtype=bool)
        np.put_along_axis(left, train, False, axis=1)
        splits["generated"] = train, np.nonzero(left)[1].reshape(len(train), -1)
    for kind, (train, test) in splits.items():
        if len(train) != len(test):
            raise ValueError(f"its {kind} training and test rows differ in number of splits")
        both = np.sort(np.hstack([train, test]), axis=1)
        if both.min() < 0 or both.max() >= rows or (np.diff(both, axis=1) == 0).any():
            raise ValueError(f"its {kind} splits name rows twice, or rows that do not exist")
    return splits
