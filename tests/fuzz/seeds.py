"""Runs of seeds, and how to repeat one that fails."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from fuzz.array_outcome import check_arrays
from fuzz.manners import Unmannerly
from fuzz.table_outcome import check_table

CHECKS: dict[str, Callable[[int, Path], str]] = {"table": check_table, "array": check_arrays}


def run_seeds(what: str, seeds: Iterable[int], folder: Path) -> Counter:
    """How often each outcome came; the first seed that fails is named with a way to repeat it."""
    outcomes: Counter = Counter()
    for seed in seeds:
        try:
            outcomes[CHECKS[what](seed, folder)] += 1
        except Unmannerly as error:
            again = f"PYTHONPATH=tests .venv/bin/python -m fuzz {what} {seed}"
            raise AssertionError(f"{error}\nrepeat with: {again}") from error
    return outcomes
