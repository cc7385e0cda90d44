"""The span rule: what leaving out a supporting row takes from its own output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import blas
from scipy.special import expit

from kernelwise.criteria.base import Criterion
from kernelwise.criteria.error_bounds import CountedErrors, margins
from kernelwise.linalg import (
    add_block,
    add_symmetric_product,
    inverse_and_log_determinant,
    mirror_lower,
    row_blocks,
)
from kernelwise.solutions import SupportVectorGradient, SupportVectorSolution

# A row penalized more than this is as good as absent from all combinations.
LARGEST_PENALTY = 1e100
# Below this diagonal of the inverse of a matrix of unit diagonal, first-order errors are rounding.
WELL_DETERMINED = 1e4
RELATIVE_NOISE = 1e-10


@dataclass(frozen=True)
class Spans:
    """Squared spans of the supporting ``rows`` of one output.

    ``squares[i] = min_c c'Bc + sum_{j != i} penalties_j c_j^2`` over combinations ``c`` (column i
    of ``combinations``) of row i, with the coefficient 1 or -1, and of the rows that are free to
    move; ``B`` is the Gram matrix, with ``1 / (C weight)`` on the diagonal for the squared hinge.
    With a bias the coefficients sum to 0; if no such combination exists, the square is infinite.
    """

    rows: np.ndarray
    squares: np.ndarray
    combinations: np.ndarray
    penalties: np.ndarray

    def back(self, in_squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradients in ``B`` (lower triangle) and in the penalties; no derivative is negative.

        ``sum_i in_squares_i c_i c_i'``, one ``syrk``, and ``sum_{i != j} in_squares_i c_ij^2``.
        """
        root, in_penalties = np.sqrt(in_squares), np.zeros(len(in_squares))
        in_gram = np.zeros(self.combinations.shape, order="F")
        for part in row_blocks(len(in_gram), len(in_gram)):
            scaled = self.combinations[:, part] * root[part]
            blas.dsyrk(1.0, scaled, beta=1.0, c=in_gram, lower=1, overwrite_c=1)
            np.fill_diagonal(scaled[part], 0.0)
            in_penalties += np.einsum("ij,ij->i", scaled, scaled)
        return in_gram, in_penalties


def room_to_move(solution: SupportVectorSolution) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How far alpha is from zero and its ceiling, and the derivatives in alpha and in C.

    ``alpha`` for the squared hinge, ``alpha (1 - alpha / (C weight))`` for the hinge (hard: 0).
    """
    alpha, ceilings = solution.alpha, solution.C * solution.targets.weights[:, None]
    if solution.loss == "squared_hinge":
        return alpha, np.ones(alpha.shape), np.zeros(alpha.shape)
    relative = np.where(solution.marginal, alpha / ceilings, 0.0)
    in_C = relative * alpha / solution.C
    return np.where(solution.marginal, alpha * (1 - relative), 0.0), 1 - 2 * relative, in_C


def spans(solution: SupportVectorSolution, output: int, damping: float = 0.0) -> Spans:
    """The spans of one output; ``damping`` penalizes a coefficient by ``damping / room``.

    Leaving out row i takes ``alpha_i`` times its squared span (minus ``1 / (C weight)``, squared
    hinge) from its margin, if the rows free to move stay so. Cost: m^3 for m supporting rows.
    """
    rows = np.flatnonzero(solution.support[:, output])
    gram = solution.gram.take(rows, axis=0).take(rows, axis=1)
    if solution.has_bias and len(rows):
        # Coefficients sum to 0, so this changes no span and keeps the digits of a flat kernel.
        means = gram.mean(axis=0)
        gram -= means
        gram -= (means - means.mean())[:, None]
    if solution.loss == "squared_hinge":
        gram[np.diag_indices(len(rows))] += 1 / (solution.C * solution.targets.weights[rows])
    room = room_to_move(solution)[0][rows, output]
    is_free = room * LARGEST_PENALTY > damping
    free, fixed = np.flatnonzero(is_free), np.flatnonzero(~is_free)
    penalties = np.zeros(len(rows))
    penalties[free] = damping / room[free]
    if len(free):
        squares, combinations = best_combinations(gram, free, fixed, penalties, solution.has_bias)
    elif solution.has_bias:
        squares, combinations = np.full(len(rows), np.inf), np.zeros(gram.shape)
    else:
        squares, combinations = np.diagonal(gram), np.eye(len(rows))
    return Spans(rows, squares, combinations, penalties)


def best_combinations(
    gram: np.ndarray, free: np.ndarray, fixed: np.ndarray, penalties: np.ndarray, has_bias: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Squared spans and their combinations, from the `projector` of the free rows.

    A free row's combination is its column of ``P`` over its own element, a fixed one's ``-P B_i -
    u``. The square is computed as what they minimize, so that their errors enter only squared; for
    nearly independent free rows it is ``c'B_i + u_i / P_ii``, which saves a product (m^3).

    Parameters
    ----------
    gram : ``B`` of the supporting rows
    free, fixed : indices of the rows that can move, and of the others
    penalties : on the squared coefficients of the rows
    has_bias : whether coefficients sum to 0
    """
    inner = gram.take(free, axis=0).take(free, axis=1) if len(fixed) else gram
    P, u, own = projector(inner, penalties[free], has_bias)
    # One free row and a bias: without the row nothing fixes the bias.
    missing = own <= 1e-14
    squares, diagonal = np.diagonal(gram).copy(), np.where(missing, 1.0, np.diagonal(P))
    if len(fixed):
        across = gram.take(free, axis=0).take(fixed, axis=1)
        outer = -(P @ across) - u[:, None]
        squares[fixed] += (outer * (inner @ outer + 2 * across)).sum(axis=0)
        squares[fixed] += penalties[free] @ outer**2
    P /= diagonal
    P[:, missing] = 0.0
    if own.max() < WELL_DETERMINED:
        squares[free] = np.einsum("ij,ij->i", P.T, inner) + u / diagonal
    else:
        others = P - np.diag(np.diagonal(P))
        squares[free] = (P * (inner @ P)).sum(axis=0) + penalties[free] @ others**2
    squares[free[missing]] = np.inf
    if not len(fixed):
        return squares, P
    combinations = np.eye(len(gram), order="F")
    combinations[np.ix_(free, free)] = P
    combinations[np.ix_(free, fixed)] = outer
    return squares, combinations


