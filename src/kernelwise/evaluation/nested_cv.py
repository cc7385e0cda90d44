"""Repeated nested cross-validation: the error outside the selection, and what it claimed inside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.utils import indexable
from sklearn.utils.multiclass import check_classification_targets

from kernelwise.evaluation.fold_records import FoldRecord
from kernelwise.evaluation.folds import repeated_folds
from kernelwise.evaluation.honest_error import measure_folds
from kernelwise.evaluation.intervals import ErrorInterval, corrected_resampled_interval
from kernelwise.tables.columns import is_missing


@dataclass(frozen=True)
class NestedResult:
    """The error of a procedure, selection included, on rows it has not seen.

    Errors are shares of wrong labels, or root mean squared errors in units of ``y``.

    Attributes
    ----------
    records : one per fit, by repeat and then by fold
    folds, repeats : their numbers
    interval : mean of the folds' errors, with its corrected resampled interval
    baseline : the same mean for the most frequent class, or the mean, of the training rows
    inner_error : mean of what the selections claimed; None where the estimator claims nothing
    optimism : mean over folds of (error - inner error) with the same kind of interval, or None.
        The two errors of a fold vary in opposite directions, which cancels in the mean over folds,
        so this interval is wide: in simulation 95 % intervals cover 97 % or more.
    sentence : the above in words
    """

    records: tuple[FoldRecord, ...]
    folds: int
    repeats: int
    interval: ErrorInterval
    baseline: float
    inner_error: float | None
    optimism: ErrorInterval | None
    sentence: str

    @property
    def error(self) -> float:
        """The mean of the folds' errors."""
        return self.interval.value


def nested_cross_validation(
    estimator: BaseEstimator,
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    folds: int = 5,
    repeats: int = 10,
    stratify: bool | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    level: float = 0.95,
    on_fold: Callable[[], object] = lambda: None,
) -> NestedResult:
    """Judge a classifier or regressor together with whatever it selects inside ``fit``.

    A copy is fitted to the training rows of each fold, so kernels, grids and scalers are chosen
    without the test rows; the error is that of the test rows. The error that the selection itself
    saw is lower on average, because its minimum was picked: ``optimism`` says by how much.

    The splits are those of scikit-learn's ``RepeatedStratifiedKFold`` or ``RepeatedKFold`` with the
    same ``random_state``. The interval treats the folds as random splits (see
    `corrected_resampled_interval` for its formula, what it covers and when). In simulation
    (tests/evaluation/test_nested_cv.py) 95 % intervals of 10 x 5 folds cover 98 % if the folds
    agree on what to select, and 97 % if they do not (several features about as good). With
    ``repeats=1`` and few folds they have few degrees of freedom, and are wide (1 x 5 folds: 99 %).

    Cost: ``folds * repeats`` fits.

    Parameters
    ----------
    estimator, X, y : the classifier or regressor, the rows and their targets
    groups : one label per row; rows of one group are never split between training and test rows
    folds, repeats : folds of each cross-validation, and how many of these
    stratify : whether folds keep the shares of the classes; None: for classifiers
    random_state : of the splits; the estimator's own is left alone
    n_jobs : fits to run at the same time; the result does not depend on it (from 4000 training rows
        on, up to the last bits of linear algebra with several threads)
    level : of the intervals
    on_fold : called after each fit (for a progress bar)

    References
    ----------
    Cawley & Talbot (2010), On over-fitting in model selection and subsequent selection bias in
    performance evaluation, JMLR 11. Nadeau & Bengio (2003), Machine Learning 52. Bouckaert & Frank
    (2004), Evaluating the replicability of significance tests for comparing learning algorithms.
    """
    X, y, groups = indexable(X, y, groups)
    y = _checked_target(estimator, y)
    # This checks the level before the work.
    corrected_resampled_interval([0.0, 1.0], 1, 1, level)
    stratified = is_classifier(estimator) if stratify is None else bool(stratify)
    if stratified and not is_classifier(estimator):
        raise ValueError("stratify needs classes, but the estimator is a regressor; use None")
    if groups is not None:
        groups = _checked_groups(groups)
    splits = repeated_folds(
        y,
        groups,
        folds,
        repeats,
        classes=is_classifier(estimator),
        stratified=stratified,
        random_state=random_state,
    )
    records = measure_folds(estimator, X, y, splits, n_jobs, on_fold)
    return _summary(records, folds, repeats, level, percent=is_classifier(estimator))


