"""Numbers about a fitted model."""

from kernelwise.insight.alignment_surface import AlignmentSurface, alignment_surface
from kernelwise.insight.feature_space import EmpiricalFeatureSpace, empirical_feature_space
from kernelwise.insight.width_curves import WidthCurves, width_curves

__all__ = [
    "AlignmentSurface",
    "EmpiricalFeatureSpace",
    "WidthCurves",
    "alignment_surface",
    "empirical_feature_space",
    "width_curves",
]
