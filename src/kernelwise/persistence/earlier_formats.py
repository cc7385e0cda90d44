"""Files of earlier formats, in the names of today.

Format 1 differs from format 2 only in the modules and names of a few things. Format 2 has no
checksum and no versions of libraries, and its model was always a pipeline.
"""

from typing import Any

FORMAT_1 = "kernelwise model, format 1"
EARLIER = (FORMAT_1, "kernelwise model, format 2")
MOVED = {"kernelwise.estimators.columns": "kernelwise.tables.columns"}
RENAMED = {("ColumnEncoder", "centre"): "center"}  # codespell:ignore


def translate(schema: dict[str, Any], kind: str) -> None:
    """Change the schema of a file of an earlier format into one of today, in place."""
    content = schema["content"]
    content["model"] = content.pop("pipeline")
    if kind == FORMAT_1:
        _rename(schema)


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
