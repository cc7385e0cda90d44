"""Sets by name: files of benchmark sets, scikit-learn's, synthetic ones, and OpenML's."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from sklearn.model_selection import train_test_split

from kernelwise.data.dataset import Dataset
from kernelwise.data.generators import GENERATORS, Maker
from kernelwise.data.target import Task
from kernelwise.optional import import_optional

if TYPE_CHECKING:
    from pandas import DataFrame

BUNDLED: dict[str, Task] = {
    "breast_cancer": "classification",
    "wine": "classification",
    "iris": "classification",
    "digits": "classification",
    "diabetes": "regression",
}
OPENML = "openml:"
FOLDER_VARIABLE = "KERNELWISE_DATA"

# Random splits are drawn when asked for; a limit keeps "all of them" finite.
RANDOM_SPLITS = 1000
TEST_SHARE = 0.3
FRESH_TRAINING_ROWS, FRESH_TEST_ROWS = 400, 5000
SETS_KEPT = 8

Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class NamedSet:
    """A set with its splits into training and test rows. Nothing is standardized.

    Attributes
    ----------
    name : the name it was loaded by
    X : matrix of floats; NaN marks a missing value, but where the file has an imputed copy, X
        is that copy. Of a generator: the rows of split 0
    y : whole numbers or text (classification), or floats (regression)
    feature_names : one name for each column of X
    task : "classification" or "regression"
    source : where it was found, in words
    notes : what the file says about how it differs from the original, and about its splits
    stored_splits : for each kind, the row numbers of the training and of the test rows, one
        split per row
    maker : the generator that draws fresh rows for each random split, if there is one
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    task: Task
    source: str
    notes: str = ""
    stored_splits: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    maker: Maker | None = None

    def __post_init__(self) -> None:
        # One loaded set serves every caller in the process: nobody may change it for the others.
        self.X.flags.writeable = self.y.flags.writeable = False

    @cached_property
    def fingerprint(self) -> str:
        """16 hexadecimal digits of the SHA-256 of X, y and the stored splits."""
        digest = sha256()
        arrays = [self.X, self.y]
        for kind in sorted(self.stored_splits):
            digest.update(kind.encode())
            arrays += self.stored_splits[kind]
        for array in arrays:
            digest.update(f"{array.dtype.str} {array.shape}".encode())
            digest.update(array.tobytes())
        return digest.hexdigest()[:16]

    @property
    def splits(self) -> dict[str, int]:
        """How many splits of each kind there are; their numbers begin with 0.

        "published" and "generated" are stored in the file. "random", for sets without generated
        ones, are drawn with their number as the seed: 30 % test rows, stratified by class; or,
        of a generator, 400 fresh training rows and 5000 fresh test rows. Of these 1000 count.
        """
        counts = {kind: len(train) for kind, (train, _) in self.stored_splits.items()}
        return counts if "generated" in counts else counts | {"random": RANDOM_SPLITS}

    def split(self, kind: str, number: int) -> Split:
        """``X_train, y_train, X_test, y_test`` of one split; always the same for one number."""
        self._check_split(kind, number)
        if kind in self.stored_splits:
            train, test = (rows[number] for rows in self.stored_splits[kind])
        elif self.maker is not None:
            X, y = self.maker(FRESH_TRAINING_ROWS + FRESH_TEST_ROWS, number)
            train, test = np.split(np.arange(len(y)), [FRESH_TRAINING_ROWS])
            return X[train], y[train], X[test], y[test]
        else:
            train, test = self._random_rows(number)
        return self.X[train], self.y[train], self.X[test], self.y[test]

    def _check_split(self, kind: str, number: int) -> None:
        there = "; ".join(f"{kind} 0 to {count - 1}" for kind, count in self.splits.items())
        if kind not in self.splits:
            raise ValueError(f"the set '{self.name}' has no splits '{kind}'; it has {there}")
        whole = isinstance(number, int | np.integer)
        if not whole or not 0 <= number < self.splits[kind]:
            raise ValueError(f"the set '{self.name}' has no {kind} split {number}; it has {there}")

    def _random_rows(self, number: int) -> list[np.ndarray]:
        classes = self.y if self.task == "classification" else None
        try:
            return train_test_split(
                np.arange(len(self.y)), test_size=TEST_SHARE, random_state=number, stratify=classes
            )
        except ValueError as error:  # a class with a single row, or fewer rows than classes
            raise ValueError(f"the set '{self.name}' has no random splits: {error}") from None


class Catalogue:
    """Finds sets by name and loads them when asked; costs nothing to make or to pickle.

    A name is looked up among the files ``<name>.npz`` of the folder, the sets bundled with
    scikit-learn, the generators, and, as ``openml:<name or number>``, at OpenML. Each process
    keeps the sets it loaded last.

    Parameters
    ----------
    folder : of the files; None is the environment variable KERNELWISE_DATA, or no folder
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        given = folder or os.environ.get(FOLDER_VARIABLE) or None
        if given is not None and not Path(given).is_dir():
            raise ValueError(
                f"the data folder {given} is not there: correct --data-dir or {FOLDER_VARIABLE}"
            )
        self.folder = None if given is None else Path(given).resolve()

    def names(self) -> dict[str, str]:
        """Every name but OpenML's, with where it comes from; nothing is loaded."""
        places = {name: "file of the data folder" for name in self._files()}
        for name in BUNDLED:
            places.setdefault(name, "bundled with scikit-learn")
        for name in GENERATORS:
            places.setdefault(name, "drawn by a generator")
        return places

    def load(self, name: str) -> NamedSet:
        """The set of this name; a ValueError says what is wrong with the name or the file."""
        path = self._files().get(name)
        if path is None and name not in self.names() and not name.startswith(OPENML):
            raise ValueError(self._unknown(name))
        return _load(name, path)

    def _files(self) -> dict[str, Path]:
        return (
            {path.stem: path for path in sorted(self.folder.glob("*.npz"))} if self.folder else {}
        )

    def _unknown(self, name: str) -> str:
        known = list(self.names())
        near = get_close_matches(name, known, n=3)
        listed = ", ".join(f"'{other}'" for other in near or known[:8])
        hint = f"did you mean {listed}?" if near else f"the known ones begin with {listed};"
        folder = "another folder" if self.folder else "the folder"
        return (
            f"no set is called '{name}': {hint} Point to {folder} of .npz files with --data-dir "
            f"or {FOLDER_VARIABLE}, or write {OPENML}<name or number> for a set of OpenML"
        )


