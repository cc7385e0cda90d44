"""How much each feature matters to a fitted machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import norm
from scipy.stats import t as student

from kernelwise.tables.columns import ColumnEncoder

if TYPE_CHECKING:
    from kernelwise.estimators.fold_fits import Copies
    from kernelwise.estimators.table_estimator import Reading

# A feature is told apart from noise by this many standard errors: 5 %, one-sided. The variance is
# 1.3 times that of independent rows, because copies share most of the rows they were fitted to:
# without it, up to 10 % of useless features were told beside almost equal columns
# (benchmarks/trust.py).
SHARED_ROWS = 1.3
ONE_SIDED = float(norm.ppf(0.95) * np.sqrt(SHARED_ROWS))
# Outputs are compared on at most this many rows, spread evenly over the sorted ones.
COMPARED_ROWS = 500


def knockout_squares(
    outputs_of: Callable[[np.ndarray], np.ndarray],
    rows: np.ndarray,
    weights: np.ndarray,
    columns: ColumnEncoder,
) -> np.ndarray:
    """Mean squared change of outputs when a feature is held at its mean (or most common level).

    It reads the fitted function, not the kernel's parameters, so it means the same for every
    kernel, isotropic or not; a feature of weight 0 has exactly 0. Cost: a Gram block per feature.
    """
    chosen = spread_evenly(len(rows), COMPARED_ROWS)
    shown, shares = rows[chosen], weights[chosen] / weights[chosen].sum()
    outputs, typical = outputs_of(shown), typical_row(rows, weights, columns)
    squares = np.zeros(columns.n_columns)
    for r in varying_columns(rows, columns):
        change = outputs_of(with_held(shown, r, typical, columns.column_of)) - outputs
        squares[r] = shares @ (change**2).sum(axis=1)
    return squares


def as_shares(squares: np.ndarray) -> np.ndarray:
    """Each number's share of the sum; equal shares if all are 0."""
    total = squares.sum()
    return squares / total if total > 0 else np.full(len(squares), 1 / len(squares))


def typical_row(rows: np.ndarray, weights: np.ndarray, columns: ColumnEncoder) -> np.ndarray:
    """The mean of each coordinate of the rows of a fit, or its most common level."""
    coordinates = enumerate(rows.T)
    return np.array([_typical(x, weights, c in columns.categorical) for c, x in coordinates])


def with_held(
    shown: np.ndarray, features: int | np.ndarray, typical: np.ndarray, column_of: np.ndarray
) -> np.ndarray:
    """Rows with one feature and its gaps held at what is typical of the rows of the fit.

    Parameters
    ----------
    shown : (rows, coordinates)
    features : the feature that is held, for all rows or (rows,) for each
    typical : the `typical_row`
    column_of : the feature of each coordinate
    """
    return np.where(column_of == np.reshape(features, (-1, 1)), typical, shown)


def varying_columns(rows: np.ndarray, columns: ColumnEncoder) -> list[int]:
    """Numbers of the features that vary, or whose gaps do."""
    return np.unique(columns.column_of[np.ptp(rows, axis=0) > 0]).tolist()


def spread_evenly(n_rows: int, at_most: int) -> np.ndarray:
    """Numbers of some rows, spread evenly."""
    return np.unique(np.linspace(0, n_rows - 1, min(n_rows, at_most)).astype(int))


def jackknife_intervals(relevance: np.ndarray, without_folds: list[np.ndarray]) -> np.ndarray:
    """95 % intervals of relevances, (features, 2), from those of copies without each fold.

    The delete-a-group jackknife: ``variance = (k - 1) / k sum_k (r_k - mean)^2``, Student's
    distribution with k - 1 degrees of freedom. NaN without copies.
    """
    k = len(without_folds)
    if k < 2:
        return np.full((len(relevance), 2), np.nan)
    variance = (k - 1) * np.var(without_folds, axis=0)
    reach = student.ppf(0.975, k - 1) * np.sqrt(variance)
    return np.clip(np.column_stack([relevance - reach, relevance + reach]), 0, 1)


def told_from_noise(
    copies: Copies, reading: Reading, losses_of: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> np.ndarray:
    """For each feature whether rows that were not seen are predicted better with it.

    Each copy predicts the rows it has not seen, as they are and with the feature held at what is
    typical; the feature is told apart from noise if the mean difference of the losses is more than
    1.88 standard errors. A useless feature only adds noise to the outputs, so that holding it
    lowers the loss on average: it is told in less than 5 % of all tables.

    Parameters
    ----------
    copies : copies of the estimator
    reading : the whole table
    losses_of : loss of each row from its output and its target
    """
    parts, given = reading.parts, reading.given
    changes, weights = [], []
    most = COMPARED_ROWS // len(copies.judges)
    for fit in copies.judges:
        some = fit.parts[spread_evenly(len(fit.parts), most)]
        entries = np.flatnonzero(np.isin(parts.part, some))
        place = np.searchsorted(some, parts.part[entries])
        y, own = given.y[parts.source[entries]], fit.reading.parts
        shown = parts.X[some]
        outputs_of = fit.model._output_function(fit.choice)
        plain = losses_of(outputs_of(shown)[place], y)
        typical = typical_row(own.X, own.targets.weights, reading.columns)
        change = np.zeros((len(entries), reading.columns.n_columns))
        for r in varying_columns(own.X, reading.columns):
            held = with_held(shown, r, typical, reading.columns.column_of)
            change[:, r] = losses_of(outputs_of(held)[place], y) - plain
        changes.append(change)
        weights.append(parts.share[entries])
    change, share = np.concatenate(changes), np.concatenate(weights)
    compared_cases = copies.n_cases * share.sum() / copies.share.sum()
    mean = share @ change / share.sum()
    variance = share @ (change - mean) ** 2 / share.sum()
    return mean > ONE_SIDED * np.sqrt(variance / compared_cases)


def _typical(column: np.ndarray, weights: np.ndarray, categorical: bool) -> float:
    if not categorical:
        return float(np.average(column, weights=weights))
    levels, codes = np.unique(column, return_inverse=True)
    return float(levels[np.bincount(codes, weights).argmax()])
