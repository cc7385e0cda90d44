"""How a radial kernel changes when its centers move."""

from __future__ import annotations

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
    if not isinstance(kernel, Radial) or kernel.dissimilarity != "squared":
        raise ValueError(
            f"{kernel!r} has no second derivatives in its centers: that needs a radial kernel of "
            "squared differences, such as 'gaussian' or 'matern52', and no categorical columns"
        )
    weights = np.broadcast_to(kernel.weights, X.shape[1])
    center = Z.mean(axis=0)
    x, z = X - center, Z - center
    root = np.sqrt(weights)
    scaled, centers = x * root, z * root
    s = -2 * scaled @ centers.T
    s += (scaled**2).sum(axis=1)[:, None] + (centers**2).sum(axis=1)
    s = np.maximum(s, 0.0)
    value = kernel.profile(s.copy())
    slope, curvature = kernel.slope(s, value), kernel.curvature(s, value)

    def moments(P: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """``sum_x P``, ``sum_x P (x - z)`` and ``sum_x P (x - z)^2`` of each center."""
        sums, once, twice = P.sum(axis=0)[:, None], P.T @ x, P.T @ (x * x)
        return sums, once - z * sums, twice - 2 * z * once + z * z * sums

    sums, once, _ = moments(M * slope)
    squares = 4 * weights**2 * moments(N * slope**2)[2]
    second = 4 * weights**2 * moments(M * curvature)[2] + 2 * weights * sums
    return -2 * weights * once, squares, second
