"""A per-feature Gaussian with all its gradients, against scikit-learn's."""

from __future__ import annotations

from statistics import median

import numpy as np
from sklearn.gaussian_process.kernels import RBF

from benchmarks.measure import Run, peak_bytes, seconds
from benchmarks.table import Row
from kernelwise.kernels import Gaussian

N, D = 2000, 50


def ours(X: np.ndarray, gradient: np.ndarray) -> Run:
    def run() -> None:
        _, pullback = Gaussian(np.ones(D)).gram_and_pullback(X)
        pullback(gradient)

    return run


def theirs(X: np.ndarray) -> Run:
    return lambda: RBF(length_scale=np.ones(D))(X, eval_gradient=True)


def run(quick: bool) -> list[Row]:
    X = np.random.default_rng(0).standard_normal((N, D))
    gradient = np.asfortranarray(X @ X.T)
    mine = ours(X, gradient)
    spent = [seconds(mine) for _ in range(5)]
    peak, peak_peer = peak_bytes(mine), 0

    def once() -> None:  # it takes long: its one run gives both time and memory
        nonlocal peak_peer
        peak_peer = peak_bytes(theirs(X))

    peer = seconds(once)
    spent += [seconds(mine) for _ in range(5)]
    return [
        Row(
            f"Gaussian and pullback against sklearn's RBF, n={N}, d={D}: time",
            peer / median(spent),
            "times faster",
            limit=100,
            at_least=True,
            beside=f"{median(spent):.3f} s against {peer:.1f} s",
        ),
        Row(
            f"Gaussian and pullback against sklearn's RBF, n={N}, d={D}: memory",
            peak_peer / peak,
            "times less",
            limit=20,
            at_least=True,
            beside=f"{peak / 2**20:.0f} MB against {peak_peer / 2**20:.0f} MB",
        ),
    ]
