"""First-level kernel learning, one fit of the kernel, against a grid search of an SVC."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from benchmarks.generators import Split, split
from benchmarks.measure import seconds
from benchmarks.table import Row
from kernelwise import LSSVMClassifier

SEEDS, N_TEST = 3, 5000


def seven_classes(seed: int) -> Split:
    """Seven classes of two clusters each, 700 training rows, 8 of 19 features informative."""
    X, y = make_classification(
        700 + N_TEST,
        n_features=19,
        n_informative=8,
        n_redundant=4,
        n_classes=7,
        n_clusters_per_class=2,
        class_sep=2.0,
        random_state=seed,
    )
    X = (X - X[:700].mean(axis=0)) / X[:700].std(axis=0)
    return X[:700], y[:700], X[700:], y[700:]


@dataclass(frozen=True)
class Case:
    """A kind of table, how it is made, and the limits: our seconds over those of the search."""

    name: str
    data: Callable[[int], Split]
    limits: dict[str, float | None]


CASES = (
    Case(
        "clusters, n=1000, d=20",
        lambda seed: split("clusters", 1000, N_TEST, seed),
        {"ard": 0.35, "ard-laplacian": 0.5},
    ),
    Case(
        "twonorm, n=1000, d=20",
        lambda seed: split("twonorm", 1000, N_TEST, seed),
        {"ard": None, "ard-laplacian": None},
    ),
    Case("7 classes, n=700, d=19", seven_classes, {"ard": None, "ard-laplacian": 1.0}),
)


def grid_search(data: Split) -> Any:
    d = data[0].shape[1]
    grid = {"C": np.logspace(-3, 3, 7), "gamma": np.logspace(-3, 3, 7) / d}
    return GridSearchCV(SVC(), grid, cv=5)


def fitted(model: Any, data: Split) -> tuple[float, float]:
    """CPU seconds of the fit, and test error in %."""
    spent = seconds(lambda: model.fit(*data[:2]))
    return spent, 100 * (1 - model.score(*data[2:]))


def measured(case: Case, seeds: int) -> list[Row]:
    found: dict[str, list[tuple[float, ...]]] = {kernel: [] for kernel in case.limits}
    peers = []
    for seed in range(seeds):
        data = case.data(seed)
        peers.append(fitted(grid_search(data), data))
        for kernel in case.limits:
            model = LSSVMClassifier(kernel, "first-level", honest=False, random_state=0)
            own = fitted(model, data)
            found[kernel].append((*own, model.n_factorizations_, len(model.trace_)))
    return [row(case, kernel, own, peers) for kernel, own in found.items()]


def row(
    case: Case, kernel: str, own: list[tuple[float, ...]], peers: list[tuple[float, float]]
) -> Row:
    ratios = [mine[0] / peer[0] for mine, peer in zip(own, peers, strict=True)]
    spent, errors, factorizations, points = np.median(own, axis=0)
    peer_spent, peer_errors = np.median(peers, axis=0)
    return Row(
        f"{kernel}, first-level, against SVC grid search: {case.name}",
        median(ratios),
        "of its time",
        limit=case.limits[kernel],
        beside=f"{spent:.2f} s against {peer_spent:.2f} s; error {errors:.2f} % against "
        f"{peer_errors:.2f} %; {factorizations:.0f} factorizations, {points:.0f} outer points",
    )


def run(quick: bool) -> list[Row]:
    # Loading what is compiled is not part of a fit.
    X, y, *_ = split("clusters", 400, 1, 0)
    LSSVMClassifier("ard-laplacian", "first-level", honest=False).fit(X, y)
    cases, seeds = (CASES[:1], 1) if quick else (CASES, SEEDS)
    return [row for case in cases for row in measured(case, seeds)]
