"""Full fits against the usual way in scikit-learn: a grid search of an SVC, standardized data."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from benchmarks.generators import MAKERS, Split, split
from benchmarks.measure import seconds
from benchmarks.table import Row
from kernelwise import LSSVMClassifier, SVMClassifier

N, D, N_TEST = 1000, 20, 10_000
SEEDS = 2
GRID = {"C": np.logspace(-3, 3, 7), "gamma": np.logspace(-3, 3, 7) / D}
PEER = "grid search"
GAUSSIAN, ARD = "gaussian, loo", "ard, first-level"
SPAN, EVIDENCE = "SVM: ard, span", "SVM: ard, evidence"
# name: times faster than the grid search, at least
LIMITS = {GAUSSIAN: 5.0, ARD: 1.0, SPAN: 1.0, EVIDENCE: None}


@dataclass
class Fit:
    seconds: float
    error: float  # % of the test rows
    factorizations: int = 0
    points: int = 0


def estimators() -> dict[str, Any]:
    return {
        PEER: GridSearchCV(SVC(), GRID, cv=5),
        GAUSSIAN: LSSVMClassifier(kernel="gaussian", selection="loo", random_state=0),
        ARD: LSSVMClassifier(kernel="ard", selection="first-level", random_state=0),
        SPAN: SVMClassifier(kernel="ard", selection="span", random_state=0),
        EVIDENCE: SVMClassifier(kernel="ard", selection="evidence", random_state=0),
    }


def fit(estimator: Any, data: Split) -> Fit:
    X, y, X_test, y_test = data
    spent = seconds(lambda: estimator.fit(X, y))
    error = 100 * (1 - estimator.score(X_test, y_test))
    trace = getattr(estimator, "trace_", [])
    return Fit(spent, error, getattr(estimator, "n_factorizations_", 0), len(trace))


def run(quick: bool) -> list[Row]:
    names, seeds = (["twonorm"], 1) if quick else (list(MAKERS), SEEDS)
    fits: dict[str, list[Fit]] = {name: [] for name in estimators()}
    rows = []
    for name in names:
        for seed in range(seeds):
            data = split(name, N, N_TEST, seed)
            for which, estimator in estimators().items():
                fits[which].append(fit(estimator, data))
        recent = {which: done[-seeds:] for which, done in fits.items()}
        rows += [speed(which, recent, f" on {name}", None) for which in LIMITS]
    rows += [speed(which, fits, "", limit) for which, limit in LIMITS.items()]
    if quick:  # one fit cannot tell whose error is larger
        return rows
    return rows + [error(which, fits, judged=which == GAUSSIAN) for which in LIMITS]


def speed(which: str, fits: dict[str, list[Fit]], where: str, limit: float | None) -> Row:
    """Median over sets and seeds of the time of the grid search relative to ours."""
    mine, peer = fits[which], fits[PEER]
    times = [b.seconds / a.seconds for a, b in zip(mine, peer, strict=True)]
    work = f"{median(f.factorizations for f in mine):.0f} factorizations"
    points = f"{median(f.points for f in mine):.0f} points"
    spent = f"{median(f.seconds for f in mine):.2f} s against {median(f.seconds for f in peer):.2f}"
    errors = f"error {np.mean([f.error for f in mine]):.2f} % against {mean_error(peer):.2f} %"
    return Row(
        f"{which} against SVC grid search, n={N}{where}: time",
        median(times),
        "times faster",
        limit=limit,
        at_least=True,
        beside=f"{spent} s; {errors}; {work}, {points}",
    )


def error(which: str, fits: dict[str, list[Fit]], judged: bool) -> Row:
    """Mean test error minus the grid search's; no worse means within two standard errors of 0.

    The sets are fixed, so only the spread between seeds counts as error.
    """
    pairs = zip(fits[which], fits[PEER], strict=True)
    differences = np.array([a.error - b.error for a, b in pairs]).reshape(-1, SEEDS)
    noise = 2 * np.sqrt(differences.var(axis=1, ddof=1).mean() / differences.size)
    return Row(
        f"{which} against SVC grid search, n={N}: test error, difference",
        float(differences.mean()),
        "points of %",
        limit=float(noise) if judged else None,
        beside=f"{mean_error(fits[which]):.2f} % against {mean_error(fits[PEER]):.2f} %, "
        f"{differences.size} fits; two standard errors {noise:.2f}",
    )


def mean_error(fits: list[Fit]) -> float:
    return float(np.mean([f.error for f in fits]))
