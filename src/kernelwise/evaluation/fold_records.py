"""One fit and its test rows: what every evaluation is made of."""

import hashlib
import math
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, is_classifier
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import Pipeline

from kernelwise.estimators.trivial import NoBetterThanTrivialWarning
from kernelwise.tables.columns import UnseenLevelWarning
from kernelwise.tables.gaps import UnseenGapWarning

# Warnings for the authors of code, not for those who fit a table.
ABOUT_CODE = (FutureWarning, DeprecationWarning, PendingDeprecationWarning)


@dataclass(frozen=True)
class Learnt:
    """The choices of a fit, in plain numbers and texts that JSON can hold.

    Attributes
    ----------
    kernel, values : the class of the kernel, and its parameters; not those of a sum of many
        kernels; of a stack, those of its best candidate
    regularization, C : of the machine, where it has one; of a stack, of its best candidate
    relevance : the share of each feature
    parameters : the best ones of a scikit-learn search; a tuple or an estimator as its text; of a
        stack, its best candidate and the weights of all
    measures : further numbers about the fit, on request, such as its support vectors
    """

    kernel: str = ""
    values: Sequence[float] = ()
    regularization: float | None = None
    C: float | None = None
    relevance: Sequence[float] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    measures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class FoldRecord:
    """The results of one fit on rows it had not seen: the one list of what stores and files keep.

    Attributes
    ----------
    error : share of wrong labels, or root mean squared error, on the test rows
    baseline : the same error of the training rows' most frequent class, or of their mean
    inner_error : the error that the estimator's own selection claims, in the same unit; None
        where it claims none
    n_train, n_test : rows
    wall_seconds, cpu_seconds : of the fit; CPU time of the calling thread
    counters : work done, free of noise: factorizations, criterion evaluations, fits
    learnt : what was chosen
    predictions_hash : the first 16 hexadecimal digits of the SHA-256 of the predictions
    messages : the different warnings of fit and predict
    predictions, probabilities : of the test rows; never kept. Probabilities only on request, and
        None for an estimator without
    """

    error: float
    baseline: float | None = None
    inner_error: float | None = None
    n_train: int
    n_test: int
    wall_seconds: float
    cpu_seconds: float
    counters: Mapping[str, int] = field(default_factory=dict)
    learnt: Learnt = Learnt()
    predictions_hash: str = ""
    messages: tuple[str, ...] = ()
    predictions: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False, compare=False)
    probabilities: np.ndarray | None = field(default=None, repr=False, compare=False)


