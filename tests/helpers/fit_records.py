"""Records of fits that were never made, of any size."""

import numpy as np

from kernelwise.insight.fit_record import (
    CalibrationBin,
    CandidateRecord,
    Cell,
    CheckRecord,
    ColumnRecord,
    Coverage,
    CurvePoint,
    DependenceRecord,
    ErrorRecord,
    FeatureRecord,
    FitRecord,
    OptimumRecord,
    RecallRecord,
    Stability,
    TraceRecord,
    WrongRow,
)

ALL = ("gaussian", "laplacian", "linear", "ard", "ard-laplacian", "matern32", "polynomial")
FEW = ("gaussian", "linear")
TWINS = "'f0', 'f1' say nearly the same"


def classes_record(n_classes=2, n_features=4, n_rows=300, names=FEW, **changes):
    """A record of classes, every part of which is there."""
    random = np.random.default_rng(0)
    classes = tuple(f"c{k}" for k in range(n_classes))
    confusion = random.integers(0, 3, (n_classes, n_classes)) + 20 * np.eye(n_classes, dtype=int)
    counts = confusion.sum(axis=1)
    recalls = tuple(
        RecallRecord(label, float(line[k] / line.sum()), 0.5, 1.0)
        for k, (label, line) in enumerate(zip(classes, confusion, strict=True))
    )
    wrong = tuple(WrongRow(7 * k, "c0", "c1", 0.99 - k / 50) for k in range(10))
    bins = tuple(CalibrationBin(k / 10, k / 10, k / 20, 1.0, 30) for k in range(10))
    values = {
        "task": "classification",
        "target": "state",
        "classes": classes,
        "counts": tuple(map(float, counts)),
        "confusion": tuple(tuple(map(int, line)) for line in confusion),
        "recalls": recalls,
        "surest_wrong": wrong,
        "calibration": bins,
        "error": ErrorRecord(0.123, 0.08, 0.17, 0.4, 0.1, 5, n_rows, True, {"AUC": 0.9}),
        "dependence": dependences(n_features, n_classes),
    }
    return _record(n_features, n_rows, names, **values | changes)


def quantity_record(n_features=4, n_rows=300, **changes):
    """A record of a quantity; with many rows its pairs are in cells."""
    random = np.random.default_rng(0)
    shown = min(n_rows, 500)
    pairs = random.normal(size=(shown, 2)).cumsum(axis=1)
    places = [(i, j) for i in range(30) for j in range(max(0, i - 8), min(30, i + 8))]
    cells = tuple(Cell(float(i), float(j), 1 + (i * j) % 40) for i, j in places)
    values = {
        "task": "regression",
        "target": "height",
        "pairs": tuple(tuple(map(float, pair)) for pair in pairs),
        "cells": cells if n_rows > 2000 else (),
        "coverage": tuple(Coverage(level, level - 0.01) for level in (0.5, 0.8, 0.95)),
        "error": ErrorRecord(12.34, 11.0, 13.9, 30.0, 12.0, 5, n_rows, True, {"MAE": 9.0}),
        "dependence": dependences(n_features, 1),
    }
    return _record(n_features, n_rows, FEW, **values | changes)


def dependences(n_features, n_outputs):
    """Of the first six features; one is a category."""
    lines = tuple(tuple(float(v) / n_outputs for _ in range(n_outputs)) for v in np.arange(15) / 15)
    found = [DependenceRecord("f0", ("red", "blue"), lines[:2])]
    points = tuple(map(float, range(15)))
    return (*found, *(DependenceRecord(f"f{r}", points, lines) for r in range(1, n_features)))[:6]


def _record(n_features, n_rows, names, error, **values):
    size = error.value
    trace = TraceRecord(
        200,
        "the gradient is below the tolerance",
        tuple(map(float, 100 / np.arange(1, 101))),
        ("scale",),
        (OptimumRecord(1.0, 0.0), OptimumRecord(1.5, 0.25)),
    )
    stack = CandidateRecord("stack", 1.0, size, size / 2, 2 * size, size, 9.0, 900, "predicts")
    candidates = [
        CandidateRecord(
            name,
            1 / len(names),
            size * (1 + k / 50),
            size / 2,
            2 * size,
            size,
            1.0,
            100,
            "not told apart",
            f"{name} with a length scale",
            trace,
        )
        for k, name in enumerate(names)
    ]
    shares = 0.5 ** np.arange(n_features)
    shares /= shares.sum()
    features = tuple(
        FeatureRecord(f"f{r}", float(share), float(share) / 2, min(1.0, 2 * share), r < 2, 4)
        for r, share in enumerate(shares)
    )
    columns = [ColumnRecord("f0", "category", 2, 2, common="red")]
    columns += [ColumnRecord(f"f{r}", "number", 0, 99, -1.5, 2.5) for r in range(1, n_features)]
    known = {
        "n_rows": n_rows,
        "n_distinct": n_rows - 3,
        "columns": tuple(columns),
        "candidates": (stack, *candidates),
        "combine": "stack",
        "features": features,
        "stability": Stability(5, 2, 4),
        "is_trivial": False,
        "seconds": 12.5,
        "factorizations": 900,
        "versions": {"kernelwise": "0.2.0", "numpy": "2.0"},
        "checks": (
            CheckRecord("KW220", "care", TWINS, "any of them can get the relevance of all"),
            CheckRecord("KW402", "tip", "3 rows of 300 repeat others", "they count as one"),
        ),
        "skipped": {"laplacian-scores": "the time was up"},
        "curve": tuple(CurvePoint(rows, 2 * size / k) for k, rows in enumerate((75, 150, 300), 1)),
        "parameters": {"folds": "'auto'", "random_state": "3", "max_time": "60"},
        "table": "people.csv",
        "sha256": "ab" * 32,
        "command": "kernelwise fit people.csv --target state --seed 3",
        "machine": "a processor, 2 cores",
        "date": "2026-11-18T12:00:00+00:00",
    }
    return FitRecord(error=error, **known | values)
