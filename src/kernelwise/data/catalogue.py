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
from kernelwise.data.set_file import CODINGS, read_set
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

    A name is looked up among the files ``<name>.npz`` of the folder and other codings of their
    rows, the sets bundled with scikit-learn, the generators, and, as ``openml:<name or number>``,
    at OpenML. Each process keeps the sets it loaded last.

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
        if self.folder is None:
            return {}
        found = {path.stem: path for path in sorted(self.folder.glob("*.npz"))}
        codings = {name: found[of.file] for name, of in CODINGS.items() if of.file in found}
        return codings | found

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
        return read_set(name, path)
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
