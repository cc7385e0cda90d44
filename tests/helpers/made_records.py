"""Records of fits that were never made, with as many columns, classes and rows as wanted."""

from dataclasses import replace

import numpy as np

from kernelwise.insight import FitRecord
from kernelwise.insight.fit_record import (
    CalibrationBin,
    CandidateRecord,
    CheckRecord,
    ColumnRecord,
    Coverage,
    CurvePoint,
    DependenceRecord,
    ErrorRecord,
    FeatureRecord,
    TraceRecord,
    WrongRow,
)

HOSTILE = "</script><img src=x onerror=alert(1)>"
TRACE = TraceRecord(40, "no step lowers the criterion", tuple(3 + 9 / (1 + np.arange(40.0))))
VERSIONS = {"kernelwise": "0.2.0", "python": "3.11.7", "numpy": "2.0.0"}
CHECKS = (
    CheckRecord("KW203", "care", "'a' has one value in 99 % of the rows", "leave it out"),
    CheckRecord("KW403", "tip", "the table has only 80 rows: expect wide intervals"),
)


def made_record(n_columns=4, n_classes=2, n_rows=500, names=(), **values):
    """A record of classes (``n_classes`` of them), or of a quantity where ``n_classes`` is 0.

    Parameters
    ----------
    n_columns, n_classes, n_rows : of the table
    names : of the first columns; the others are called column 0, column 1, ...
    values : fields that differ
    """
    columns = [*names, *(f"column {r}" for r in range(len(names), n_columns))]
    fields = {
        "task": "classification" if n_classes else "regression",
        "target": "outcome",
        "n_rows": n_rows,
        "n_distinct": n_rows,
        "columns": tuple(ColumnRecord(name, "number", 0, 50, -2.5, 9.5) for name in columns),
        "candidates": _candidates(),
        "combine": "stack",
        "features": _features(columns),
        "is_trivial": False,
        "seconds": 12.5,
        "factorizations": 321,
        "versions": VERSIONS,
        "checks": CHECKS,
        "error": ErrorRecord(0.12, 0.09, 0.16, 0.5, 0.11, 5, n_rows, True, {"AUC": 0.93}),
        "dependence": tuple(_dependence(name, max(n_classes, 1)) for name in columns[:6]),
        "curve": (CurvePoint(100, 0.2), CurvePoint(200, 0.15), CurvePoint(400, 0.12)),
        "parameters": {"candidates": "'auto'", "random_state": "0"},
        "table": "table.csv",
        "sha256": "0" * 64,
        "command": "kernelwise fit table.csv --target outcome",
    }
    of_task = _of_classes(n_classes, n_rows) if n_classes else _of_quantities(n_rows)
    return FitRecord(**(fields | of_task | values))


def _candidates():
    return (
        CandidateRecord("stack", 1.0, 0.12, 0.09, 0.16, 0.11, 12.5, 321, "predicts"),
        CandidateRecord("ard", 0.7, 0.125, 0.1, 0.17, 0.1, 8.5, 200, "not told apart", "", TRACE),
        CandidateRecord("linear", 0.3, 0.24, 0.2, 0.29, 0.235, 4.0, 121, "worse", "", TRACE),
    )


def _features(columns):
    shares = 0.5 ** np.arange(1, len(columns) + 1)
    shares = shares / shares.sum()
    found = [
        FeatureRecord(name, share, 0.8 * share, min(1.2 * share, 1.0), place < 2)
        for place, (name, share) in enumerate(zip(columns, map(float, shares), strict=True))
    ]
    found[1] = replace(found[1], low=None, high=None)  # not every interval is known
    return tuple(found)


def _dependence(name, n_outputs):
    outputs = np.linspace(0.1, 0.9, 10)[:, None] + np.arange(n_outputs)
    outputs = outputs / outputs.sum(axis=1, keepdims=True) if n_outputs > 1 else outputs
    values = tuple(map(float, np.linspace(-2.5, 9.5, 10)))
    return DependenceRecord(name, values, tuple(tuple(map(float, line)) for line in outputs))


def _of_classes(n_classes, n_rows):
    classes = tuple(f"class {k}" for k in range(n_classes))
    each = max(n_rows // n_classes, 2)
    confusion = np.full((n_classes, n_classes), 1) + (each - 1) * np.eye(n_classes, dtype=int)
    chances = np.linspace(0.05, 0.95, 8)
    bins = tuple(
        CalibrationBin(p, p * p, max(p * p - 0.1, 0.0), min(p * p + 0.1, 1.0), 60)
        for p in map(float, chances)
    )
    wrong = tuple(WrongRow(17 + k, classes[0], classes[-1], 0.99 - 0.02 * k) for k in range(10))
    return {
        "classes": classes,
        "counts": (float(each),) * n_classes,
        "confusion": tuple(tuple(map(int, line)) for line in confusion),
        "calibration": bins,
        "surest_wrong": wrong,
    }


def _of_quantities(n_rows):
    random = np.random.default_rng(0)
    truth = random.normal(size=n_rows)
    said = truth + 0.1 * random.normal(size=n_rows)
    levels = ((0.5, 0.52), (0.8, 0.79), (0.95, 0.94))
    return {
        "pairs": tuple(zip(truth.tolist(), said.tolist(), strict=True)),
        "coverage": tuple(Coverage(*pair) for pair in levels),
    }
