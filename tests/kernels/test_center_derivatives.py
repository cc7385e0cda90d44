"""Derivatives of radial kernels in their centers, against differences of kernels written out."""

import numpy as np
import pytest

from kernelwise.kernels import (
    Gaussian,
    Laplacian,
    Linear,
    Matern32,
    Matern52,
    Radial,
    RationalQuadratic,
    Scaled,
)
from kernelwise.kernels.center_derivatives import center_derivatives, is_movable

SHAPE = 0.7
PROFILES = {
    Gaussian: lambda q: np.exp(-q / 2),
    Matern32: lambda q: (1 + np.sqrt(3 * q)) * np.exp(-np.sqrt(3 * q)),
    Matern52: lambda q: (1 + np.sqrt(5 * q) + 5 * q / 3) * np.exp(-np.sqrt(5 * q)),
    RationalQuadratic: lambda q: (1 + q / (2 * SHAPE)) ** -SHAPE,
}
SCALES = {"isotropic": 1.3, "per-feature": np.array([0.4, 2.0, 7.0])}
# From one side only: along a line through its own center a Matern kernel is a function of the
# distance, and smooth in that, though it has a kink in a derivative (the third, of Matern32).
FIRST = np.array([-137, 300, -300, 200, -75, 12]) / 60
SECOND = np.array([45, -154, 214, -156, 61, -10]) / 12
STEP = 2e-3


def made(kind, scale):
    return kind(scale, SHAPE) if kind is RationalQuadratic else kind(scale)


def by_hand(kind, scale, X, z):
    """The kernel of all rows with one center, from the usual formula of the distance."""
    scaled = (X - z) / scale
    return PROFILES[kind]((scaled**2).sum(axis=1))


def differences(kind, scale, X, z, r):
    """First and second derivative of ``k(x, z)`` in ``z_r``, for each row x."""
    unit = np.broadcast_to(scale, X.shape[1])[r] * STEP
    move = np.arange(6)[:, None] * unit * np.eye(X.shape[1])[r]
    values = np.array([by_hand(kind, scale, X, z + way) for way in move])
    return FIRST @ values / unit, SECOND @ values / unit**2


@pytest.fixture(scope="module")
def rows():
    """Nine rows, and five centers, of which three are rows and one is far away."""
    random = np.random.default_rng(0)
    X, new = random.normal([0, 5, -30], size=(9, 3)), random.normal([0, 5, -30], size=(1, 3))
    Z = np.vstack([X[[0, 4, 4]], new, [[3.0, 9.0, -20.0]]])
    return X, Z, random.normal(size=(9, 5)), random.uniform(0.5, 2, size=(9, 5))


@pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES)
@pytest.mark.parametrize("kind", PROFILES)
def test_like_differences(rows, kind, scale):
    X, Z, M, N = rows
    found = center_derivatives(made(kind, scale), X, Z, M, N)
    expected = np.empty((3, *Z.shape))
    for i, z in enumerate(Z):
        for r in range(3):
            first, second = differences(kind, scale, X, z, r)
            expected[:, i, r] = M[:, i] @ first, N[:, i] @ first**2, M[:, i] @ second
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-7 * np.abs(theirs).max())


@pytest.mark.parametrize("scale", [1.3, 0.01], ids=["wide", "narrow"])
@pytest.mark.parametrize("kind", PROFILES)
def test_a_row_alone_at_its_own_center(kind, scale):
    """No slope there, and minus the inverse squared length scale times the kernel's bend."""
    row, one = np.array([[0.1, 1 / 3, 1e3 / 7]]), np.ones((1, 1))
    first, squares, second = center_derivatives(made(kind, scale), row, row.copy(), one, one)
    assert not first.any() and not squares.any()
    bend = {Gaussian: 1, Matern32: 3, Matern52: 5 / 3, RationalQuadratic: 1}[kind]
    np.testing.assert_allclose(second, np.full((1, 3), -bend / scale**2), rtol=1e-14)


def test_an_infinite_length_scale_has_no_derivatives(rows):
    X, Z, M, N = rows
    found = center_derivatives(Gaussian([0.8, np.inf, 2.0]), X, Z, M, N)
    without = center_derivatives(Gaussian([0.8, 2.0]), X[:, [0, 2]], Z[:, [0, 2]], M, N)
    for ours, theirs in zip(found, without, strict=True):
        assert not ours[:, 1].any()
        np.testing.assert_allclose(ours[:, [0, 2]], theirs, rtol=1e-13)


def test_no_centers_have_no_derivatives(rows):
    none = np.empty((9, 0))
    for found in center_derivatives(Gaussian(), rows[0], np.empty((0, 3)), none, none):
        assert found.shape == (0, 3)


@pytest.mark.parametrize("kind", PROFILES)
def test_curvature_is_the_slope_of_the_slope(kind):
    kernel, s, h = made(kind, 1.0), np.geomspace(1e-2, 5, 40), 1e-3
    steps = {-2: 1 / 12, -1: -2 / 3, 1: 2 / 3, 2: -1 / 12}

    def slope(at):
        return kernel.slope(at, kernel.profile(at.copy()))

    expected = sum(c * slope(s * (1 + k * h)) for k, c in steps.items()) / (h * s)
    found = kernel.curvature(s, kernel.profile(s.copy()))
    np.testing.assert_allclose(found, expected, rtol=1e-9)


class Uncurved(Radial):
    """A radial kernel of one's own, without the second derivative."""

    def profile(self, s):
        return np.exp(-s)

    def slope(self, s, value):
        return -value


@pytest.mark.parametrize(
    "kernel",
    [
        Laplacian(),
        Gaussian(1.0, "overlap"),
        Gaussian(1.0, "absolute"),
        Gaussian([1.0, 2.0, 3.0], ["squared", "overlap", "squared"]),
        Scaled(Gaussian()),
        Gaussian() + Gaussian(2.0),
        Linear(),
        Uncurved(),
    ],
    ids=repr,
)
def test_other_kernels_are_refused(rows, kernel):
    message = (
        "has no second derivatives in its centers: that needs a radial kernel of squared "
        "differences, such as 'gaussian' or 'matern52', and no categorical columns; one of your "
        r"own needs a method curvature\(s, value\)"
    )
    assert not is_movable(kernel)
    with pytest.raises(ValueError, match=message):
        center_derivatives(kernel, *rows)
