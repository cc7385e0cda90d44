"""Kernel machines that choose their own kernel."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kernelwise.auto import AutoKernelClassifier, AutoKernelRegressor
    from kernelwise.estimators import (
        BEMKLClassifier,
        BEMKLRegressor,
        KernelAligner,
        LSSVMClassifier,
        LSSVMRegressor,
        MKLClassifier,
        MKLRegressor,
        RVMClassifier,
        RVMRegressor,
        SVMClassifier,
    )

__version__ = "0.2.0"

__all__ = [
    "AutoKernelClassifier",
    "AutoKernelRegressor",
    "BEMKLClassifier",
    "BEMKLRegressor",
    "KernelAligner",
    "LSSVMClassifier",
    "LSSVMRegressor",
    "MKLClassifier",
    "MKLRegressor",
    "RVMClassifier",
    "RVMRegressor",
    "SVMClassifier",
]


def __getattr__(name: str) -> Any:
    # The estimators bring scikit-learn along; the command line must answer before that.
    if name not in __all__:
        raise AttributeError(f"module 'kernelwise' has no attribute {name!r}")
    if name.startswith("AutoKernel"):
        from kernelwise import auto

        return getattr(auto, name)
    from kernelwise import estimators

    return getattr(estimators, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
