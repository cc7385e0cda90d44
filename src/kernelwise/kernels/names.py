"""Kernels by name, sized for a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.kernels import (
    FromSklearn,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Matern32,
    Matern52,
    Polynomial,
    Precomputed,
    Radial,
    RationalQuadratic,
)

RADIAL: dict[str, type[Radial]] = {
    "gaussian": Gaussian,
    "laplacian": Laplacian,
    "matern32": Matern32,
    "matern52": Matern52,
    "rational-quadratic": RationalQuadratic,
}
KERNEL_NAMES = [
    "ard",
    *RADIAL,
    *(f"ard-{name}" for name in RADIAL),
    "mixed",
    "linear",
    "ard-linear",
    "polynomial",
    "ard-polynomial",
    "precomputed",
]


def check_kernel(spec: Any) -> None:
    """Raise a ValueError that lists the choices if ``spec`` is not a kernel, or says what is wrong
    with one.
    """
    if isinstance(spec, Kernel):
        return spec.check_parameters()
    known = isinstance(spec, str) and spec in KERNEL_NAMES
    if known or (hasattr(spec, "clone_with_theta") and not isinstance(spec, type)):
        return
    raise ValueError(
        f"unknown kernel {spec!r}; choose one of {KERNEL_NAMES}, a kernelwise kernel or a "
        "sklearn.gaussian_process kernel (an object, not a class)"
    )


def kernels_for(spec: Any, n_columns: int, categorical: np.ndarray) -> list[Kernel]:
    """The kernels that ``spec`` stands for; more than one if the data are to decide.

    Named kernels start at a mean dissimilarity of about 1 on standardized columns.
    """
    check_kernel(spec)
    if isinstance(spec, Kernel):
        return [spec]
    if not isinstance(spec, str):
        return [FromSklearn(spec)]
    if spec == "precomputed":
        return [Precomputed()]
    if spec == "mixed":
        names = (
            ["ard-laplacian", "ard-gaussian"] if len(categorical) < n_columns else ["ard-laplacian"]
        )
        return [kernel for name in names for kernel in kernels_for(name, n_columns, categorical)]
    per_feature, name = spec.startswith("ard"), spec.removeprefix("ard").removeprefix("-")
    if name in ("linear", "polynomial"):
        return [inner_product(name, n_columns, categorical, per_feature)]
    return [radial(RADIAL[name or "gaussian"], n_columns, categorical, per_feature)]


def inner_product(name: str, n_columns: int, categorical: np.ndarray, per_feature: bool) -> Kernel:
    scale = np.full(n_columns, np.sqrt(n_columns)) if per_feature else np.sqrt(n_columns)
    if name == "linear":
        return Linear(scale, categorical)
    return Polynomial(3, 1.0, scale, categorical)


def radial(
    kind: type[Radial], n_columns: int, categorical: np.ndarray, per_feature: bool
) -> Radial:
    kinds = np.full(n_columns, kind.default_dissimilarity, dtype=object)
    kinds[categorical] = "overlap"
    # Mean squared difference of a standardized column is 2, mean absolute difference about 1.
    scales = np.where(kinds == "squared", np.sqrt(n_columns), float(n_columns))
    dissimilarity = kinds[0] if len(set(kinds)) == 1 else tuple(kinds)
    return kind(scales if per_feature else float(scales[0]), dissimilarity=dissimilarity)
