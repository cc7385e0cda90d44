"""Do rows without a label help? ``python -m benchmarks.unlabeled_rows FILE`` writes every score.

Each draw takes 300 rows of a set, of which the first few keep their labels, and scores two models
on the others: one that sees them without labels, and one that sees the labeled rows alone.
"""

from __future__ import annotations

import csv
import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning

from kernelwise import BEMKLClassifier
from kernelwise.data import Catalogue
from kernelwise.files import written_whole

KERNELS = ["gaussian", "laplacian", "linear"]
SETS = ("digits 3 and 8", "digits 1 and 7", "iris", "wine", "breast_cancer")
LABELED, DRAWS, ROWS = (10, 20, 40), 12, 300
COLUMNS = ("set", "labeled", "draw", "with", "without")


def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    if not name.startswith("digits"):
        found = Catalogue().load(name)
        return found.X, found.y
    X, y = load_digits(return_X_y=True)
    kept = np.isin(y, [int(word) for word in name.split() if word.isdigit()])
    return X[kept], y[kept]


def scores(X: np.ndarray, y: np.ndarray, labeled: int, draw: int) -> tuple[float, float]:
    """Accuracy on the rows without a label, of the model that sees them and of that without."""
    rows = np.random.default_rng(draw).permutation(len(y))[:ROWS]
    # One row of each class first, so that every class is known.
    classes = np.unique(y)
    first = [int(np.flatnonzero(y[rows] == label)[0]) for label in classes]
    rows = np.concatenate([rows[first], np.delete(rows, first)])
    X, y = X[rows], np.searchsorted(classes, y[rows])
    marked = np.where(np.arange(len(y)) < labeled, y, -1)
    both = BEMKLClassifier(KERNELS, semi_supervised=True).fit(X, marked)
    alone = BEMKLClassifier(KERNELS).fit(X[:labeled], y[:labeled])
    return both.score(X[labeled:], y[labeled:]), alone.score(X[labeled:], y[labeled:])


def main(path: str) -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    with written_whole(Path(path)) as temporary, temporary.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for name in SETS:
            X, y = table(name)
            for labeled in LABELED:
                for draw in range(DRAWS):
                    both, alone = scores(X, y, labeled, draw)
                    writer.writerow([name, labeled, draw, f"{both:.6f}", f"{alone:.6f}"])


if __name__ == "__main__":
    main(sys.argv[1])
