"""Made tables whose truth is known, for ``benchmarks.trust``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import expit

Table = tuple[np.ndarray, np.ndarray]


def noise(table: int, share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """60 rows to learn from and 4000 new ones; labels that the columns say nothing about."""
    rng = np.random.default_rng([table, 60])
    X, y = rng.standard_normal((4060, 10)), (rng.random(4060) < share).astype(int)
    return X[:60], y[:60], X[60:], y[60:]


def _coin(rng: np.random.Generator, log_odds: np.ndarray) -> np.ndarray:
    return (rng.random(len(log_odds)) < expit(log_odds)).astype(int)


def _weak(rng: np.random.Generator, rows: int) -> Table:
    X = rng.standard_normal((rows, 8))
    return X, _coin(rng, 0.6 * X[:, 0] + 0.4 * X[:, 1])


def _middling(rng: np.random.Generator, rows: int) -> Table:
    X = rng.standard_normal((rows, 8))
    return X, _coin(rng, 2 * X[:, 0] + 1.5 * np.sin(2 * X[:, 1]) - 1)


def _exclusive_or(rng: np.random.Generator, rows: int) -> Table:
    X = rng.standard_normal((rows, 6))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def _ring(rng: np.random.Generator, rows: int) -> Table:
    X = rng.standard_normal((rows, 8))
    return X, (X[:, 0] ** 2 + X[:, 1] ** 2 + 0.2 * rng.standard_normal(rows) < 1.2).astype(int)


LABELS: dict[str, Callable[[np.random.Generator, int], Table]] = {
    "weak": _weak,
    "middling": _middling,
    "exclusive or": _exclusive_or,
    "ring": _ring,
}


def friedman(rng: np.random.Generator, rows: int) -> Table:
    X = rng.random((rows, 10))
    mean = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    return X, mean + 10 * X[:, 3] + 5 * X[:, 4] + rng.standard_normal(rows)


def _sinc(rng: np.random.Generator, rows: int) -> Table:
    X = rng.uniform(-10, 10, (rows, 1))
    return X, np.sinc(X[:, 0] / np.pi) + 0.1 * rng.standard_normal(rows)


def _linear(rng: np.random.Generator, rows: int) -> Table:
    X = rng.standard_normal((rows, 5))
    return X, X @ [2, 1, 0.5, 0, 0] + rng.standard_normal(rows)


def _additive(rng: np.random.Generator, rows: int) -> Table:
    X = rng.uniform(-2, 2, (rows, 5))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] ** 2 / 2 + 0.3 * rng.standard_normal(rows)


def _uneven(rng: np.random.Generator, rows: int) -> Table:
    X = rng.uniform(-2, 2, (rows, 3))
    return X, np.sin(2 * X[:, 0]) + (0.1 + 0.4 * (X[:, 1] + 2)) * rng.standard_normal(rows)


def _heavy(rng: np.random.Generator, rows: int) -> Table:
    X = rng.standard_normal((rows, 4))
    return X, X[:, 0] + np.abs(X[:, 1]) + 0.5 * rng.standard_t(3, rows)


def _steps(rng: np.random.Generator, rows: int) -> Table:
    X = rng.uniform(-1, 1, (rows, 4))
    return X, np.sign(X[:, 0]) + np.sign(X[:, 1] - 0.3) + 0.3 * rng.standard_normal(rows)


def _nothing(rng: np.random.Generator, rows: int) -> Table:
    return rng.standard_normal((rows, 8)), rng.standard_normal(rows)


QUANTITIES: dict[str, Callable[[np.random.Generator, int], Table]] = {
    "friedman": friedman,
    "sinc": _sinc,
    "linear": _linear,
    "additive": _additive,
    "uneven noise": _uneven,
    "heavy tails": _heavy,
    "steps": _steps,
    "nothing": _nothing,
}


def features_table(case: str, rng: np.random.Generator) -> Table:
    """Tables of 100 rows in which it is known which features matter.

    "friedman": the first five of ten; "copies": x0 and x1 matter, x2 and x3 are almost copies of
    them, x4 to x7 are noise; "noise": none of ten.
    """
    if "noise" in case:
        X, y = rng.standard_normal((100, 10)), rng.standard_normal(100)
    elif case == "copies":
        X = rng.standard_normal((100, 8))
        X[:, 2:4] = X[:, :2] + 0.1 * X[:, 2:4]
        y = X[:, 0] + np.sin(2 * X[:, 1]) + 0.3 * rng.standard_normal(100)
    else:
        X, y = friedman(rng, 100)
    return X, (y > np.median(y)).astype(int) if "labels" in case else y
