"""Leave-one-out error of least squares, in closed form."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import LeastSquaresSolution, SolutionGradient


def leave_one_out_residuals(solution: LeastSquaresSolution) -> np.ndarray:
    """``coef_i / P_ii``: target minus what the machine gives when row i is left out, whole."""
    return solution.coef / solution.diagonal[:, None]


class LeaveOneOut(Criterion):
    """Half the sum of squared leave-one-out residuals (PRESS), ``1/2 sum_i w_i (coef_i / P_ii)^2``.

    A weighted row is left out with all its weight. Cost: the inverse (n^3 with the Cholesky), and
    one ``syrk`` (n^3) on the way back.

    References
    ----------
    Cawley & Talbot, Kernel Learning at the First Level of Inference; Cawley (2006), IJCNN.
    """

    reads = LeastSquaresSolution

    def __call__(self, solution: LeastSquaresSolution) -> tuple[float, SolutionGradient]:
        residuals = leave_one_out_residuals(solution)
        weights, diagonal = solution.targets.weights, solution.diagonal
        squares = weights[:, None] * residuals**2
        value = 0.5 * float(squares.sum() + solution.targets.within.sum())
        return value, solution.gradient(
            coef=(weights / diagonal)[:, None] * residuals,
            diagonal=-squares.sum(axis=1) / diagonal,
        )


class BayesianLeaveOneOut(Criterion):
    """Leave-one-out with the kernel's parameters penalised and both scales integrated out.

    ``n/2 log PRESS + p/2 log(1/2 (sum parameters^2 + floor))``, from ``zeta PRESS + xi/2
    |parameters|^2`` with priors on ``zeta`` and ``xi``; n is the total weight times the number of
    targets. ``floor = 0`` is the paper's Jeffreys prior on ``xi``, with which the criterion falls
    without limit as the parameters go to zero; a positive one (a Gamma prior) bounds it below.

    References
    ----------
    Cawley & Talbot (2007), JMLR 8, 841-861.
    """

    reads = LeastSquaresSolution

    def __init__(self, floor: float = 0.0):
        self.floor = float(floor)

    def anchored(self, parameters: np.ndarray) -> BayesianLeaveOneOut:
        """The criterion whose floor is a hundredth of the squared size of ``parameters``."""
        return BayesianLeaveOneOut(0.01 * float(parameters @ parameters))

    def __call__(self, solution: LeastSquaresSolution) -> tuple[float, SolutionGradient]:
        press, gradient = LeaveOneOut()(solution)
        parameters, targets = solution.parameters, solution.targets
        half_n = 0.5 * float(targets.weights.sum()) * targets.values.shape[1]
        value = half_n * np.log(press)
        gradient.coef = half_n / press * gradient.coef
        gradient.diagonal = half_n / press * gradient.diagonal
        if len(parameters):
            size = float(parameters @ parameters) + self.floor
            value += 0.5 * len(parameters) * np.log(0.5 * size)
            gradient.parameters = len(parameters) * parameters / size
        return float(value), gradient
