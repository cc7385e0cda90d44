"""Fits to the last bit, before and after a change that must not change them.

``python -m benchmarks.recorded_fits record FILE`` runs every estimator with six pairs of kernel and
selection on three tables and writes what came out; ``... compare FILE`` runs them again and names
each number that differs. Bits depend on the machine and its BLAS: record and compare on one.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine

from kernelwise import KernelAligner, LSSVMClassifier, LSSVMRegressor, SVMClassifier
from kernelwise.searchers import RandomWalk

ROWS = 150
FACTORIZATIONS = "n_factorizations_"
NUMBERS = (
    "criterion_",
    "dual_coef_",
    "intercept_",
    "relevance_",
    "held_out_error_",
    "regularization_",
    "C_",
    "alignment_",
    "support_",
)

LEAST_SQUARES = [
    {},
    {"kernel": "gaussian", "selection": "loo"},
    {"kernel": "mixed", "selection": "first-level"},
    {"kernel": "ard-laplacian", "selection": "cv"},
    {"kernel": "matern32", "selection": "evidence"},
    {"kernel": "ard", "selection": "loo-bayes", "n_restarts": 1, "random_state": 0},
]
MODELS = {
    LSSVMClassifier: LEAST_SQUARES,
    LSSVMRegressor: LEAST_SQUARES,
    SVMClassifier: [
        {},
        {"kernel": "gaussian", "selection": "gacv", "loss": "hinge"},
        {"selection": "span", "n_restarts": 2, "combine": "average", "random_state": 0},
        {"kernel": "laplacian", "selection": "cv"},
        {"kernel": "matern52", "selection": "radius-margin"},
        {"kernel": "gaussian", "selection": "evidence", "searcher": RandomWalk(60, seed=0)},
    ],
    KernelAligner: [
        {},
        {"kernel": "gaussian", "start": "distance"},
        {"kernel": "laplacian"},
        {"kernel": "matern52", "start": "random", "random_state": 0},
        {"kernel": "ard", "centered": False},
        {"kernel": ["gaussian", "laplacian"]},
    ],
}


def tables(quantities: bool) -> Iterator[tuple[str, Any, Any]]:
    """Two real tables and one with text and repeated rows."""
    random = np.random.default_rng(0)
    if quantities:
        X, y = load_diabetes(return_X_y=True)
        yield "diabetes", X[:ROWS], y[:ROWS]
        X, y = load_wine(return_X_y=True)
        yield "wine, two targets", X[:, 2:], X[:, :2]
    else:
        X, y = load_wine(return_X_y=True)
        yield "wine", X, y
        X, y = load_breast_cancer(return_X_y=True)
        yield "cancer", X[:ROWS, :12], y[:ROWS]
    frame = pd.DataFrame(random.integers(0, 6, (ROWS, 3)).astype(float), columns=list("abc"))
    frame["text"] = random.choice(["red", "green", "blue"], ROWS)
    signal = frame["a"] + 3 * (frame["text"] == "red") + random.normal(size=ROWS)
    yield "text", frame, signal.to_numpy() if quantities else (signal > 4).to_numpy().astype(int)


def fits() -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    """The name of each fit and its numbers."""
    for model, settings in MODELS.items():
        for table, X, y in tables(model is LSSVMRegressor):
            for number, options in enumerate(settings):
                estimator = clone(model(**options))
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    estimator.fit(X, y)
                found = {name: np.asarray(getattr(estimator, name)) for name in given(estimator)}
                found["kernel"] = kernel_values(estimator)
                found["predict"] = answers(estimator, X)
                yield f"{model.__name__} {number} {options} on {table}", found


def given(estimator: Any) -> list[str]:
    return [name for name in (*NUMBERS, FACTORIZATIONS) if hasattr(estimator, name)]


def kernel_values(estimator: Any) -> np.ndarray:
    kernel = estimator.kernel_
    return np.asarray(getattr(kernel, "kernel", kernel).values)


def answers(estimator: Any, X: Any) -> np.ndarray:
    if hasattr(estimator, "predict_proba"):
        return estimator.predict_proba(X)
    if hasattr(estimator, "predict"):
        return np.hstack([part.reshape(len(X), -1) for part in estimator.predict(X, True)])
    return np.asarray(estimator.kernel_(X))


def compare(before: Any) -> int:
    """Print each number that differs, and the factorizations saved; how many fits differ."""
    different = saved = 0
    for name, found in fits():
        changes = []
        for key, value in found.items():
            old = before[f"{name}/{key}"]
            if key == FACTORIZATIONS:
                saved += int(old) - int(value)
                if value > old:
                    changes.append(f"{key} {old} -> {value}")
            elif old.shape != value.shape or old.tobytes() != value.tobytes():
                gap = np.abs(old - value).max() if old.shape == value.shape else "other shape"
                changes.append(f"{key} by {gap}")
        different += bool(changes)
        if changes:
            print(f"{name}: {', '.join(changes)}")
    print(f"{different} fits differ; {saved} factorizations saved")
    return different


if __name__ == "__main__":
    command, path = sys.argv[1:]
    if command == "record":
        numbers = {f"{name}/{key}": v for name, found in fits() for key, v in found.items()}
        np.savez_compressed(path, **numbers)
        print(f"{len(numbers)} numbers of fits written")
    else:
        sys.exit(bool(compare(np.load(path))))
