"""How a radial kernel changes when its centers move."""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from kernelwise.kernels.base import Kernel
from kernelwise.kernels.radial import Radial


def center_derivatives(
    kernel: Kernel, X: np.ndarray, Z: np.ndarray, M: np.ndarray, N: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sums over rows x of derivatives of ``k(x, z)`` in each coordinate of each center z.

    ``sum_x M dk/dz_r``, ``sum_x N (dk/dz_r)^2``, ``sum_x M d2k/dz_r^2``: each (centers, columns).
    With ``s = sum_r weight_r (x_r - z_r)^2``: ``dk/dz_r = -2 weight_r profile' (x_r - z_r)`` and
    ``d2k/dz_r^2 = 4 weight_r^2 profile'' (x_r - z_r)^2 + 2 weight_r profile'``. Cost: O(n m d).

    Parameters
    ----------
    kernel : radial, of squared differences; a ValueError if it is not
    X, Z : rows and centers
    M, N : (rows, centers)
    """
    radial = movable(kernel)
    weights = np.broadcast_to(radial.weights, X.shape[1])
    s = np.zeros((len(X), len(Z)))
    for weight, x, z in zip(weights, X.T, Z.T, strict=True):
        # Differences, not products: a center is often a row, where s must be 0 to the last bit.
        s += weight * np.subtract.outer(x, z) ** 2
    value = radial.profile(s.copy())
    slope, curvature = radial.slope(s, value), radial.curvature(s, value)
    first_of, squares_of, second_of = M * slope, N * slope**2, M * curvature
    first, squares, second = np.empty((3, *Z.shape))
    for r, (weight, x, z) in enumerate(zip(weights, X.T, Z.T, strict=True)):
        moved = np.subtract.outer(x, z)
        first[:, r] = -2 * weight * np.einsum("ij,ij->j", first_of, moved)
        moved *= moved
        squares[:, r] = 4 * weight**2 * np.einsum("ij,ij->j", squares_of, moved)
        second[:, r] = 4 * weight**2 * np.einsum("ij,ij->j", second_of, moved)
    return first, squares, second + 2 * weights * first_of.sum(axis=0)[:, None]


def is_movable(kernel: Kernel) -> TypeGuard[Radial]:
    """Whether a kernel has first and second derivatives in its centers."""
    return (
        isinstance(kernel, Radial)
        and kernel.dissimilarity == "squared"
        and type(kernel).curvature is not Radial.curvature
    )


def movable(kernel: Kernel) -> Radial:
    """The kernel, or a ValueError if it has no second derivatives in its centers."""
    if is_movable(kernel):
        return kernel
    raise ValueError(
        f"{kernel!r} has no second derivatives in its centers: that needs a radial kernel of "
        "squared differences, such as 'gaussian' or 'matern52', and no categorical columns; one "
        "of your own needs a method curvature(s, value)"
    )
