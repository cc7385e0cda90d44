"""A trial that costs next to nothing, for the tests of the machinery; also a script to be killed.

python tiny_trial.py STORE N_CELLS JOBS      a run; JOBS "dask" is a local Dask cluster of two
python tiny_trial.py serve                   begins such runs without importing all again:
                                             a line "STORE N_CELLS JOBS" each, answers the pid
"""

import hashlib
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kernelwise.evaluation.fold_records import FoldRecord, Learnt
from kernelwise.runs import Cell, DaskExecutor, JoblibExecutor, Store, run_cells
from kernelwise.runs.cells import Skipped

INTERRUPTED = 130


@dataclass(frozen=True)
class TinyTrial:
    """Numbers that only the cell decides. ``log`` gets a line when a cell begins and one when it
    ends; methods named in the cell do what their name says.
    """

    log: Path | None = None
    seconds: float = 0.0

    def __call__(self, cell):
        self._write("begin", cell)
        if cell.method == "slow":
            time.sleep(3600)  # nobody waits for its end
        time.sleep(self.seconds)
        if cell.method == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if cell.method == "fail":
            raise ArithmeticError(f"no luck with {cell.split}/{cell.number}")
        if cell.method == "exit":
            sys.exit(3)
        if cell.method == "memory":
            np.empty(2**57)
        if cell.method == "garbage":
            return {"error": 0.5}
        if cell.method == "skip":
            raise Skipped(f"{cell.split}/{cell.number} does not apply")
        self._write("end", cell)
        return record(cell)

    def _write(self, what, cell):
        if self.log is not None:
            line = f"{what} {' '.join(map(str, cell))} {os.getpid()}\n"
            with open(self.log, "a") as file:  # one short write: lines of two processes never mix
                file.write(line)


def record(cell, **changes):
    digest = hashlib.sha256(repr(tuple(cell)).encode()).digest()
    values = {
        "error": digest[0] / 256,
        "baseline": 0.5,
        "inner_error": digest[1] / 256 if digest[1] % 2 else None,
        "n_train": digest[2],
        "n_test": 10,
        "wall_seconds": 0.001,
        "cpu_seconds": 0.001,
        "counters": {"factorizations": digest[3]},
        "learnt": Learnt(values=[digest[4] / 7]),
        "predictions_hash": digest.hex()[:16],
    }
    return FoldRecord(**{**values, **changes})


def grid(count, methods=("a", "fail", "b", "skip")):
    """``count`` cells; the methods take turns, so that some fail and some are skipped."""
    return [Cell("tiny", "made", i, methods[i % len(methods)], seed=i % 3) for i in range(count)]


def logged(log, what):
    """The cells of the log's lines of a kind, in order."""
    lines = [line.split() for line in log.read_text().splitlines()] if log.exists() else []
    return [
        Cell(dataset, split, int(number), method, int(seed))
        for kind, dataset, split, number, method, seed, _ in lines
        if kind == what
    ]


def workers(log):
    """The processes that have begun a cell."""
    return [int(line.split()[-1]) for line in log.read_text().splitlines() if "begin" in line]


def outcomes(path):
    with Store(path) as store:
        return [result.outcome for result in store.results()]


def run(path, count, jobs, seconds="0.01", methods="a,fail,b,skip"):
    """A run on ``path`` with its log beside it; tells the first finished cell on standard error."""
    executor = DaskExecutor("local", 2) if jobs == "dask" else JoblibExecutor(int(jobs))
    trial = TinyTrial(Path(f"{path}.log"), float(seconds))
    with Store(path) as store:
        run_cells(grid(int(count), methods.split(",")), trial, store, executor)


def serve():
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            os.setsid()
            run(*line.split())
            os._exit(0)
        print(pid, flush=True)
        os.waitpid(pid, 0)


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        try:
            run(*sys.argv[1:])
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
