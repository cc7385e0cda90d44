"""What a model file says about its model: names, numbers and versions."""

import json
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any, Literal

from sklearn.base import BaseEstimator

from kernelwise import __version__
from kernelwise.data.columns import Column
from kernelwise.data.pipeline import final_step
from kernelwise.notices import warn_user
from kernelwise.typed_json import record_of

LIBRARIES = ("numpy", "scikit-learn", "skops")
# Models are made of objects of these; skops only writes them down, in a format with a number.
NEEDED_ALIKE = ("numpy", "scikit-learn")
# What to call the column that a model predicts if nobody has said.
UNNAMED_TARGET = "target"


class ModelVersionWarning(UserWarning):
    """A model was saved with another version of numpy or scikit-learn than is installed."""


def library_versions() -> dict[str, str]:
    """The versions installed here of the libraries that a model file depends on."""
    return {name: version(name) for name in LIBRARIES}


@dataclass(frozen=True)
class ModelMetadata:
    """What a model file says about its model, besides the model itself.

    ``rows`` is None if the number of rows it was fitted to is not known. ``columns`` say how the
    columns of its table were read (``target_column``: the target), and are empty where no file was;
    ``lowest`` and ``highest`` are the ends of its numbers. ``honest_error`` holds
    the numbers of a :class:`~kernelwise.evaluation.HonestError` by name, or is None when none was
    estimated. ``library_versions`` is empty in files of formats 1 and 2.

    Fields are read back by their annotations (:func:`~kernelwise.typed_json.record_of`
    knows which there may be).
    """

    target: str
    task: Literal["classification", "regression"]
    numeric_columns: tuple[str, ...]
    categorical_columns: tuple[str, ...]
    classes: tuple[str, ...]
    rows: int | None = None
    columns: tuple[Column, ...] = ()
    target_column: Column | None = None
    lowest: dict[str, float] = field(default_factory=dict)
    highest: dict[str, float] = field(default_factory=dict)
    honest_error: dict[str, float] | None = None
    kernelwise_version: str = __version__
    library_versions: dict[str, str] = field(default_factory=library_versions)

    @classmethod
    def of(cls, model: BaseEstimator) -> "ModelMetadata":
        """What a fitted estimator or pipeline itself knows.

        Columns without names are called x0, x1, ... Those that its last step compares by equality
        are categorical, all others numeric.
        """
        final = final_step(model)
        names, seen = _column_names(model), _column_names(final)
        compared = getattr(getattr(final, "columns_", None), "categorical", ())
        # Without names nobody knows what the steps before the last did with a column.
        is_known = model is final or hasattr(final, "feature_names_in_")
        categorical = {seen[index] for index in compared} if is_known else set()
        return cls(
            target=UNNAMED_TARGET,
            task="classification" if hasattr(final, "classes_") else "regression",
            numeric_columns=tuple(name for name in names if name not in categorical),
            categorical_columns=tuple(name for name in names if name in categorical),
            classes=tuple(map(str, getattr(final, "classes_", ()))),
        )

    def as_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "ModelMetadata":
        """Read what :meth:`as_json` wrote; a ValueError says which field is of another type."""
        value = json.loads(text)
        if isinstance(value, dict):  # formats 1 and 2 know nothing of them
            value = {"library_versions": {}} | value
        return record_of(cls, value)


def _column_names(estimator: Any) -> list[str]:
    unnamed = [f"x{index}" for index in range(getattr(estimator, "n_features_in_", 0))]
    return list(map(str, getattr(estimator, "feature_names_in_", unnamed)))


def warn_of_other_versions(metadata: ModelMetadata, path: object) -> None:
    """Warn if a file was written with a library whose version differs by more than a patch."""
    here = library_versions()
    differing = [
        f"{name} {then!r} ({here[name]} is installed)"  # quoted: the text is someone else's
        for name, then in metadata.library_versions.items()
        if name in NEEDED_ALIKE and then.split(".")[:2] != here[name].split(".")[:2]
    ]
    if differing:
        warn_user(
            f"{path} was saved with {' and '.join(differing)}: its predictions may differ, so "
            "fit the model again if they matter",
            ModelVersionWarning,
        )
