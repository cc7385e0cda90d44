"""Can the numbers beside a prediction be trusted? ``python -m benchmarks.trust FILE [PART ...]``.

Probabilities on noise, on made tables and on the first-level paper's sets, beside what outputs held
out at the chosen kernel alone would claim and beside scikit-learn's ``CalibratedClassifierCV``;
coverage of intervals, sets and standard deviations; features told apart from noise. Parts that FILE
has already are kept, the others are measured and added: one line for each number.
"""

from __future__ import annotations

import csv
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV, _SigmoidCalibration
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from benchmarks.trust_tables import LABELS, QUANTITIES, features_table, friedman, noise
from kernelwise import (
    BEMKLClassifier,
    LSSVMClassifier,
    LSSVMRegressor,
    MKLClassifier,
    MKLRegressor,
    RVMClassifier,
    RVMRegressor,
    SVMClassifier,
)
from kernelwise.cli.choices import SELECTIONS
from kernelwise.data import Catalogue
from kernelwise.files import written_whole
from kernelwise.selections import AlignmentSelection

COLUMNS = ("part", "case", "rows", "table", "method", "measure", "value")
KINDS = {"lssvm": LSSVMClassifier, "svm": SVMClassifier, "rvm": RVMClassifier}
MKL_METHODS = ("least-squares", "simple", "aligned", "uniform", "infinite")
FIRST_LEVEL = """
    ida_banana ida_breast_cancer ida_diabetis ida_flare_solar ida_german ida_heart ida_image
    ida_ringnorm ida_splice ida_thyroid ida_titanic ida_twonorm ida_waveform ripley_synth
"""
Line = tuple[str, int, int, str, str, float]


def classifiers() -> dict[str, object]:
    """Every default, and every selection that has a name."""
    found: dict[str, object] = {
        f"{machine} {selection}": KINDS[machine](selection=selection)
        for machine, names in SELECTIONS.items()
        for selection in names
    }
    found["svm gacv hinge"] = SVMClassifier(selection="gacv", loss="hinge")
    for method in MKL_METHODS:
        found[f"mkl {method}"] = MKLClassifier(method=method)
    found["bemkl"] = BEMKLClassifier()
    return found


def loss_of(y: np.ndarray, probabilities: np.ndarray) -> float:
    return log_loss(y, np.clip(probabilities, 1e-12, 1), labels=[0, 1])


def claimed(model) -> object:
    """The same model without its trust: what outputs held out at its kernel claim."""
    other = clone(model)
    other.__dict__.update(model.__dict__)
    if hasattr(model, "calibrator_"):
        calibrator = type(model.calibrator_)()
        calibrator.__dict__.update(vars(model.calibrator_), trust_=1.0)
        other.calibrator_ = calibrator
    return other


def on_noise(tables: range = range(20)) -> Iterator[Line]:
    """Log loss of labels that are coins (0.693) or a loaded one, 60 rows of 10 columns."""
    for share in (0.5, 0.37):
        for table in tables:
            X, y, X_new, y_new = noise(table, share)
            for name, model in classifiers().items():
                fitted = clone(model).fit(X, y)
                case = f"noise {share:g}"
                yield case, 60, table, name, "log loss", loss_of(y_new, fitted.predict_proba(X_new))
                before = claimed(fitted).predict_proba(X_new)
                yield case, 60, table, name, "claimed log loss", loss_of(y_new, before)


SOME = {
    "lssvm first-level": LSSVMClassifier(),
    "lssvm loo": LSSVMClassifier("ard", "loo"),
    "svm evidence": SVMClassifier("ard"),
    "svm gacv hinge": SVMClassifier("ard", "gacv", loss="hinge"),
}


