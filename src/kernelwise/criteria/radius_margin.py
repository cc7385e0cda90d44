"""Radius over margin: the size of the data in feature space, in units of the margin."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.linalg import BorderedSystem
from kernelwise.solutions import SupportVectorGradient, SupportVectorSolution

RADII = ("ball", "variance")
# Relative to the squared size of the data; the noise separates equal rows.
RELATIVE_NOISE = 1e-12
RELATIVE_TOLERANCE = 1e-11
MAX_ROUNDS = 1000


def enclosing_ball(gram: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """The center of the smallest ball around all rows, as convex coefficients of the rows.

    Maximizes ``sum_i beta_i K_ii - beta' (K + diag(noise)) beta`` over ``beta >= 0`` with sum 1.
    All rows outside the current ball join at once; then the coefficients of the joined rows move
    toward their optimum, and rows that reach 0 leave, so every round is uphill. Cost: one Cholesky
    factorization of the rows on the ball per change of their set, usually a few.
    """
    means = gram.mean(axis=0)
    rounding = len(gram) * np.finfo(float).eps * float(np.abs(np.diagonal(gram)).mean())
    gram = gram - means - (means - means.mean())[:, None]
    diagonal = np.diagonal(gram).copy()
    size = float(diagonal.mean())
    noise = noise + RELATIVE_NOISE * size + rounding
    beta = np.zeros(len(gram))
    beta[diagonal.argmax()] = 1.0
    for _ in range(MAX_ROUNDS if size > 0 else 0):
        slopes = diagonal - 2 * (gram @ beta + noise * beta)
        inside = beta > 0
        outside = ~inside & (slopes > slopes[inside].mean() + RELATIVE_TOLERANCE * size)
        if not outside.any():
            break
        rows = np.flatnonzero(inside | outside)
        while len(rows) > 1:
            slopes = diagonal[rows] - 2 * (gram[rows] @ beta + noise[rows] * beta[rows])
            system = BorderedSystem(gram[np.ix_(rows, rows)], noise[rows])
            moves = system.solve(0.5 * slopes[:, None])[0][:, 0]
            with np.errstate(divide="ignore", invalid="ignore"):
                reach = np.where(moves < 0, -beta[rows] / moves, np.inf)
            step = min(1.0, float(reach.min()))
            beta[rows] += step * moves
            leaving = reach <= step
            beta[rows[leaving]] = 0.0
            rows = rows[~leaving]
            if step == 1.0:
                break
        if ((beta > 0) == inside).all():
            break  # rows are outside only by rounding
    return beta / beta.sum()


class RadiusMargin(Criterion):
    """``R^2 sum(alpha) / n``: squared radius of the data times the inverse squared margin.

    ``R^2 = sum_i beta_i K_ii - beta' K beta``, where ``beta`` is the center of the smallest ball
    around all rows (``radius="ball"``), or the mean of the rows (``"variance"``: "RMB" of the
    multi-scale alignment paper, on a machine with bias). With the squared hinge ``K`` has ``1/C``
    added to its diagonal, and ``sum(alpha)`` is the squared norm of the weights. A bound on the
    leave-one-out error for the squared hinge. n is the total weight; a row of weight m is m equal
    rows. ``dR^2/dK = diag(beta) - beta beta'``. Cost: see `enclosing_ball`; variance: O(n^2).

    References
    ----------
    Vapnik (1998), Statistical Learning Theory; Chapelle et al. (2002), Machine Learning 46; Gold &
    Sollich (2003), Neurocomputing 55, eq. (9).
    """

    reads = SupportVectorSolution
    # The losses whose error it bounds.
    losses = ("squared_hinge",)

    def __init__(self, radius: str = "ball"):
        if radius not in RADII:
            raise ValueError(f"radius must be one of {RADII}, got {radius!r}")
        self.radius = radius

    def __call__(self, solution: SupportVectorSolution) -> tuple[float, SupportVectorGradient]:
        gram, weights, y = solution.gram, solution.targets.weights, solution.targets.values
        n, alpha = float(weights.sum()), float(solution.alpha.sum())
        ridge = 1 / solution.C if solution.loss == "squared_hinge" else 0.0
        beta = enclosing_ball(gram, ridge / weights) if self.radius == "ball" else weights / n
        spread = 1 - float(beta @ (beta / weights))
        square = float(beta @ (np.diagonal(gram) - gram @ beta)) + ridge * spread
        return square * alpha / n, solution.gradient(
            gram=alpha / n * (np.diag(beta) - np.outer(beta, beta)),
            coef=square / n * y,
            C=-alpha / n * spread * ridge / solution.C,
        )
