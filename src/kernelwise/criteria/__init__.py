"""Criteria: how good a solution is, and the derivative of that in what was read."""

from kernelwise.criteria.alignment import Alignment
from kernelwise.criteria.base import Criterion
from kernelwise.criteria.evidence import Evidence
from kernelwise.criteria.first_level import FirstLevel, tangent_leave_one_out_residuals
from kernelwise.criteria.held_out import HeldOutSquares
from kernelwise.criteria.leave_one_out import (
    BayesianLeaveOneOut,
    LeaveOneOut,
    leave_one_out_residuals,
)

__all__ = [
    "Alignment",
    "BayesianLeaveOneOut",
    "Criterion",
    "Evidence",
    "FirstLevel",
    "HeldOutSquares",
    "LeaveOneOut",
    "leave_one_out_residuals",
    "tangent_leave_one_out_residuals",
]
