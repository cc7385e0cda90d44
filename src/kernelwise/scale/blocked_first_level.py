"""First-level kernel learning on landmarks over blocks of rows: Gauss-Newton in two passes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelwise.criteria.first_level import FirstLevel
from kernelwise.kernels.base import Kernel
from kernelwise.machines.nystrom import Nystrom
from kernelwise.scale.blocked_objective import BlockedEvaluation, blocked_evaluation
from kernelwise.scale.row_blocks import BlockedRows
from kernelwise.searchers.base import Evaluation
from kernelwise.solutions import LinearizedNystrom, TangentSums, Targets


@dataclass(frozen=True)
class FirstLevelEvaluation:
    """A kernel and a machine on landmarks, with value, gradient and curvature in the kernel."""

    found: BlockedEvaluation
    linearized: LinearizedNystrom
    penalty: float
    evaluation: Evaluation

    @property
    def value(self) -> float:
        return float(np.asarray(self.evaluation.value))

    @property
    def cross_validation(self) -> float:
        """Tangent generalized cross-validation: how well kernel and machine will predict."""
        active = np.flatnonzero(self.found.kernel.values > 0)
        return self.linearized.cross_validation(self.penalty, active)


def first_level_evaluation(
    kernel: Kernel, machine: Nystrom, penalty: float, rows: BlockedRows
) -> FirstLevelEvaluation:
    """`FirstLevel` with its gradient and Gauss-Newton curvature, in two passes over the rows.

    At the optimal coefficients the error changes with the kernel as if they were fixed: with ``r``
    the residuals and ``g`` the tangents of the outputs, ``-sum w r g + lam/2 d(a'K a)``. The second
    pass costs rows x landmarks x (parameters), less than the ``syrk`` of the first.

    Parameters
    ----------
    kernel : in natural coordinates, which reach zero
    machine : with its landmarks and regularization
    penalty : the kernel's regularization
    rows : the rows and targets
    """
    found = blocked_evaluation(kernel, machine, rows)
    solution, sums = found.solution, tangent_sums(found)
    own = kernel.gram_and_ways(machine.landmarks)
    criterion = FirstLevel(penalty)
    size, in_values, _ = criterion.penalty(kernel.values, machine.values)
    gradient = kernel.theta_gradient(in_values) - sums.pull
    gradient += own.pullback(solution.norm_gradient)
    linearized = LinearizedNystrom(solution, sums)
    curvature = linearized.curvature + penalty * np.eye(len(gradient))
    value = criterion(solution)[0] + size
    return FirstLevelEvaluation(found, linearized, penalty, Evaluation(value, gradient, curvature))


def tangent_sums(found: BlockedEvaluation) -> TangentSums:
    """The sums over rows of the outputs' derivatives in theta: one pass."""
    solution = found.solution

    def of_block(X: np.ndarray, targets: Targets) -> TangentSums:
        ways = found.entries.gram_and_ways(X)
        tangents = ways.output_tangents(solution.coef)
        return TangentSums.of(solution, ways.gram, targets, tangents)

    return found.rows.reduce(of_block)
