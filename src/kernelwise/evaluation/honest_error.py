"""The error on held-out rows, with everything (kernel choice included) learned without them."""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from numbers import Real

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import _safe_split

from kernelwise.data.pipeline import final_step
from kernelwise.evaluation.fold_records import (
    FoldRecord,
    measure_fold,
    row_losses,
    trivial_prediction,
)
from kernelwise.evaluation.measures import (
    class_measures,
    confusion,
    joined_probabilities,
    quantity_measures,
)
from kernelwise.evaluation.row_intervals import (
    SHARED_TRAINING,
    balanced_interval,
    clustering,
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
    measures : further measures of the same held-out predictions, by name
    confusion : rows of each class (lines, sorted) by label (columns); empty for quantities
    balanced_lower, balanced_upper : the interval of the balanced error; None for quantities
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
    measures: Mapping[str, float] = field(default_factory=dict)
    confusion: tuple[tuple[int, ...], ...] = ()
    balanced_lower: float | None = None
    balanced_upper: float | None = None

    @property
    def beats_trivial(self) -> bool:
        """Whether the error is below the baseline, beyond doubt at the level of the interval."""
        return self.difference_upper < 0

    @property
    def tells_classes_apart(self) -> bool:
        """Whether the balanced error is below that of any constant answer, ``1 - 1 / classes``."""
        constant = 1 - 1 / max(len(self.confusion), 1)
        return self.balanced_upper is not None and self.balanced_upper < constant

    @property
    def is_useful(self) -> bool:
        """Whether it is better than a constant answer, in either way of counting."""
        return self.beats_trivial or self.tells_classes_apart

    def numbers(self) -> dict[str, float]:
        """The numbers by name, without messages and confusion: what a saved model keeps."""
        fields = asdict(self).items()
        plain = {name: float(value) for name, value in fields if isinstance(value, Real)}
        return plain | dict(self.measures)


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


def folds_for(
    target: np.ndarray, folds: int, classes: bool, groups: np.ndarray | None = None
) -> int:
    """``folds``, or as many as leave something to learn in each; 0 if there are not two.

    Rows of a rare class may all be in one fold, and are then counted as wrong; but two classes are
    always left to train on.
    """
    if groups is not None:
        if len(np.unique(groups)) < 2:
            return 0
        folds = min(folds, len(np.unique(groups)))
        while folds > 1 and not _trainable(target, _splits(target, folds, classes, 0, groups)):
            folds -= 1
        return folds if folds > 1 else 0
    if not classes:
        return possible_folds(target, folds, stratified=False)
    counts = np.sort(np.unique(target, return_counts=True)[1])
    possible = min(folds, int(counts[-2]))
    return possible if possible > 1 else 0


def group_folds(y: np.ndarray, groups: np.ndarray, classes: bool) -> list[Split] | None:
    """Folds for an estimator's ``cv`` that split no group; None if there are too few groups."""
    folds = folds_for(y, 5, classes, groups)
    return _splits(y, folds, classes, 0, groups) if folds else None


def _trainable(target: np.ndarray, splits: Sequence[Split]) -> bool:
    return all(len(test) and len(np.unique(target[train])) > 1 for train, test in splits)


def fold_kind(stratified: bool, groups: np.ndarray | None) -> type:
    """scikit-learn's folds that keep the shares of the classes, or whole groups, or both."""
    if groups is None:
        return StratifiedKFold if stratified else KFold
    return StratifiedGroupKFold if stratified else GroupKFold


def _splits(
    y: np.ndarray, folds: int, classes: bool, random_state: int, groups: np.ndarray | None
) -> list[Split]:
    splitter = fold_kind(classes, groups)(folds, shuffle=True, random_state=random_state)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class with fewer rows than folds
        return list(splitter.split(np.zeros((len(y), 1)), y, groups))


def honest_error(
    estimator: BaseEstimator,
    X,
    y: np.ndarray,
    *,
    folds: int = 5,
    random_state: int = 0,
    groups: np.ndarray | None = None,
    sample_weight: np.ndarray | None = None,
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
    groups : a number per row; rows of one group are never split
    sample_weight : for the fits; the errors count every row once
    n_jobs : folds to run at the same time
    on_fold : called after each fold (for a progress bar)
    """
    classes = is_classifier(estimator)
    splits = _splits(y, folds, classes, random_state, groups)
    records = measure_folds(
        estimator,
        X,
        y,
        splits,
        n_jobs,
        on_fold,
        to_judge=True,
        sample_weight=sample_weight,
        groups=groups,
    )
    losses, baselines = [], []
    for (train, test), record in zip(splits, records, strict=True):
        losses.append(row_losses(estimator, y[test], record.predictions))
        baselines.append(row_losses(estimator, y[test], trivial_prediction(estimator, y[train])))
    own, trivial = np.concatenate(losses), np.concatenate(baselines)
    value, baseline = (float(x.mean() if classes else np.sqrt(x.mean())) for x in (own, trivial))
    order = np.concatenate([test for _, test in splits])
    held = None if groups is None else groups[order]
    factor = SHARED_TRAINING * clustering(own, held)
    interval = (share_interval if classes else root_interval)(own, factor)
    difference = (share_difference if classes else root_difference)(own, trivial, held)
    messages = dict.fromkeys(message for record in records for message in record.messages)
    ends = difference.lower, difference.upper
    measured = _measures(y, splits, records, classes)
    codes = np.unique(y, return_inverse=True)[1][order]
    balanced = balanced_interval(own, codes, factor)[:2] if classes else ()
    said = tuple(messages)
    return HonestError(value, *interval, baseline, *ends, folds, said, *measured, *balanced)


def _measures(
    y: np.ndarray, splits: Sequence[Split], records: Sequence[FoldRecord], classes: bool
) -> tuple[dict[str, float], tuple[tuple[int, ...], ...]]:
    truth = np.concatenate([y[test] for _, test in splits])
    predictions = np.concatenate([record.predictions for record in records])
    if not classes:
        return quantity_measures(truth, predictions), ()
    labels = np.unique(y)
    probabilities = joined_probabilities(
        [record.probabilities for record in records],
        [np.unique(y[train]) for train, _ in splits],
        labels,
    )
    found = class_measures(truth, predictions, probabilities, labels)
    return found, confusion(truth, predictions, labels)


def measure_folds(
    estimator: BaseEstimator,
    X,
    y: np.ndarray,
    splits: Sequence[Split],
    n_jobs: int | None,
    on_fold: Callable[[], object],
    *,
    to_judge: bool = False,
    sample_weight: np.ndarray | None = None,
    groups: np.ndarray | None = None,
) -> tuple[FoldRecord, ...]:
    """Fit a copy of an estimator on each split; the records in the order of the splits.

    Parameters
    ----------
    estimator, X, y : the classifier or regressor, the rows and their targets
    splits : the numbers of the training and test rows
    n_jobs, on_fold : fits to run at the same time, and a function called after each
    to_judge : whether only predictions count: probabilities are kept, and our estimators that
        give none skip the relevances
    sample_weight, groups : for the fits; our estimators do not split groups inside a fit either
    """
    run = Parallel(n_jobs=n_jobs, return_as="generator")
    records = []
    tasks = (
        (_unfitted(estimator, y, split, groups, to_judge), X, y, *split, sample_weight, to_judge)
        for split in splits
    )
    for record in run(delayed(_measure_split)(*task) for task in tasks):
        records.append(record)
        on_fold()
    return tuple(records)


def _unfitted(
    estimator: BaseEstimator, y: np.ndarray, split: Split, groups: np.ndarray | None, to_judge: bool
) -> BaseEstimator:
    """A copy to fit to the training rows of a split."""
    copy = clone(estimator)
    last = final_step(copy)
    if groups is not None and hasattr(last, "_ranks_features"):
        inner = group_folds(y[split[0]], groups[split[0]], is_classifier(copy))
        last.set_params(cv=inner or last.cv)
    if to_judge and hasattr(last, "_ranks_features"):
        last._ranks_features = False
        last._only_predictions = not is_classifier(copy)
    return copy


def _measure_split(
    estimator: BaseEstimator, X, y, train, test, sample_weight, with_probabilities: bool
) -> FoldRecord:
    """Fit ``estimator`` to the rows ``train`` of ``X`` and ``y``, and judge it on ``test``."""
    name = f"{estimator.steps[-1][0]}__sample_weight" if isinstance(estimator, Pipeline) else ""
    weights = {} if sample_weight is None else {name or "sample_weight": sample_weight[train]}
    # Worker processes have fewer BLAS threads, whose number can change the last bits.
    with blas_threads_for(len(train)):
        X_train, y_train = _safe_split(estimator, X, y, train)
        X_test, y_test = _safe_split(estimator, X, y, test, train)
        return measure_fold(
            estimator,
            X_train,
            y_train,
            X_test,
            y_test,
            fit_parameters=weights,
            with_probabilities=with_probabilities,
        )
