"""A criterion over the two numbers that matter most: how long all scales are, and how strict."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from kernelwise.criteria import Criterion, LeaveOneOut
from kernelwise.estimators.lssvm import LeastSquaresEstimator
from kernelwise.kernels import Radial
from kernelwise.kernels.radial import is_radial
from kernelwise.machines import Folded
from kernelwise.objective import evaluated, gram_blocks
from kernelwise.selections.minimize import check_judges, is_folded
from kernelwise.tables.rows import Parts
from kernelwise.threads import blas_threads_for


@dataclass(frozen=True, eq=False)
class CriterionSurface:
    """A criterion of a least-squares machine over length scales and regularization.

    Attributes
    ----------
    factors : (points,), decimal logarithms of what all length scales are multiplied by, ascending
    regularizations : (points,), decimal logarithms of the regularization, ascending
    values : (points, points), ``values[i, j]`` is the criterion at ``factors[i]`` and
        ``regularizations[j]``; NaN where it cannot be computed
    chosen : where the model is: 0 and the logarithm of its regularization
    criterion : its name, in words
    """

    factors: np.ndarray
    regularizations: np.ndarray
    values: np.ndarray
    chosen: tuple[float, float]
    criterion: str


def criterion_surface(
    model: LeastSquaresEstimator,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    criterion: Criterion | None = None,
    decades: tuple[float, float] = (1.0, 3.0),
    points: int = 15,
) -> CriterionSurface:
    """The criterion of a fitted least-squares machine around the point that was chosen.

    All length scales keep their proportions. Cost: for n rows and p points ``p`` Gram matrices,
    O(n^2 d) each, and ``p^2`` factorizations, O(n^3) each; on the model's ``n_jobs`` threads.

    Parameters
    ----------
    model : a fitted LSSVMClassifier or LSSVMRegressor with a radial kernel and without landmarks
    X, y, sample_weight : what it was fitted to
    criterion : of a least-squares machine; None: half the sum of squared leave-one-out residuals
    decades : how far the grid reaches to both sides, in length scales and in regularization
    points : the number of values of each
    """
    kernel = _checked_kernel(model)
    criterion, machine = LeaveOneOut() if criterion is None else criterion, model._machine()
    check_judges(criterion, machine)
    if len(decades) != 2 or not all(0 < reach < np.inf for reach in decades):
        raise ValueError(f"decades must be two positive, finite numbers, got {decades!r}")
    if not isinstance(points, int | np.integer) or points < 2:
        raise ValueError(f"points must be a whole number of 2 or more, got {points!r}")
    parts = clone(model)._read(X, y, sample_weight).parts
    judged = Folded(machine, parts.folds) if is_folded(criterion) else machine
    criterion = criterion.anchored(kernel.values, np.array([model.regularization_]))
    center = float(np.log10(model.regularization_))
    factors = np.linspace(-decades[0], decades[0], points)
    ridges = np.linspace(center - decades[1], center + decades[1], points)

    def values_at(factor: float) -> list[float]:
        longer = kernel.with_length_scale(kernel.length_scale * 10.0**factor)
        return _values(longer, judged, criterion, parts, 10.0**ridges)

    with blas_threads_for(len(parts.X)):
        found = Parallel(n_jobs=model.n_jobs, prefer="threads")(
            delayed(values_at)(factor) for factor in factors
        )
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(criterion).__name__).lower()
    return CriterionSurface(factors, ridges, np.array(found), (0.0, center), name)


def _values(
    kernel: Radial, machine: Any, criterion: Criterion, parts: Parts, ridges: np.ndarray
) -> list[float]:
    """The criterion at each regularization, from one Gram matrix."""
    ways, given = gram_blocks(kernel, machine, parts.X), (parts.X, parts.targets)
    values = []
    for ridge in ridges:
        try:
            found = evaluated(kernel, machine.with_values(np.array([ridge])), *given, ways)
            penalty, *_ = criterion.penalty(kernel.values, found.machine.values)
            values.append(float(criterion(found.solution)[0]) + penalty)
        except np.linalg.LinAlgError:
            values.append(np.nan)
    return values


def _checked_kernel(model: Any) -> Radial:
    """The kernel on standardized columns, or a ValueError that says why there is no surface."""
    if not isinstance(model, LeastSquaresEstimator):
        raise ValueError(
            "a criterion surface is that of a least-squares machine: give an LSSVMClassifier or an "
            f"LSSVMRegressor, not {type(model).__name__}"
        )
    check_is_fitted(model, "kernel_")
    if model.landmarks_ is not None:
        raise ValueError(
            "this model was fitted on landmarks, where a factorization of all rows takes too long: "
            "fit one to fewer rows, with landmarks=None"
        )
    if not is_radial(model.kernel_):
        raise ValueError(f"a criterion surface needs a kernel with length scales: {model.kernel_}")
    return model.kernel_