def on_tables(sizes, makers, models, n_new: int, measures) -> Iterator[Line]:
    """What is measured on new rows of made tables: ``sizes`` are (rows, how many tables)."""
    for rows, tables in sizes:
        for case, make in makers.items():
            for table in range(tables):
                X, y = make(np.random.default_rng([table, rows]), rows + n_new)
                for name, model in models.items():
                    fitted = clone(model).fit(X[:rows], y[:rows])
                    for line in measures(fitted, X[rows:], y[rows:]):
                        yield case, rows, table, name, *line


def on_made_labels() -> Iterator[Line]:
    """Log loss on weak and strong signals, 40 to 400 rows; sets that hold the true class."""
    sizes = ((40, 6), (60, 6), (100, 6), (200, 4), (400, 2))
    return on_tables(sizes, LABELS, SOME, 2000, judged)


def judged(fitted, X: np.ndarray, y: np.ndarray) -> Iterator[tuple[str, float]]:
    yield "log loss", loss_of(y, fitted.predict_proba(X))
    yield "claimed log loss", loss_of(y, claimed(fitted).predict_proba(X))
    sets = fitted.predict_set(X)
    yield "set coverage", float(sets[np.arange(len(y)), y].mean())
    yield "set size", float(sets.sum(axis=1).mean())
    yield "error", float((fitted.predict(X) != y).mean())


def first_level_splits() -> Iterator[tuple[str, int, list[np.ndarray]]]:
    """Name, number, and ``X, y, X_new, y_new`` of three splits of each set."""
    catalogue = Catalogue()
    for name in FIRST_LEVEL.split():
        found = catalogue.load(name)
        kind = "published" if "published" in found.splits else "generated"
        for split in range(3):
            X, y, X_new, y_new = found.split(kind, split % found.splits[kind])
            y, y_new = (np.searchsorted(np.unique(found.y), labels) for labels in (y, y_new))
            yield name, split, [X, y, X_new, y_new]


def on_first_level_sets() -> Iterator[Line]:
    """Log loss on the first-level paper's sets, beside that of five calibrated copies."""
    for name, split, (X, y, X_new, y_new) in first_level_splits():
        for method, model in SOME.items():
            if len(y) > 500 and (split or method != "lssvm first-level"):
                continue
            for line in beside_calibrated(model, X, y, X_new, y_new):
                yield name, len(y), split, method, *line


def beside_calibrated(model, X, y, X_new, y_new) -> Iterator[tuple[str, float]]:
    yield from judged(clone(model).fit(X, y), X_new, y_new)
    short = clone(model).set_params(honest=False)  # its outputs are all that is used
    copies = CalibratedClassifierCV(short, cv=5).fit(X, y)
    yield "CalibratedClassifierCV log loss", loss_of(y_new, copies.predict_proba(X_new))
    yield "CalibratedClassifierCV error", float((copies.predict(X_new) != y_new).mean())


def on_offsets() -> Iterator[Line]:
    """Errors if predict moved to where Platt's sigmoid of the copies' outputs is one half."""
    tables = [case for case in first_level_splits() if len(case[2][1]) <= 500]
    tables += [("noise 0.37", table, list(noise(table, 0.37))) for table in range(10)]
    for name, number, rows in tables:
        for method, model in SOME.items():
            for line in moved(model, *rows):
                yield name, len(rows[1]), number, method, *line


def moved(model, X, y, X_new, y_new) -> Iterator[tuple[str, float]]:
    short = clone(model).set_params(honest=False)
    outputs = short.fit(X, y).decision_function(X_new)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    unseen = cross_val_predict(clone(short), X, y, cv=folds, method="decision_function")
    sigmoid = _SigmoidCalibration().fit(unseen, y)
    yield "error", float(((outputs > 0) != y_new).mean())
    yield "moved error", float(((sigmoid.predict(outputs) > 0.5) != y_new).mean())


