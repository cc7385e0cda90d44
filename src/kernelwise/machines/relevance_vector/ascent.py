"""The pooled sequential ascent of the evidence, in prior variances."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import solve_triangular

from kernelwise.machines.relevance_vector.model import Model, Problem
from kernelwise.machines.relevance_vector.posterior import Likelihood

# A column of which less than this share is new to the model lies in the span of the others.
IN_SPAN = 1e-7
# How many columns outside the model are looked at together, and refused one by one.
POOL, REFUSALS = 64, 3
MAX_ROUNDS = 300


def ascend(problem: Problem, tolerance: float, most: int) -> tuple[Model, int]:
    """The model that no change of one column improves by ``tolerance``, and the models tried.

    It has at most ``most`` columns.

    Each round looks once at all columns (one product of the Gram matrix with the model), then
    changes the best of a small pool: adding, re-estimating and removing are one formula in ``v``.
    With a logistic likelihood the formula is only approximate; so if the evidence of the changed
    model is lower, the round is taken back and fewer changes are tried. The evidence never falls.

    References
    ----------
    Tipping & Faul (2003), Fast marginal likelihood maximisation for sparse Bayesian models.
    """
    model, tried = problem.empty_model(), 1
    limit = problem.likelihood.steps_at_once
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
    norms: np.ndarray,
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
    norms : squared norms of the columns; infinite for one that is not to be used
    noise : the variance of the noise
    """
    left = np.maximum(1 - variances * diagonal, 1e-15)  # 1 / (1 + v s)
    s, q = diagonal / left, Q / left
    useful = s > IN_SPAN * norms
    s = np.where(useful, s, 1.0)
    rho, ratio = np.where(useful, q * q / s, 0.0), np.where(useful, 1 / left, 1.0)
    best, gains = likelihood.best(rho, ratio, variances * q * Q, noise)
    return np.where(useful, (best - 1) / s, variances), np.where(useful, gains, 0.0)


@dataclass(frozen=True)
class Pool:
    """A few columns, with ``R`` and ``Q`` between them: every change is a rank-one update.

    A change must gain more than ``tolerance``; the model may have at most ``most`` columns.
    """

    which: np.ndarray
    R: np.ndarray
    Q: np.ndarray
    variances: np.ndarray
    norms: np.ndarray
    noise: float
    tolerance: float
    most: int

    def changed(
        self, likelihood: Likelihood, limit: int, refused: np.ndarray
    ) -> tuple[Pool, list[int]]:
        """The pool after at most ``limit`` changes, each of the best column; and their numbers."""
        variances = np.where(np.isinf(self.variances), 0.0, self.variances)
        R, Q, noise, moves = self.R.copy(), self.Q.copy(), self.noise, []
        diagonal = np.einsum("ii->i", R)
        for _ in range(min(limit, 20 * len(Q))):
            best, gains = gains_of(likelihood, diagonal, Q, variances, self.norms, noise)
            gains[refused] = 0.0
            if (variances > 0).sum() >= self.most:
                gains[variances == 0] = 0.0
            i = int(gains.argmax())
            if gains[i] <= self.tolerance:
                break
            step = best[i] - variances[i]
            factor, row = step / (1 + step * R[i, i]), R[i].copy()
            noise -= factor * Q[i] ** 2 / likelihood.freedom
            Q -= factor * Q[i] * row
            R -= np.outer(factor * row, row)
            variances[i] = best[i]
            moves.append(i)
        variances[np.isinf(self.variances)] = np.inf
        return replace(self, R=R, Q=Q, variances=variances, noise=noise), moves

    def model(self, problem: Problem, before: Model) -> Model:
        """The model of the columns with a prior variance; the mode is sought from the last one."""
        weights = np.zeros(problem.columns.bias + 1)
        weights[before.which] = before.weights
        kept = self.variances > 0
        which = self.which[kept]
        return problem.model(which, self.variances[kept], weights[which])


def pool_around(problem: Problem, model: Model, tolerance: float, most: int) -> Pool | None:
    """The model's columns and the most useful others; None if no change is worth it.

    Cost: one product of the Gram matrix with the model's columns.
    """
    columns, posterior = problem.columns, model.posterior
    b, noise = posterior.precisions, posterior.noise
    weighted = b[:, None] * posterior.scaled
    products = columns.against(np.column_stack([weighted, posterior.residuals]))
    W, Q = products[:, :-1].T, products[:, -1]
    if len(model.which):
        W = solve_triangular(posterior.factor, W, lower=True, check_finite=False)
    norms = columns.squared_norms(b)
    within = np.where(np.isinf(norms), 0.0, norms)
    diagonal = np.maximum(within - np.einsum("ij,ij->j", W, W), 0.0)
    variances = np.zeros(len(norms))
    variances[model.which] = np.where(np.isinf(model.variances), 0.0, model.variances)
    _, gains = gains_of(problem.likelihood, diagonal, Q, variances, norms, noise)
    gains[model.which[problem.is_fixed(model.which)]] = 0.0
    if len(model.which) >= most:
        gains[variances == 0] = 0.0
    if gains.max() <= tolerance:
        return None
    gains[model.which] = 0.0
    outside = np.argsort(-gains, kind="stable")[:POOL]
    outside = outside[gains[outside] > tolerance]
    which = np.concatenate([model.which, outside])
    inside = np.hstack([posterior.scaled / model.deviations, columns.take(outside)])
    R = inside.T @ (b[:, None] * inside) - W[:, which].T @ W[:, which]
    variances = np.concatenate([model.variances, np.zeros(len(outside))])
    return Pool(which, R, Q[which], variances, norms[which], noise, tolerance, most)
