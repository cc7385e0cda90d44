"""Gram matrices of the radial kernels, their ways back and tangents, in units of the floor."""

from __future__ import annotations

import numpy as np

from benchmarks.measure import FLOOR, Task, floor, interleaved, ratio, spread
from benchmarks.table import Row
from kernelwise.kernels import Gaussian, Kernel, Laplacian, Matern32, Matern52

N, D = 2000, 20
LEVELS = 4
LIMITS = {"absolute (Laplacian), way back": 0.2}


def kernels() -> dict[str, tuple[Kernel, np.ndarray]]:
    """Each kernel, one length scale per feature, with rows that suit it."""
    random = np.random.default_rng(0)
    numbers = random.standard_normal((N, D))
    categories = random.integers(LEVELS, size=(N, D)).astype(float)
    root, whole = np.full(D, np.sqrt(D)), np.full(D, float(D))
    return {
        "squared (Gaussian)": (Gaussian(root), numbers),
        "absolute (Laplacian)": (Laplacian(whole), numbers),
        f"overlap (Gaussian, {LEVELS} levels)": (Gaussian(whole, "overlap"), categories),
        "squared (Matern 3/2)": (Matern32(root), numbers),
        "squared (Matern 5/2)": (Matern52(root), numbers),
    }


def tasks_of(name: str, kernel: Kernel, X: np.ndarray) -> dict[str, Task]:
    random = np.random.default_rng(1)
    half = random.standard_normal((N, 5))
    gradient, coef = np.asfortranarray(half @ half.T), random.standard_normal((N, 1))
    _, pullback = kernel.gram_and_pullback(X)
    return {
        f"{name}, Gram matrix": lambda: lambda: kernel(X),
        f"{name}, way back": lambda: lambda: pullback(gradient),
        f"{name}, tangent": lambda: lambda: kernel.output_tangents(X, X, coef),
    }


def run(quick: bool) -> list[Row]:
    tasks = {FLOOR: floor(N)}
    for name, (kernel, X) in kernels().items():
        tasks |= tasks_of(name, kernel, X)
    times = interleaved(tasks, 3 if quick else 7)
    return [
        Row(
            f"{name}, n={N}, d={D}",
            ratio(times, name),
            limit=LIMITS.get(name),
            beside=spread(times, name),
        )
        for name in tasks
        if name != FLOOR
    ]