@lru_cache(maxsize=SETS_KEPT)
def _load(name: str, path: Path | None) -> NamedSet:
    if path is not None:
        return _from_file(path)
    if name in BUNDLED:
        return _bundled(name)
    if name in GENERATORS:
        return _generated(name)
    return _from_openml(name)


def _bundled(name: str) -> NamedSet:
    # Inside the function, as below: loading this module takes longer than most sets do.
    from sklearn import datasets

    found = getattr(datasets, f"load_{name}")()
    names = tuple(str(feature) for feature in found.feature_names)
    return NamedSet(
        name, found.data, found.target, names, BUNDLED[name], "bundled with scikit-learn"
    )


def _generated(name: str) -> NamedSet:
    maker = GENERATORS[name]
    X, y = maker(FRESH_TRAINING_ROWS + FRESH_TEST_ROWS, 0)
    source = f"drawn by the generator {name}"
    return NamedSet(name, X, y, _numbered(X), "classification", source, maker=maker)


def _from_file(path: Path) -> NamedSet:
    data = _arrays(path)
    try:
        X, (y, task) = _matrix(data), _target(data["y"])
        names = tuple(str(name) for name in data["feature_names"])
        if X.shape != (len(y), len(names)):
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
        name=path.stem,
        X=X,
        y=y,
        feature_names=names,
        task=task,
        source=f"file {path.name}" + (f": {origin}" if origin else ""),
        notes="; ".join(note for note in notes if note),
        stored_splits=splits,
    )


def _arrays(path: Path) -> dict[str, np.ndarray]:
    try:
        with path.open("rb") as file, np.load(file) as stored:
            return {key: stored[key] for key in stored.files}
    except Exception:  # numpy, zipfile and zlib each have their own for a damaged file
        raise ValueError(
            f"{path.name} cannot be read: it is damaged, or no numpy archive without pickles"
        ) from None


def _matrix(data: dict[str, np.ndarray]) -> np.ndarray:
    views = [key for key in data if key.startswith("X_") and key[2:].isdigit()]
    if "X" not in data and views:
        raise ValueError(f"it holds several views ({len(views)}: {views[0]}, ...) and no single X")
    X = np.ascontiguousarray(data["X"], dtype=float)
    if "X_imp" in data:
        imputed = np.ascontiguousarray(data["X_imp"], dtype=float)
        if imputed.shape != X.shape:
            raise ValueError("X and its imputed copy X_imp differ in shape")
        X = imputed
    if np.isinf(X).any():
        raise ValueError("X holds infinite values")
    return X


def _target(y: np.ndarray) -> tuple[np.ndarray, Task]:
    """Whole numbers and text are classes; so are decimals that are but two whole numbers."""
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


def _stored_splits(
    data: dict[str, np.ndarray], rows: int
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The published splits, and the generated ones, whose test rows are all the others."""
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
            raise ValueError(f"its {kind} splits name rows twice, or rows that are not there")
    return splits


def _from_openml(name: str) -> NamedSet:
    import_optional("pandas", extra="cli")
    from sklearn.datasets import fetch_openml

    wanted = name.removeprefix(OPENML)
    if not wanted:
        raise ValueError(f"write the name or number of the set after '{OPENML}'")
    which = {"data_id": int(wanted)} if wanted.isdecimal() else {"name": wanted}
    try:
        found = fetch_openml(**which, as_frame=True, n_retries=1)
    except OSError as error:
        raise OSError(
            f"'{name}' is not among scikit-learn's earlier downloads, and asking OpenML "
            f"(www.openml.org) for it failed: {error}"
        ) from None
    except ValueError as error:
        raise ValueError(f"OpenML has no set that fits '{name}': {error}") from None
    if len(found.target_names) != 1:
        raise ValueError(f"'{name}' has {len(found.target_names)} target columns at OpenML, not 1")
    source = f"OpenML number {found.details['id']}, version {found.details['version']}"
    return _from_frame(name, found.frame, found.target_names[0], source)


def _from_frame(name: str, frame: "DataFrame", target: str, source: str) -> NamedSet:
    """Numeric columns first, then each categorical one as the rank of its level (NaN: missing)."""
    table = Dataset.from_frame(frame, target)
    X = table.features.copy()
    for column in table.categorical_columns:
        codes = X[column].astype("category").cat.codes
        X[column] = codes.where(codes >= 0).astype(float)
    y = table.target.astype(str) if table.target.dtype == object else table.target
    names = tuple(X.columns)
    return NamedSet(name, X.to_numpy(dtype=float, copy=True), y, names, table.task, source)


def _numbered(X: np.ndarray) -> tuple[str, ...]:
    return tuple(f"x{number}" for number in range(1, X.shape[1] + 1))
