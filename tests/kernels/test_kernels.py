"""Kernels against scikit-learn, loops and exact arithmetic."""

import itertools
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.gaussian_process import kernels as sk
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel

from kernelwise.kernels import (
    Constant,
    FromSklearn,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Matern32,
    Matern52,
    Normalized,
    OnColumns,
    Polynomial,
    Precomputed,
    Product,
    Radial,
    RationalQuadratic,
    Scaled,
    Sum,
)
from kernelwise.linalg import BorderedSystem

RADIAL = [Gaussian, Laplacian, Matern32, Matern52, RationalQuadratic]
SCALES = np.array([0.7, 1.9, 3.1])
DISSIMILARITY = {
    "squared": lambda a, b, scale: (a - b) ** 2 / (2 * scale**2),
    "absolute": lambda a, b, scale: abs(a - b) / scale,
    "overlap": lambda a, b, scale: float(a != b) / scale,
}
PROFILE = {
    Gaussian: lambda s: np.exp(-s),
    Laplacian: lambda s: np.exp(-s),
    Matern32: lambda s: (1 + np.sqrt(6 * s)) * np.exp(-np.sqrt(6 * s)),
    Matern52: lambda s: (1 + np.sqrt(10 * s) + 10 * s / 3) * np.exp(-np.sqrt(10 * s)),
    RationalQuadratic: lambda s: 1 / (1 + s),
}


@pytest.fixture
def rows():
    """Two sets of rows on a grid of sixteenths (sums with 2**20 are exact), with ties."""
    random = np.random.default_rng(0)
    return [random.integers(-40, 40, size=(n, 3)) / 16 for n in (11, 7)]


@pytest.mark.parametrize("scale", [1.3, SCALES], ids=["isotropic", "per-feature"])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Gaussian, lambda scale: sk.RBF(scale)),
        (Matern32, lambda scale: sk.Matern(scale, nu=1.5)),
        (Matern52, lambda scale: sk.Matern(scale, nu=2.5)),
    ],
)
def test_like_scikit_learn(rows, ours, theirs, scale):
    A, B = rows
    np.testing.assert_allclose(ours(scale)(A), theirs(scale)(A), rtol=1e-12)
    np.testing.assert_allclose(ours(scale)(A, B), theirs(scale)(A, B), rtol=1e-12)