def _checked_target(estimator: BaseEstimator, y: Any) -> np.ndarray:
    """Labels, or finite numbers; one column is one output."""
    if not (is_classifier(estimator) or is_regressor(estimator)):
        raise ValueError(
            f"{type(estimator).__name__} is neither a classifier nor a regressor of scikit-learn's "
            "API: there is no error to estimate"
        )
    target = np.asarray(y)
    if target.ndim == 2 and target.shape[1] == 1:
        target = target[:, 0]
    if is_regressor(estimator):
        target = target.astype(float)
        if not np.isfinite(target).all():
            raise ValueError("y contains NaN or infinity; drop those rows")
        return target
    if target.ndim != 1:
        raise ValueError(f"a classifier needs one label per row, got y of shape {target.shape}")
    if any(is_missing(label) for label in target):
        raise ValueError("y contains missing labels; drop those rows, or name them")
    check_classification_targets(target)
    if len(np.unique(target)) < 2:
        raise ValueError("y has one class only; a classifier needs at least 2")
    return target


def _checked_groups(groups: Any) -> np.ndarray:
    """The number of each row's group."""
    labels = np.asarray(groups)
    if labels.ndim != 1 or any(is_missing(label) for label in labels):
        raise ValueError("groups must hold one label per row, none of them missing")
    return np.unique(labels, return_inverse=True)[1]


def _summary(
    records: tuple[FoldRecord, ...], folds: int, repeats: int, level: float, percent: bool
) -> NestedResult:
    """The result of all fits.

    Parameters
    ----------
    records, folds, repeats : the fits, and how they were split
    level, percent : of the intervals, and whether errors are shares to be shown in percent
    """
    errors = np.array([record.error for record in records])
    claims = [record.inner_error for record in records if record.inner_error is not None]
    n_train = float(np.mean([record.n_train for record in records]))
    n_test = float(np.mean([record.n_test for record in records]))
    interval = corrected_resampled_interval(errors, n_train, n_test, level)
    # No error is negative, and no share of wrong labels above 1.
    most = 1.0 if percent else interval.upper
    lower, upper = max(interval.lower, 0.0), min(interval.upper, most)
    clipped = (lower, upper) != (interval.lower, interval.upper)
    interval = replace(interval, lower=lower, upper=upper)
    sentence = f"Error {_in_words(interval, percent)} ({repeats} x {folds} folds)"
    if clipped:
        interval = replace(interval, sentence=f"{sentence}.")
    inner, optimism = None, None
    if len(claims) == len(records):
        inner = float(np.mean(claims))
        optimism = corrected_resampled_interval(errors - claims, n_train, n_test, level)
        verdict = _verdict(optimism, percent)
        optimism = replace(optimism, sentence=f"The selection is {verdict}.")
        sentence += f"; the selection itself claimed {_number(inner, percent, ' %')}: {verdict}"
    if interval.standard_error == 0:
        sentence += "; all folds have the same error, so the width of 0 means nothing"
    baseline = float(np.mean([record.baseline for record in records]))
    return NestedResult(
        records, folds, repeats, interval, baseline, inner, optimism, f"{sentence}."
    )


def _verdict(optimism: ErrorInterval, percent: bool) -> str:
    """How optimistic a selection is, or how pessimistic, in words."""
    if optimism.value >= 0:
        return f"optimistic by {_in_words(optimism, percent, unit=' points')}"
    value, lower, upper = -optimism.value, -optimism.upper, -optimism.lower
    pessimism = replace(optimism, value=value, lower=lower, upper=upper)
    return f"pessimistic by {_in_words(pessimism, percent, unit=' points')}"


def _in_words(interval: ErrorInterval, percent: bool, unit: str = " %") -> str:
    """Value and interval; shares in percent or in points."""
    value, upper = (_number(x, percent, unit) for x in (interval.value, interval.upper))
    lower = _number(interval.lower, percent, "")
    return f"{value}, {100 * interval.level:g} % interval {lower} to {upper}"


def _number(value: float, percent: bool, unit: str) -> str:
    return f"{100 * value:.1f}{unit}" if percent else f"{value:.4g}"
