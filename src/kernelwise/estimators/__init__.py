"""scikit-learn estimators."""

from kernelwise.estimators.aligner import KernelAligner
from kernelwise.estimators.bemkl import BEMKLClassifier
from kernelwise.estimators.bemkl_regressor import BEMKLRegressor
from kernelwise.estimators.lssvm import LSSVMClassifier, LSSVMRegressor
from kernelwise.estimators.mkl import MKLClassifier, MKLRegressor
from kernelwise.estimators.rvm import RVMClassifier, RVMRegressor
from kernelwise.estimators.svm import SVMClassifier
from kernelwise.estimators.trivial import NoBetterThanTrivialWarning

__all__ = [
    "BEMKLClassifier",
    "BEMKLRegressor",
    "KernelAligner",
    "LSSVMClassifier",
    "LSSVMRegressor",
    "MKLClassifier",
    "MKLRegressor",
    "NoBetterThanTrivialWarning",
    "RVMClassifier",
    "RVMRegressor",
    "SVMClassifier",
]
