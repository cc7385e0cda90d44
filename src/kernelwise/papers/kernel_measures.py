"""Numbers about the kernel and the size of a fitted support vector classifier."""

from collections.abc import Callable
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

from kernelwise.criteria import Alignment
from kernelwise.estimators import SVMClassifier
from kernelwise.machines import NoMachine
from kernelwise.solutions import Targets

Kernel = Callable[[np.ndarray], np.ndarray]


def kernel_measures(fitted: BaseEstimator, X_train, y_train, X_test, y_test) -> dict[str, float]:
    """What is said of an SVM of two classes, scikit-learn's or ours, alone or at the end of
    searches and pipelines.

    ``support_vectors``: their number. ``training_alignment`` and ``test_alignment``: the centred
    alignment of the kernel with classes of -1 and 1, among the training and among the test rows.
    ``features``: the percentage used of the columns that vary in the training rows. The kernel is
    that of the part with a ``kernel_`` if there is one, else the SVC's own. Nothing is said of
    other estimators. Cost: O(n^2), one Gram matrix at a time.
    """
    *before, machine = _steps(fitted)
    if not isinstance(machine, (SVC, SVMClassifier)) or len(machine.classes_) != 2:
        return {}
    if isinstance(machine, SVMClassifier):
        before = [*before, machine]
    learners = [number for number, step in enumerate(before) if hasattr(step, "kernel_")]
    learner = before[learners[0]] if learners else None
    prepare = before[: learners[0]] if learners else before
    found = {"support_vectors": float(len(machine.support_))}
    if (kernel := _own_kernel(machine) if learner is None else _learnt_kernel(learner)) is not None:
        for name, X, y in (
            ("training_alignment", X_train, y_train),
            ("test_alignment", X_test, y_test),
        ):
            found[name] = _alignment(kernel, _prepared(prepare, X), y == machine.classes_[1])
    varying = np.flatnonzero(np.ptp(np.asarray(X_train, dtype=float), axis=0))
    used = np.intersect1d(varying, getattr(learner, "selected_features_", varying))
    return found | {"features": 100 * len(used) / max(len(varying), 1)}


def _steps(fitted: BaseEstimator) -> list[BaseEstimator]:
    """The parts that rows go through, the last one being the predictor."""
    if hasattr(fitted, "best_estimator_"):
        return _steps(fitted.best_estimator_)
    if isinstance(fitted, Pipeline):
        return [part for _, step in fitted.steps for part in _steps(step)]
    return [fitted]


def _prepared(steps: list[BaseEstimator], X: np.ndarray) -> np.ndarray:
    for step in steps:
        X = step.transform(X)
    return X


def _learnt_kernel(learner: BaseEstimator) -> Kernel:
    if not isinstance(learner, SVMClassifier):
        return learner.kernel_
    return lambda X: learner.kernel_(learner.columns_.scaled(X))


def _own_kernel(machine: SVC) -> Kernel | None:
    """None for Gram matrices given by the user, and for a gamma that is not a number."""
    if machine.kernel == "precomputed" or not isinstance(machine.gamma, Real):
        return None
    shape = {"gamma": machine.gamma, "degree": machine.degree, "coef0": machine.coef0}
    return lambda X: pairwise_kernels(X, metric=machine.kernel, filter_params=True, **shape)


def _alignment(kernel: Kernel, X: np.ndarray, positive: np.ndarray) -> float:
    targets = Targets.plain(np.where(positive, 1.0, -1.0))
    return -Alignment()(NoMachine().solve([kernel(X)], targets))[0]
