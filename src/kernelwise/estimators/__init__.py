"""scikit-learn estimators."""

from kernelwise.estimators.lssvm import LSSVMClassifier, LSSVMRegressor

__all__ = ["LSSVMClassifier", "LSSVMRegressor"]
