"""scikit-learn estimators."""

from kernelwise.estimators.aligner import KernelAligner
from kernelwise.estimators.lssvm import LSSVMClassifier, LSSVMRegressor

__all__ = ["KernelAligner", "LSSVMClassifier", "LSSVMRegressor"]
