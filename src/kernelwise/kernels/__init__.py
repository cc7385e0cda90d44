"""Kernels: Gram matrices that give their gradients back."""

from kernelwise.kernels.base import Kernel
from kernelwise.kernels.composite import (
    Constant,
    Normalized,
    OnColumns,
    Precomputed,
    Product,
    Scaled,
    Sum,
)
from kernelwise.kernels.inner_product import Linear, Polynomial
from kernelwise.kernels.radial import (
    Gaussian,
    Laplacian,
    Matern32,
    Matern52,
    Radial,
    RationalQuadratic,
)
from kernelwise.kernels.sklearn_adapter import FromSklearn

__all__ = [
    "Constant",
    "FromSklearn",
    "Gaussian",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern32",
    "Matern52",
    "Normalized",
    "OnColumns",
    "Polynomial",
    "Precomputed",
    "Product",
    "Radial",
    "RationalQuadratic",
    "Scaled",
    "Sum",
]
