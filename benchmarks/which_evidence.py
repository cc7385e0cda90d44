"""Which evidence should choose an SVM's kernel? ``python -m benchmarks.which_evidence FILE``.

Laplace's approximation, expectation propagation (predicting by the mean of the posterior or by its
mode) and 5-fold, on the same random splits. Settings were chosen on the first group of data sets;
the second was run once. Every score is written, with its CPU seconds.
"""

from __future__ import annotations

import csv
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from kernelwise import SVMClassifier
from kernelwise.data import Catalogue
from kernelwise.files import written_whole

CHOSEN_ON = """
    sonar bupa heart_statlog pima ionosphere wpbc haberman hepatitis glassG2 ida_banana ida_german
    ida_waveform appendicitis monk2
"""
RUN_ONCE = """
    breast_w_683 credit_a heart_cleveland ida_breast_cancer ida_diabetis ida_image ida_ringnorm
    ida_splice ida_thyroid ida_titanic ripley_synth saheart wdbc crabs housevotes mammographic
"""
SETS = {"chosen on": CHOSEN_ON.split(), "run once": RUN_ONCE.split()}
METHODS = {
    "laplace": {"selection": "evidence"},
    "ep-mean": {"selection": "evidence-ep"},
    "ep-mode": {"selection": "evidence-ep", "prediction": "mode"},
    "cv": {"selection": "cv"},
}
KERNELS, SPLITS, ROWS = ("ard", "gaussian"), range(5), 200
COLUMNS = ("group", "set", "split", "kernel", "method", "error", "log_loss", "seconds")


def scores(X: np.ndarray, y: np.ndarray, split: int, model: SVMClassifier) -> list[str]:
    """Share of wrong labels, log loss and CPU seconds of one fit."""
    rows = min(ROWS, int(0.6 * len(y)))
    parts = train_test_split(X, y, train_size=rows, stratify=y, random_state=700 + split)
    X_train, X_test, y_train, y_test = parts
    start = time.process_time()
    model.fit(X_train, y_train)
    seconds = time.process_time() - start
    loss = log_loss(y_test, np.clip(model.predict_proba(X_test), 1e-12, 1), labels=model.classes_)
    return [f"{1 - model.score(X_test, y_test):.6f}", f"{loss:.6f}", f"{seconds:.3f}"]


def main(path: str) -> None:
    warnings.simplefilter("ignore")
    catalogue = Catalogue()
    with written_whole(Path(path)) as temporary, temporary.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for group, names in SETS.items():
            for name in names:
                found = catalogue.load(name)
                for split in SPLITS:
                    for kernel in KERNELS:
                        for method, settings in METHODS.items():
                            model = SVMClassifier(kernel, random_state=0, **settings)
                            line = scores(found.X, found.y, split, model)
                            writer.writerow([group, name, split, kernel, method, *line])


if __name__ == "__main__":
    main(sys.argv[1])
