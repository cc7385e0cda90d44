"""The record of a fit, from the fit itself."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np

from kernelwise import __version__
from kernelwise.auto.dependence import dependences
from kernelwise.auto.held_out_rows import (
    calibration_bins,
    class_recalls,
    coverages,
    squares_of_pairs,
    surest_wrong,
)
from kernelwise.auto.learning_curve import learning_curve
from kernelwise.auto.stack import StackChoice
from kernelwise.data.checks import Check
from kernelwise.estimators.fold_fits import Copies
from kernelwise.evaluation import HonestError
from kernelwise.hardware import processor
from kernelwise.insight.fit_record import (
    CandidateRecord,
    CheckRecord,
    ColumnRecord,
    ErrorRecord,
    FeatureRecord,
    FitRecord,
    OptimumRecord,
    Stability,
    TraceRecord,
)

LIBRARIES = ("numpy", "scipy", "scikit-learn")
# Values of a search, and pairs of true and predicted quantities, that are kept.
MOST_VALUES, MOST_PAIRS = 100, 500
# Of so many features at most it is said in how many copies they are among the first.
MOST_FIRST = 6


def record_of_fit(
    model: Any,
    reading: Any,
    choice: StackChoice,
    copies: Copies,
    *,
    seconds: float,
    target: str,
    checks: Sequence[Check],
) -> FitRecord:
    """Everything that is known about a fitted AutoKernel.

    Parameters
    ----------
    model : the fitted estimator
    reading, choice, copies : its table, what it chose, and the copies that judged it
    seconds : that the fit took
    target, checks : what is predicted, and what was seen in the table
    """
    names = feature_names(model)
    unseen, is_class = model._unseen, hasattr(model, "classes_")
    relevances = model._copied_relevances
    return FitRecord(
        task="classification" if is_class else "regression",
        n_rows=int((reading.given.weights > 0).sum()),
        n_distinct=len(np.unique(reading.parts.distinct)),
        columns=column_records(reading, names),
        candidates=candidate_records(model.leaderboard_, choice),
        combine=model.combine,
        features=feature_records(model, names, relevances),
        is_trivial=bool(model._is_trivial),
        seconds=float(seconds),
        factorizations=int(model.n_factorizations_),
        versions=_versions(),
        target=target,
        classes=tuple(map(str, model.classes_)) if is_class else (),
        counts=class_counts(reading) if is_class else (),
        checks=tuple(
            CheckRecord(check.code, check.severity, check.text, check.advice) for check in checks
        ),
        skipped=dict(model.skipped_),
        error=error_record(model.error_estimate_, model.held_out_error_, unseen),
        confusion=model.error_estimate_.confusion if model.error_estimate_ else (),
        recalls=class_recalls(unseen, model._groups) if unseen is not None else (),
        calibration=calibration_bins(unseen) if unseen is not None else (),
        surest_wrong=surest_wrong(unseen) if unseen is not None else (),
        pairs=_pairs(unseen),
        squares=squares_of_pairs(unseen) if unseen is not None else (),
        coverage=() if is_class or unseen is None else coverages(model, reading, copies),
        stability=stability(relevances, _order(model.relevance_)) if relevances else None,
        dependence=dependences(model, reading, names),
        curve=learning_curve(model, reading, copies),
        constant=not is_class and is_constant(reading),
        weighted=is_weighted(reading.given.counts),
        groups=whole_groups(model._groups, model._splits),
        parameters={name: repr(value) for name, value in model.get_params(deep=False).items()},
        machine=f"{processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def feature_names(model: Any) -> list[str]:
    """The names of the columns; without names x0, x1, ..."""
    unnamed = [f"x{number}" for number in range(model.n_features_in_)]
    return [str(name) for name in getattr(model, "feature_names_in_", unnamed)]


def column_records(reading: Any, names: list[str]) -> tuple[ColumnRecord, ...]:
    """The columns of a table; of one in pieces only what is known without reading it again."""
    columns, found = reading.columns, []
    missing = np.zeros(len(names)) if columns.missing is None else columns.missing.counts
    for r, name in enumerate(names):
        if r in columns.levels:
            levels = [*map(str, columns.levels[r])]
            common = None
            if reading.rows is None and len(levels):
                codes = reading.given.X[:, r].astype(int)
                shown = np.bincount(codes[(codes >= 0) & (codes < len(levels))], minlength=1)
                common = levels[int(shown.argmax())]
            gaps = 0
            if reading.rows is None:
                gaps = int((reading.given.X[:, r] == len(levels)).sum())
            found.append(ColumnRecord(name, "category", gaps, len(levels), common=common))
            continue
        kind: Any = "category" if r in columns.categorical else "number"
        gaps = int(missing[r]) if len(missing) > r else 0
        if reading.rows is not None:
            found.append(ColumnRecord(name, kind, gaps, 0))
            continue
        values = reading.given.X[:, r]
        ends = float(values.min()), float(values.max())
        found.append(ColumnRecord(name, kind, gaps, len(np.unique(values)), *ends))
    return tuple(found)


def is_constant(reading: Any) -> bool:
    """Whether all rows that count have the same quantities."""
    known = reading.given.y[reading.given.weights > 0]
    return bool((known == known[0]).all())


def is_weighted(weights: np.ndarray) -> bool:
    """Whether rows count for more or less than one; those of weight 0 are left out."""
    return bool((weights[weights > 0] != 1).any())


def whole_groups(groups: np.ndarray | None, splits: Any) -> int | None:
    """How many groups there are, if no fold splits one."""
    if groups is None or splits is None:
        return None
    if any(np.intersect1d(groups[train], groups[test]).size for train, test in splits):
        return None
    return len(np.unique(groups))


def class_counts(reading: Any) -> tuple[float, ...]:
    mass = np.bincount(reading.codes, reading.given.counts, len(reading.classes))
    return tuple(map(float, mass))


def candidate_records(table: np.ndarray, choice: StackChoice) -> tuple[CandidateRecord, ...]:
    fits = {fit.name: fit for fit in choice.fits}
    found = []
    for row in table:
        fit = fits.get(str(row["candidate"]))
        words, trace = "", None
        if fit is not None and fit.choice is not None:
            words, trace = fit.choice.kernel.words(), _trace(fit.choice)
        elif fit is not None:
            words = repr(fit.candidate.estimator)
        found.append(
            CandidateRecord(
                str(row["candidate"]),
                float(row["weight"]),
                known(row["error"]),
                known(row["low"]),
                known(row["high"]),
                float(row["seen"]),
                float(row["seconds"]),
                int(row["factorizations"]),
                str(row["verdict"]),
                words,
                trace,
            )
        )
    return tuple(found)


def _trace(choice: Any) -> TraceRecord:
    values = np.asarray(choice.trace.values, float)
    finite = values[np.isfinite(values)]
    chosen = np.unique(np.linspace(0, len(finite) - 1, MOST_VALUES).round().astype(int))
    kept = tuple(map(float, finite[chosen])) if len(finite) else ()
    optima = tuple(
        OptimumRecord(float(one.lowest), known(getattr(one, "disagreement", np.nan)))
        for one in choice.trace.optima
        if np.isfinite(one.lowest)
    )
    return TraceRecord(len(values), str(choice.trace.reason), kept, tuple(choice.at_limits), optima)


def known(number: Any) -> float | None:
    """A number, or None where it is not one."""
    return float(number) if np.isfinite(number) else None


def error_record(error: HonestError | None, seen: float, unseen: Any) -> ErrorRecord | None:
    if error is None:
        return None
    measures = {name: float(x) for name, x in error.measures.items() if np.isfinite(x)}
    return ErrorRecord(
        error.value,
        error.lower,
        error.upper,
        error.baseline,
        float(seen),
        error.folds,
        len(unseen.rows),
        bool(error.is_useful),
        measures,
        error.balanced_lower,
        error.balanced_upper,
        bool(error.beats_trivial),
    )


def feature_records(
    model: Any, names: list[str], relevances: Sequence[np.ndarray]
) -> tuple[FeatureRecord, ...]:
    """The features by relevance, the greatest first.

    Parameters
    ----------
    model, names : the fitted estimator, and what its features are called
    relevances : those of copies without a fold each
    """
    if not hasattr(model, "relevance_"):
        return ()
    chosen = set(map(int, model.selected_features_))
    ends, shares = model.relevance_interval_, model.relevance_
    first = [set(map(int, _order(own)[: _n_first(len(names))])) for own in relevances]
    return tuple(
        FeatureRecord(
            names[r],
            float(shares[r]),
            known(ends[r, 0]),
            known(ends[r, 1]),
            r in chosen,
            sum(r in own for own in first) if first else None,
        )
        for r in map(int, _order(shares))
    )


def stability(relevances: Sequence[np.ndarray], order: np.ndarray) -> Stability:
    """Whether copies without a fold each agree with the order of all rows.

    Parameters
    ----------
    relevances : of each copy
    order : the features by the relevance to all rows
    """
    held = sum(bool((_order(own)[:3] == order[:3]).all()) for own in relevances)
    return Stability(len(relevances), _n_first(len(order)), held)


def _order(relevance: np.ndarray) -> np.ndarray:
    """The features by relevance; equal ones as the table has them."""
    return np.argsort(-relevance, kind="stable")


def _n_first(n_features: int) -> int:
    """A third of the features, but no more than are shown."""
    return min(MOST_FIRST, max(1, n_features // 3))


def _pairs(unseen: Any) -> tuple[tuple[float, float], ...]:
    if unseen is None or unseen.classes is not None or np.ndim(unseen.truth) > 1:
        return ()
    count = len(unseen.truth)
    shown = np.unique(np.linspace(0, count - 1, MOST_PAIRS).round().astype(int))
    both = zip(unseen.truth[shown].tolist(), unseen.predictions[shown].tolist(), strict=True)
    return tuple(both)


def _versions() -> dict[str, str]:
    libraries = {name: version(name) for name in LIBRARIES}
    return {"kernelwise": __version__, "python": platform.python_version(), **libraries}
