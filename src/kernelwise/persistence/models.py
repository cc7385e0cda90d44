"""Saving a fitted model, and loading it again."""

import json
import warnings
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.utils.validation import check_is_fitted

from kernelwise.files import written_whole
from kernelwise.optional import import_optional
from kernelwise.persistence.archive import (
    KIND,
    SCHEMA,
    Members,
    RefusedError,
    is_sealed,
    packed,
    schema_of,
    sealed,
    unpacked,
)
from kernelwise.persistence.earlier_formats import EARLIER, translate
from kernelwise.persistence.metadata import ModelMetadata, warn_of_other_versions
from kernelwise.persistence.trusted import is_trusted


def save_model(
    model: BaseEstimator, path: str | Path, metadata: ModelMetadata | None = None
) -> None:
    """Write a fitted estimator or pipeline to ``path``, whole or not at all.

    What could not be loaded again is a ValueError.

    Parameters
    ----------
    model : a fitted estimator of kernelwise, or a pipeline of them and scikit-learn's
    path : the file to write; ``kernelwise fit`` ends its names in .skops
    metadata : what the file says about the model; None: what the model itself knows
        (:meth:`ModelMetadata.of`)

    Examples
    --------
    >>> save_model(LSSVMClassifier().fit(X, y), "model.skops")  # doctest: +SKIP
    >>> model, metadata = load_model("model.skops")  # doctest: +SKIP
    """
    if not isinstance(model, BaseEstimator):
        raise ValueError(f"a model file holds an estimator, not a {type(model).__name__}")
    check_is_fitted(model)
    skops_io = import_optional("skops.io", extra="persist")
    metadata = metadata or ModelMetadata.of(model)
    content = {"kind": KIND, "metadata": metadata.as_json(), "model": model}
    with written_whole(Path(path)) as temporary:
        temporary.write_bytes(_archive_of(content, skops_io))


def _archive_of(content: dict[str, Any], skops_io: ModuleType) -> bytes:
    """The bytes of a model file; those that would not be loaded are a ValueError."""
    # Values that compress beyond the limits of unpacking are written as they are.
    for compression in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
        try:
            data = sealed(skops_io.dumps(content, compression=compression))
        except TypeError as error:
            raise ValueError(
                f"the model cannot be saved: a file has no room for one of its values ({error}); "
                "give parameters such as landmarks as arrays, not as data frames"
            ) from None
        try:
            schema_of(unpacked(data))
            break
        except RefusedError as error:
            if compression == zipfile.ZIP_STORED:
                raise ValueError(f"the model cannot be saved: the file {error}") from None
    refused = [name for name in skops_io.get_untrusted_types(data=data) if not is_trusted(name)]
    if refused:
        raise ValueError(
            f"the model cannot be saved: it holds {refused[0]!r}, and a model file may name only "
            "what kernelwise and scikit-learn define"
        )
    return data


def load_model(path: str | Path) -> tuple[Any, ModelMetadata]:
    """Read what :func:`save_model` wrote: the model and its metadata.

    A ValueError says why a file is refused. One that names a type this package does not trust is
    refused before anything in it is built, so a file from elsewhere cannot run code; one that was
    damaged is refused by its checksum. A :class:`ModelVersionWarning` says that it was written
    with another version of numpy or scikit-learn.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"{path}: no such file")
    content = _content_of(path)
    # Whatever is wrong with what a checked file holds, somebody has changed it.
    try:
        model, metadata = content["model"], ModelMetadata.from_json(content["metadata"])
    except Exception as error:
        raise ValueError(
            f"{path} is damaged or was changed ({error}): fit the model again"
        ) from error
    if not isinstance(model, BaseEstimator):
        raise ValueError(f"{path} holds no model: fit it again")
    warn_of_other_versions(metadata, path)
    return model, metadata


def _content_of(path: Path) -> Any:
    """What a file holds, built from types that are trusted."""
    skops_io = import_optional("skops.io", extra="persist")
    # A damaged or hostile file can make the reader fail in any way; every failure means the same.
    try:
        written = path.read_bytes()
        has_checksum = is_sealed(written)
        data = packed(_checked_members(written, has_checksum))
        named_types = skops_io.get_untrusted_types(data=data)
    except RefusedError as error:
        raise ValueError(f"{path} {error}") from None
    except Exception as error:
        raise _damaged(path, error) from error
    refused = [name for name in named_types if not is_trusted(name)]
    if refused:
        raise ValueError(
            f"{path} is refused: it holds {refused[0]!r}, which is not part of a kernelwise "
            "model; the file was changed, or was not written by kernelwise"
        )
    try:
        with warnings.catch_warnings():
            if has_checksum:  # and versions, so that one warning of ours is enough
                warnings.simplefilter("ignore", InconsistentVersionWarning)
            return skops_io.loads(data, trusted=named_types)
    except Exception as error:
        raise _damaged(path, error) from error


def _checked_members(data: bytes, has_checksum: bool) -> Members:
    """What a file holds, in the names of today, if it is a model of a format that is known."""
    members = unpacked(data)
    schema = schema_of(members)
    node = schema["content"].get("kind")
    if node is None:
        raise RefusedError("does not hold a kernelwise model: choose another file")
    kind = json.loads(node["content"])
    if kind == KIND and not has_checksum:
        raise RefusedError("is damaged: its checksum is lost, so fit the model again")
    if kind not in ((KIND,) if has_checksum else EARLIER):
        raise RefusedError(
            f"was written by another version of kernelwise ({kind!r}): use that version, or fit "
            "the model again"
        )
    if not has_checksum:
        translate(schema, kind)
        members[SCHEMA] = json.dumps(schema).encode()
    return members


def _damaged(path: Path, error: Exception) -> ValueError:
    return ValueError(
        f"{path} is damaged or was changed ({type(error).__name__}): fit the model again"
    )