def test_other_kernels_like_scikit_learn(rows):
    A, B = rows
    pairs = [
        (RationalQuadratic(1.3, shape=0.6), sk.RationalQuadratic(1.3, alpha=0.6)(A, B)),
        (Laplacian(1.3), laplacian_kernel(A, B, gamma=1 / 1.3)),
        (Laplacian(SCALES), laplacian_kernel(A / SCALES, B / SCALES, gamma=1.0)),
        (Polynomial(3, 0.4, 1.3), polynomial_kernel(A, B, degree=3, gamma=1.3**-2, coef0=0.4)),
        (Linear(), A @ B.T),
        (Linear(SCALES), (A / SCALES) @ (B / SCALES).T),
    ]
    for kernel, expected in pairs:
        np.testing.assert_allclose(kernel(A, B), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("scale", [1.3, SCALES])
def test_products_of_categories_are_those_of_indicators(scale):
    random = np.random.default_rng(0)
    A, B = (np.column_stack([random.integers(3, size=8), random.normal(size=(8, 2))]) for _ in "ab")
    A[0, 0] = 7  # a level that B does not have equals none of its rows
    weights = np.broadcast_to(1 / np.asarray(scale) ** 2, 3)
    inner = weights[0] * (A[:, [0]] == B[:, 0]) + (A[:, 1:] * weights[1:]) @ B[:, 1:].T
    np.testing.assert_allclose(Linear(scale, categorical=[0])(A, B), inner, rtol=1e-12)
    cubed = Polynomial(3, 0.4, scale, categorical=[0])
    np.testing.assert_allclose(cubed(A, B), (inner + 0.4) ** 3, rtol=1e-12)
    assert "categorical=[0]" in repr(cubed) and cubed.column_factors(3) is None
    with pytest.raises(ValueError, match="column 5 is categorical, but X has 3 columns"):
        Linear(categorical=[5])(A)


def by_loops(kernel, kinds, scales, A, B):
    gram = np.empty((len(A), len(B)))
    for i, j in itertools.product(range(len(A)), range(len(B))):
        columns = zip(kinds, A[i], B[j], scales, strict=True)
        gram[i, j] = sum(DISSIMILARITY[kind](a, b, scale) for kind, a, b, scale in columns)
    return PROFILE[type(kernel)](gram)


@pytest.mark.parametrize("kind", RADIAL)
@pytest.mark.parametrize(
    "kinds",
    [
        ("squared",) * 3,
        ("absolute",) * 3,
        ("overlap",) * 3,
        ("overlap", "squared", "absolute"),
        ("absolute", "overlap", "overlap"),
    ],
    ids="-".join,
)
def test_radial_by_loops(rows, kind, kinds):
    A, B = rows
    kernel = kind(SCALES, dissimilarity=kinds)
    np.testing.assert_allclose(kernel(A, B), by_loops(kernel, kinds, SCALES, A, B), rtol=1e-12)
    np.testing.assert_allclose(kernel(A), by_loops(kernel, kinds, SCALES, A, A), rtol=1e-12)


def test_one_length_scale_for_columns_of_several_kinds(rows):
    """A shared length scale is one weight for all columns, in the unit of the first."""
    A, B = rows
    kinds, weight = ("absolute", "overlap", "squared"), 1 / 1.3
    kernel = Gaussian(1.3, dissimilarity=kinds)
    scales = [1 / weight, 1 / weight, np.sqrt(0.5 / weight)]
    np.testing.assert_allclose(kernel.values, [weight])
    np.testing.assert_allclose(kernel(A, B), by_loops(kernel, kinds, scales, A, B), rtol=1e-12)


def test_overlap_of_levels_never_seen():
    gram = Gaussian([1.0, 2.0], dissimilarity="overlap")(
        np.array([[5.0, 1.0], [0.0, 9.0]]), np.array([[0.0, 1.0], [2.0, 3.0]])
    )
    np.testing.assert_allclose(gram, np.exp(-np.array([[1.0, 1.5], [0.5, 1.5]])))


@pytest.mark.parametrize("kind", RADIAL)
def test_a_large_offset_costs_no_digits(rows, kind):
    """About 1e6, ``|x|^2 + |z|^2 - 2 x.z``, not centered, has an error of 1e-3."""
    A, B = rows
    for kernel in (kind(1.1), kind(SCALES)):
        far = kernel(A + 2.0**20, B + 2.0**20)
        np.testing.assert_allclose(far, kernel(A, B), rtol=1e-12)
        np.testing.assert_allclose(kernel(A + 2.0**20), kernel(A), rtol=1e-12)
        weights = np.random.default_rng(1).normal(size=far.shape)
        far_gradient = kernel.gram_and_pullback(A + 2.0**20, B + 2.0**20)[1](weights)
        near_gradient = kernel.gram_and_pullback(A, B)[1](weights)
        np.testing.assert_allclose(far_gradient, near_gradient, rtol=1e-10)


def exact_profile_less_one(kind, s):
    """``profile(s) - 1`` in 60 digits; for small ``s`` all of double precision is left."""
    if kind in (Gaussian, Laplacian):
        return (-s).exp() - 1
    if kind is RationalQuadratic:
        return 1 / (1 + s) - 1
    r = (6 * s if kind is Matern32 else 10 * s).sqrt()
    polynomial = 1 + r if kind is Matern32 else 1 + r + r * r / 3
    return polynomial * (-r).exp() - 1


def exact_differences(kind, X, scale):
    """The Gram matrix minus its element (0, 1), as Decimals."""
    power = 1 if kind is Laplacian else 2
    factor = 1 if kind is Laplacian else Decimal("0.5")
    X = [[Decimal(float(x)) for x in row] for row in X]
    scale = Decimal(scale)

    def dissimilarity(x, z):
        return sum(factor * (abs(a - b) / scale) ** power for a, b in zip(x, z, strict=True))

    s = [[dissimilarity(x, z) for z in X] for x in X]
    gram = [[exact_profile_less_one(kind, value) for value in row] for row in s]
    return np.array([[value - gram[0][1] for value in row] for row in gram])


@pytest.mark.parametrize("kind", RADIAL)
@pytest.mark.parametrize("weight", [1e-4, 1e-8, 1e-14])
def test_the_almost_constant_limit_keeps_its_digits(rows, kind, weight):
    X = rows[0][:6]
    scale = 1 / weight if kind is Laplacian else np.sqrt(0.5 / weight)
    gram, _ = kind(scale).evaluate(X, up_to_constant=True)
    with localcontext() as context:
        context.prec = 60
        exact = exact_differences(kind, X, float(scale)).astype(float)
    np.testing.assert_allclose(gram - gram[0, 1], exact, rtol=1e-9, atol=1e-12 * np.ptp(exact))


def exact_solution(gram, noise, y):
    """``[[gram + noise, 1], [1', 0]] [coef; b] = [y; 0]`` by elimination in Decimals."""
    n = len(gram)
    system = [[*gram[i], Decimal(1), Decimal(float(y[i]))] for i in range(n)]
    system.append([Decimal(1)] * n + [Decimal(0), Decimal(0)])
    for i in range(n):
        system[i][i] += noise
    for i in range(n + 1):
        pivot = max(range(i, n + 1), key=lambda k: abs(system[k][i]))
        system[i], system[pivot] = system[pivot], system[i]
        for k in range(n + 1):
            if k != i:
                ratio = system[k][i] / system[i][i]
                system[k] = [a - ratio * b for a, b in zip(system[k], system[i], strict=True)]
    return np.array([float(system[i][-1] / system[i][i]) for i in range(n)])


@pytest.mark.parametrize("kind", RADIAL)
@pytest.mark.parametrize("weight", [1e-8, 1e-14])
def test_a_machine_in_the_almost_constant_limit(rows, kind, weight):
    """Weights to zero and the regularization with them: coefficients by exact arithmetic."""
    X, y = rows[0][:6], np.array([1.0, -1, 1, 1, -1, -1])
    scale = 1 / weight if kind is Laplacian else np.sqrt(0.5 / weight)
    gram, _ = kind(scale).evaluate(X, up_to_constant=True)
    coef, _ = BorderedSystem(gram, np.full(6, weight)).solve(y[:, None])
    with localcontext() as context:
        context.prec = 60
        exact = exact_solution(exact_differences(kind, X, float(scale)), Decimal(weight), y)
    np.testing.assert_allclose(coef[:, 0], exact, rtol=1e-9)


def test_composites_are_arithmetic(rows):
    A, B = rows
    left, right = Gaussian(SCALES), Polynomial(2, 0.3, 1.2)
    f, g = left(A, B), right(A, B)
    lengths = np.sqrt(np.outer(right.diagonal(A)[0], right.diagonal(B)[0]))
    pairs = [
        (left + right, f + g),
        (Sum([left, right, left]), 2 * f + g),
        (left * right, f * g),
        (Product([left, right, right]), f * g**2),
        (Scaled(left, 2.5), 2.5 * f),
        (left + Constant(0.5), f + 0.5),
        (Normalized(right), g / lengths),
        (OnColumns(Laplacian(2.0), [2, 0]), laplacian_kernel(A[:, [0, 2]], B[:, [0, 2]], 0.5)),
        (FromSklearn(sk.RBF(SCALES)), f),
    ]
    for kernel, expected in pairs:
        np.testing.assert_allclose(kernel(A, B), expected, rtol=1e-12, err_msg=repr(kernel))
    np.testing.assert_array_equal(Precomputed()(f), f)


def test_scikit_learn_parameters_pass_through():
    """Only free ones; length scales as weights ``1 / (2 l^2)``, so that small means smooth."""
    theirs = sk.ConstantKernel(0.5, "fixed") * sk.RBF([1.0, 2.0], (0.1, 10)) + sk.WhiteKernel(0.3)
    ours = FromSklearn(theirs)
    np.testing.assert_allclose(ours.values, [0.5, 0.125, 0.3])
    np.testing.assert_allclose(ours.value_limits, [[0.005, 50], [0.005, 50], [1e-5, 1e5]])
    assert all("length_scale" in parameter.name for parameter in ours.parameters[:2])
    moved = ours.with_values(np.array([2.0, 0.5, 0.1])).kernel
    np.testing.assert_allclose(np.exp(moved.theta), [0.5, 1.0, 0.1])


def test_scikit_learn_noise_is_part_of_the_diagonal(rows):
    theirs = sk.RBF(1.3) + sk.WhiteKernel(0.3)
    values, slopes = FromSklearn(theirs).diagonal(rows[0])
    np.testing.assert_allclose(values, theirs.diag(rows[0]))
    np.testing.assert_allclose(slopes, np.tile([0.0, 1.0], (11, 1)), atol=1e-12)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Gaussian(0.0), "positive"),
        (lambda: Gaussian([1.0, -1.0]), "positive"),
        (lambda: Gaussian(1.0, dissimilarity="cosine"), "cosine"),
        (lambda: Gaussian([1.0, 2.0], dissimilarity=("squared",) * 3), "2 length scales"),
        (lambda: Gaussian([1.0, 2.0])(np.zeros((4, 3))), "X has 3 columns"),
        (lambda: Linear([1.0, 2.0])(np.zeros((4, 3))), "X has 3 columns"),
        (lambda: RationalQuadratic(1.0, shape=0), "shape must be positive"),
        (lambda: Polynomial(0), "degree"),
        (lambda: Polynomial(2, -1.0), "offset"),
        (lambda: Constant(0), "offset"),
        (lambda: Scaled(Gaussian(), -1.0), "amplitude must be positive"),
        (lambda: Sum([Gaussian(), "gaussian"]), "needs kernelwise kernels"),
        (lambda: Normalized(Linear())(np.zeros((2, 2))), r"k\(x, x\) > 0"),
        (lambda: Gaussian().in_coordinates("polar"), "polar"),
    ],
)
def test_bad_settings_say_what_is_wrong(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_a_kernel_of_ones_own_works_in_composites(rows):
    class MinMax(Radial):
        """``1 / (1 + s)``: a profile and its slope."""

        def profile(self, s):
            return 1 / (1 + s)

        def slope(self, s, value):
            return -(value**2)

    class Brownian(Kernel):
        """``min(x, z)`` of a non-negative first column: no parameters, no gradient."""

        def evaluate(self, A, B=None, up_to_constant=False):
            gram = np.minimum.outer(A[:, 0], (A if B is None else B)[:, 0])
            return gram, lambda M: np.empty((len(A), 0))

    A = np.abs(rows[0]) + 0.1
    kernel = Scaled(MinMax(SCALES), 2.0) + Brownian()
    expected = 2 / (1 + cdist(A / SCALES, A / SCALES, "sqeuclidean") / 2)
    np.testing.assert_allclose(kernel(A), expected + np.minimum.outer(A[:, 0], A[:, 0]))
    np.testing.assert_allclose(kernel.diagonal(A)[0], np.diagonal(kernel(A)))
    assert kernel.gram_and_pullback(A)[1](np.ones((11, 11))).shape == (4,)


def test_a_number_times_a_kernel_scales_it():
    X = np.random.default_rng(0).normal(size=(5, 2))
    for scaled in (2.0 * Gaussian(), Gaussian() * 2):
        np.testing.assert_allclose(scaled(X), 2 * Gaussian()(X))
