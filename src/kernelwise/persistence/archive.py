"""The zip archive of a model: limits on what it may unpack to, and a checksum of all of it.

The checksum is the last thing in the file, in the archive's comment, and covers every byte before
it. A file without it can only be one of formats 1 and 2, which say so inside and end as an archive
without a comment does: no flipped bit makes one of the other.
"""

import hashlib
import json
import re
import zipfile
from io import BytesIO
from typing import Any

FORMAT = 3
KIND = f"kernelwise model, format {FORMAT}"
SCHEMA = "schema.json"
SEAL = re.compile(rb"kernelwise model, format (\d{1,9}), sha256 ([0-9a-f]{64})\Z")
DIGITS = 64
# What a zip archive without a comment ends with, and its length.
END, END_LENGTH = b"PK\x05\x06", 22

# Limits on what a file may unpack to: bytes of it all, which grow with the file, and of the schema;
# the schema's values and their depth; the number of arrays. Models far beyond any of ours fit in.
FREE_BYTES, MOST_TIMES = 100 * 2**20, 50
MOST_SCHEMA_BYTES = 32 * 2**20
MOST_VALUES = 1_000_000
MOST_DEPTH = 200
MOST_MEMBERS = 20_000
PIECE = 2**20

Members = dict[str, bytes]


class RefusedError(ValueError):
    """Why a file is no model that can be loaded; the text follows the file's name."""


def sealed(archive: bytes) -> bytes:
    """The archive with a comment that holds its format and its checksum."""
    buffer = BytesIO(archive)
    with zipfile.ZipFile(buffer, "a") as opened:
        opened.comment = f"{KIND}, sha256 ".encode() + b"0" * DIGITS
    content = buffer.getvalue()[:-DIGITS]
    return content + hashlib.sha256(content).hexdigest().encode()


def is_sealed(data: bytes) -> bool:
    """Whether a file has a checksum; it is refused if that is wrong, or of a later format."""
    seal = SEAL.search(data[-2 * DIGITS :])
    if seal is None:
        if not zipfile.is_zipfile(BytesIO(data)):
            raise RefusedError("is not a kernelwise model, or it was cut short: fit it again")
        if data[-END_LENGTH:].startswith(END):
            return False
        raise RefusedError("is damaged: its checksum is unreadable, so fit the model again")
    if hashlib.sha256(data[:-DIGITS]).hexdigest().encode() != seal[2]:
        raise RefusedError("is damaged or was changed: its checksum is wrong; fit the model again")
    if int(seal[1]) > FORMAT:
        raise RefusedError(
            f"was written by a newer kernelwise (format {int(seal[1])}, this one reads up to "
            f"{FORMAT}): update kernelwise, or fit the model again"
        )
    return True


def unpacked(data: bytes) -> Members:
    """The members of an archive by name; refused before it is unpacked if it is too large."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        infos = archive.infolist()
        if len(infos) > MOST_MEMBERS:
            raise RefusedError(f"is refused: it holds more than {MOST_MEMBERS} parts")
        if {info.compress_type for info in infos} - {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            # Python unpacks those of other kinds in one piece, however large.
            raise RefusedError("is refused: it is compressed as no kernelwise model is")
        most = FREE_BYTES + MOST_TIMES * len(data)
        if sum(info.file_size for info in infos) > most:
            raise RefusedError(f"is refused: it would unpack to more than {most >> 20} MB")
        if any(info.filename == SCHEMA and info.file_size > MOST_SCHEMA_BYTES for info in infos):
            raise RefusedError(f"is refused: its schema is over {MOST_SCHEMA_BYTES >> 20} MB")
        return {info.filename: _read(archive, info) for info in infos}


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """One member, in pieces: read whole, it could unpack to more than its entry says."""
    with archive.open(info) as member:
        return b"".join(iter(lambda: member.read(PIECE), b""))


def schema_of(members: Members) -> dict[str, Any]:
    """The schema, which says what the file holds; refused if it is too large or nested too deep."""
    # Every value but the first comes after one of these marks. Three bytes of text can take a
    # hundred in memory, so they are counted before any is read.
    if sum(members[SCHEMA].count(mark) for mark in (b",", b"[", b"{")) > MOST_VALUES:
        raise RefusedError(f"is refused: its schema holds more than {MOST_VALUES:,} values")
    too_deep = RefusedError(f"is refused: its schema is nested more than {MOST_DEPTH} deep")
    try:
        schema = json.loads(members[SCHEMA])
    except RecursionError:
        raise too_deep from None
    level, depth = [schema], 0
    while level:
        depth += 1
        level = [part for node in level for part in _parts(node)]
    if depth > MOST_DEPTH:
        raise too_deep
    return schema


def _parts(node: Any) -> Any:
    return node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()


def packed(members: Members) -> bytes:
    """An archive of these members, not compressed."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()
