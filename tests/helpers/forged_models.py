"""Model files as a forger would change them."""

import json
import zipfile
from io import BytesIO

from kernelwise.persistence.archive import sealed


def members_of(data):
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def archive_of(members, compression=zipfile.ZIP_DEFLATED, comment=b""):
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        archive.comment = comment
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def with_text(data, key, value):
    """A file whose entry ``key`` (kind, metadata or model) is a text; its checksum is right."""
    members = members_of(data)
    schema = json.loads(members["schema.json"])
    node = {"__module__": "builtins", "__class__": "str", "__loader__": "JsonNode"}
    schema["content"][key] = node | {"content": json.dumps(value), "is_json": True}
    return sealed(archive_of(members | {"schema.json": json.dumps(schema).encode()}))


def with_metadata(data, **changes):
    """A file with other metadata; None leaves a field out."""
    schema = json.loads(members_of(data)["schema.json"])
    fields = json.loads(json.loads(schema["content"]["metadata"]["content"])) | changes
    kept = {name: value for name, value in fields.items() if value is not None}
    return with_text(data, "metadata", json.dumps(kept))
