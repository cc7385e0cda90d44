"""Kernel machines that choose their own kernel."""

from kernelwise.estimators import LSSVMClassifier, LSSVMRegressor

__version__ = "0.1.0"

__all__ = ["LSSVMClassifier", "LSSVMRegressor"]
