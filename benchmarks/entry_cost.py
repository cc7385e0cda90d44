"""Kernel entries between a block of rows and landmarks, both ways, in nanoseconds per entry.

G is the matrix product of the same rows and landmarks in the same type: what squared differences
cannot avoid. "without numba": scipy and numpy, for numbers and for columns of few levels.
"""

from __future__ import annotations

from statistics import median
from unittest.mock import patch

import numpy as np

from benchmarks.measure import Run, Task, interleaved, ratio
from benchmarks.table import Row
from kernelwise.kernels import Gaussian, Kernel, Laplacian, absolute_sums

ROWS, LANDMARKS, D = 1024, 1000, 20
LEVELS = 4
# Times within one task, so that a few milliseconds can be measured.
TIMES = 5
WITHOUT = "absolute without numba"
# An entry of absolute differences, there and back, against one of squared differences.
LIMIT = 1.5


def tasks_of(kernel: Kernel, A: np.ndarray, B: np.ndarray, compiled: bool) -> tuple[Task, Task]:
    """One evaluation; and the way back of one, for a gradient in float64."""
    M = np.random.default_rng(1).standard_normal((len(A), len(B)))
    loops = absolute_sums.compiled_loops() if compiled else None

    def forward() -> None:
        with patch.object(absolute_sums, "compiled_loops", lambda: loops):
            for _ in range(TIMES):
                kernel(A, B)

    def back() -> Run:
        with patch.object(absolute_sums, "compiled_loops", lambda: loops):
            ways = [kernel.evaluate(A, B)[1] for _ in range(TIMES)]
        return lambda: [row_gradients(M) for row_gradients in ways]

    return lambda: forward, back


def cases() -> dict[str, tuple[Kernel, np.ndarray, np.ndarray, bool]]:
    random = np.random.default_rng(0)
    A, B = (random.standard_normal((n, D)) for n in (ROWS, LANDMARKS))
    few = [random.integers(LEVELS, size=(n, D)).astype(float) for n in (ROWS, LANDMARKS)]
    squared, absolute = Gaussian(np.full(D, np.sqrt(D))), Laplacian(np.full(D, float(D)))
    return {
        "squared": (squared, A, B, False),
        "absolute": (absolute, A, B, True),
        WITHOUT: (absolute, A, B, False),
        f"{WITHOUT}, {LEVELS} levels": (absolute, few[0], few[1], False),
    }


def product(A: np.ndarray, B: np.ndarray) -> Task:
    return lambda: lambda: [A @ B.T for _ in range(TIMES)]


def rows_of(dtype: type, repeats: int) -> list[Row]:
    tasks: dict[str, Task] = {}
    for name, (kernel, A, B, compiled) in cases().items():
        A, B = A.astype(dtype), B.astype(dtype)
        tasks.setdefault("G", product(A, B))
        tasks[f"{name}, forward"], tasks[f"{name}, back"] = tasks_of(kernel, A, B, compiled)
    times, nanoseconds = interleaved(tasks, repeats), 1e9 / (ROWS * LANDMARKS * TIMES)
    label = np.dtype(dtype).name
    rows = [
        Row(
            f"{name}, {label}",
            median(times[name]) * nanoseconds,
            unit="ns",
            beside=f"{ratio(times, name, 'G'):.1f} G",
        )
        for name in tasks
    ]
    both = {
        kind: np.add(times[f"{kind}, forward"], times[f"{kind}, back"]).tolist()
        for kind in ("squared", "absolute")
    }
    compared = Row(
        f"absolute / squared, both ways, {label}",
        ratio(both, "absolute", "squared"),
        unit="",
        limit=LIMIT if absolute_sums.compiled_loops() else None,
    )
    return [*rows, compared]


def run(quick: bool) -> list[Row]:
    repeats = 3 if quick else 9
    return [row for dtype in (np.float64, np.float32) for row in rows_of(dtype, repeats)]
