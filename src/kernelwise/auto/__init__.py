"""AutoKernel: candidates, their stack, and what is known about it."""

from kernelwise.auto.classifier import AutoKernelClassifier
from kernelwise.auto.regressor import AutoKernelRegressor
from kernelwise.auto.time_budget import TimeBudgetWarning

__all__ = ["AutoKernelClassifier", "AutoKernelRegressor", "TimeBudgetWarning"]
