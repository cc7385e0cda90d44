"""Models in files, without pickle: nothing in a file is run when it is loaded."""

import json
import zipfile
from dataclasses import asdict, dataclass
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from sklearn.pipeline import Pipeline

from kernelwise import __version__
from kernelwise.files import written_whole
from kernelwise.optional import import_optional

KIND = "kernelwise model, format 2"
# Format 1 differs only in the modules and names of a few things.
FORMAT_1 = "kernelwise model, format 1"
MOVED = {"kernelwise.estimators.columns": "kernelwise.tables.columns"}
RENAMED = {("ColumnEncoder", "centre"): "center"}  # codespell:ignore

# A fitted model holds objects of these parts of kernelwise. Apart from them a file may hold only
# what skops itself trusts (numpy arrays, scikit-learn's estimators, plain Python values).
TRUSTED_PARTS = (
    "criteria",
    "estimators",
    "kernels",
    "multikernel",
    "searchers",
    "selections",
    "solutions",
    "tables",
)
TRUSTED_BESIDE = (
    "numpy.dtype",  # SimpleImputer keeps the type of its input
    "sklearn.compose._column_transformer._RemainderColsList",  # a list, in scikit-learn 1.6
)


@dataclass(frozen=True)
class ModelMetadata:
    """What a model file says about its model, besides the pipeline itself.

    ``honest_error`` holds the numbers of a :class:`~kernelwise.evaluation.HonestError` by name,
    or is None when none was estimated.
    """

    target: str
    task: str
    numeric_columns: tuple[str, ...]
    categorical_columns: tuple[str, ...]
    classes: tuple[str, ...]
    rows: int
    honest_error: dict[str, float] | None = None
    kernelwise_version: str = __version__


def save_model(pipeline: Pipeline, path: str | Path, metadata: ModelMetadata) -> None:
    """Write a fitted pipeline and its metadata to ``path``, whole or not at all."""
    if not isinstance(pipeline, Pipeline):
        raise ValueError(
            f"a model file holds a Pipeline, not a {type(pipeline).__name__}: wrap it with "
            "sklearn.pipeline.make_pipeline"
        )
    skops_io = import_optional("skops.io", extra="persist")
    content = {"kind": KIND, "metadata": json.dumps(asdict(metadata)), "pipeline": pipeline}
    with written_whole(Path(path)) as temporary:
        skops_io.dump(content, temporary, compression=zipfile.ZIP_DEFLATED)


def load_model(path: str | Path) -> tuple[Pipeline, ModelMetadata]:
    """Read what :func:`save_model` wrote; a ValueError says why a file is refused.

    A file that names a type this module does not trust is refused before anything in it is
    built, so a file from elsewhere cannot run code.
    """
    skops_io = import_optional("skops.io", extra="persist")
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"{path}: no such file")
    if not zipfile.is_zipfile(path):
        raise ValueError(f"{path} is not a kernelwise model, or it was cut short: fit it again")
    # A damaged or hostile file can make the reader fail in any way; every failure means the same.
    try:
        data = _in_present_names(path.read_bytes())
        named_types = skops_io.get_untrusted_types(data=data)
    except Exception as error:
        raise _damaged(path, error) from error
    refused = [name for name in named_types if not _is_trusted(name)]
    if refused:
        raise ValueError(
            f"{path} is refused: it holds '{refused[0]}', which is not part of a kernelwise "
            "model; the file was changed, or was not written by kernelwise"
        )
    try:
        content = skops_io.loads(data, trusted=named_types)
    except Exception as error:
        raise _damaged(path, error) from error
    return _unpacked(content, path)


def _in_present_names(data: bytes) -> bytes:
    """The bytes of a model file, with the names of format 1 translated to those of today."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    schema = json.loads(members["schema.json"])
    kind = schema["content"].get("kind", {})
    if kind.get("content") != json.dumps(FORMAT_1):
        return data
    _rename(schema)
    kind["content"] = json.dumps(KIND)
    members["schema.json"] = json.dumps(schema).encode()
    rewritten = BytesIO()
    with zipfile.ZipFile(rewritten, "w") as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return rewritten.getvalue()


def _rename(node: Any) -> None:
    """Rename modules and attributes of a schema's object and of all inside it, in place."""
    if isinstance(node, list):
        for part in node:
            _rename(part)
    if not isinstance(node, dict):
        return
    if node.get("__module__") in MOVED:
        node["__module__"] = MOVED[node["__module__"]]
    state = node.get("content")
    if isinstance(state, dict) and isinstance(attributes := state.get("content"), dict):
        kind = str(node.get("__class__"))
        state["content"] = {
            RENAMED.get((kind, name), name): value for name, value in attributes.items()
        }
    for part in node.values():
        _rename(part)


def _is_trusted(type_name: str) -> bool:
    """Whether a type is named above, or is a class defined in a trusted part of kernelwise."""
    if type_name in TRUSTED_BESIDE:
        return True
    module_name, _, class_name = type_name.rpartition(".")
    if module_name.split(".")[:1] != ["kernelwise"]:
        return False
    if module_name.split(".")[1:2] not in [[part] for part in TRUSTED_PARTS]:
        return False
    try:
        found = getattr(import_module(module_name), class_name)
    except (ImportError, AttributeError):
        return False
    return isinstance(found, type) and found.__module__ == module_name


def _unpacked(content: object, path: Path) -> tuple[Pipeline, ModelMetadata]:
    if not isinstance(content, dict) or "kind" not in content:
        raise ValueError(f"{path} does not hold a kernelwise model: choose another file")
    if content["kind"] != KIND:
        raise ValueError(
            f"{path} was written by another version of kernelwise ({content['kind']}): "
            "use that version, or fit the model again"
        )
    try:
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in json.loads(content["metadata"]).items()
        }
        metadata = ModelMetadata(**fields)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _damaged(path, error) from error
    pipeline = content.get("pipeline")
    if not isinstance(pipeline, Pipeline):
        raise ValueError(f"{path} holds no pipeline: fit the model again")
    return pipeline, metadata


def _damaged(path: Path, error: Exception) -> ValueError:
    return ValueError(
        f"{path} is damaged or was changed ({type(error).__name__}): fit the model again"
    )
