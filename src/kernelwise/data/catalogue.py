"""Data sets by name: benchmark files, scikit-learn's, synthetic ones, and OpenML's."""

import os
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kernelwise.data.dataset import Dataset
from kernelwise.data.generators import GENERATORS
from kernelwise.data.named_set import FRESH_TEST_ROWS, FRESH_TRAINING_ROWS, NamedSet
from kernelwise.data.target import Task
from kernelwise.errors import ArgumentError
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
SETS_KEPT = 8


class Catalogue:
    """A finder of sets by name, loaded when asked for; costs nothing to make or to pickle.

    A name is looked up among the files ``<name>.npz`` of the folder, the sets bundled with
    scikit-learn, the generators, and, as ``openml:<name or number>``, at OpenML. Each process
    keeps the sets it loaded last.

    Parameters
    ----------
    folder : where the files are; None: the environment variable KERNELWISE_DATA, or no folder
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        given = folder or os.environ.get(FOLDER_VARIABLE) or None
        if given is not None and not Path(given).is_dir():
            raise ArgumentError(
                f"the data folder {given} does not exist: correct its name, or {FOLDER_VARIABLE}",
                argument="folder",
            )
        self.folder = None if given is None else Path(given).resolve()

    def names(self) -> dict[str, str]:
        """Every name but OpenML's, and where it comes from; nothing is loaded."""
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
            raise ArgumentError(self._unknown(name), argument="folder")
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
            f"no set is called '{name}': {hint} Write {OPENML}<name or number> for a set from "
            f"OpenML, or choose {folder} of .npz files, or set the variable {FOLDER_VARIABLE}"
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
    # Imported here, as below: this module takes longer to load than most sets.
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
            f"{path.name} cannot be read: it is damaged, or not a numpy archive without pickles"
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


def _stored_splits(
    data: dict[str, np.ndarray], rows: int
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
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
    """A set with numeric columns first, then categorical ones as ranks of levels (NaN: missing)."""
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
