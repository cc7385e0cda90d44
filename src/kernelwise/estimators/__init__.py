"""scikit-learn estimators."""

from kernelwise.estimators.aligner import KernelAligner
from kernelwise.estimators.lssvm import LSSVMClassifier, LSSVMRegressor
from kernelwise.estimators.svm import SVMClassifier

__all__ = ["KernelAligner", "LSSVMClassifier", "LSSVMRegressor", "SVMClassifier"]
