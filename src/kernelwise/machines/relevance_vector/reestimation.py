"""Re-estimation of all prior variances together, as the paper prints it."""

from __future__ import annotations

import numpy as np

from kernelwise.machines.relevance_vector.model import Model, Problem

# A column whose prior lets it explain less than this share of a row's precision is dropped.
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
    first = problem.empty_model()
    norms = problem.columns.squared_norms(first.posterior.precisions)
    every = np.flatnonzero(np.isfinite(norms))
    every = every[~problem.is_fixed(every)]
    which = np.concatenate([first.which, every])
    # The prior that says as much about a weight as one row does.
    start = np.concatenate([first.variances, len(norms) / norms[every]])
    model, tried = problem.model(which, start), 1
    while tried < MAX_ROUNDS:
        fixed = problem.is_fixed(model.which)
        gamma = np.maximum(model.effective, 1e-300)
        found = model.weights**2 / (gamma * model.posterior.noise)
        variances = np.where(fixed, model.variances, found)
        kept = fixed | (variances * norms[model.which] > DROPPED)
        moved = np.abs(np.log(variances[kept & ~fixed] / model.variances[kept & ~fixed]))
        ended = kept.all() and moved.max(initial=0.0) < np.sqrt(tolerance)
        model = problem.model(model.which[kept], variances[kept], model.weights[kept])
        tried += 1
        if ended:
            break
    return model, tried
