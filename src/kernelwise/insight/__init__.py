"""Numbers about a fitted model."""

from kernelwise.insight.alignment_surface import AlignmentSurface, alignment_surface
from kernelwise.insight.criterion_surface import CriterionSurface, criterion_surface
from kernelwise.insight.feature_space import EmpiricalFeatureSpace, empirical_feature_space
from kernelwise.insight.fit_record import FitRecord
from kernelwise.insight.headline import headline
from kernelwise.insight.record_words import record_in_words
from kernelwise.insight.row_effect_words import describe
from kernelwise.insight.row_effects import RowEffect, RowEffects, row_effects
from kernelwise.insight.width_curves import WidthCurves, width_curves

__all__ = [
    "AlignmentSurface",
    "CriterionSurface",
    "EmpiricalFeatureSpace",
    "FitRecord",
    "RowEffect",
    "RowEffects",
    "WidthCurves",
    "alignment_surface",
    "criterion_surface",
    "describe",
    "empirical_feature_space",
    "headline",
    "record_in_words",
    "row_effects",
    "width_curves",
]
