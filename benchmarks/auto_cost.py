"""AutoKernel's search, without the copies that judge it, against a grid search of an SVC."""

from __future__ import annotations

from statistics import median

import numpy as np

from benchmarks.first_level_cost import fitted, grid_search, seven_classes
from benchmarks.generators import Split, split
from benchmarks.table import Row
from kernelwise import AutoKernelClassifier

SEEDS, N_TEST = 3, 5000
# (candidates, rows): the limit of our seconds over those of the search
LIMITS = {("core", 1000): 0.8, ("auto", 1000): 1.5, ("core", 400): 1.0, ("auto", 400): 1.8}


def row(candidates: str, name: str, tables: list[Split], limit: float | None) -> Row:
    """Median ratio of seconds over some tables, with errors and work beside it."""
    ratios, own, peers = [], [], []
    for data in tables:
        model = AutoKernelClassifier(candidates, folds=0)
        mine, peer = fitted(model, data), fitted(grid_search(data), data)
        ratios.append(mine[0] / peer[0])
        own.append((*mine, model.n_factorizations_))
        peers.append(peer)
    spent, error, factorizations = np.median(own, axis=0)
    peer_spent, peer_error = np.median(peers, axis=0)
    return Row(
        f"AutoKernel ({candidates}), folds=0, against SVC grid search: {name}",
        median(ratios),
        "of its time",
        limit=limit,
        beside=f"{spent:.2f} s against {peer_spent:.2f} s; error {error:.2f} % against "
        f"{peer_error:.2f} %; {factorizations:.0f} factorizations",
    )


def run(quick: bool) -> list[Row]:
    # Loading what is compiled is not part of a fit.
    X, y, *_ = split("clusters", 100, 1, 0)
    AutoKernelClassifier(folds=0).fit(X, y)
    seeds, found = range(1 if quick else SEEDS), []
    for kind in ("clusters",) if quick else ("clusters", "twonorm"):
        for (candidates, n), limit in LIMITS.items():
            tables = [split(kind, n, N_TEST, seed) for seed in seeds]
            found.append(row(candidates, f"{kind}, n={n}, d=20", tables, limit))
    if not quick:
        tables = [seven_classes(seed) for seed in seeds]
        found.append(row("core", "7 classes, n=700, d=19", tables, None))
    return found
