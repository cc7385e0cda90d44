"""The pooled sequential ascent of the evidence, in prior variances."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import blas, solve_triangular

from kernelwise.machines.relevance_vector.model import Model, Problem
from kernelwise.machines.relevance_vector.posterior import Likelihood
from kernelwise.machines.relevance_vector.spread_start import spread_start

# A column of which less than this share is new to the model lies in the span of the others.
IN_SPAN = 1e-7
# How many columns outside the model are looked at together, and refused one by one.
POOL, REFUSALS = 96, 3
# A round ends when a change gains less than this share of the first: it is time for a new pool.
ENOUGH = 0.03
MAX_ROUNDS = 300
# A second start this much below the first one's end is not followed.
PROMISING = 5.0
# A smaller share of the evidence is not a gain.
ROUNDING = 1e-11


def ascend(problem: Problem, tolerance: float, most: int) -> tuple[Model, int]:
    """The model that no change of one column improves by ``tolerance``, and the models tried.

    It has at most ``most`` relevance vectors.

    Each round looks once at all columns (one product of the Gram matrix with the model), then
    changes the best of a small pool: adding, re-estimating and removing are one formula in ``v``.
    With a logistic likelihood the formula is only approximate; so if the evidence of the changed
    model is lower, the round is taken back and fewer changes are tried. The evidence never falls.
    Of two starts, from the empty model and (if promising) from spread columns, the better counts.

    References
    ----------
    Tipping & Faul (2003), AISTATS, for the sequential algorithm with fixed noise.
    """
    empty = problem.empty_model()
    tolerance = max(tolerance, ROUNDING * abs(empty.evidence))
    model, tried = climbed(problem, empty, tolerance, most)
    other, spent = spread_start(problem, empty, most)
    tried += spent
    if other.evidence > model.evidence - PROMISING:
        other, spent = climbed(problem, other, tolerance, most)
        tried += spent
    return max(model, other, key=lambda one: one.evidence), tried


def climbed(problem: Problem, model: Model, tolerance: float, most: int) -> tuple[Model, int]:
    """The model at the end of an ascent from a model, and how many were tried."""
    tried, limit = 1, problem.likelihood.steps_at_once
    for _ in range(MAX_ROUNDS):
        pool = pool_around(problem, model, tolerance, most)
        if pool is None:
            break
        better, limit, spent = improved(problem, model, pool, limit)
        tried += spent
        if better is None:
            break
        ended = better.evidence - model.evidence < tolerance
        model, limit = better, 2 * limit
        if ended:
            break
    return model, tried


def improved(
    problem: Problem, model: Model, pool: Pool, limit: int
) -> tuple[Model | None, int, int]:
    """A model of higher evidence from the pool, or None; the last limit; how many were tried.

    Parameters
    ----------
    problem, model : what is improved
    pool : the columns that may change
    limit : how many changes to try at first; fewer, if the evidence falls
    """
    tried, refused = 0, problem.is_fixed(pool.which)
    most = refused.sum() + REFUSALS
    while refused.sum() <= most:
        changed, moves = pool.changed(problem.likelihood, limit, refused)
        if not moves:
            break
        better = changed.model(problem, model)
        tried += 1
        if better.evidence > model.evidence:
            return better, limit, tried
        if limit == 1:
            refused[moves] = True
        limit = max(1, min(limit, len(moves)) // 4)
    return None, limit, tried


def gains_of(
    likelihood: Likelihood,
    diagonal: np.ndarray,
    Q: np.ndarray,
    variances: np.ndarray,
    least: np.ndarray,
    noise: float,
) -> tuple[np.ndarray, np.ndarray]:
    """The best prior variance of each column, all others as they are, and what it would add.

    With ``C`` the covariance of the targets, ``R = columns' C^-1 columns`` and ``Q = columns' C^-1
    t``, the same without column i are ``s = R_ii / (1 - v_i R_ii)``, ``q = Q_i / (1 - v_i R_ii)``.

    Parameters
    ----------
    likelihood : knows the best ``1 + v s``
    diagonal, Q : of R, and Q
    variances : ``v``, 0 outside the model
    least : a column whose ``s`` is less lies in the span of the others, and is left as it is
    noise : the variance of the noise
    """
    left = 1 - variances * diagonal  # 1 / (1 + v s)
    np.maximum(left, 1e-15, out=left)
    s, q = diagonal / left, Q / left
    in_span = s <= least
    if in_span.any():
        s[in_span], q[in_span], left[in_span] = 1.0, 0.0, 1.0
    best, gains = likelihood.best(q * q / s, left, variances * q * Q, noise)
    best -= 1
    best /= s
    if in_span.any():
        best[in_span], gains[in_span] = variances[in_span], 0.0
    return best, gains


@dataclass(frozen=True)
class Pool:
    """A few columns, with ``R`` and ``Q`` between them: every change is a rank-one update.

    ``least`` is that of `gains_of`. A change must gain more than ``tolerance``; the model may have
    at most ``most`` columns besides number ``bias``.
    """

    which: np.ndarray
    R: np.ndarray
    Q: np.ndarray
    variances: np.ndarray
    least: np.ndarray
    noise: float
    tolerance: float
    most: int
    bias: int

    def changed(
        self, likelihood: Likelihood, limit: int, refused: np.ndarray
    ) -> tuple[Pool, list[int]]:
        """The pool after at most ``limit`` changes, each of the best column; and their numbers."""
        flat = np.isinf(self.variances)
        variances = np.where(flat, 0.0, self.variances)
        R, Q, noise = self.R.copy(), self.Q.copy(), self.noise
        moves: list[int] = []
        diagonal, vector = np.einsum("ii->i", R), self.which != self.bias
        size = int((vector & (self.variances > 0)).sum())
        for _ in range(min(limit, 20 * len(Q))):
            best, gains = gains_of(likelihood, diagonal, Q, variances, self.least, noise)
            gains[refused] = 0.0
            if size >= self.most:
                gains[vector & (variances == 0)] = 0.0
            i = int(gains.argmax())
            if not moves:
                enough = max(self.tolerance, ENOUGH * float(gains[i]))
            if gains[i] <= enough:
                break
            step = float(best[i] - variances[i])
            factor, row = step / (1 + step * float(R[i, i])), R[i].copy()
            noise -= factor * float(Q[i]) ** 2 / likelihood.freedom
            Q -= factor * Q[i] * row
            blas.dger(-factor, row, row, a=R.T, overwrite_a=1)
            size += int(vector[i]) * (int(best[i] > 0) - int(variances[i] > 0))
            variances[i] = best[i]
            moves.append(i)
        variances[flat] = np.inf
        return replace(self, R=R, Q=Q, variances=variances, noise=noise), moves

    def model(self, problem: Problem, before: Model) -> Model:
        """The model of the columns with a prior variance; the mode is sought from the last one."""
        weights = np.zeros(problem.columns.bias + 1)
        weights[before.which] = before.weights
        kept = self.variances > 0
        which = self.which[kept]
        return problem.model(which, self.variances[kept], weights[which])


def pool_around(problem: Problem, model: Model, tolerance: float, most: int) -> Pool | None:
    """The model's columns and useful others; None if no change is worth it.

    Cost: one product of the Gram matrix with the model's columns, if they are new.
    """
    columns, posterior, inside = problem.columns, model.posterior, model.which
    b, noise = posterior.precisions, posterior.noise
    products = columns.products(inside, b)
    W = products * model.deviations[:, None]
    if len(inside):
        W = solve_triangular(posterior.factor, W, lower=True, check_finite=False)
    norms = columns.squared_norms(b)
    least = IN_SPAN * norms
    diagonal = np.where(np.isinf(norms), 0.0, norms) - np.einsum("ij,ij->j", W, W)
    np.maximum(diagonal, 0.0, out=diagonal)
    Q = columns.against(posterior.residuals[:, None])[0]
    variances = np.zeros(len(norms))
    variances[inside] = np.where(np.isinf(model.variances), 0.0, model.variances)
    _, gains = gains_of(problem.likelihood, diagonal, Q, variances, least, noise)
    gains[inside[problem.is_fixed(inside)]] = 0.0
    if (inside != columns.bias).sum() >= most:
        gains[:-1][variances[:-1] == 0] = 0.0
    if gains.max() <= tolerance:
        return None
    gains[inside] = 0.0
    outside = spread_out(gains, tolerance)
    which = np.concatenate([inside, outside])
    fresh = columns.take(outside)
    G = np.empty((len(which), len(which)))
    G[: len(inside)] = products[:, which]
    G[len(inside) :, : len(inside)] = products[:, outside].T
    G[len(inside) :, len(inside) :] = fresh.T @ (b[:, None] * fresh)
    R = G - W[:, which].T @ W[:, which]
    variances = np.concatenate([model.variances, np.zeros(len(outside))])
    return Pool(which, R, Q[which], variances, least[which], noise, tolerance, most, columns.bias)


def spread_out(gains: np.ndarray, tolerance: float) -> np.ndarray:
    """The columns of most gain and, as these may be neighbors, as many spread over all others."""
    order = np.argsort(-gains, kind="stable")
    order = order[gains[order] > tolerance]
    if len(order) <= POOL:
        return order
    others = np.linspace(POOL // 2, len(order) - 1, POOL - POOL // 2).astype(int)
    return order[np.concatenate([np.arange(POOL // 2), others])]
