"""The alignment as a function of two features' widths, around those a KernelAligner learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from kernelwise.criteria import Alignment
from kernelwise.estimators.aligner import KernelAligner
from kernelwise.kernels import Radial
from kernelwise.kernels.radial import is_radial
from kernelwise.machines import NoMachine
from kernelwise.objective import Objective
from kernelwise.selections.alignment import ideal_targets
from kernelwise.solutions import Targets
from kernelwise.tables.table_kernel import TableKernel
from kernelwise.tables.targets import coded_targets
from kernelwise.threads import blas_threads_for


@dataclass(frozen=True, eq=False)
class AlignmentSurface:
    """Kernel-target alignment over a grid of two widths, with all others fixed.

    Attributes
    ----------
    names : those of the two features
    first, second : (points,), decimal logarithms of the widths of each, ascending
    values : (points, points), ``values[i, j]`` is the alignment at ``first[i]``, ``second[j]``
    learnt : decimal logarithms of the two learned widths; infinite if a feature was switched off,
        and outside the grid if it was almost switched off
    """

    names: tuple[str, str]
    first: np.ndarray
    second: np.ndarray
    values: np.ndarray
    learnt: tuple[float, float]


def alignment_surface(
    aligner: KernelAligner,
    X: Any,
    y: Any,
    features: Sequence[int | str] = (0, 1),
    decades: float = 2.0,
    points: int = 25,
) -> AlignmentSurface:
    """The alignment of a fitted KernelAligner's kernel around two of its learned widths.

    Widths are the kernel's length scales: for named kernels, in standard deviations of a column.
    The grid is centered on each learned width or, if that is farther than ``decades`` from the
    median width of the selected features (a feature that was filtered out has any width), on the
    median. Cost: ``points**2`` Gram matrices, O(n^2 d) each, on the aligner's ``n_jobs`` threads.

    Parameters
    ----------
    aligner : fitted
    X, y : rows and targets, all of equal weight; a part of them is enough for a quick look
    features : two indices or column names
    decades : how far the grid reaches to both sides of its center
    points : the number of widths of each feature

    References
    ----------
    Pérez-Ortiz et al., multi-scale alignment, section 3.3 and Figure 3.
    """
    check_is_fitted(aligner, "alignment_")
    kernel = _per_feature(getattr(aligner, "kernel_", None))
    names = [str(name) for name in getattr(aligner, "feature_names_in_", [])]
    names = names or [f"x{r}" for r in range(aligner.n_features_in_)]
    chosen = _indices(features, names)
    if not 0 < decades < np.inf:
        raise ValueError(f"decades must be a positive, finite number, got {decades!r}")
    if not isinstance(points, int | np.integer) or points < 2:
        raise ValueError(f"points must be a whole number of 2 or more, got {points!r}")
    with np.errstate(divide="ignore"):
        widths = np.log10(kernel.length_scale)
    middle = np.median(widths[aligner.selected_features_])
    near = np.abs(widths[chosen] - middle) <= decades
    centers = np.where(near, widths[chosen], middle)
    first, second = (np.linspace(c - decades, c + decades, points) for c in centers)
    rows = aligner.columns_.scaled(aligner._numbers(X))
    objective = Objective(
        kernel.in_coordinates("natural"),  # a weight of 0 has no logarithm
        NoMachine(aligner.centered),
        Alignment(),
        rows,
        _targets(aligner, y, len(rows)),
    )
    with blas_threads_for(len(rows)):
        values = _alignments(objective, chosen, 10.0**first, 10.0**second, aligner.n_jobs)
    learnt = float(widths[chosen[0]]), float(widths[chosen[1]])
    return AlignmentSurface((names[chosen[0]], names[chosen[1]]), first, second, values, learnt)


def _alignments(
    objective: Objective,
    columns: list[int],
    first: np.ndarray,
    second: np.ndarray,
    n_jobs: int | None,
) -> np.ndarray:
    """The alignment at every pair of widths of two columns.

    Parameters
    ----------
    objective : whose value is minus the alignment
    columns, first, second : the two columns, and the widths of each
    n_jobs : the number of threads
    """
    kernel = objective.kernel
    assert is_radial(kernel)

    def alignment(*widths: float) -> float:
        scales = np.array(kernel.length_scale)
        scales[columns] = widths
        return -objective.value(kernel.with_length_scale(scales).theta)

    pairs = (delayed(alignment)(width, other) for width in first for other in second)
    found = Parallel(n_jobs=n_jobs, prefer="threads")(pairs)
    return np.reshape(found, (len(first), len(second)))


def _targets(aligner: KernelAligner, y: Any, n_rows: int) -> Targets:
    """The ideal targets, read as those of fit were: few rows may look like another task."""
    classification = hasattr(aligner, "classes_")
    task = "classification" if classification else "regression"
    coded = coded_targets(y, n_rows, task, aligner)
    return ideal_targets(Targets.plain(coded.values), classification)


def _per_feature(learnt: TableKernel | None) -> Radial:
    """The kernel on standardized columns, or a ValueError that says why it has no surface."""
    if learnt is None or not is_radial(learnt.kernel) or learnt.kernel.isotropic:
        raise ValueError(
            f"an alignment surface needs a kernel with one width per feature, not {learnt!r}: fit "
            "the aligner with kernel='ard', or with 'ard-' before the name of a radial kernel"
        )
    return learnt.kernel


def _indices(features: Sequence[int | str], names: Sequence[str]) -> list[int]:
    """Column numbers of two different features, from numbers or names."""
    if isinstance(features, str) or len(features) != 2:
        raise ValueError(f"features must be two column numbers or names, got {features!r}")
    found = []
    for feature in features:
        if isinstance(feature, str) and feature in names:
            found.append(list(names).index(feature))
        elif isinstance(feature, int | np.integer) and 0 <= feature < len(names):
            found.append(int(feature))
        else:
            known = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
            raise ValueError(
                f"there is no feature {feature!r}: give two numbers from 0 to {len(names) - 1}, "
                f"or names ({known})"
            )
    if found[0] == found[1]:
        raise ValueError(f"the two features must differ, got {features!r}")
    return found
