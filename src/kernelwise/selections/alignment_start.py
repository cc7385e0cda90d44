"""Starts of a search for the best alignment: fixed, random, or widths from the data."""

from __future__ import annotations

import numpy as np

from kernelwise.kernels import Kernel, Radial
from kernelwise.kernels.radial import is_radial
from kernelwise.objective import Objective
from kernelwise.selections.base import Problem

STARTS = ("fixed", "distance", "random", "given")
NEIGHBORS = 5
# No length scale starts below this share of the column's own: neighbors in a discrete column are
# often equal, and at a scale of 0 all other rows are equally different.
SMALLEST_SHARE = 0.1
SHUFFLES = 5
# The number of common factors tried if a start may lie on a plateau, and how far above the plateau
# of small length scales a kernel must be to count as off it.
FACTORS_TRIED, ABOVE_FLOOR = 5, 1.5


def start_kernel(problem: Problem, start: str, spread: float) -> Kernel:
    """The kernel that a search begins with.

    ``"fixed"``: all length scales 1, which for standardized columns is their standard deviation;
    kernels without length scales stay as given. ``"distance"``: `neighbor_scales`. ``"random"``:
    length scales ``10^r``, or another kernel's values times ``10^r``, r uniform in
    [-spread, spread]. ``"given"``: as it is.
    """
    kernel = problem.kernel
    if start == "random":
        random = np.random.default_rng(problem.seed)
        factors = 10 ** random.uniform(-spread, spread, len(kernel.values))
        if is_radial(kernel):
            return kernel.with_length_scale(factors[: len(kernel.weights)])
        return kernel.with_values(kernel.values * factors)
    if start == "given" or not is_radial(kernel):
        if start == "distance" and len(kernel.values):
            raise ValueError(
                f"start='distance' sets length scales, which {kernel!r} does not have; use 'fixed'"
            )
        return kernel
    return kernel.with_length_scale(1.0) if start == "fixed" else neighbor_scales(kernel, problem)


def neighbor_scales(kernel: Radial, problem: Problem) -> Radial:
    """Weight ``1 / mean(delta_r)``, the mean over each row's 5 nearest rows of its class.

    For squared differences that is the width ``sqrt(mean / 2)`` of the paper. Rows are near by the
    kernel as given, in all columns; if the targets are not classes, all rows are of one. Scales are
    never below a tenth of a column's own. Cost: one Gram matrix.

    References
    ----------
    Pérez-Ortiz et al., multi-scale alignment, section 3.4.
    """
    first, second = neighbors(kernel(problem.X), class_of_rows(problem))
    if not len(first):
        return kernel
    near = kernel.differences(problem.X[first], problem.X[second])
    near = np.average(near, axis=0, weights=problem.targets.weights[first])
    usual = typical_differences(kernel, problem)
    usual[usual == 0] = 1.0  # a constant column, whose weight does not matter
    smallest = with_mean_difference(kernel, usual)
    smallest = smallest.with_length_scale(SMALLEST_SHARE * np.asarray(smallest.length_scale))
    found = with_mean_difference(kernel, np.maximum(near, 1e-300))
    weights = np.minimum(found.weights, smallest.weights)
    return kernel.with_values(np.append(weights, kernel.values[len(weights) :]))


def neighbors(similar: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (row, one of its 5 most similar rows with its label); a lone row has none."""
    rows, nearest = [], []
    for label in np.unique(labels):
        own = np.flatnonzero(labels == label)
        count = min(NEIGHBORS, len(own) - 1)
        block = similar[np.ix_(own, own)]
        np.fill_diagonal(block, -np.inf)
        order = np.argsort(-block, axis=1, kind="stable")[:, :count]
        rows.append(np.repeat(own, count))
        nearest.append(own[order].ravel())
    return np.concatenate(rows), np.concatenate(nearest)


def typical_differences(kernel: Radial, problem: Problem) -> np.ndarray:
    """Mean ``delta_r`` of random pairs of rows, per column."""
    X, random = problem.X, np.random.default_rng(0)
    found = [kernel.differences(X, X[random.permutation(len(X))]) for _ in range(SHUFFLES)]
    return np.mean(found, axis=(0, 1))


def with_mean_difference(kernel: Radial, differences: np.ndarray) -> Radial:
    """The kernel whose dissimilarity is 1 per weight at these differences of the columns."""
    reach = differences.sum(keepdims=True) if kernel.isotropic else differences
    return kernel.with_values(np.append(1 / reach, kernel.values[len(reach) :]))


def reach(kernel: Radial, problem: Problem) -> float:
    """The mean dissimilarity of two rows."""
    return float((kernel.weights * typical_differences(kernel, problem)).sum())


def off_plateau(
    kernel: Radial, problem: Problem, objective: Objective, floor: float, stay: bool = True
) -> Radial:
    """The best aligned kernel on the way from this one to a mean dissimilarity of 1.

    If all rows look different, the alignment is near that of the identity, and if all look alike,
    near that of a linear kernel: there it hardly changes, and a search would stop at once. If all
    kernels are near the identity's, the last on the way is taken.

    Parameters
    ----------
    kernel, problem : where the way begins, and the rows
    objective : whose value is minus the alignment
    floor : the alignment of the identity
    stay : whether the kernel itself may be taken
    """
    size, point = len(kernel.weights), objective.point
    way = np.linspace(0, -np.log(max(reach(kernel, problem), 1e-300)), FACTORS_TRIED)
    found = []
    for logarithm in way if stay else way[1:]:
        moved = point.copy()
        moved[:size] += logarithm
        aligned = -objective.value(moved)
        found.append((aligned if aligned > ABOVE_FLOOR * floor else 0.0, moved))
    best = max(reversed(found), key=lambda pair: pair[0])
    return kernel.with_theta(best[1])


def class_of_rows(problem: Problem) -> np.ndarray:
    """The most common class of each row; one class for all if targets are quantities."""
    values = problem.targets.values
    if not problem.classification:
        return np.zeros(len(values), int)
    return values.argmax(axis=1) if values.shape[1] > 1 else (values[:, 0] > 0).astype(int)
