"""Numbers about the kernels and the size of a fitted classifier."""

from collections.abc import Callable
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.ensemble import VotingClassifier
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import KernelCenterer

from kernelwise.estimators.base import KernelEstimator
from kernelwise.methods.evidence_ascent import EveryStep

Kernel = Callable[[np.ndarray], np.ndarray]
ROUNDING = 1e-14
# A feature of a machine is used above this share of the largest relevance (a squared effect: a
# hundredth of the effect itself).
USED_SHARE = 1e-4


def kernel_measures(fitted: BaseEstimator, X_train, y_train, X_test, y_test) -> dict[str, float]:
    """Measures of a fitted binary SVM or RVM, also inside a search or pipeline, or of a machine on
    many kernels, of which it says how many are used: ``selected_kernels``.

    ``support_vectors``: the number of support or relevance vectors. ``training_alignment`` and
    ``test_alignment``: the centered alignment of the kernel with classes of -1 and 1, among the
    training and among the test rows. ``features``: the percentage used of the columns that vary in
    the training rows. The kernel is that of the first part with a ``kernel_``, else the SVC's own.
    A vote, or each step of an ascent, has ``lowest_error``: the best on the test rows. Other
    estimators without ``support_`` have no measures. Cost: O(n^2), one Gram matrix at a time.

    Parameters
    ----------
    fitted : the estimator
    X_train, y_train : the rows it was fitted to, with their classes
    X_test, y_test : other rows, with their classes
    """
    steps = _steps(fitted)
    machine = steps[-1]
    if isinstance(machine, VotingClassifier | EveryStep):
        rows, labels = _prepared(steps[:-1], X_test), machine.le_.transform(y_test)
        errors = [np.mean(voter.predict(rows) != labels) for voter in machine.estimators_]
        return {"lowest_error": float(min(errors))}
    if hasattr(machine, "selected_kernels_"):
        return {"selected_kernels": float(len(machine.selected_kernels_))}
    if not hasattr(machine, "support_") or len(getattr(machine, "classes_", ())) != 2:
        return {}
    learners = [number for number, step in enumerate(steps) if hasattr(step, "kernel_")]
    first = learners[0] if learners else len(steps) - 1
    kernel = _learnt_kernel(steps[first], machine) if learners else _own_kernel(machine)
    vectors = getattr(machine, "n_relevance_vectors_", len(machine.support_))
    found = {"support_vectors": float(vectors)}
    if kernel is not None:
        for name, X, y in (("training", X_train, y_train), ("test", X_test, y_test)):
            gram = kernel(_prepared(steps[:first], X))
            found[f"{name}_alignment"] = _alignment(gram, y == machine.classes_[1])
    varying = np.flatnonzero(np.ptp(np.asarray(X_train, dtype=float), axis=0))
    used = np.intersect1d(varying, _used_features(steps[first], varying))
    return found | {"features": 100 * len(used) / max(len(varying), 1)}


def _used_features(learner: BaseEstimator, otherwise: np.ndarray) -> np.ndarray:
    """The features that enter a kernel; those that a machine selects are fewer."""
    if isinstance(learner, KernelEstimator):
        return np.flatnonzero(learner.relevance_ > USED_SHARE * learner.relevance_.max())
    return getattr(learner, "selected_features_", otherwise)


def _steps(fitted: BaseEstimator) -> list[BaseEstimator]:
    """The parts that rows go through; the last one predicts."""
    if hasattr(fitted, "best_estimator_"):
        return _steps(fitted.best_estimator_)
    if isinstance(fitted, Pipeline):
        return [part for _, step in fitted.steps for part in _steps(step)]
    return [fitted]


def _prepared(steps: list[BaseEstimator], X: np.ndarray) -> np.ndarray:
    for step in steps:
        X = step.transform(X)
    return X


def _learnt_kernel(learner: BaseEstimator, machine: BaseEstimator) -> Kernel:
    """The learned kernel; a machine's, unlike a transformer's, takes columns scaled."""
    if learner is not machine:
        return learner.kernel_
    return lambda X: learner.kernel_(learner.columns_.scaled(X))


def _own_kernel(machine: BaseEstimator) -> Kernel | None:
    """The SVC's kernel; None for precomputed Gram matrices, or a gamma that is not a number."""
    if machine.kernel == "precomputed" or not isinstance(machine.gamma, Real):
        return None
    shape = {"gamma": machine.gamma, "degree": machine.degree, "coef0": machine.coef0}
    return lambda X: pairwise_kernels(X, metric=machine.kernel, filter_params=True, **shape)


def _alignment(gram: np.ndarray, positive: np.ndarray) -> float:
    """``s' K s / (|K| s's)`` with ``K`` centered and ``s`` the centered classes.

    0 for a single class, or a constant kernel, of which centering leaves only rounding.
    """
    signs = positive - positive.mean()
    centered = KernelCenterer().fit_transform(gram)
    size = np.linalg.norm(centered)
    if size <= ROUNDING * np.linalg.norm(gram) or not signs.any():
        return 0.0
    return float(signs @ centered @ signs / (size * (signs @ signs)))
