"""The error on held-out rows, with everything (kernel choice included) learned without them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import _safe_split

from kernelwise.evaluation.fold_records import (
    FoldRecord,
    measure_fold,
    row_losses,
    trivial_prediction,
)
from kernelwise.evaluation.row_intervals import (
    root_difference,
    root_interval,
    share_difference,
    share_interval,
)
from kernelwise.threads import blas_threads_for

Split = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class HonestError:
    """A cross-validated error, with 95 % intervals that allow for the rows that the fits share.

    Attributes
    ----------
    value : the share of wrong labels, or the root mean squared error of a regressor
    lower, upper, standard_error : its interval, and a standard error of the same kind
    baseline : the same error of the most frequent class, or of the mean, of the training rows
    difference_lower, difference_upper : the interval of ``value - baseline``, row by row
    folds, messages : their number, and the warnings of the fits
    """

    value: float
    lower: float
    upper: float
    standard_error: float
    baseline: float
    difference_lower: float
    difference_upper: float
    folds: int
    messages: tuple[str, ...] = ()

    @property
    def beats_trivial(self) -> bool:
        """Whether the error is below the baseline, beyond doubt at the level of the interval."""
        return self.difference_upper < 0

    def numbers(self) -> dict[str, float]:
        """The numbers by name, without the messages: what a saved model keeps."""
        return {name: value for name, value in asdict(self).items() if name != "messages"}


def possible_folds(target: np.ndarray, folds: int, stratified: bool) -> int:
    """``folds``, or as many as are possible; 0 if cross-validation is impossible.

    If stratified, each fold needs a row of each class; in any case two rows must be left to train.
    """
    rows = len(target)
    members = int(np.unique(target, return_counts=True)[1].min()) if stratified else rows
    possible = min(folds, members)
    if possible < 2 or rows - math.ceil(rows / possible) < 2:
        return 0
    return possible


def honest_error(
    estimator: BaseEstimator,
    X,
    y: np.ndarray,
    *,
    folds: int = 5,
    random_state: int = 0,
    n_jobs: int | None = None,
    on_fold: Callable[[], object] = lambda: None,
) -> HonestError:
    """Cross-validate a copy of an estimator, its own choice of a kernel included.

    The intervals are of the mean error of the *procedure* trained on as many rows as a fold leaves,
    over tables from the same source; ``kernelwise.evaluation.row_intervals`` says how they were
    measured. `nested_cross_validation` repeats the folds, and says what the selection claimed.

    Parameters
    ----------
    estimator, X, y : the classifier or regressor, the rows and their targets
    folds, random_state : how many folds, and the seed of their shuffling
    n_jobs : folds to run at the same time
    on_fold : called after each fold (for a progress bar)
    """
    classes = is_classifier(estimator)
    splitter = (StratifiedKFold if classes else KFold)(
        folds, shuffle=True, random_state=random_state
    )
    splits = list(splitter.split(X, y))
    records = measure_folds(estimator, X, y, splits, n_jobs, on_fold, only_predictions=True)
    losses, baselines = [], []
    for (train, test), record in zip(splits, records, strict=True):
        losses.append(row_losses(estimator, y[test], record.predictions))
        baselines.append(row_losses(estimator, y[test], trivial_prediction(estimator, y[train])))
    own, trivial = np.concatenate(losses), np.concatenate(baselines)
    value, baseline = (float(x.mean() if classes else np.sqrt(x.mean())) for x in (own, trivial))
    interval = share_interval(own) if classes else root_interval(own)
    difference = share_difference(own, trivial) if classes else root_difference(own, trivial)
    messages = dict.fromkeys(message for record in records for message in record.messages)
    ends = difference.lower, difference.upper
    return HonestError(value, *interval, baseline, *ends, folds, tuple(messages))


def measure_folds(
    estimator: BaseEstimator,
    X,
    y: np.ndarray,
    splits: Sequence[Split],
    n_jobs: int | None,
    on_fold: Callable[[], object],
    only_predictions: bool = False,
) -> tuple[FoldRecord, ...]:
    """Fit a copy of an estimator on each split; the records in the order of the splits.

    Parameters
    ----------
    estimator, X, y : the classifier or regressor, the rows and their targets
    splits : the numbers of the training and test rows
    n_jobs, on_fold : fits to run at the same time, and a function called after each
    only_predictions : whether our estimators skip relevances and calibration
    """
    run = Parallel(n_jobs=n_jobs, return_as="generator")
    records = []
    tasks = ((_unfitted(estimator, only_predictions), X, y, *split) for split in splits)
    for record in run(delayed(_measure_split)(*task) for task in tasks):
        records.append(record)
        on_fold()
    return tuple(records)


def _unfitted(estimator: BaseEstimator, only_predictions: bool) -> BaseEstimator:
    copy = clone(estimator)
    last = copy.steps[-1][1] if isinstance(copy, Pipeline) else copy
    if only_predictions and hasattr(last, "_only_predictions"):
        last._only_predictions = True
    return copy


def _measure_split(estimator: BaseEstimator, X, y, train, test) -> FoldRecord:
    """Fit ``estimator`` to the rows ``train`` of ``X`` and ``y``, and judge it on ``test``."""
    # Worker processes have fewer BLAS threads, whose number can change the last bits.
    with blas_threads_for(len(train)):
        X_train, y_train = _safe_split(estimator, X, y, train)
        X_test, y_test = _safe_split(estimator, X, y, test, train)
        return measure_fold(estimator, X_train, y_train, X_test, y_test)
