"""Roles of a kernel's values in a search: scales that it ties, an amplitude that it adds."""

from __future__ import annotations

import numpy as np

from kernelwise.kernels import Kernel, Scaled

# Ranges of amplitude times the kernel's mean diagonal (the variance of outputs before any data): at
# the start of a search, and for all of it; beyond, hinge evidence rises without end.
FIRST_AMPLITUDES, ALL_AMPLITUDES = (0.1, 10.0), (1e-4, 100.0)


def is_scale(kernel: Kernel) -> np.ndarray:
    """Which values say how fast the kernel falls off, not how large it is."""
    return np.array([role in ("scale", "shape") for role in kernel.roles], bool)


def with_amplitude(kernel: Kernel, amplitude: float = 1.0) -> Kernel:
    """The kernel times an amplitude that can be searched; unchanged if it has one."""
    return kernel if "amplitude" in kernel.roles else Scaled(kernel, amplitude)


def first_amplitude(kernel: Kernel, X: np.ndarray, product: float) -> float:
    """The amplitude to begin with: its whole product with C, within reason."""
    return float(np.clip(product, *np.divide(FIRST_AMPLITUDES, mean_diagonal(kernel, X))))


def amplitude_limits(kernel: Kernel, X: np.ndarray, limits: np.ndarray) -> None:
    """Narrow the (logarithmic) limits of a kernel's amplitudes, in place."""
    for r, role in enumerate(kernel.roles):
        if role == "amplitude":
            unit = mean_diagonal(kernel, X) / kernel.values[r]
            limits[r] = np.log(np.divide(ALL_AMPLITUDES, unit))


def mean_diagonal(kernel: Kernel, X: np.ndarray) -> float:
    return max(float(np.mean(kernel.diagonal(X)[0])), 1e-300)
