"""Selections for machines on landmarks, by name."""

from __future__ import annotations

from kernelwise.criteria import (
    BayesianLeaveOneOut,
    EvidenceBound,
    GeneralizedCrossValidation,
    HeldOutSquares,
    LeaveOneOut,
)
from kernelwise.selections.growing import GrowingLandmarks
from kernelwise.selections.growing_first_level import GrowingFirstLevel
from kernelwise.selections.landmarks import LandmarksAsGiven, LandmarkSelection

# The names of the exact machine's selections, and generalized cross-validation, the default here.
LANDMARK_SELECTIONS: dict[str | None, LandmarkSelection] = {
    None: LandmarksAsGiven(),
    "auto": GrowingLandmarks(),
    "gcv": GrowingLandmarks(criterion=GeneralizedCrossValidation()),
    "first-level": GrowingFirstLevel(),
    "loo": GrowingLandmarks(criterion=LeaveOneOut()),
    "loo-bayes": GrowingLandmarks(criterion=BayesianLeaveOneOut()),
    "cv": GrowingLandmarks(criterion=HeldOutSquares()),
    "evidence": GrowingLandmarks(criterion=EvidenceBound()),
}
