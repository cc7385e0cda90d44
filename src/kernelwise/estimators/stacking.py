"""Stacking: the weights by which outputs of several machines are combined into one.

Weights are 0 or more and sum to 1, and are fitted to outputs of rows that the machines were left
without. A machine whose kernel has many parameters must be left without the row in its kernel too
(at least linearized in it), or it is believed too much. All outputs of a machine share one weight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve, cholesky, qr, solve_triangular
from scipy.optimize import nnls
from scipy.special import log_softmax, softmax

# The price of squared weights, in parts of the squares: equal machines share their weight.
TIE_BREAK = 1e-9
# Offsets of outputs, which are about -1 to 1.
FARTHEST = 2.0
# Newton steps of the logistic fit, and the decrease, in parts of the loss, that ends them.
MOST_STEPS = 100
SMALL_DECREASE = 1e-13


class Combination(NamedTuple):
    """Outputs of several machines as one: ``sum_k weights_k output_k + offsets``.

    Attributes
    ----------
    weights : (machines,), 0 or more, of sum 1
    offsets : (outputs,)
    """

    weights: np.ndarray
    offsets: np.ndarray


def combination(
    held_out: np.ndarray, targets: np.ndarray, weights: np.ndarray, *, classes: bool
) -> Combination:
    """How outputs of several machines are best combined, judged by outputs of unseen rows.

    Quantities: `least_squares_weights`, without offsets. Classes: slopes and offsets of the most
    likely labels (`logistic_stack`), both over the sum of the slopes, so that the combined outputs
    name the most probable class. Offsets are kept within 2, as outputs are about -1 to 1; if no
    machine helps the labels, least squares weigh them.

    On 14 sets of two classes and seven kernels the logistic combination is wrong 0.86 percentage
    points less often than a Gaussian kernel alone, as often as that of least squares (-0.03 with a
    standard error of 0.06), and its log loss is lower by 0.0013 (0.0005); on 21 other sets, run
    once after that, -0.12 (0.10) points and -0.0018 (0.0008). Weights drawn toward the best machine
    or toward the Gaussian one, averaged over resampled rows, or their posterior mean did not lower
    the error; nor did Huber's loss for quantities on splits that it was not chosen on.

    Parameters
    ----------
    held_out : (machines, rows, outputs), outputs of machines left without each row
    targets : (rows, outputs); for classes -1 and +1, or means of them over equal rows
    weights : (rows,); a row of weight 2 is the same as a repeated row
    classes : whether targets are classes
    """
    residuals, none = targets - held_out, np.zeros(targets.shape[1])
    if not classes:
        return Combination(least_squares_weights(residuals, weights), none)
    slopes, offsets = logistic_stack(held_out, targets, weights)
    total = slopes.sum()
    if total == 0:
        return Combination(least_squares_weights(residuals, weights), none)
    with np.errstate(over="ignore"):
        return Combination(slopes / total, np.clip(offsets / total, -FARTHEST, FARTHEST))


def least_squares_weights(residuals: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weights w of least ``sum_i weight_i |sum_k w_k residual_ki|^2``; cost machines^2 rows.

    As the sum of w is 1, this is the error of the combined outputs. It is one non-negative least
    squares problem: to ``|R w|^2``, R the triangular factor of the residuals, is added
    ``(1 - sum w)^2``. For weights of sum s that is ``s^2 |R w/s|^2 + (1 - s)^2``: whatever s is
    best, w/s is what is wanted.

    Parameters
    ----------
    residuals : (machines, rows, outputs)
    weights : (rows,)
    """
    machines = len(residuals)
    rows = (residuals * np.sqrt(weights)[:, None]).reshape(machines, -1).T
    squares = np.einsum("ij,ij->j", rows, rows)
    # Parts of the best machine: a hopeless one must not hide what distinguishes the good ones.
    unit = np.sqrt(max(squares.min(), np.finfo(float).eps * squares.mean()))
    if unit == 0:
        return np.full(machines, 1 / machines)
    factor = qr(rows / unit, mode="r", check_finite=False)[0][:machines]
    system = np.vstack([factor, np.sqrt(TIE_BREAK) * np.eye(machines), np.ones(machines)])
    found = nnls(system, np.append(np.zeros(len(system) - 1), 1.0))[0]
    return found / found.sum()


class LogisticStack(NamedTuple):
    """Scores of the classes are ``sum_k slopes_k output_k + offsets``.

    Attributes
    ----------
    slopes : (machines,), 0 or more
    offsets : (outputs,); with one output, the log odds of the second class at slope 0
    """

    slopes: np.ndarray
    offsets: np.ndarray


