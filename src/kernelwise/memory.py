"""Whether a fit has room in memory, before any of it is taken."""

import math
import os
from collections.abc import Iterator
from pathlib import Path

# Arrays of the size of a Gram matrix that a fit holds at its peak (benchmarks/memory.py), and one
# to spare.
GRAM_SIZED_ARRAYS = 6
# A fit on landmarks: copies of the table, rows of a block and arrays of that size in each thread,
# and arrays of landmarks by landmarks beside those of each fold.
TABLE_COPIES, BLOCK_ROWS, BLOCK_ARRAYS, SQUARE_ARRAYS = 4, 4096, 3, 8


def check_memory(rows: int) -> None:
    """Refuse a table whose Gram matrices cannot fit in memory, where its size is known."""
    most = most_rows()
    if rows > most:
        raise ValueError(
            f"the table has {rows} rows; the free memory is enough for about {most}: fit a random "
            "sample of its rows"
        )


def most_rows() -> float:
    """How many rows a fit has room for; infinite if the system does not say."""
    memory = free_memory()
    return math.inf if memory is None else math.isqrt(memory // (8 * GRAM_SIZED_ARRAYS))


def landmark_bytes(
    rows: int, columns: int, landmarks: int, threads: int = 1, folds: int = 5
) -> int:
    """Bytes of a fit on landmarks; of a table in pieces, ``rows`` are those of the pieces held."""
    table = TABLE_COPIES * rows * columns
    blocks = threads * BLOCK_ARRAYS * BLOCK_ROWS * landmarks
    return 8 * (table + blocks + (SQUARE_ARRAYS + folds) * landmarks**2)


def free_memory(root: Path = Path("/")) -> int | None:
    """Bytes that a process may take: what is available, but no more than its container may have.

    ``root`` is where the system describes itself. None: the system does not say.
    """
    found = [_physical(), _available(root / "proc/meminfo"), *_container_limits(root)]
    return min((size for size in found if size is not None), default=None)


def _physical() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def _available(path: Path) -> int | None:
    """What Linux would give, caches included, without swapping."""
    for line in _text(path).splitlines():
        name, _, amount = line.partition(":")
        if name == "MemAvailable":
            return 1024 * int(amount.split()[0])
    return None


def _container_limits(root: Path) -> Iterator[int]:
    """The limits of the process's control group and of all around it (versions 1 and 2)."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, group = line.split(":", 2)
        if controllers not in ("", "memory"):
            continue
        folder, name = ("sys/fs/cgroup", "memory.max")
        if controllers == "memory":
            folder, name = ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
        place = Path(group.lstrip("/"))
        for inside in (place, *place.parents):
            limit = _text(root / folder / inside / name).strip()
            if limit.isdigit():  # "max" is none
                yield int(limit)


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