REGRESSORS = {
    "lssvm first-level": LSSVMRegressor("ard"),
    "lssvm loo": LSSVMRegressor("ard", "loo"),
    "lssvm loo-bayes": LSSVMRegressor("ard", "loo-bayes"),
    "lssvm cv": LSSVMRegressor("ard", "cv"),
    "lssvm evidence": LSSVMRegressor("ard", "evidence"),
    "lssvm alignment": LSSVMRegressor("ard", "alignment"),
    "rvm evidence": RVMRegressor(),
    "mkl least-squares": MKLRegressor(),
}


def on_quantities() -> Iterator[Line]:
    """Share of new observations in 90 % intervals, and within 1.645 standard deviations."""
    return on_tables(((60, 8), (200, 4)), QUANTITIES, REGRESSORS, 1000, covered)


def covered(fitted, X: np.ndarray, y: np.ndarray) -> Iterator[tuple[str, float]]:
    lower, upper = fitted.predict_interval(X, level=0.9).T
    yield "interval coverage", float(((lower <= y) & (y <= upper)).mean())
    yield "interval width", float(np.median(upper - lower) / y.std())
    outputs, std = fitted.predict(X, return_std=True)
    relative = np.abs(y - outputs) / std
    yield "std coverage", float((relative < 1.645).mean())
    yield "std coverage, not stretched", float((relative < 1.645 / fitted._stretch).mean())


def on_features(tables: int = 40) -> Iterator[Line]:
    """How often each feature is told apart from noise; what its relevance is, and is said to be."""
    for case in ("friedman", "friedman labels", "copies", "noise", "noise labels"):
        kind = LSSVMClassifier if "labels" in case else LSSVMRegressor
        for name in ("first-level", "evidence", "loo"):
            told, relevances, intervals = [], [], []
            for table in range(tables):
                X, y = features_table(case, np.random.default_rng([table, 7]))
                fitted = kind(selection=name).fit(X, y)
                told.append(np.isin(np.arange(X.shape[1]), fitted.selected_features_))
                relevances.append(fitted.relevance_)
                intervals.append(fitted.relevance_interval_)
            mean = np.mean(relevances, axis=0)
            lower, upper = np.moveaxis(intervals, 2, 0)
            measures = {
                "told": np.mean(told, axis=0),
                "relevance": mean,
                "interval coverage": ((lower <= mean) & (mean <= upper)).mean(axis=0),
            }
            for measure, values in measures.items():
                for r, value in enumerate(values):
                    yield case, 100, tables, name, f"{measure} {r}", float(value)


def on_alignment(tables: range = range(20)) -> Iterator[Line]:
    """Which of Friedman's ten columns alignment keeps, with and without a second look."""
    for table in tables:
        X, y = friedman(np.random.default_rng([table, 9]), 1150)
        for name, second_look in (("alignment", False), ("second look", True)):
            model = LSSVMRegressor("ard", AlignmentSelection(second_look=second_look))
            model.set_params(honest=False).fit(X[:150], y[:150])
            for r in range(10):
                kept = float(model.kernel_.values[r] > 0)
                yield "friedman", 150, table, name, f"kept {r}", kept
            error = float(np.sqrt(np.mean((model.predict(X[150:]) - y[150:]) ** 2)))
            yield "friedman", 150, table, name, "error", error


PARTS = {
    "alignment": on_alignment,
    "noise": on_noise,
    "made labels": on_made_labels,
    "first-level sets": on_first_level_sets,
    "offsets": on_offsets,
    "quantities": on_quantities,
    "features": on_features,
}


def main(path: str, *wanted: str) -> None:
    warnings.simplefilter("ignore")
    kept = []
    if Path(path).exists():
        with Path(path).open(newline="") as file:
            kept = [line for line in list(csv.reader(file))[1:] if line[0] not in wanted]
    have = {line[0] for line in kept}
    for part in [part for part in PARTS if part not in have and part in (wanted or PARTS)]:
        kept += [[part, *map(str, line[:-1]), f"{line[-1]:.6f}"] for line in PARTS[part]()]
        with written_whole(Path(path)) as temporary, temporary.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *kept])


if __name__ == "__main__":
    main(*sys.argv[1:])
