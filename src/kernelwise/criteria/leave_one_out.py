"""Leave-one-out error of least squares, in closed form."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import LeftOut


class LeaveOneOut(Criterion):
    """Half the sum of squared leave-one-out residuals (PRESS), ``1/2 sum_i w_i left_out_i^2``.

    A weighted row is left out with all its weight. Least squares has ``left_out_i = coef_i /
    P_ii``, at the cost of the inverse (n^3 with the Cholesky), and one ``syrk`` (n^3) on the way
    back; for landmarks see `NystromOnRows`.

    References
    ----------
    Cawley & Talbot, Kernel Learning at the First Level of Inference; Cawley (2006), IJCNN.
    """

    reads = LeftOut

    def __call__(self, solution: LeftOut) -> tuple[float, Any]:
        residuals, targets = solution.left_out, solution.targets
        weighted = targets.weights[:, None] * residuals
        value = 0.5 * float((weighted * residuals).sum() + targets.within.sum())
        return value, solution.gradient(left_out=weighted)


class BayesianLeaveOneOut(Criterion):
    """Leave-one-out with the kernel's parameters penalized and both scales integrated out.

    ``n/2 log PRESS + p/2 log(1/2 (sum parameters^2 + floor))``, from ``zeta PRESS + xi/2
    |parameters|^2`` with priors on ``zeta`` and ``xi``; n is the total weight times the number of
    targets. ``floor = 0`` is the paper's Jeffreys prior on ``xi``, with which the criterion falls
    without end as the parameters go to zero; a positive one (a Gamma prior) prevents that.

    References
    ----------
    Cawley & Talbot (2007), JMLR 8, 841-861.
    """

    reads = LeftOut

    def __init__(self, floor: float = 0.0):
        self.floor = float(floor)

    def anchored(self, values: np.ndarray, machine_values: np.ndarray) -> BayesianLeaveOneOut:
        """The criterion whose floor is a hundredth of the squared size of the kernel's values."""
        return BayesianLeaveOneOut(0.01 * float(values @ values))

    def __call__(self, solution: LeftOut) -> tuple[float, Any]:
        press, gradient = LeaveOneOut()(solution)
        targets = solution.targets
        half_n = 0.5 * float(targets.weights.sum()) * targets.values.shape[1]
        slope = half_n / press
        return float(half_n * np.log(press)), solution.gradient(left_out=slope * gradient.left_out)

    def penalty(
        self, values: np.ndarray, machine_values: np.ndarray
    ) -> tuple[float, np.ndarray, np.ndarray]:
        if not len(values):
            return super().penalty(values, machine_values)
        size = float(values @ values) + self.floor
        value = 0.5 * len(values) * float(np.log(0.5 * size))
        return value, len(values) * values / size, np.zeros_like(machine_values)
