"""Writing a file whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def check_can_write(path: Path) -> None:
    """Raise a ValueError that says why ``path`` cannot be written, before any work is done."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder: give the name of a file to write")
    if not path.parent.is_dir():
        raise ValueError(f"the folder {path.parent} does not exist: create it first")
    if not os.access(path.parent, os.W_OK):
        raise ValueError(f"the folder {path.parent} cannot be written to: choose another one")


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path`` to write to; it replaces ``path`` only on success."""
    check_can_write(path)
    # The same suffix, since pandas chooses a compression by it; the same folder, since only
    # then is the replacement one atomic step.
    descriptor, name = tempfile.mkstemp(
        prefix=".writing-", suffix="".join(path.suffixes), dir=path.parent
    )
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())  # mkstemp's files are private; an ordinary one is not
        os.replace(temporary, path)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _umask() -> int:
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return mask
