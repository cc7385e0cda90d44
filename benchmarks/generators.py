"""Synthetic two-class sets with any amount of test data: Breiman's, and scikit-learn's."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_classification

from kernelwise.data.generators import Maker, ringnorm, twonorm, waveform

Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def clusters(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """scikit-learn's hypercube clusters: 8 of 20 features informative, the same for all seeds."""
    pool = 40_000
    X, y = make_classification(
        pool, n_features=20, n_informative=8, n_redundant=4, n_clusters_per_class=3, random_state=7
    )
    chosen = np.random.default_rng(seed).choice(pool, rows, replace=False)
    return X[chosen], 2 * y[chosen] - 1


MAKERS: dict[str, Maker] = {
    "twonorm": twonorm,
    "ringnorm": ringnorm,
    "waveform": waveform,
    "clusters": clusters,
}


def split(name: str, n_train: int, n_test: int, seed: int) -> Split:
    """Training and test rows, standardized by the training rows."""
    X, y = MAKERS[name](n_train + n_test, seed)
    center, scale = X[:n_train].mean(axis=0), X[:n_train].std(axis=0)
    X = (X - center) / scale
    return X[:n_train], y[:n_train], X[n_train:], y[n_train:]