def projector(
    inner: np.ndarray, penalties: np.ndarray, has_bias: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """``P = M^-1 - M^-1 1 u'``, ``u = M^-1 1 / 1'M^-1 1`` and the relative size of ``P_ii``.

    ``M = inner + diag(penalties)``; without a bias ``P = M^-1`` and ``u = 0``. With one, a constant
    changes neither, and is added to keep ``M`` definite. Rows are scaled to a unit diagonal, so
    that no penalty, however large, costs digits; noise separates rows dependent up to rounding.
    """
    level = (np.diagonal(inner).mean() or 1.0) if has_bias else 0.0
    sizes = np.diagonal(inner) + penalties + level
    scale = 1 / np.sqrt(sizes)
    for noise in (0.0, RELATIVE_NOISE):
        matrix = inner + level
        matrix *= scale[:, None]
        matrix *= scale
        np.fill_diagonal(matrix, 1 + noise)
        inverse, _ = inverse_and_log_determinant(matrix)
        if np.diagonal(inverse).max() * RELATIVE_NOISE < 1:
            break
    inverse *= scale[:, None]
    inverse *= scale
    u = np.zeros(len(inner))
    if has_bias:
        constant = inverse.sum(axis=0)
        u = constant / constant.sum()
        inverse = blas.dger(-1.0, constant, u, a=inverse, overwrite_a=1)
    return inverse, u, np.diagonal(inverse) * sizes


def excess(solution: SupportVectorSolution, output: int, found: Spans) -> np.ndarray:
    """What leaving out each supporting row takes from its margin, minus that margin.

    ``alpha S^2 - 1`` for rows that are free to move, ``alpha S^2 - z`` for hard ones.
    """
    limits = np.where(solution.hard, margins(solution), 1.0)[found.rows, output]
    return solution.alpha[found.rows, output] * found.squares - limits


class Span(CountedErrors):
    """The share of rows, by weight, that the span rule expects to be wrong when left out.

    ``1/n sum_i [alpha_i S_i^2 >= 1]`` with ``S_i^2 = 1 / [(K_sv + 1/C)^-1]_ii`` for the squared
    hinge; for the hinge the free rows take the place of ``sv``, and hard rows (``S_i^2 = K_ii - k'
    K_mm^-1 k``) count if ``alpha_i S_i^2 >= z_i``. Exact if leaving the row out moves no other
    between free, hard and idle ones. A step function. Cost: m^3 for m supporting rows.

    References
    ----------
    Vapnik & Chapelle (2000), Neural Computation 12(9); Gold & Sollich (2003), eq. (12).
    """

    def errors(self, solution: SupportVectorSolution) -> np.ndarray:
        counted = np.zeros(solution.coef.shape, bool)
        for t in range(solution.coef.shape[1]):
            found = spans(solution, t)
            counted[found.rows, t] = excess(solution, t, found) >= 0
        return counted


class SupportingRows(NamedTuple):
    """What the supporting rows of one output add to a criterion, and to its derivatives.

    ``in_gram`` is a lower triangle.
    """

    rows: np.ndarray
    value: float
    in_gram: np.ndarray
    in_alpha: np.ndarray
    in_outputs: np.ndarray
    in_C: float


class SmoothedSpan(Criterion):
    """The span rule made continuous: a sigmoid counts, and a row fades out as alpha vanishes.

    ``1/n sum_i w_i / (1 + exp(-slope x_i))``, ``x_i = alpha_i S_i^2 - 1`` (hard rows of the hinge:
    ``alpha_i S_i^2 - z_i``; idle rows: -1), with ``S_i^2 = 1 / [(K_sv + 1/C + damping /
    alpha)^-1]_ii - damping / alpha_i``. For the hinge ``alpha (1 - alpha / C)`` takes the place of
    alpha, so that a row also fades out as it becomes hard. Continuous, with kinks where rows begin
    or cease to support. A row is left out with all its weight. ``SmoothedSpan(slope=10,
    damping=0.1)`` on a machine with bias is the "SSV" of the multi-scale alignment paper, up to the
    idle rows, which it counts as 0. Cost: m^3 for m supporting rows.

    References
    ----------
    Chapelle et al. (2002), Machine Learning 46; Gold & Sollich (2003), Neurocomputing 55, sections
    3.1, 4.1.
    """

    reads = SupportVectorSolution

    def __init__(self, slope: float = 5.0, damping: float = 1.0):
        if not slope > 0 or not damping > 0:
            raise ValueError(f"slope and damping must be positive, got {slope} and {damping}")
        self.slope, self.damping = float(slope), float(damping)

    def __call__(self, solution: SupportVectorSolution) -> tuple[float, SupportVectorGradient]:
        y = solution.targets.values
        value, C_gradient = expit(-self.slope) * y.shape[1], 0.0
        in_outputs, in_alpha = np.zeros(y.shape), np.zeros(y.shape)
        gram_gradient = np.zeros(solution.gram.shape, order="F")
        for t in range(y.shape[1]):
            part = self._of_output(solution, t)
            value += part.value
            C_gradient += part.in_C
            in_alpha[part.rows, t], in_outputs[part.rows, t] = part.in_alpha, part.in_outputs
            add_block(gram_gradient.T, part.in_gram.T, part.rows)
        add_symmetric_product(gram_gradient, in_outputs, solution.coef)
        return value, solution.gradient(
            gram=mirror_lower(gram_gradient).T,
            coef=y * in_alpha + solution.gram @ in_outputs,
            intercept=in_outputs.sum(axis=0),
            C=C_gradient,
        )

    def _of_output(self, solution: SupportVectorSolution, output: int) -> SupportingRows:
        """What the supporting rows of one output add beyond what idle rows would count."""
        found = spans(solution, output, self.damping)
        rows, column = found.rows, (found.rows, output)
        weights, n = solution.targets.weights[rows], float(solution.targets.weights.sum())
        counts = expit(self.slope * excess(solution, output, found))
        in_excess = weights * self.slope * counts * (1 - counts) / n
        in_gram, in_penalties = found.back(in_excess * solution.alpha[column])
        _, room_slopes, room_C_slopes = room_to_move(solution)
        in_room = -in_penalties * found.penalties**2 / self.damping
        in_C = float(in_room @ room_C_slopes[column])
        if solution.loss == "squared_hinge":
            in_C -= float((np.diagonal(in_gram) / weights).sum()) / solution.C**2
        finite = np.where(np.isfinite(found.squares), found.squares, 0.0)
        return SupportingRows(
            rows,
            float(weights @ (counts - expit(-self.slope))) / n,
            in_gram,
            in_excess * finite + in_room * room_slopes[column],
            np.where(solution.hard[column], -in_excess * solution.targets.values[column], 0.0),
            in_C,
        )
