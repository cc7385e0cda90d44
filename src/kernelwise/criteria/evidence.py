"""Evidence of least squares: the marginal likelihood of a Gaussian process."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import LeastSquaresGradient, LeastSquaresSolution


class Evidence(Criterion):
    """Minus the log marginal likelihood.

    The covariance is ``amplitude (gram + regularization diag(1/w))``. With a flat prior on the bias
    and the amplitude of each target at its maximum it is, with ``N = sum(w) - 1``, ``1/2 (N log(2
    pi e y'Py / N) + log det)`` per target, ``log det`` that of the regularized Gram matrix
    orthogonal to the constant. A row of weight w counts as w equal rows. Cost: one Cholesky; the
    inverse on the way back.

    References
    ----------
    Van Gestel et al. (2002), Neural Computation 14(5); Rasmussen & Williams (2006), chapter 5.
    """

    reads = LeastSquaresSolution

    def __call__(self, solution: LeastSquaresSolution) -> tuple[float, LeastSquaresGradient]:
        targets, ridge = solution.targets, solution.regularization
        n_targets = targets.values.shape[1]
        freedom = float(targets.weights.sum()) - 1
        repeats = float((targets.weights - 1).sum())
        misfit = (targets.values * solution.coef).sum(axis=0) + targets.within / ridge
        log_determinant = solution.log_determinant + repeats * np.log(ridge)
        log_determinant += np.log(targets.weights).sum()
        log_determinant += np.log(len(targets.weights) / targets.weights.sum())
        value = 0.5 * freedom * np.log(2 * np.pi * np.e * misfit / freedom).sum()
        value += 0.5 * n_targets * log_determinant
        misfit_gradient = 0.5 * freedom / misfit
        return float(value), solution.gradient(
            coef=targets.values * misfit_gradient,
            log_determinant=0.5 * n_targets,
            regularization=float(
                0.5 * n_targets * repeats / ridge - misfit_gradient @ targets.within / ridge**2
            ),
        )
