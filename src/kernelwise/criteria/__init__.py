"""Criteria: how good a solution is, and the derivative of that in what was read."""

from kernelwise.criteria.alignment import Alignment
from kernelwise.criteria.base import Criterion
from kernelwise.criteria.error_bounds import JaakkolaHaussler, OpperWinther, SupportFraction
from kernelwise.criteria.evidence import Evidence
from kernelwise.criteria.evidence_bound import EvidenceBound
from kernelwise.criteria.first_level import FirstLevel
from kernelwise.criteria.gacv import GACV
from kernelwise.criteria.generalized_cross_validation import GeneralizedCrossValidation
from kernelwise.criteria.held_out import HeldOutSquares
from kernelwise.criteria.held_out_margins import HeldOutErrors, HeldOutHinge, SmoothedHeldOutErrors
from kernelwise.criteria.laplace_evidence import DampedEvidence, LaplaceEvidence
from kernelwise.criteria.leave_one_out import BayesianLeaveOneOut, LeaveOneOut
from kernelwise.criteria.near_start import NearStart
from kernelwise.criteria.posterior_evidence import PosteriorEvidence
from kernelwise.criteria.priced_evidence import PricedEvidence
from kernelwise.criteria.radius_margin import RadiusMargin
from kernelwise.criteria.span import SmoothedSpan, Span

__all__ = [
    "GACV",
    "Alignment",
    "BayesianLeaveOneOut",
    "Criterion",
    "DampedEvidence",
    "Evidence",
    "EvidenceBound",
    "FirstLevel",
    "GeneralizedCrossValidation",
    "HeldOutErrors",
    "HeldOutHinge",
    "HeldOutSquares",
    "JaakkolaHaussler",
    "LaplaceEvidence",
    "LeaveOneOut",
    "NearStart",
    "OpperWinther",
    "PosteriorEvidence",
    "PricedEvidence",
    "RadiusMargin",
    "SmoothedHeldOutErrors",
    "SmoothedSpan",
    "Span",
    "SupportFraction",
]
