"""Least-squares support vector machines that choose their own kernel."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from kernelwise.criteria import BayesianLeaveOneOut, Evidence, HeldOutSquares, LeaveOneOut
from kernelwise.estimators.base import KernelEstimator
from kernelwise.estimators.calibration import Temperature, TwoSlopeSigmoid
from kernelwise.estimators.columns import ColumnEncoder
from kernelwise.estimators.progress import progress_of, with_callbacks
from kernelwise.estimators.target_values import one_vs_rest, read_labels, read_quantities
from kernelwise.linalg import BorderedSystem
from kernelwise.selections import (
    AlignmentSelection,
    AsGiven,
    FirstLevelSelection,
    MinimizeCriterion,
)

SELECTIONS = {
    None: AsGiven(),
    "loo": MinimizeCriterion(LeaveOneOut()),
    "loo-bayes": MinimizeCriterion(BayesianLeaveOneOut(), room=3.0),
    "cv": MinimizeCriterion(HeldOutSquares(), folded=True),
    "evidence": MinimizeCriterion(Evidence(), room=10.0),
    "first-level": FirstLevelSelection(),
    "alignment": AlignmentSelection(),
}

PARAMETERS = """
    Parameters
    ----------
    kernel : str, Kernel or sklearn.gaussian_process kernel, default "ard"
        "gaussian", "laplacian", "matern32", "matern52", "rational-quadratic" (one length scale),
        the same with "ard-" before it (one per feature; "ard" is "ard-gaussian"), "mixed" (per
        feature; squared or absolute differences, whichever leaves the smaller error), "linear",
        "ard-linear", "polynomial", "ard-polynomial", "precomputed". Named kernels act on
        standardised columns, and on categorical columns by overlap; a kernel object acts on the
        columns as they are.
    selection : {"first-level", "loo", "loo-bayes", "cv", "evidence", "alignment"}, None, Selection
        How kernel and regularisation are chosen; None uses them as given. "alignment" chooses the
        kernel without a machine, then the regularisation by leave-one-out.
    regularization : float, default 1.0
        Used as given when ``selection`` is None; otherwise it is chosen.
    n_restarts : int, default 0
        Further random starts of the search.
    searcher : Searcher, default None
        None lets the selection decide.
    cv : int, splitter or list of (train, test), default 5
        Folds of ``selection="cv"`` and of
        ``selection=kernelwise.selections.FirstLevelSelection(estimate="cv")``.
    random_state, verbose, n_jobs
        As in scikit-learn; the result does not depend on ``n_jobs``.
    categorical_features : "from_dtype", None, or list of indices, names or booleans
        Columns compared by equality. "from_dtype": text, category and boolean columns of a frame.
"""

ATTRIBUTES = """
    Attributes
    ----------
    kernel_ : the chosen kernel (named kernels act on the columns as ``columns_`` scales them)
    regularization_ : the chosen regularisation
    dual_coef_, intercept_ : ``outputs = kernel_(X, X_fit_) @ dual_coef_ + intercept_``
    relevance_ : per feature, non-negative, sums to 1: share of the mean squared change of the
        outputs when the feature is held at its mean (or commonest level)
    selected_features_ : indices of the features above 1e-4 of the largest relevance
    criterion_ : the value of the criterion that made the choice
    held_out_error_ : the error of the chosen model's held-out outputs on the training rows, by
        sample weight: share of wrong labels, or root mean squared error in units of y (over all
        outputs). Each row is left out at the chosen kernel in closed form (first-level: of the
        machine linearised in its kernel). This is the error the selection itself saw:
        optimistic, because the kernel was chosen by it.
    trace_ : every point tried, with value and time, and the reason to stop
    n_factorizations_ : the work done
