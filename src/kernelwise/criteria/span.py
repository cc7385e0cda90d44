"""The span rule: what leaving out a supporting row takes from its own output."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from kernelwise.criteria.base import Criterion
from kernelwise.criteria.error_bounds import CountedErrors, margins
from kernelwise.criteria.log_determinant import inverse_and_log_determinant
from kernelwise.solutions import SolutionGradient, SupportVectorSolution

# A row whose combination is penalised more than this is as good as absent from all others.
LARGEST_PENALTY = 1e100


@dataclass(frozen=True)
class Spans:
    """Squared spans of the supporting ``rows`` of one output.

    ``squares[i] = min_c c'Bc + sum_{j != i} penalties_j c_j^2`` over combinations ``c`` (column i
    of ``combinations``) of row i, with the coefficient 1 or -1, and of the rows that are free to
    move; ``B`` is the Gram matrix, with ``1 / (C weight)`` on the diagonal for the squared hinge.
    With a bias the coefficients sum to 0; where no such combination exists the square is infinite.
    """

    rows: np.ndarray
    squares: np.ndarray
    combinations: np.ndarray
    penalties: np.ndarray

    @property
    def others(self) -> np.ndarray:
        """Squared coefficients of the other rows."""
        squared = self.combinations**2
        np.fill_diagonal(squared, 0.0)
        return squared


def room_to_move(solution: SupportVectorSolution) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How far alpha is from its limits, and the derivatives in alpha and in C.

    ``alpha`` for the squared hinge, ``alpha (1 - alpha / (C weight))`` for the hinge, whose hard
    rows have none.
    """
    alpha, bounds = solution.alpha, solution.bound * solution.targets.weights[:, None]
    if solution.loss == "squared_hinge":
        return alpha, np.ones(alpha.shape), np.zeros(alpha.shape)
    relative = np.where(solution.marginal, alpha / bounds, 0.0)
    in_bound = relative * alpha / solution.bound
    return np.where(solution.marginal, alpha * (1 - relative), 0.0), 1 - 2 * relative, in_bound


def spans(solution: SupportVectorSolution, output: int, damping: float = 0.0) -> Spans:
    """The spans of one output; ``damping`` penalises a coefficient by ``damping / room``.

    Leaving out row i takes ``alpha_i`` times its squared span (less ``1 / (C weight)`` for the
    squared hinge) from its margin, if no row joins or leaves those free to move. Cost: m^3 for m
    supporting rows.
    """
    rows = np.flatnonzero(solution.support[:, output])
    gram = solution.gram[np.ix_(rows, rows)]
    if solution.has_bias and len(rows):
        # Coefficients sum to 0, so this changes no span and keeps the digits of a flat kernel.
        means = gram.mean(axis=0)
        gram = gram - means - (means - means.mean())[:, None]
    if solution.loss == "squared_hinge":
        gram[np.diag_indices(len(rows))] += 1 / (solution.bound * solution.targets.weights[rows])
    room = room_to_move(solution)[0][rows, output]
    free = np.flatnonzero(room * LARGEST_PENALTY > damping)
    penalties = np.zeros(len(rows))
    penalties[free] = damping / room[free]
    combinations = np.eye(len(rows))
    possible = np.ones(len(rows), bool)
    if len(free):
        best, possible = free_coefficients(gram, free, penalties[free], solution.has_bias)
        combinations[free] = best
    elif solution.has_bias:
        possible[:] = False
    combinations[:, ~possible] = 0.0
    squares = (combinations * (gram @ combinations)).sum(axis=0)
    found = Spans(rows, squares, combinations, penalties)
    squares += penalties @ found.others
    squares[~possible] = np.inf
    return found


