"""Kernels of tables in single precision against the same kernels in double precision."""

import itertools

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as sk

from kernelwise.kernels import (
    Constant,
    FromSklearn,
    Gaussian,
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
from kernelwise.kernels.base import rows_of
from kernelwise.kernels.dissimilarities import DISSIMILARITIES

RADIAL = [Gaussian, Laplacian, Matern32, Matern52, RationalQuadratic]
KINDS = ["squared", "absolute", "overlap", ("squared", "absolute", "overlap", "absolute")]
SCALES = np.array([2.0, 3.0, 5.0, 4.0])
OF_RADIAL = {
    "sum": Sum([Gaussian(SCALES), Laplacian(9.0)]),
    "product": Product([Gaussian(SCALES), Matern52(3.0)]),
    "multiple": Scaled(Gaussian(SCALES), 2.5),
    "on columns": OnColumns(Laplacian(5.0), [2, 0]),
}
OTHERS = {
    "linear": Linear(SCALES),
    "polynomial": Polynomial(3, 0.5, 2.0),
    "mixed sum": Sum([Gaussian(SCALES), Linear(SCALES)]),
    "with an offset": Sum([Gaussian(SCALES), Constant(0.5)]),
    "mixed product": Product([Gaussian(SCALES), Polynomial(2, 0.5, 2.0)]),
    "mixed product, turned": Product([Polynomial(2, 0.5, 2.0), Gaussian(SCALES)]),
    "normalized": Normalized(Scaled(Gaussian(SCALES), 2.0) + Constant(1.0)),
    "of scikit-learn": FromSklearn(sk.RBF(2.0)),
}


def tables(rows=(60, 400)):
    """Numbers with three digits of a binary fraction: levels for overlap, exact in float32."""
    random = np.random.default_rng(0)
    return [np.round(random.normal(size=(n, 4)) * 8).astype(np.float32) / 8 for n in rows]


def compared(kernel, A, B, up_to_constant=False, symmetric=False):
    """Largest error of the Gram matrix and of the row gradients, relative to their sizes."""
    single, back = kernel.evaluate(A, B, up_to_constant)
    wide = [None if X is None else X.astype(float) for X in (A, B)]
    double, exact_back = kernel.evaluate(*wide, up_to_constant)
    M = np.random.default_rng(1).normal(size=double.shape)
    M = M + M.T if symmetric else M
    exact = rows_of(exact_back, M, symmetric)
    size = np.abs(rows_of(exact_back, np.abs(M), symmetric))
    errors = []
    for given in (M, M.astype(np.float32)):
        found = rows_of(back, given, symmetric)
        assert found.dtype == np.float64
        errors.append((np.abs(found - exact) / size.max(axis=0)).max())
    assert double.dtype == np.float64
    return single, np.abs(single - double).max() / np.abs(double).max(), max(errors)


@pytest.mark.parametrize(("kernel", "kind"), [*itertools.product(RADIAL, KINDS)], ids=str)
@pytest.mark.parametrize("symmetric", [False, True], ids=["two tables", "one table"])
def test_radial_kernels_keep_single_precision(kernel, kind, symmetric):
    A, B = tables()
    scales = SCALES if kind != "overlap" else SCALES * 3
    single, error, back_error = compared(
        kernel(scales, dissimilarity=kind), A, None if symmetric else B, symmetric=symmetric
    )
    assert single.dtype == np.float32
    assert 0 < error < 2e-6  # not 0: nothing was computed in double precision
    assert back_error < 3e-6
    if symmetric:
        np.testing.assert_array_equal(single, single.T)
        np.testing.assert_array_equal(np.diagonal(single), 1)


def test_a_large_table_too():
    """Absolute differences by compiled loops, if there are any."""
    A, B = tables((700, 700))
    for kind, right in itertools.product(("squared", "absolute"), (None, B)):
        kernel = Gaussian(3 * SCALES, dissimilarity=kind)
        single, error, back_error = compared(kernel, A, right, symmetric=right is None)
        assert single.dtype == np.float32
        assert error < 1e-6 and back_error < 1e-6


@pytest.mark.parametrize("kernel", RADIAL)
def test_almost_constant_kernels_keep_the_digits_of_single_precision(kernel):
    A, B = tables()
    single, error, back_error = compared(kernel(SCALES * 1e4), A, B, up_to_constant=True)
    assert single.dtype == np.float32 and np.abs(single).max() < 0.1
    assert error < 2e-6 and back_error < 3e-6


@pytest.mark.parametrize("kind", ["squared", "absolute"])
def test_a_large_offset_costs_no_more_than_it_cost_the_table(kind):
    """A mean of so many rows in single precision would be wrong by more than the columns vary."""
    A, B = tables((60, 20_000))
    far, weights = np.float32(1_000_003), 1 / SCALES
    assert ((A + far) - far == A).all() and ((B + far) - far == B).all()
    found, near = (
        DISSIMILARITIES[kind](A + offset, B + offset, weights).distances(slice(0, 60), len(B))
        for offset in (far, np.float32(0))
    )
    np.testing.assert_allclose(found, near, rtol=0, atol=2e-6 * near.max())


@pytest.mark.parametrize("name", OF_RADIAL)
def test_what_is_made_of_radial_kernels_keeps_single_precision(name):
    single, error, back_error = compared(OF_RADIAL[name], *tables())
    assert single.dtype == np.float32
    assert error < 2e-6 and back_error < 3e-6


@pytest.mark.parametrize("name", OTHERS)
def test_other_kernels_answer_single_precision_in_double(name):
    A, B = tables()
    found, error, back_error = compared(OTHERS[name], A, B)
    assert found.dtype == np.float64
    assert error < 5e-6 and back_error < 5e-6
    symmetric = compared(OTHERS[name], A, None, symmetric=True)
    assert max(symmetric[1:]) < 5e-6


def test_rows_of_a_gram_matrix_take_single_precision():
    gram = tables()[0]
    found, back = Precomputed().evaluate(gram)
    assert found is gram and back(gram).shape == (60, 0)


@pytest.mark.parametrize("kind", KINDS[:3])
def test_every_other_pair_of_types_is_double_precision(kind):
    A, B = tables()
    kernel, wide = Gaussian(SCALES, dissimilarity=kind), (A.astype(float), B.astype(float))
    expected = kernel(*wide)
    for left, right in [(A, wide[1]), (wide[0], B), (A.astype(np.float16), B.astype(np.float16))]:
        found = kernel(left, right)
        assert found.dtype == np.float64
        np.testing.assert_array_equal(found, expected)
    whole = np.round(A).astype(int)
    np.testing.assert_array_equal(kernel(whole), kernel(whole.astype(float)))


class Own(Radial):
    """A kernel of a user's own, which knows of double precision only."""

    def profile(self, s):
        return np.exp(-np.asarray(s, float))

    def slope(self, s, value):
        return -np.exp(-np.asarray(s, float))


def test_a_profile_that_answers_in_double_precision():
    single, error, back_error = compared(Own(SCALES), *tables())
    assert single.dtype == np.float32
    assert error < 2e-6 and back_error < 3e-6
