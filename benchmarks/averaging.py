"""Restarts of an SVM's search: the best of the optima against the average of their machines."""

from __future__ import annotations

import numpy as np

from benchmarks.estimates import sets
from benchmarks.grid_search import fit, mean_error
from benchmarks.table import Row
from kernelwise import SVMClassifier

SELECTIONS = ("span", "evidence")
N_RESTARTS = 9


def run(quick: bool) -> list[Row]:
    rows = []
    for name, splits in sets(1 if quick else 3):
        rows += [averaged(name, splits, selection) for selection in SELECTIONS]
        if quick:
            break
    return rows


def averaged(name: str, splits: list, selection: str) -> Row:
    """Mean test error of the average of ten optima, minus that of the best of them."""
    fits = {
        combine: [fit(machine(selection, combine), data) for data in splits]
        for combine in ("best", "average")
    }
    single = [fit(machine(selection, "best", n_restarts=0), data) for data in splits]
    model = machine(selection, "best").fit(*splits[0][:2])
    spread = np.mean([optimum.disagreement for optimum in model.trace_.optima])
    best, average = mean_error(fits["best"]), mean_error(fits["average"])
    return Row(
        f"{name}, {selection}: average of {N_RESTARTS + 1} optima minus the best of them",
        average - best,
        "points of %",
        beside=f"{average:.2f} % against {best:.2f} %, one search {mean_error(single):.2f} %; "
        f"optima disagree with the best on {spread:.1%} of the rows",
    )


def machine(selection: str, combine: str, n_restarts: int = N_RESTARTS) -> SVMClassifier:
    return SVMClassifier("ard", selection, n_restarts=n_restarts, combine=combine, random_state=0)