def free_coefficients(
    gram: np.ndarray, free: np.ndarray, penalties: np.ndarray, has_bias: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The free rows of the best combinations (one column per row), and which columns exist.

    Rows are scaled to a unit diagonal, so that any penalty, however large, loses no digits.
    """
    matrix = gram[np.ix_(free, free)] + np.diag(penalties)
    if has_bias:
        matrix += np.diagonal(gram).mean() or 1.0
    scale = 1 / np.sqrt(np.diagonal(matrix))
    inverse, _ = inverse_and_log_determinant(scale[:, None] * matrix * scale)
    constant = inverse @ scale
    if has_bias:
        inverse = inverse - np.outer(constant, constant) / (scale @ constant)
    coefficients, possible = np.empty((len(free), len(gram))), np.ones(len(gram), bool)
    fixed = np.setdiff1d(np.arange(len(gram)), free)
    coefficients[:, fixed] = -scale[:, None] * (
        inverse @ (scale[:, None] * gram[np.ix_(free, fixed)])
    )
    if has_bias:
        coefficients[:, fixed] -= (scale * constant / (scale @ constant))[:, None]
    own = np.diagonal(inverse).copy()
    # One free row and a bias: without the row nothing fixes the bias.
    possible[free] = own > 1e-14
    own[own <= 1e-14] = 1.0
    coefficients[:, free] = scale[:, None] * inverse / (scale * own)
    return coefficients, possible


def excess(solution: SupportVectorSolution, output: int, found: Spans) -> np.ndarray:
    """What leaving out each supporting row takes from its margin, less that margin.

    ``alpha S^2 - 1`` where the row is free to move, ``alpha S^2 - z`` where it is hard.
    """
    limits = np.where(solution.hard, margins(solution), 1.0)[found.rows, output]
    return solution.alpha[found.rows, output] * found.squares - limits


class Span(CountedErrors):
    """The share of rows, by weight, that the span rule expects to be wrong when left out.

    ``1/n sum_i [alpha_i S_i^2 >= 1]`` with ``S_i^2 = 1 / [(K_sv + 1/C)^-1]_ii`` for the squared
    hinge; for the hinge the free rows take the part of ``sv``, and hard rows (``S_i^2 = K_ii - k'
    K_mm^-1 k``) count where ``alpha_i S_i^2 >= z_i``. Exact where leaving the row out moves no
    other between the free, the hard and the idle ones. A step function, as its class says. Cost:
    m^3 for m supporting rows.

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


class SmoothedSpan(Criterion):
    """The span rule made continuous: a sigmoid counts, and a row fades out as alpha vanishes.

    ``1/n sum_i w_i / (1 + exp(-slope x_i))``, ``x_i = alpha_i S_i^2 - 1`` (hard rows of the hinge:
    ``alpha_i S_i^2 - z_i``; idle rows: -1), with ``S_i^2 = 1 / [(K_sv + 1/C + damping /
    alpha)^-1]_ii - damping / alpha_i``. For the hinge ``alpha (1 - alpha / C)`` takes the place of
    alpha, so that a row also fades out as it becomes hard. Continuous, with kinks, where rows begin
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

    def __call__(self, solution: SupportVectorSolution) -> tuple[float, SolutionGradient]:
        weights, y = solution.targets.weights, solution.targets.values
        n, idle = float(weights.sum()), expit(-self.slope)
        value, bound_gradient = idle * y.shape[1], 0.0
        in_outputs, in_alpha = np.zeros(y.shape), np.zeros(y.shape)
        gram_gradient = np.zeros(solution.gram.shape)
        _, room_slopes, room_bound_slopes = room_to_move(solution)
        for t in range(y.shape[1]):
            found = spans(solution, t, self.damping)
            rows = found.rows
            counts = expit(self.slope * excess(solution, t, found))
            value += float(weights[rows] @ (counts - idle)) / n
            in_excess = weights[rows] * self.slope * counts * (1 - counts) / n
            in_squares = in_excess * solution.alpha[rows, t]
            gram_gradient[np.ix_(rows, rows)] += (
                found.combinations * in_squares
            ) @ found.combinations.T
            if solution.loss == "squared_hinge":
                in_ridges = found.combinations**2 @ in_squares
                bound_gradient -= float((in_ridges / weights[rows]).sum()) / solution.bound**2
            in_room = -(found.others @ in_squares) * found.penalties**2 / self.damping
            finite = np.where(np.isfinite(found.squares), found.squares, 0.0)
            in_alpha[rows, t] = in_excess * finite + in_room * room_slopes[rows, t]
            bound_gradient += float(in_room @ room_bound_slopes[rows, t])
            in_outputs[rows, t] = np.where(solution.hard[rows, t], -in_excess * y[rows, t], 0.0)
        gradient = solution.outputs_gradient(in_outputs)
        assert gradient.gram is not None and gradient.coef is not None
        return value, solution.gradient(
            gram=gram_gradient + gradient.gram,
            coef=y * in_alpha + gradient.coef,
            intercept=gradient.intercept,
            bound=bound_gradient,
        )
