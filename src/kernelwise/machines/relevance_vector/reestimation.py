"""Re-estimation of all prior variances together, as the paper prints it."""

from __future__ import annotations

import numpy as np

from kernelwise.machines.relevance_vector.model import Model, Problem

# A column whose prior variance times its squared norm is less than this is dropped.
DROPPED = 1e-6
MAX_ROUNDS = 1000


def reestimate(problem: Problem, tolerance: float, most: int) -> tuple[Model, int]:
    """``v_i = w_i^2 / gamma_i`` from all columns on, until none moves by ``sqrt(tolerance)``.

    Returns the model and how many were tried; ``most`` is not heeded. Cost: n^3 a round, until
    columns are dropped.

    References
    ----------
    Kropotov, Ryazanov & Vetrov, Extended Bayesian framework, eq. (4) and (5); Tipping (2001).
    """
    every = np.arange(problem.columns.bias + 1)
    (model, norms), tried, moved = started(problem, problem.empty_model(), every), 1, np.inf
    while moved >= np.sqrt(tolerance) and tried < MAX_ROUNDS:
        model, moved = reestimated(problem, model, norms)
        tried += 1
    return model, tried


def started(problem: Problem, empty: Model, chosen: np.ndarray) -> tuple[Model, np.ndarray]:
    """A model of chosen columns to re-estimate, and the squared norms of all columns.

    Each has the prior that says as much about its weight as one row does; columns of only rounding
    error are left out.
    """
    norms = problem.columns.squared_norms(empty.posterior.precisions)
    chosen = chosen[np.isfinite(norms[chosen]) & ~problem.is_fixed(chosen)]
    variances = problem.columns.weights.sum() / norms[chosen]
    which = np.concatenate([empty.which, chosen])
    return problem.model(which, np.concatenate([empty.variances, variances])), norms


def reestimated(
    problem: Problem, model: Model, norms: np.ndarray, dropped: float = DROPPED
) -> tuple[Model, float]:
    """The model with every prior variance set once, and how far the farthest logarithm moved.

    Parameters
    ----------
    problem, model : what is re-estimated
    norms : squared norms of all columns
    dropped : a column whose prior variance times its squared norm is less is dropped
    """
    fixed = problem.is_fixed(model.which)
    gamma = np.maximum(model.effective, 1e-300)
    found = model.weights**2 / (gamma * model.posterior.noise)
    variances = np.where(fixed, model.variances, found)
    kept = fixed | (variances * norms[model.which] > dropped)
    free = kept & ~fixed
    moved = np.abs(np.log(variances[free] / model.variances[free])).max(initial=0.0)
    smaller = problem.model(model.which[kept], variances[kept], model.weights[kept])
    return smaller, float(moved) if kept.all() else np.inf