def logistic_stack(held_out: np.ndarray, targets: np.ndarray, weights: np.ndarray) -> LogisticStack:
    """Slopes of 0 or more and offsets of the greatest likelihood of the labels.

    One output: ``log odds = sum_k slope_k output_k + offset``; several: their softmax, the first
    offset 0. Each class has one pseudo-count in each, so that classes told apart without an error
    have finite slopes: labels of class c count as ``(N_c e_c + 1) / (N_c + classes)``. For one
    machine this is Platt's calibration, and slope and offset of the combined outputs are the sum of
    the slopes and these offsets again. Newton steps, each a small non-negative least squares
    problem, at ``rows classes (machines + classes)^2``.

    Parameters
    ----------
    held_out : (machines, rows, outputs)
    targets : (rows, outputs), -1 and +1, or means of them over equal rows
    weights : (rows,)

    References
    ----------
    Platt (1999), Probabilistic outputs for support vector machines.
    """
    scale = np.sqrt(np.average((held_out**2).sum(axis=2), axis=1, weights=weights))
    scale[scale == 0] = 1.0
    mass = smoothed_mass(targets, weights)
    scores = held_out / scale[:, None, None]
    if targets.shape[1] == 1:
        scores = np.concatenate([np.zeros_like(scores), scores], axis=2)
    machines, classes = len(scores), mass.shape[1]
    indicators = np.broadcast_to(np.eye(classes)[1:, None, :], (classes - 1, *mass.shape))
    ridge = np.append(np.full(machines, TIE_BREAK * mass.sum()), np.zeros(classes - 1))
    problem = _LogisticProblem(np.concatenate([scores, indicators]), mass, ridge, machines)
    share = np.log(mass.sum(axis=0))
    point = problem.solved(np.append(np.zeros(machines), share[1:] - share[0]))
    offsets = point[machines:] if targets.shape[1] == 1 else np.append(0.0, point[machines:])
    return LogisticStack(point[:machines] / scale, offsets)


def smoothed_mass(targets: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weight of each class at each row, (rows, classes), with the pseudo-counts of each class."""
    share = (1 + targets) / 2
    if targets.shape[1] == 1:
        share = np.hstack([1 - share, share])
    mass = share * weights[:, None]
    total = mass.sum(axis=0)
    return mass @ ((np.diag(total) + 1) / (total + len(total))[:, None])


class _LogisticProblem(NamedTuple):
    """Softmax regression.

    Attributes
    ----------
    design : (coefficients, rows, classes), what each coefficient adds to the scores
    mass : (rows, classes), weight of each class at each row
    ridge : (coefficients,), price of half their squares
    n_signed : how many coefficients, the first ones, are 0 or more
    """

    design: np.ndarray
    mass: np.ndarray
    ridge: np.ndarray
    n_signed: int

    def loss(self, point: np.ndarray) -> float:
        likelihood = self.mass * log_softmax(np.tensordot(point, self.design, 1), axis=1)
        return float(self.ridge @ point**2 / 2 - likelihood.sum())

    def solved(self, point: np.ndarray) -> np.ndarray:
        """The point of least loss, by Newton steps halved until they lower it."""
        loss = self.loss(point)
        for _ in range(MOST_STEPS):
            gradient, step = self._step(point)
            slope = float(gradient @ step)
            if -slope <= SMALL_DECREASE * loss:
                break
            length = 1.0
            while (new := self.loss(point + length * step)) > loss + 0.1 * length * slope:
                length /= 2
                if length < 1e-10:  # the loss is as low as rounding lets it be
                    return point
            point, loss = point + length * step, new
        return point

    def _step(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The gradient, and the way to the least of the quadratic model at a point.

        Free coefficients are eliminated: what is left is a non-negative least squares problem with
        the triangular factor of their Schur complement.
        """
        total = self.mass.sum(axis=1, keepdims=True)
        chance = softmax(np.tensordot(point, self.design, 1), axis=1)
        gradient = np.tensordot(self.design, chance * total - self.mass, 2) + self.ridge * point
        centered = self.design - (self.design * chance).sum(axis=2, keepdims=True)
        curvature = np.tensordot(centered * (chance * total), centered, ([1, 2], [1, 2]))
        curvature += np.diag(self.ridge)
        s, f = slice(self.n_signed), slice(self.n_signed, None)
        wanted = curvature @ point - gradient
        free = cho_factor(curvature[f, f])
        inner = curvature[s, s] - curvature[s, f] @ cho_solve(free, curvature[f, s])
        lower = cholesky(inner, lower=True)
        right = wanted[s] - curvature[s, f] @ cho_solve(free, wanted[f])
        signed = nnls(lower.T, solve_triangular(lower, right, lower=True))[0]
        rest = cho_solve(free, wanted[f] - curvature[f, s] @ signed)
        return gradient, np.append(signed, rest) - point
