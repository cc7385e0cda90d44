"""Numbers about a fitted model."""

from kernelwise.insight.alignment_surface import AlignmentSurface, alignment_surface
from kernelwise.insight.feature_space import EmpiricalFeatureSpace, empirical_feature_space

__all__ = [
    "AlignmentSurface",
    "EmpiricalFeatureSpace",
    "alignment_surface",
    "empirical_feature_space",
]
