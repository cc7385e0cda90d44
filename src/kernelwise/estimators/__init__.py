"""scikit-learn estimators."""

from kernelwise.estimators.aligner import KernelAligner
from kernelwise.estimators.alignment_surface import AlignmentSurface, alignment_surface
from kernelwise.estimators.lssvm import LSSVMClassifier, LSSVMRegressor
from kernelwise.estimators.svm import SVMClassifier

__all__ = [
    "AlignmentSurface",
    "KernelAligner",
    "LSSVMClassifier",
    "LSSVMRegressor",
    "SVMClassifier",
    "alignment_surface",
]
