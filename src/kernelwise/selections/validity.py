"""Kernel validity: the width whose kernels may be moved with the least loss of likelihood."""

from __future__ import annotations

import numpy as np
from scipy.special import erfcx, expit

from kernelwise.criteria import PricedEvidence
from kernelwise.kernels.center_derivatives import center_derivatives, movable
from kernelwise.machines import Machine
from kernelwise.objective import Evaluated
from kernelwise.selections.base import Choice, Problem
from kernelwise.selections.widths import WidthScan
from kernelwise.solutions import RelevanceVectors, RelevanceVectorSolution, Targets


class ValidityScan(WidthScan):
    """The width of highest kernel validity, ``log P(t | w) + sum_i gamma_i sum_r log A_ir``.

    ``A_ir`` is how far relevance vector i may move along feature r before the likelihood is lost:
    the integral of the falling side of a parabola (or line) through the log likelihood. A model
    without relevance vectors is refused. Distances are counted in standard deviations of each
    feature, so that units do not matter. For radial kernels of squared differences.

    The index is scanned; it has several maxima, and is no match for priced evidence or
    cross-validation (see the published table). Cost: O(n m d) besides the fit of each width.

    References
    ----------
    Kropotov, Ryazanov & Vetrov, Extended Bayesian framework for automatic tuning of kernel
    data-mining methods, eq. (9) to (11).
    """

    def __init__(self, factors: tuple[float, ...] | None = None, refine: bool = True):
        super().__init__(PricedEvidence(), factors, refine)

    def check(self, machine: Machine) -> None:
        if not issubclass(machine.gives, RelevanceVectorSolution):
            raise ValueError(
                f"validity judges relevance vectors, which a {type(machine).__name__} machine "
                "does not have"
            )

    def __call__(self, problem: Problem) -> Choice:
        movable(problem.kernel)  # before any work
        return super().__call__(problem)

    def value(self, problem: Problem, found: Evaluated) -> float:
        if not found.solution.n_vectors.any():
            return np.inf
        deviations = weighted_deviations(problem.X, problem.targets.weights)
        return -log_validity(found, problem.X, deviations)

    def __repr__(self) -> str:
        return f"ValidityScan(factors={self.factors!r}, refine={self.refine!r})"


def weighted_deviations(X: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The standard deviation of each column, by weight; of a constant one exactly 0."""
    center = np.average(X, axis=0, weights=weights)
    deviations = np.sqrt(np.average((X - center) ** 2, axis=0, weights=weights))
    return np.where(np.ptp(X, axis=0) > 0, deviations, 0.0)


def log_validity(found: Evaluated, X: np.ndarray, units: np.ndarray) -> float:
    """The log of kernel validity, summed over the outputs; a constant one is certain and adds 0.

    Parameters
    ----------
    found : a kernel and relevance vector machine, joined on the rows X
    X : the rows
    units : what counts as a distance of 1 along each column; a column of 0 does not count
    """
    gram, targets, total = found.grams[0], found.targets, 0.0
    counted = (units > 0) & (np.asarray(movable(found.kernel).column_factors(X.shape[1])) > 0)
    for j, vectors in enumerate(found.solution.machines):
        if not np.ptp(targets.values[:, j]) and not targets.within[j]:
            continue
        outputs = vectors.outputs(gram[:, vectors.rows])
        height, g, c = likelihood_terms(targets, j, outputs, vectors)
        w = vectors.weights
        first, squares, second = center_derivatives(
            found.kernel, X, X[vectors.rows], np.outer(g, w), np.outer(c, w * w)
        )
        a = (first * units)[:, counted]
        b = ((squares - second) * units**2)[:, counted]
        total += height + float(vectors.effective @ log_stability(a, b).sum(axis=1))
    return total


def likelihood_terms(
    targets: Targets, j: int, outputs: np.ndarray, vectors: RelevanceVectors
) -> tuple[float, np.ndarray, np.ndarray]:
    """Log likelihood of output j, its derivative in each row's output, and minus the second.

    Parameters
    ----------
    targets : of all outputs
    j, outputs : which one, and what the machine gives
    vectors : the machine; without noise its targets are labels
    """
    t, weights = targets.values[:, j], targets.weights
    if vectors.noise == 0:
        share, p = (1 + t) / 2, expit(outputs)
        height = -float(weights @ (np.logaddexp(0, outputs) - share * outputs))
        return height, weights * (share - p), weights * p * (1 - p)
    left, noise = t - outputs, vectors.noise
    squares = float(weights @ left**2) + float(targets.within[j])
    height = -0.5 * (weights.sum() * np.log(2 * np.pi * noise) + squares / noise)
    return float(height), weights * left / noise, weights / noise


def log_stability(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """``log A``, eq. (9): ``erfcx`` keeps the digits of ``exp(a^2 / 2b) (1 - erf(...))``."""
    slope, bends = np.maximum(np.abs(a), 1e-300), b > 0
    bend = np.where(bends, b, 1.0)
    parabola = 0.5 * np.log(np.pi / (2 * bend)) + np.log(erfcx(slope / np.sqrt(2 * bend)))
    return np.where(bends, parabola, -np.log(slope))
