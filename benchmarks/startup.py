"""How soon package and command answer, beside the import of a scikit-learn machine."""

from __future__ import annotations

import resource
import subprocess
import sys

from benchmarks.measure import ratio, spread
from benchmarks.table import Row

LIMIT = 0.1
IMPORT = "import sklearn.svm"
COMMANDS = {
    IMPORT: ("-c", IMPORT),
    "import kernelwise": ("-c", "import kernelwise"),
    "kernelwise --help": ("-m", "kernelwise", "--help"),
    "kernelwise --version": ("-m", "kernelwise", "--version"),
}


def cpu_seconds(arguments: tuple[str, ...]) -> float:
    """CPU seconds of a Python process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def run(quick: bool) -> list[Row]:
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for counted in [False] + [True] * (3 if quick else 10):  # the first fills the disk's cache
        for name, arguments in COMMANDS.items():
            spent = cpu_seconds(arguments)
            if counted:
                times[name].append(spent)
    return [
        Row(
            f"{name}, to {IMPORT}",
            ratio(times, name, IMPORT),
            unit="x",
            limit=LIMIT,
            beside=spread(times, name, IMPORT),
        )
        for name in list(COMMANDS)[1:]
    ]
