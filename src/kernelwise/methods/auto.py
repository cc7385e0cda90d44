"""Methods by name: AutoKernel, which chooses among kernel machines by itself."""

from kernelwise.auto import AutoKernelClassifier, AutoKernelRegressor
from kernelwise.methods.method import Method

AUTO = (
    Method(
        "AUTO",
        "AutoKernel: kernel machines that are tried and stacked",
        classifier=lambda _: AutoKernelClassifier(),
        regressor=lambda _: AutoKernelRegressor(),
        categorical=True,
    ),
)
