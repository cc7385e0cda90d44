"""The error on held-out rows, with everything (kernel choice included) learnt without them."""

import math
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.utils import _safe_indexing

from kernelwise.estimators.columns import UnseenLevelWarning


@dataclass(frozen=True)
class HonestError:
    """A cross-validated error.

    ``value`` is the share of wrong labels, or the root mean squared error of a regressor;
    ``standard_error`` its standard error over rows; ``baseline`` the same error of the most
    frequent class, or of the mean, of the training rows; ``messages`` the warnings of the fits.
    """

    value: float
    standard_error: float
    baseline: float
    folds: int
    messages: tuple[str, ...] = ()

    def numbers(self) -> dict[str, float]:
        """The numbers by name, without the messages: what a saved model keeps."""
        return {name: value for name, value in asdict(self).items() if name != "messages"}


def possible_folds(target: np.ndarray, folds: int, stratified: bool) -> int:
    """``folds``, or the most there can be; 0 if cross-validation is impossible.

    With classes each fold needs a row of each class; else two rows must remain to train on.
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
    """Cross-validate a copy of ``estimator``, its own choice of a kernel included.

    ``on_fold`` is called after each fold (for a progress bar).
    """
    classes = is_classifier(estimator)
    splitter = (StratifiedKFold if classes else KFold)(
        folds, shuffle=True, random_state=random_state
    )
    run = Parallel(n_jobs=n_jobs, return_as="generator")
    results = run(
        delayed(_held_out_losses)(clone(estimator), X, y, train, test)
        for train, test in splitter.split(X, y)
    )
    losses, baselines, messages = [], [], []
    for fold_losses, fold_baselines, fold_messages in results:
        losses.append(fold_losses)
        baselines.append(fold_baselines)
        messages += fold_messages
        on_fold()
    value, standard_error = _summary(np.concatenate(losses), root=not classes)
    baseline, _ = _summary(np.concatenate(baselines), root=not classes)
    return HonestError(value, standard_error, baseline, folds, tuple(dict.fromkeys(messages)))


def _held_out_losses(estimator, X, y, train, test):
    """The loss of each test row, that of the trivial predictor, and the warnings of the fit."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(_safe_indexing(X, train), y[train])
        # In a fold a rare level may be new; the whole fit knows it.
        warnings.simplefilter("ignore", UnseenLevelWarning)
        predicted = estimator.predict(_safe_indexing(X, test))
    if is_classifier(estimator):
        labels, counts = np.unique(y[train], return_counts=True)
        losses, baselines = predicted != y[test], y[test] != labels[counts.argmax()]
    else:
        losses, baselines = (predicted - y[test]) ** 2, (y[train].mean() - y[test]) ** 2
    return losses.astype(float), baselines.astype(float), [str(w.message) for w in caught]


def _summary(losses: np.ndarray, root: bool) -> tuple[float, float]:
    """The mean of losses and its standard error; of squares, the root of both (delta method)."""
    mean, deviation = losses.mean(), losses.std(ddof=1) / np.sqrt(len(losses))
    if not root:
        return float(mean), float(deviation)
    value = np.sqrt(mean)
    return float(value), float(deviation / (2 * value)) if value > 0 else 0.0
