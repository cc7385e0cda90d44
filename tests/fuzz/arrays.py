"""Arrays from a seed: X, y and sample weights for one estimator, as nobody would give them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzz.array_forms import as_some_type
from kernelwise import (
    BEMKLClassifier,
    BEMKLRegressor,
    KernelAligner,
    LSSVMClassifier,
    LSSVMRegressor,
    MKLClassifier,
    MKLRegressor,
    RVMClassifier,
    RVMRegressor,
    SVMClassifier,
)

LARGEST = np.finfo(float).max
# The cheapest way to fit each; those with little to compute come more often.
CLASSIFIERS = (
    *((lambda: LSSVMClassifier("gaussian", "loo", honest=False)),) * 3,
    lambda: LSSVMClassifier("gaussian", None, honest=False, class_weight="balanced"),
    lambda: LSSVMClassifier("ard", "evidence", honest=False),
    lambda: SVMClassifier("gaussian", None, honest=False),
    lambda: RVMClassifier("gaussian", None, honest=False),
    lambda: MKLClassifier(("gaussian", "linear"), honest=False),
    lambda: BEMKLClassifier(("gaussian", "linear"), max_sweeps=20),
    lambda: KernelAligner("gaussian", task="classification"),
)
REGRESSORS = (
    *((lambda: LSSVMRegressor("gaussian", "loo", honest=False)),) * 3,
    lambda: LSSVMRegressor("gaussian", None, honest=False),
    lambda: LSSVMRegressor("ard", "cv", honest=False),
    lambda: RVMRegressor("gaussian", None, honest=False),
    lambda: MKLRegressor(("gaussian", "linear"), honest=False),
    lambda: BEMKLRegressor(("gaussian", "linear"), max_sweeps=20),
    lambda: KernelAligner("gaussian"),
)


@dataclass(frozen=True)
class ArrayCase:
    """An unfitted estimator and what it is given; ``must_fit``: nothing is wrong with it."""

    seed: int
    estimator: Any
    X: Any
    y: Any
    sample_weight: Any
    must_fit: bool


def array_case(seed: int) -> ArrayCase:
    """The arrays of a seed."""
    rng = np.random.default_rng([seed, 2])
    classifies = bool(rng.random() < 0.5)
    makers = CLASSIFIERS if classifies else REGRESSORS
    estimator = makers[int(rng.integers(len(makers)))]()
    rows = int(rng.choice([rng.integers(1, 31), rng.integers(6, 31)]))
    odd_X, odd_y, odd_weight = rng.random(3) < (0.7, 0.4, 0.3)
    X: Any = rng.normal(size=(rows, int(rng.integers(1, 7))))
    if odd_X:
        X = as_some_type(rng, odd_rows(rng, odd_values(rng, X)))
    y = _labels(rng, rows, odd_y) if classifies else _quantities(rng, rows, odd_y)
    takes_weights = not isinstance(estimator, (BEMKLClassifier, BEMKLRegressor))
    weight = sample_weights(rng, rows) if odd_weight and takes_weights else None
    must_fit = rows > 12 and not odd_X and not odd_y and weight is None
    return ArrayCase(seed, estimator, X, y, weight, must_fit)


def odd_values(rng: np.random.Generator, X: np.ndarray) -> np.ndarray:
    """Columns of other sizes, and some fields that are no finite number."""
    X = X.copy()
    sizes = [1.0, 1.0, 1.0, 0.0, 1e150, 1e300, 1e-150, 1e-310, 1e-320]
    for column in range(X.shape[1]):
        way = rng.random()
        if way < 0.4:
            X[:, column] *= rng.choice(sizes)
        elif way < 0.5:
            X[:, column] = rng.choice([-1.0, 0.0, 1.0, LARGEST, -LARGEST, 5e-324], len(X))
        elif way < 0.6:
            X[:, column] = rng.choice([0.0, 3.0, 1e308, 1e-320])
        elif way < 0.7:
            X[:, column] = 1e9 + 1e-6 * X[:, column]
        elif way < 0.8:
            X[:, column] = np.round(X[:, column])
        elif way < 0.85 and column:
            X[:, column] = X[:, 0]
    if rng.random() < 0.3:
        X[rng.random(X.shape) < rng.choice([0.1, 0.9])] = np.nan
    if rng.random() < 0.1:
        X[rng.random(X.shape) < 0.1] = rng.choice([np.inf, -np.inf])
    return X


def odd_rows(rng: np.random.Generator, X: np.ndarray) -> np.ndarray:
    way = rng.random()
    if way < 0.1:
        return X[np.zeros(len(X), int)]
    if way < 0.3:
        return X[rng.integers(0, max(1, len(X) // 3), len(X))]
    return X


def _labels(rng: np.random.Generator, rows: int, odd: bool) -> Any:
    plain = np.arange(rows) % int(rng.choice([2, 2, 3]))
    if not odd:
        return rng.permutation(plain)
    ways = (
        lambda: np.zeros(rows, int),
        lambda: np.arange(rows),
        lambda: np.array(["a", "b"], dtype=object)[plain % 2],
        lambda: np.array(["a", "b"])[plain % 2].astype("S1"),
        lambda: np.array(["a", None], dtype=object)[plain % 2],
        lambda: np.array(["a", 1], dtype=object)[plain % 2],
        lambda: np.array([True, np.nan], dtype=object)[plain % 2],
        lambda: plain.astype(bool),
        lambda: plain + 0.5,
        lambda: np.where(plain == 0, np.nan, 1.0),
        lambda: plain * 1e300,
        lambda: plain - 1,
        lambda: plain[:-1],
        lambda: plain.reshape(-1, 1),
        lambda: np.eye(2)[plain % 2],
        lambda: plain.astype(complex),
        lambda: np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]")[plain % 2],
        lambda: list(plain),
        lambda: None,
        lambda: "text",
        lambda: 3,
    )
    return ways[int(rng.integers(len(ways)))]()


def _quantities(rng: np.random.Generator, rows: int, odd: bool) -> Any:
    plain = rng.normal(size=rows)
    if not odd:
        return plain
    ends = rng.choice([-1.0, 1.0, 0.5], rows)
    ways = (
        lambda: np.full(rows, 3.0),
        lambda: np.zeros(rows),
        lambda: ends * LARGEST,
        lambda: plain * 1e307,
        lambda: plain * 1e-310,
        lambda: plain * 5e-324,
        lambda: np.where(plain > 1, LARGEST, plain),
        lambda: np.where(plain > 1, np.nan, plain),
        lambda: np.where(plain > 1, np.inf, plain),
        lambda: 1e12 + 1e-5 * plain,
        lambda: plain.astype(np.float32),
        lambda: np.round(3 * plain).astype(np.int8),
        lambda: plain > 0,
        lambda: plain.astype(object),
        lambda: np.array(["a", "b"])[(plain > 0).astype(int)],
        lambda: plain.astype(str),
        lambda: plain + 0j,
        lambda: rng.normal(size=(rows, 2)) * [1.0, 1e300],
        lambda: np.column_stack([plain, np.zeros(rows)]),
        lambda: plain[:-1],
        lambda: plain.reshape(-1, 1),
        lambda: plain.reshape(-1, 1, 1),
        lambda: np.empty((rows, 0)),
        lambda: list(plain),
        lambda: None,
        lambda: "text",
    )
    return ways[int(rng.integers(len(ways)))]()


def sample_weights(rng: np.random.Generator, rows: int) -> Any:
    plain = rng.random(rows)
    ways = (
        lambda: np.zeros(rows),
        lambda: -plain,
        lambda: np.where(plain > 0.8, np.nan, plain),
        lambda: np.where(plain > 0.8, np.inf, plain),
        lambda: np.where(plain > 0.5, 0.0, plain),
        lambda: plain * 1e300,
        lambda: plain * 1e-300,
        lambda: np.where(plain > 0.5, 1e300, 1e-300),
        lambda: np.where(plain > 0.5, 1e150, 1.0),
        lambda: plain * 1e90,
        lambda: plain * 1e-90,
        lambda: np.where(plain > 0.5, 1e40, 1e-40),
        lambda: np.where(plain > 0.5, 1e8, 1e-8),
        lambda: np.full(rows, LARGEST),
        lambda: np.full(rows, 5e-324),
        lambda: rng.integers(0, 3, rows),
        lambda: rng.integers(0, 2, rows) * 2.0**60,
        lambda: plain[:-1],
        lambda: plain.reshape(-1, 1),
        lambda: plain > 0.3,
        lambda: np.array(["a"] * rows),
        lambda: 2.0,
        lambda: plain + 0j,
    )
    return ways[int(rng.integers(len(ways)))]()
