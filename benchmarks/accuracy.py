"""A first look at accuracy: LS-SVM and its selections beside the first-level paper's tables.

    python -m benchmarks.accuracy [--splits 5] [--jobs 2] [set ...]

Generated splits of the paper's sizes, never the published ones; inputs standardised on the training
rows. "differs" counts combined standard errors between our mean and the paper's.
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np
from joblib import Parallel, delayed

from benchmarks.estimates import LOADER, loader
from kernelwise import LSSVMClassifier

METHODS = {
    "RBF-LOO": ("gaussian", "loo"),
    "RBF-XVAL": ("gaussian", "cv"),
    "RBF-FLKL": ("gaussian", "first-level"),
    "ARD-LOO": ("ard", "loo"),
    "ARD-XVAL": ("ard", "cv"),
    "ARD-FLKL": ("ard", "first-level"),
    "ARD-BR": ("ard", "loo-bayes"),
    "ARD-LAPLACIAN": ("ard-laplacian", "first-level"),
    "MIXED": ("mixed", "first-level"),
}
# Cawley & Talbot, Tables 2 and 3: mean error and its standard error, methods in the order above.
TABLES = """
banana   10.605 0.052  10.587 0.051  10.614 0.053  10.670 0.058  10.656 0.059  10.600 0.054
german   23.543 0.217  23.620 0.240  24.987 0.253  24.787 0.244  24.777 0.246  24.523 0.234
heart    16.550 0.354  16.590 0.366  17.140 0.337  20.540 0.443  20.230 0.425  17.650 0.338
splice   10.828 0.138  10.811 0.148  10.926 0.150   4.887 0.105   4.621 0.108   4.306 0.094
image     2.995 0.159   2.861 0.172   2.960 0.166   2.129 0.145   2.158 0.129   2.198 0.096
twonorm   2.845 0.021   2.802 0.019   2.578 0.015   4.477 0.062   4.353 0.061   3.027 0.024
waveform  9.786 0.045   9.805 0.044   9.970 0.044  12.674 0.120  12.569 0.109  10.516 0.052
"""
PAPER = {
    name: np.reshape(numbers, (-1, 2)).astype(float)
    for name, *numbers in (line.split() for line in TABLES.strip().splitlines())
}


def one_fit(name: str, number: int, method: str) -> tuple[float, float, int]:
    """Test error in per cent, CPU seconds and factorisations of one method on one split."""
    X, y, X_test, y_test = loader().split(f"ida_{name}", number, "gen")
    kernel, selection = METHODS[method]
    machine = LSSVMClassifier(kernel, selection, random_state=0)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        machine.fit(X, y)
    seconds = time.process_time() - start
    return 100 * (1 - machine.score(X_test, y_test)), seconds, machine.n_factorizations_


def line(name: str, method: str, results: list[tuple[float, float, int]]) -> str:
    errors, seconds, work = np.array(results).T
    mean, deviation = errors.mean(), errors.std(ddof=1) / np.sqrt(len(errors))
    text = f"{name:9} {method:14} {mean:7.3f} +- {deviation:5.3f}"
    printed = dict(zip(METHODS, PAPER[name], strict=False)).get(method)
    if printed is None:
        text += " " * 32
    else:
        differs = (mean - printed[0]) / np.hypot(deviation, printed[1])
        text += f"  paper {printed[0]:7.3f} +- {printed[1]:5.3f} {differs:+5.1f} se"
    return f"{text}  cpu {np.median(seconds):7.2f} s  factorisations {np.median(work):5.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("sets", nargs="*", default=list(PAPER), help=f"of {', '.join(PAPER)}")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    if not LOADER.exists():
        parser.exit(1, "the benchmark data are not there: see CONTRIBUTING.md\n")
    for name in chosen.sets:
        for method in METHODS:
            results = Parallel(n_jobs=chosen.jobs)(
                delayed(one_fit)(name, number, method) for number in range(chosen.splits)
            )
            print(line(name, method, results), flush=True)


if __name__ == "__main__":
    main()
