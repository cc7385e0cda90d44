"""The amplitude of a kernel: which of its values are scales, and which only its size."""

from __future__ import annotations

import numpy as np

from kernelwise.kernels import Kernel, Scaled

NOT_SCALES = ("amplitude", "offset", "constant_value", "noise_level")
# Amplitudes times the kernel's mean diagonal: the variance that outputs have before any data. The
# first one, and those of a search. Beyond, hinge evidence rises without end.
FIRST, ALL = (0.1, 10.0), (1e-4, 100.0)


def is_scale(kernel: Kernel) -> np.ndarray:
    """Which values say how fast the kernel falls off, and not how large it is."""
    return np.array([not name.endswith(NOT_SCALES) for name in kernel.value_names], bool)


def with_amplitude(kernel: Kernel, amplitude: float = 1.0) -> Kernel:
    """The kernel times an amplitude that can be searched; as it is if it has one."""
    has_one = any(name.endswith("amplitude") for name in kernel.value_names)
    return kernel if has_one else Scaled(kernel, amplitude)


def first_amplitude(kernel: Kernel, X: np.ndarray, product: float) -> float:
    """An amplitude to begin with: of its product with C all, within reason."""
    return float(np.clip(product, *np.divide(FIRST, mean_diagonal(kernel, X))))


def amplitude_bounds(kernel: Kernel, X: np.ndarray, bounds: np.ndarray) -> None:
    """Narrow the (logarithmic) bounds of a kernel's amplitudes, in place."""
    for r, name in enumerate(kernel.value_names):
        if name.endswith("amplitude"):
            unit = mean_diagonal(kernel, X) / kernel.values[r]
            bounds[r] = np.log(np.divide(ALL, unit))


def mean_diagonal(kernel: Kernel, X: np.ndarray) -> float:
    return max(float(np.mean(kernel.diagonal(X)[0])), 1e-300)
