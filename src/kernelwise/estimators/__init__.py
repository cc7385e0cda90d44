"""scikit-learn estimators."""

from kernelwise.estimators.aligner import KernelAligner
from kernelwise.estimators.alignment_surface import AlignmentSurface, alignment_surface
from kernelwise.estimators.lssvm import LSSVMClassifier, LSSVMRegressor

__all__ = [
    "AlignmentSurface",
    "KernelAligner",
    "LSSVMClassifier",
    "LSSVMRegressor",
    "alignment_surface",
]
