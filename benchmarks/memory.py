"""Peak memory of whole fits in Gram-sized arrays, each fit in a process of its own."""

from __future__ import annotations

import copy
import json
import resource
import subprocess
import sys
import tracemalloc
import warnings
from pathlib import Path

from sklearn.datasets import make_classification

from benchmarks.table import Row
from kernelwise import LSSVMClassifier
from kernelwise.searchers import GaussNewton, QuasiNewton, Searcher, TrustRegion

D = 100
LIMIT, GOAL = 6.0, 5.0
SEARCHERS = {"loo": QuasiNewton(), "first-level": TrustRegion(max_evaluations=2)}


def run(quick: bool) -> list[Row]:
    """Run both fits at once: only their memory matters, and a fit at n = 5000 takes minutes."""
    n = 2000 if quick else 5000
    command = [sys.executable, "-m", "benchmarks.memory", str(n)]
    children = {
        name: subprocess.Popen([*command, name], stdout=subprocess.PIPE) for name in SEARCHERS
    }
    rows = []
    for name, child in children.items():
        output, _ = child.communicate()
        if child.returncode:
            raise RuntimeError(f"the fit with selection={name!r} failed")
        found = json.loads(output)
        for way in ("traced", "resident"):
            what = f"peak of a fit, ard, {name}, n={n}, d={D}: {way} memory"
            beside = f"{found['factorizations']} factorizations, {found['points']} points (cut off)"
            rows.append(Row(what, found[way], "Gram arrays", LIMIT, GOAL, beside=beside))
    return rows


def cut_short(searcher: type[Searcher], limit: str, count: int) -> None:
    """Cut every search of a kind short: the peak is that of one evaluation, the time is not."""
    search = searcher.__call__

    def short(self, function, start, limits):
        hurried = copy.copy(self)
        setattr(hurried, limit, count)
        return search(hurried, function, start, limits)

    searcher.__call__ = short


def resident_peak() -> int:
    """Peak bytes, on Linux from VmHWM: in ``ru_maxrss`` a child starts with its parent's peak."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = (line.split() for line in status.read_text().splitlines())
        return next(1024 * int(line[1]) for line in lines if line[0] == "VmHWM:")
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measured_fit(n: int, selection: str) -> dict[str, float]:
    warnings.simplefilter("ignore")  # the searches are cut short on purpose
    cut_short(QuasiNewton, "max_iterations", 1)
    cut_short(GaussNewton, "max_evaluations", 2)
    X, y = make_classification(n, D, n_informative=10, random_state=0)
    searcher = SEARCHERS[selection]
    estimator = LSSVMClassifier("ard", selection, searcher=searcher, random_state=0)
    before = resident_peak()
    tracemalloc.start()
    estimator.fit(X, y)
    traced = tracemalloc.get_traced_memory()[1]
    return {
        "traced": traced / (8 * n * n),
        "resident": (resident_peak() - before) / (8 * n * n),
        "factorizations": estimator.n_factorizations_,
        "points": len(estimator.trace_),
    }


if __name__ == "__main__":
    print(json.dumps(measured_fit(int(sys.argv[1]), sys.argv[2])))