"""


class LSSVMClassifier(ClassifierMixin, KernelEstimator):
    __doc__ = f"""Least-squares support vector classifier that chooses its own kernel.

    Two classes: targets -1 and +1; more: one machine per class against the rest with one shared
    kernel and one factorisation. A row of weight 2 and a repeated row are the same. Probabilities
    come from sigmoids fitted to held-out outputs and never contradict ``predict``.
    {PARAMETERS}
    class_weight : dict, "balanced" or None
        Multiplies the weights of the rows of each class.
    {ATTRIBUTES}
    classes_ : the labels

    References
    ----------
    Cawley & Talbot, Kernel Learning at the First Level of Inference.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from kernelwise import LSSVMClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> model = LSSVMClassifier(kernel="gaussian", selection="loo").fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _selections = SELECTIONS

    def __init__(
        self,
        kernel="ard",
        selection="first-level",
        regularization=1.0,
        n_restarts=0,
        searcher=None,
        cv=5,
        random_state=None,
        verbose=0,
        n_jobs=None,
        class_weight=None,
        categorical_features="from_dtype",
    ):
        super().__init__(
            kernel=kernel,
            selection=selection,
            regularization=regularization,
            n_restarts=n_restarts,
            searcher=searcher,
            cv=cv,
            random_state=random_state,
            verbose=verbose,
            n_jobs=n_jobs,
            categorical_features=categorical_features,
        )
        self.class_weight = class_weight

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LSSVMClassifier:
        """Choose the kernel and fit the machine."""
        selection = self._check_parameters()
        numbers = self._read_columns(X, reset=True)
        labels, self.classes_ = read_labels(y, len(numbers))
        counts = weights = self._weights(sample_weight, numbers)
        if self.class_weight is not None:
            weights = counts * balanced(self.class_weight, labels, counts)
        if len(np.unique(labels[weights > 0])) < 2:
            raise ValueError(
                "the rows of positive weight are of one class only; a classifier needs at least 2"
            )
        step, finish = progress_of(self, X, y)
        codes = np.searchsorted(self.classes_, labels)
        coded = one_vs_rest(codes, len(self.classes_))
        parts = self._problem(numbers, coded, counts, weights, codes)
        choice = self._choose(selection, parts, step)
        self.dual_coef_, self.intercept_ = choice.solution.coef, choice.solution.intercept
        held_out = parts.targets.values - choice.held_out
        wrong = largest_output(held_out)[parts.part] != codes[parts.source]
        # Class weights steer the fit; an error counts rows, as a score does.
        self.held_out_error_ = float(np.average(wrong, weights=parts.share))
        classes = np.zeros((len(held_out), len(self.classes_)))
        share = parts.share * (weights / np.where(counts > 0, counts, 1))[parts.source]
        np.add.at(classes, (parts.part, codes[parts.source]), share)
        self.calibrator_ = (
            TwoSlopeSigmoid().fit(held_out[:, 0], classes)
            if len(self.classes_) == 2
            else Temperature().fit(held_out, classes)
        )
        finish()
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Machine outputs: (rows,) for two classes, positive for ``classes_[1]``; else (rows,
        classes).
        """
        outputs = self._outputs(X)
        return outputs[:, 0] if len(self.classes_) == 2 else outputs

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest output."""
        check_is_fitted(self, "dual_coef_")
        return self.classes_[largest_output(self._outputs(X))]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Calibrated probability of each class; the largest is that of ``predict``."""
        check_is_fitted(self, "dual_coef_")
        return self.calibrator_.probabilities(self.decision_function(X))


class LSSVMRegressor(RegressorMixin, KernelEstimator):
    __doc__ = f"""Least-squares support vector regressor (kernel ridge with bias) that chooses its
    own kernel.

    Targets, one or many columns, are standardised inside; all share one kernel and one
    factorisation. {PARAMETERS}{ATTRIBUTES}
    References
    ----------
    Cawley & Talbot, Kernel Learning at the First Level of Inference.
    """

    _selections = SELECTIONS

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LSSVMRegressor:
        """Choose the kernel and fit the machine."""
        selection = self._check_parameters()
        numbers = self._read_columns(X, reset=True)
        given = read_quantities(y, len(numbers), self)
        self._single_output = given.ndim == 1
        values = given.reshape(len(given), -1)
        weights = self._weights(sample_weight, numbers)
        step, finish = progress_of(self, X, y)
        scaler = ColumnEncoder(np.empty(0, int))
        scaler.learn_scales(values[weights > 0], weights[weights > 0])
        unlabelled = np.zeros(len(values), int)
        parts = self._problem(numbers, scaler.scaled(values), weights, weights, unlabelled)
        targets = parts.targets
        choice = self._choose(selection, parts, step)
        unit = scaler.spread * scaler.magnitude
        self.dual_coef_ = choice.solution.coef * unit
        self.intercept_ = choice.solution.intercept * unit + scaler.centre * scaler.magnitude
        self._weights_fit = targets.weights
        misfit = (targets.values * choice.solution.coef).sum(axis=0)
        misfit = misfit + targets.within / self.regularization_
        self.amplitude_ = np.sqrt(misfit / max(targets.weights.sum() - 1, 1)) * unit
        squares = targets.weights @ choice.held_out**2 + targets.within
        roots = np.sqrt(squares / targets.weights.sum()) * unit
        # hypot: the squares of large units would overflow.
        self.held_out_error_ = math.hypot(*roots) / math.sqrt(len(roots))
        finish()
        return self

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The outputs; with ``return_std`` also the standard deviation of a new observation.

        The variance is that of the Gaussian process with covariance ``amplitude^2 (kernel +
        noise)``, noise = regularisation, and a bias with flat prior. Cost: one factorisation.
        """
        check_is_fitted(self, "dual_coef_")
        gram = self._gram_to_fit(X)
        outputs = gram @ self.dual_coef_ + self.intercept_
        outputs = outputs[:, 0] if self._single_output else outputs
        if not return_std:
            return outputs
        if self._precomputed:
            raise ValueError(
                "return_std needs k(x, x) of new rows, which a precomputed kernel lacks"
            )
        std = np.sqrt(self._variance(self.columns_.scaled(self._read_columns(X, reset=False))))
        return outputs, std * self.amplitude_[0] if self._single_output else np.outer(
            std, self.amplitude_
        )

    def _variance(self, rows: np.ndarray) -> np.ndarray:
        """Variance of a new observation in units of the amplitude."""
        across, inner = self.kernel_(self.X_fit_, rows), self.kernel_(self.X_fit_)
        noise = self.regularization_ / self._weights_fit
        system = BorderedSystem(inner, noise)
        weights = system.apply(across) + system.intercept_weights[:, None]
        spread = (weights * (inner @ weights + noise[:, None] * weights - 2 * across)).sum(axis=0)
        return np.maximum(self.kernel_.diagonal(rows)[0] + spread, 0) + self.regularization_


def largest_output(outputs: np.ndarray) -> np.ndarray:
    """Index of each row's class; one column is the output of the second of two classes."""
    return (outputs[:, 0] > 0).astype(int) if outputs.shape[1] == 1 else outputs.argmax(axis=1)


def balanced(class_weight: Any, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Class weights of each row; "balanced" counts rows by their sample weight."""
    if not (isinstance(class_weight, dict) or class_weight == "balanced"):
        raise ValueError(f"class_weight must be a dict, 'balanced' or None, got {class_weight!r}")
    if isinstance(class_weight, dict):
        weights_of = class_weight.values()
        if not all(
            isinstance(weight, Real) and 0 <= float(weight) < np.inf for weight in weights_of
        ):
            raise ValueError(f"class_weight must hold numbers of 0 or more, got {class_weight!r}")
        return compute_sample_weight(class_weight, labels)
    classes, codes = np.unique(labels, return_inverse=True)
    totals = np.bincount(codes, weights)
    with np.errstate(divide="ignore"):
        return np.where(totals > 0, weights.sum() / (len(classes) * totals), 0.0)[codes]
