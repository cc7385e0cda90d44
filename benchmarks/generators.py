"""Synthetic two-class sets with as much test data as wanted: Breiman's, and scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.datasets import make_classification

# maker(rows, seed) -> X, y in {-1, +1}
Maker = Callable[[int, int], tuple[np.ndarray, np.ndarray]]
Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def twonorm(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two normal clouds in 20 dimensions, means (a, ..., a) and (-a, ..., -a), a = 2 / sqrt(20)."""
    random = np.random.default_rng(seed)
    y = random.choice([-1, 1], rows)
    return random.standard_normal((rows, 20)) + y[:, None] * 2 / np.sqrt(20), y


def ringnorm(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A wide normal cloud of variance 4 about 0, and a unit one about (a, ..., a),
    a = 1 / sqrt(20).
    """
    random = np.random.default_rng(seed)
    y = random.choice([-1, 1], rows)
    noise = random.standard_normal((rows, 20))
    return np.where(y[:, None] > 0, 2 * noise, noise + 1 / np.sqrt(20)), y


def waveform(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Mixtures of two of three triangular waves at 21 points, plus noise; one class against two."""
    random = np.random.default_rng(seed)
    at = np.arange(1, 22)
    waves = np.array([np.maximum(6 - np.abs(at - centre), 0) for centre in (11, 7, 15)])
    first, second = np.array([[0, 0, 1], [1, 2, 2]])[:, (kind := random.integers(3, size=rows))]
    share = random.random((rows, 1))
    X = share * waves[first] + (1 - share) * waves[second] + random.standard_normal((rows, 21))
    return X, np.where(kind == 0, -1, 1)


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
    """Training and test rows, standardised by the training rows."""
    X, y = MAKERS[name](n_train + n_test, seed)
    centre, scale = X[:n_train].mean(axis=0), X[:n_train].std(axis=0)
    X = (X - centre) / scale
    return X[:n_train], y[:n_train], X[n_train:], y[n_train:]
