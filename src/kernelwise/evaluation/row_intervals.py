"""Confidence intervals of an error from one round of folds: every row is held out once.

The fits of the folds share most of their training rows, so the losses are not independent, and the
plain standard error over rows is too small: 1.96 of it to either side held the true mean error of
the procedure for 86 % of tables. `corrected_resampled_interval` of five folds has four degrees of
freedom: it is twice as wide as the true 95 % range, and has no width at all if no row is wrong.
Here the variance over rows is multiplied by a factor, which was measured.

The share of 95 % intervals that hold the true error was measured for discriminants, centroids,
nearest neighbors, trees, the best feature, ridge regression and least-squares machines, their
selections inside; classes and quantities, 60 to 500 rows, 5 folds, 300 to 2000 tables per case. A
factor of 1.7, chosen on 28 cases, covered

- of classes, 93 to 99 % there, 93 to 99 % in 23 other cases and in 12 of 13 new ones;
- of quantities, 92 to 99 %, 91 to 98 % in 12 others and 92 to 99 % in 10 new ones. The least are
  those of noise without a fourth moment, and of one row in 20 far off.

The mean is 96 %. The intervals are 1.2 times as wide as the true 95 % range (0.8 to 1.6; 3 if
hardly a row is wrong). With 2 or 10 folds, or 20 rows, they cover 93 to 99 %.

The difference from the trivial error on the same rows has the same factor if the target is a
quantity: 86 to 99 % in all 32 cases. Classes need less, because stratified folds keep their
shares: 1.2, chosen on 18 cases, covered 92 % in 2 of 23 others; 1.3 covered 93 to 100 % in all 41,
and 92 to 99 % in 11 of 13 new ones (87 % for cuts of pure noise). Where nothing was learned in
truth, the model was called better for at most 1.3 % of tables; for 9 % if a tree learns a quantity
whose noise has wild rows.

When they fail: if the learner finds a rule for some tables and not for others, all folds of a table
do well or badly together. A greedy tree on exclusive or, the case missing above, covers 68 % (the
difference: 81 %). `nested_cross_validation` is then safer. Rows that depend on each other break all
of this, unless they are given as groups, which then count as fewer rows (`clustering`).

References
----------
Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22. Hall
(1992), On the removal of skewness by transformation, JRSS B 54. Agresti & Min (2005), Simple
improved confidence intervals for comparing matched proportions, Statistics in Medicine 24.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import norm
from scipy.stats import t as student

# Measured, not derived: see above.
SHARED_TRAINING = 1.7
SHARED_TRAINING_IN_SHARE_DIFFERENCE = 1.3
LEVEL = 0.95
QUANTILE = float(norm.ppf((1 + LEVEL) / 2))


class RowInterval(NamedTuple):
    """The ends of a 95 % interval, and a standard error of the same kind."""

    lower: float
    upper: float
    standard_error: float


class Rows(NamedTuple):
    """Weights of rows, and how many rows of equal weight say as much."""

    weights: np.ndarray
    number: float


def share_interval(
    wrong: np.ndarray, factor: float = SHARED_TRAINING, rows: Rows | None = None
) -> RowInterval:
    """Of a share of wrong labels, from a 0 or 1 per row: Wilson's, with ``n / 1.7`` rows for ``n``.

    No error among ``n`` rows still leaves an upper end of about ``6.5 / n``. A factor of 1 is for
    rows that one model predicts and none was fitted to.
    """
    rows = rows or alike(len(wrong))
    return _wilson(float(np.average(wrong, weights=rows.weights)), rows.number / factor)


def alike(count: int) -> Rows:
    """Rows of equal weight."""
    return Rows(np.ones(count), float(count))


def clustering(values: np.ndarray, groups: np.ndarray | None) -> float:
    """How many times rows of groups are fewer than they seem: the design effect, at least 1.

    ``sum_g (sum_{i in g} d_i)^2 / sum_i d_i^2``, times ``G / (G - 1)``, for deviations ``d`` from
    the mean in ``G`` groups; the mean size of a group if all values are the same.
    """
    if groups is None:
        return 1.0
    codes = np.unique(groups, return_inverse=True)[1]
    count = codes.max() + 1
    deviations = values - values.mean()
    squares = float((deviations**2).sum())
    if squares == 0 or np.all(values == values[0]):
        return len(values) / count
    together = float((np.bincount(codes, deviations) ** 2).sum())
    return max(1.0, together / squares * count / max(count - 1, 1))


def balanced_interval(
    wrong: np.ndarray, codes: np.ndarray, factor: float = SHARED_TRAINING, rows: Rows | None = None
) -> RowInterval:
    """Of the mean over classes of their shares of wrong labels, every class counting the same.

    ``1 / sum_c 1 / (k^2 n_c)`` rows of one class would say as much as ``n_c`` of each of ``k``:
    Wilson's interval with these, and the factor of `share_interval`.
    """
    rows = rows or alike(len(wrong))
    mass = np.bincount(codes, rows.weights)
    share = float((np.bincount(codes, rows.weights * wrong) / mass).mean())
    counts = mass * (rows.number / mass.sum())
    return _wilson(share, len(counts) ** 2 / (1 / counts).sum() / factor)


def _wilson(share: float, rows: float) -> RowInterval:
    weight = QUANTILE**2 / rows
    center = (share + weight / 2) / (1 + weight)
    error = np.sqrt(share * (1 - share) / rows + weight / (4 * rows)) / (1 + weight)
    lower, upper = center - QUANTILE * error, center + QUANTILE * error
    # By rounding, an end that is 0 or 1 could lie within.
    return RowInterval(max(min(float(lower), share), 0.0), max(float(upper), share), float(error))


def root_interval(
    squares: np.ndarray, factor: float = SHARED_TRAINING, rows: Rows | None = None
) -> RowInterval:
    """Of a root mean squared error, from the square of each row: Hall's interval of a skewed mean.

    With ``s^2 = 1.7 var / n`` and ``a = sqrt(1.7 / n)`` times the skewness of the squares, the ends
    are the roots of ``mean - s g(+-1.96)``, ``g(q) = 3 / a ((1 + a (q - a / 6))^(1/3) - 1)``. If
    all squares are the same, the width is 0 and means nothing. For ``factor`` see `share_interval`.
    """
    rows = rows or alike(len(squares))
    mean, error = _mean_and_error(squares, factor, rows)
    if error == 0:
        return RowInterval(np.sqrt(mean), np.sqrt(mean), 0.0)
    third = np.average(_standardized(squares, mean, rows) ** 3, weights=rows.weights)
    skew = np.sqrt(factor / rows.number) * float(third)
    lower, upper = (mean - error * _unskewed(q, skew) for q in (QUANTILE, -QUANTILE))
    return RowInterval(
        float(np.sqrt(max(lower, 0.0))), float(np.sqrt(upper)), error / (2 * float(np.sqrt(mean)))
    )


def difference_interval(
    differences: np.ndarray, factor: float, rows: Rows | None = None
) -> RowInterval:
    """Of a mean difference, from one number per row: Student's, ``s^2 = factor var / n``.

    Its degrees of freedom are those of ``s^2``: ``2 n / (kurtosis - 1)`` (Satterthwaite), which is
    few if few rows make the difference.
    """
    rows = rows or alike(len(differences))
    mean, error = _mean_and_error(differences, factor, rows)
    if error == 0:
        return RowInterval(mean, mean, 0.0)
    fourth = np.average(_standardized(differences, mean, rows) ** 4, weights=rows.weights)
    excess, most = float(fourth) - 1, max(rows.number - 1, 1)
    freedom = most if excess <= 0 else min(max(2 * rows.number / excess, 1), most)
    reach = error * float(student.ppf((1 + LEVEL) / 2, freedom))
    return RowInterval(mean - reach, mean + reach, error)


def share_difference(
    wrong: np.ndarray,
    trivial: np.ndarray,
    groups: np.ndarray | None = None,
    rows: Rows | None = None,
) -> RowInterval:
    """Of the difference of two shares of wrong labels on the same rows, perhaps in groups.

    Two more rows are counted, one in favor of either, so that rows that agree throughout leave some
    width, in the manner of Agresti & Min.
    """
    counted = np.append(wrong - trivial, [1.0, -1.0])
    fewer = clustering(wrong - trivial, groups)
    rows = rows or alike(len(wrong))
    typical = rows.weights.sum() / rows.number
    both = Rows(np.append(rows.weights, [typical, typical]), rows.number + 2)
    return difference_interval(counted, SHARED_TRAINING_IN_SHARE_DIFFERENCE * fewer, both)


def root_difference(
    squares: np.ndarray,
    trivial: np.ndarray,
    groups: np.ndarray | None = None,
    rows: Rows | None = None,
) -> RowInterval:
    """Of the difference of two root mean squared errors on the same rows (delta method)."""
    rows = rows or alike(len(squares))
    parts = _parts_of_root(squares, rows) - _parts_of_root(trivial, rows)
    return difference_interval(parts, SHARED_TRAINING * clustering(parts, groups), rows)


def _parts_of_root(squares: np.ndarray, rows: Rows) -> np.ndarray:
    """Numbers whose mean is the root mean square, and whose spread is that of the root."""
    mean = np.average(squares, weights=rows.weights)
    root = np.sqrt(mean)
    return root + (squares - mean) / (2 * root) if root > 0 else squares


def _standardized(values: np.ndarray, mean: float, rows: Rows) -> np.ndarray:
    """Values in deviations from their mean; powers of these neither vanish nor overflow."""
    return (values - mean) / np.sqrt(np.average((values - mean) ** 2, weights=rows.weights))


def _mean_and_error(values: np.ndarray, factor: float, rows: Rows) -> tuple[float, float]:
    """The mean, and ``sqrt(factor var / n)`` with the variance of ``n - 1`` degrees of freedom."""
    mean = float(np.average(values, weights=rows.weights))
    if np.all(values == values[0]):  # their deviation may be rounding, not 0
        return mean, 0.0
    variance = np.average((values - mean) ** 2, weights=rows.weights)
    return mean, float(np.sqrt(variance * factor / max(rows.number - 1, 1)))


def _unskewed(quantile: float, skew: float) -> float:
    """The quantile of a mean in units of its error, given that of a normal one: ``g`` above."""
    if abs(skew) < 1e-6:  # the limit; differences would cancel
        return quantile
    return float(3 / skew * (np.cbrt(1 + skew * (quantile - skew / 6)) - 1))
