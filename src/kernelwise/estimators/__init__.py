"""scikit-learn estimators."""

from kernelwise.estimators.aligner import KernelAligner
from kernelwise.estimators.lssvm import LSSVMClassifier, LSSVMRegressor
from kernelwise.estimators.rvm import RVMClassifier, RVMRegressor
from kernelwise.estimators.svm import SVMClassifier

__all__ = [
    "KernelAligner",
    "LSSVMClassifier",
    "LSSVMRegressor",
    "RVMClassifier",
    "RVMRegressor",
    "SVMClassifier",
]