def hash_of(predictions: np.ndarray) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of labels or numbers."""
    plain = predictions.dtype.kind in "biuf"
    content = predictions.tobytes() if plain else "\0".join(map(str, predictions)).encode()
    return hashlib.sha256(content).hexdigest()[:16]


def measure_fold(
    estimator: BaseEstimator,
    X_train,
    y_train,
    X_test,
    y_test,
    measures: Callable[..., Mapping[str, float]] | None = None,
    *,
    fit_parameters: Mapping[str, Any] | None = None,
    with_probabilities: bool = False,
) -> FoldRecord:
    """Fit an estimator to the training rows and judge it on the test rows.

    Parameters
    ----------
    estimator : fitted in place
    X_train, y_train, X_test, y_test : the rows and their targets
    measures : function of all these that gives further numbers about the fit; not timed
    fit_parameters : of ``fit``, such as weights of the training rows
    with_probabilities : whether to keep the probabilities of the test rows
    """
    steps = estimator.steps if isinstance(estimator, Pipeline) else [("", estimator)]
    parts = [part for _, part in steps]
    last = parts[-1]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # Rows of its own judge this fit.
        for category in (*ABOUT_CODE, NoBetterThanTrivialWarning):
            warnings.simplefilter("ignore", category)
        if hasattr(last, "_is_judged_elsewhere"):
            last._is_judged_elsewhere = True
        wall, cpu = time.perf_counter(), time.thread_time()
        estimator.fit(X_train, y_train, **(fit_parameters or {}))
        cpu, wall = time.thread_time() - cpu, time.perf_counter() - wall
        vars(last).pop("_is_judged_elsewhere", None)
        # In a fold a rare level or gap may be new; a fit to all rows knows it.
        warnings.simplefilter("ignore", UnseenLevelWarning)
        warnings.simplefilter("ignore", UnseenGapWarning)
        predictions = np.asarray(estimator.predict(X_test))
        asked = with_probabilities and hasattr(estimator, "predict_proba")
        probabilities = np.asarray(estimator.predict_proba(X_test)) if asked else None
    y_train, y_test = np.asarray(y_train), np.asarray(y_test)
    further = dict(measures(estimator, X_train, y_train, X_test, y_test)) if measures else {}
    return FoldRecord(
        error=mean_error(estimator, y_test, predictions),
        baseline=mean_error(estimator, y_test, trivial_prediction(estimator, y_train)),
        inner_error=inner_error(last),
        n_train=len(y_train),
        n_test=len(y_test),
        wall_seconds=wall,
        cpu_seconds=cpu,
        counters={name: count for part in parts for name, count in counters(part).items()},
        learnt=replace(learnt(last), measures=further),
        predictions_hash=hash_of(predictions),
        messages=tuple(dict.fromkeys(str(warning.message) for warning in caught)),
        predictions=predictions,
        probabilities=probabilities,
    )


def row_losses(estimator: BaseEstimator, truth: np.ndarray, predictions) -> np.ndarray:
    """1 for each wrong label, or the squared error of each row (mean over outputs)."""
    if is_classifier(estimator):
        return (truth != predictions).astype(float)
    squares = (truth - predictions) ** 2
    return squares if squares.ndim == 1 else squares.mean(axis=1)


def mean_error(estimator: BaseEstimator, truth: np.ndarray, predictions) -> float:
    """Share of wrong labels, or root mean squared error."""
    loss = row_losses(estimator, truth, predictions).mean()
    return float(loss if is_classifier(estimator) else np.sqrt(loss))


def trivial_prediction(estimator: BaseEstimator, y_train: np.ndarray):
    """The prediction from the training targets alone: the commonest label, or the mean."""
    if not is_classifier(estimator):
        return y_train.mean(axis=0)
    labels, counts = np.unique(y_train, return_counts=True)
    return labels[counts.argmax()]


def inner_error(fitted: BaseEstimator) -> float | None:
    """The error that a fitted estimator's own selection claims, in the unit of `mean_error`.

    It is our ``held_out_error_``, or the best score of scikit-learn's searches and of its
    ``RidgeCV`` by leave-one-out, if its scoring can be turned into that unit; None otherwise.
    """
    if hasattr(fitted, "held_out_error_"):
        return float(fitted.held_out_error_)
    score = getattr(fitted, "best_score_", None)
    if not isinstance(score, float) or not math.isfinite(score):
        return None
    scoring = getattr(fitted, "scoring", None)
    if is_classifier(fitted):
        known = hasattr(fitted, "best_params_") and scoring in (None, "accuracy")
        return 1 - float(score) if known else None
    if scoring is None and isinstance(fitted, RidgeCV) and fitted.cv is None:
        scoring = "neg_mean_squared_error"
    if scoring == "neg_root_mean_squared_error":
        return -float(score)
    return math.sqrt(-score) if scoring == "neg_mean_squared_error" else None


def counters(fitted: BaseEstimator) -> dict[str, int]:
    """Work done by a fit, free of noise; of a stack, by all its candidates together."""
    found = {}
    if hasattr(fitted, "n_factorizations_"):
        found["factorizations"] = int(fitted.n_factorizations_)
    if hasattr(fitted, "leaderboard_"):
        # Its trace is that of the best candidate alone, and its scores cost no fits.
        traces = (candidate.trace for candidate in fitted.record_.candidates)
        return found | {"evaluations": sum(trace.n_points for trace in traces if trace)}
    if hasattr(fitted, "trace_"):
        found["evaluations"] = len(fitted.trace_)
    if hasattr(fitted, "cv_results_"):
        found["fits"] = len(fitted.cv_results_["params"]) * fitted.n_splits_ + 1
    return found


def learnt(fitted: BaseEstimator) -> Learnt:
    """The choices of a fit; empty for estimators other than searches and ours."""
    parameters = _best_parameters(fitted)
    if not hasattr(getattr(fitted, "kernel_", None), "values"):  # as kernels of ours have
        return Learnt(parameters=parameters)
    # A sum of many kernels has hundreds of values, most of which nobody learned.
    summed = hasattr(fitted, "selected_kernels_")
    machine = getattr(fitted, "best_estimator_", fitted)
    regularizers = [name for name in ("regularization", "C") if hasattr(machine, f"{name}_")]
    return Learnt(
        kernel=type(fitted.kernel_).__name__,
        values=[] if summed else [float(value) for value in fitted.kernel_.values],
        relevance=[round(float(share), 6) for share in getattr(fitted, "relevance_", ())],
        parameters=parameters,
        **{name: getattr(machine, f"{name}_") for name in regularizers},
    )


def _best_parameters(fitted: BaseEstimator) -> dict[str, Any]:
    """What a search found best, in plain numbers and texts, and the weights in a stack."""
    chosen = dict(getattr(fitted, "best_params_", {}))
    for name, value in chosen.items():
        if not isinstance(value, (str, bool, type(None))):
            chosen[name] = float(value) if isinstance(value, Real) else str(value)
    if hasattr(fitted, "leaderboard_"):
        names = fitted.cv_results_["candidate"]
        for name, weight in zip(names, fitted.weights_, strict=True):
            chosen[f"weight of {name}"] = float(weight)
    return chosen
