"""Partial dependence: what the model predicts on average if one feature is set to a value."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.estimators.relevance import spread_evenly
from kernelwise.insight.fit_record import DependenceRecord

# Features, values of each, levels of a category, and rows over which predictions are averaged.
MOST_FEATURES, MOST_POINTS, MOST_LEVELS, MOST_ROWS = 6, 15, 12, 200
# Values further out than these shares of the rows are not shown.
ENDS = (0.02, 0.98)


def dependences(model: Any, reading: Any, names: list[str]) -> tuple[DependenceRecord, ...]:
    """Partial dependences of the features with the greatest relevance; none of a useless model.

    Cost: as many predictions of 200 rows as there are values, 90 at most.
    """
    if model._is_trivial or not hasattr(model, "relevance_"):
        return ()
    shown = reading.take(spread_evenly(len(reading.parts.targets.weights), MOST_ROWS))
    first = np.argsort(-model.relevance_, kind="stable")[:MOST_FEATURES]
    return tuple(
        _dependence(model, reading.columns, shown, int(r), names[r])
        for r in first
        if model.relevance_[r] > 0
    )


def _dependence(model: Any, columns: Any, rows: np.ndarray, r: int, name: str) -> DependenceRecord:
    points, categorical = _points(rows[:, r], r in columns.categorical), r in columns.categorical
    outputs, values = [], []
    for point in points:
        changed = rows.copy()
        changed[:, columns.column_of == r] = 0.0  # the value is not missing
        changed[:, r] = point
        outputs.append(tuple(map(float, _mean_prediction(model, changed))))
        values.append(_value(columns, rows, r, point, categorical))
    return DependenceRecord(name, tuple(values), tuple(outputs))


def _points(column: np.ndarray, categorical: bool) -> np.ndarray:
    values, counts = np.unique(column, return_counts=True)
    if categorical:
        return values[np.sort(np.argsort(-counts, kind="stable")[:MOST_LEVELS])]
    if len(values) <= MOST_POINTS:
        return values
    low, high = np.quantile(column, ENDS)
    return np.linspace(low, high, MOST_POINTS)


def _value(columns: Any, rows: np.ndarray, r: int, point: float, categorical: bool) -> float | str:
    """A value as the table has it."""
    if categorical and r in columns.levels:
        levels = columns.levels[r]
        return str(levels[int(point)]) if 0 <= int(point) < len(levels) else "missing"
    row = rows[:1].copy()
    row[:, r] = point
    return float(columns.unscaled(row)[0, r])


def _mean_prediction(model: Any, rows: np.ndarray) -> np.ndarray:
    outputs = model._outputs_of(rows)
    return (model._probabilities(outputs) if hasattr(model, "classes_") else outputs).mean(axis=0)
