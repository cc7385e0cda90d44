"""What evidence, kernel validity and cross-validation say about each width of a kernel."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from kernelwise.criteria import PricedEvidence
from kernelwise.estimators.rvm import RelevanceVectorEstimator
from kernelwise.estimators.table_estimator import Reading
from kernelwise.kernels import Kernel, Radial
from kernelwise.kernels.center_derivatives import is_movable
from kernelwise.kernels.radial import is_radial
from kernelwise.objective import evaluated
from kernelwise.searchers import SearchTrace
from kernelwise.selections import Choice, NullModelWarning, WidthScan
from kernelwise.selections.validity import log_validity, weighted_deviations
from kernelwise.selections.widths import FACTORS, theta_at
from kernelwise.threads import blas_threads_for


@dataclass(frozen=True, eq=False)
class WidthCurves:
    """Relevance vector machines of several widths, and four judgments of each.

    Attributes
    ----------
    widths : (k,), ascending: the length scale that all columns share, or, if ``relative``, by what
        factor all length scales are longer than those that the estimator begins with
    log_evidence : (k,), log marginal likelihood of the targets, as the fitted ``evidence_``
    priced_evidence : (k,), the same less ``(log n) / 2`` for each relevance vector
    log_validity : (k,), the log of kernel validity, for standardized quantities; nan for a model
        without relevance vectors, and everywhere if the kernel has no derivatives in its centers
    held_out_error : (k,), k-fold error as the fitted ``held_out_error_``: the share of wrong
        labels, or the root mean squared error in the units of y
    n_vectors : (k,), the number of relevance vectors
    relative : whether the kernel has several length scales
    classification : what ``held_out_error`` is
    """

    widths: np.ndarray
    log_evidence: np.ndarray
    priced_evidence: np.ndarray
    log_validity: np.ndarray
    held_out_error: np.ndarray
    n_vectors: np.ndarray
    relative: bool
    classification: bool

    @property
    def preferred(self) -> dict[str, int]:
        """The number of the width that each judgment prefers, of equal ones the widest.

        A judgment without any finite value is left out.
        """
        higher_is_better = {
            "log_evidence": self.log_evidence,
            "priced_evidence": self.priced_evidence,
            "log_validity": self.log_validity,
            "held_out_error": -self.held_out_error,
        }
        return {
            name: int(np.flatnonzero(values == np.nanmax(values))[-1])
            for name, values in higher_is_better.items()
            if np.isfinite(values).any()
        }


def width_curves(
    estimator: RelevanceVectorEstimator,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    factors: Sequence[float] | None = None,
) -> WidthCurves:
    """Evidence, priced evidence, kernel validity and k-fold error of each width of a kernel.

    Each width is what ``estimator`` would be, fitted with ``selection=None`` at that kernel. Cost:
    for each width one fit, and one for each fold.

    Parameters
    ----------
    estimator : RVMClassifier or RVMRegressor
        Need not be fitted, and stays as it is; its kernel must be radial, its selection is not used
    X, y, sample_weight : as for its ``fit``
    factors : sequence of float, default None
        Factors on the kernel's values, as for `WidthScan`; None: the 12 of its scan

    References
    ----------
    Kropotov, Ryazanov & Vetrov, Extended Bayesian framework for automatic tuning of kernel
    data-mining methods, section 5.
    """
    if not isinstance(estimator, RelevanceVectorEstimator):
        raise ValueError(
            "width curves are those of a relevance vector machine: give an RVMClassifier or an "
            f"RVMRegressor, not {type(estimator).__name__}"
        )
    scan = WidthScan(PricedEvidence(), None if factors is None else tuple(factors))
    model = clone(estimator).set_params(selection=None)
    model._only_predictions = True
    model._checked_selection()
    reading = model._read(X, y, sample_weight)
    first = _one_radial(model._first_kernels(reading))
    # The largest factor makes the shortest width.
    logs = np.log(scan.factors or FACTORS)[::-1]
    kernels = [first.with_theta(theta_at(first, log)) for log in logs]
    with blas_threads_for(len(reading.parts.X)):
        found = np.array([_judged(model, reading, kernel) for kernel in kernels])
    evidence, priced, validity, error, n_vectors = found.T
    return WidthCurves(
        widths=np.array([_width(kernel, first) for kernel in kernels]),
        log_evidence=evidence,
        priced_evidence=priced,
        log_validity=validity,
        held_out_error=error,
        n_vectors=n_vectors.astype(int),
        relative=not first.isotropic,
        classification=is_classifier(model),
    )


def _judged(model: Any, reading: Reading, kernel: Kernel) -> tuple[float, ...]:
    """Evidence, priced evidence, log validity, error and number of vectors at one kernel."""
    parts, machine = reading.parts, model._machine()
    found = evaluated(kernel, machine, parts.X, parts.targets)
    solution, held_out = found.solution, found.held_out(parts.folds).held_out
    choice = Choice(
        kernel, machine, solution, solution.expansion, held_out, np.nan, SearchTrace(), 0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NullModelWarning)
        model._keep(reading, choice)
    model._judge(reading, choice)
    price, validity = PricedEvidence()(solution)[0] + solution.evidence.sum(), np.nan
    if solution.n_vectors.any() and is_movable(kernel):
        units = weighted_deviations(parts.X, parts.targets.weights)
        validity = log_validity(found, parts.X, units)
    evidence, error = model.evidence_, model.held_out_error_
    return evidence, evidence - price, validity, error, model.n_relevance_vectors_


def _one_radial(kernels: list[Kernel]) -> Radial:
    """The kernel to begin with, or a ValueError if it has no width."""
    (first, *others) = kernels
    if others or not is_radial(first):
        raise ValueError(
            f"width curves need one radial kernel, not {' or '.join(map(repr, kernels))}: give the "
            "estimator a kernel such as 'gaussian', 'ard' or Matern52(2.0)"
        )
    return first


def _width(kernel: Radial, first: Radial) -> float:
    """The length scale, or how much longer all of them are (by that of the first column in use)."""
    if kernel.isotropic:
        return float(kernel.length_scale)
    given = np.asarray(first.length_scale)
    column = np.flatnonzero(np.isfinite(given))[0]
    return float(np.asarray(kernel.length_scale)[column] / given[column])
