"""What should a gap count as? ``python -m benchmarks.which_gaps FILE``.

Gaps are made in complete tables: at random, by class, or in place of high values. The ways are the
median of the column; the median and a coordinate of 0 and 1 ("shown", what estimators do); the same
with this coordinate standardized; and a value outside the column. "shown" was chosen on the first
group of data sets; the second was run when it had been. Every share of wrong labels is written.
"""

from __future__ import annotations

import csv
import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.model_selection import train_test_split

from kernelwise import LSSVMClassifier
from kernelwise.data import Catalogue
from kernelwise.files import written_whole

SETS = {
    "chosen on": ("pima", "heart_statlog", "wdbc", "saheart", "ionosphere"),
    "run once": ("bupa", "sonar", "ida_heart", "haberman"),
}
KERNELS = {"mixed": "first-level", "gaussian": "loo"}
GAPS = ("at random", "rarely at random", "by class", "rarely by class", "high values")
WAYS = ("median", "shown", "standardized", "outside")
SPLITS, ROWS, MOST = range(6), 150, 600
COLUMNS = ("group", "set", "gaps", "split", "kernel", "way", "error")


def with_gaps(X: np.ndarray, second: np.ndarray, kind: str, seed: int) -> np.ndarray:
    """The table with gaps; ``second`` says which rows are of the second class."""
    chance = np.random.default_rng(seed).random(X.shape)
    if kind == "high values":
        gaps = (np.quantile(X, 0.75, axis=0) < X) & (chance < 0.7)
    elif kind.endswith("at random"):
        gaps = chance < (0.04 if "rarely" in kind else 0.2)
    else:
        more, less = (0.12, 0.01) if "rarely" in kind else (0.35, 0.05)
        gaps = chance < np.where(second, more, less)[:, None]
        gaps[:, 1::2] = False
    return np.where(gaps, np.nan, X)


def prepared(X: np.ndarray, train: np.ndarray, way: str) -> np.ndarray:
    """The columns that a way makes of a table with gaps, as the training rows show how."""
    if way == "shown":
        return X
    gaps, fill = np.isnan(X), np.nanmedian(train, axis=0)
    if way == "outside":
        fill = np.nanmax(train, axis=0) + np.nanstd(train, axis=0) / 2
    filled = np.where(gaps, fill, X)
    return np.hstack([filled, gaps]) if way == "standardized" else filled


def errors(X: np.ndarray, y: np.ndarray, kind: str, split: int) -> dict[tuple[str, str], float]:
    """Shares of wrong labels by kernel and way."""
    X = with_gaps(X, y == y.max(), kind, split)
    rows = min(ROWS, int(0.6 * len(y)))
    parts = train_test_split(X, y, train_size=rows, stratify=y, random_state=split)
    train, test, y_train, y_test = parts
    found = {}
    for way in WAYS:
        A, B = prepared(train, train, way), prepared(test, train, way)
        for kernel, selection in KERNELS.items():
            model = LSSVMClassifier(kernel, selection, honest=False, random_state=0)
            found[kernel, way] = 1 - model.fit(A, y_train).score(B, y_test)
    return found


def main(path: str) -> None:
    warnings.simplefilter("ignore")
    catalogue = Catalogue()
    with written_whole(Path(path)) as temporary, temporary.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for group, names in SETS.items():
            for name in names:
                found = catalogue.load(name)
                some = np.random.default_rng(0).permutation(len(found.y))[:MOST]
                for kind in GAPS:
                    for split in SPLITS:
                        wrong = errors(found.X[some], found.y[some], kind, split)
                        for (kernel, way), error in wrong.items():
                            line = [group, name, kind, split, kernel, way, f"{error:.6f}"]
                            writer.writerow(line)


if __name__ == "__main__":
    main(sys.argv[1])
