"""Safe Cholesky and the bordered system against dense linear algebra."""

import warnings

import numpy as np
import pytest

from kernelwise.linalg import (
    BorderedSystem,
    JitterWarning,
    NotPositiveDefiniteError,
    add_symmetric_product,
    cholesky,
    mirror_lower,
    row_blocks,
    scaled_outer_square,
)

SIZES = [1, 2, 9, 400]


def positive_definite(n, seed=0):
    square = np.random.default_rng(seed).normal(size=(n, n + 3))
    return np.asfortranarray(square @ square.T / n)


def with_smallest_eigenvalue(smallest, n=8):
    """A symmetric matrix with eigenvalues 1 and one other."""
    basis = np.linalg.qr(np.random.default_rng(2).normal(size=(n, n)))[0]
    eigenvalues = np.ones(n)
    eigenvalues[0] = smallest
    matrix = (basis * eigenvalues) @ basis.T
    return np.asfortranarray((matrix + matrix.T) / 2)


@pytest.mark.parametrize("n", SIZES)
def test_cholesky(n):
    matrix = positive_definite(n)
    factor, jitter = cholesky(matrix.copy(order="F"))
    assert jitter == 0
    np.testing.assert_allclose(np.tril(factor), np.linalg.cholesky(matrix), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(("smallest", "at_most"), [(-1e-13, 1e-11), (-1e-10, 1e-8)])
def test_jitter_escalates_and_is_reported(smallest, at_most, order):
    matrix = with_smallest_eigenvalue(smallest).copy(order=order)
    factor, jitter = cholesky(matrix.copy(order=order))
    assert abs(smallest) / 10 < jitter <= at_most
    lower = np.tril(factor)
    np.testing.assert_allclose(lower @ lower.T, matrix + jitter * np.eye(8), atol=1e-14)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (with_smallest_eigenvalue(-1e-6), "not numerically positive definite"),
        (np.diag([1.0, -3.0]), "mean of the matrix's diagonal is -1"),
        (np.full((3, 3), np.nan), "mean of the matrix's diagonal is nan"),
        (np.diag([np.inf, 1.0]), "mean of the matrix's diagonal is inf"),
        (np.array([[1.0, np.nan], [np.nan, 1.0]]), "positive definite"),
    ],
    ids=["indefinite", "negative", "nan", "infinite", "nan-beside-the-diagonal"],
)
def test_what_is_not_positive_definite_says_so(matrix, words):
    with pytest.raises(NotPositiveDefiniteError, match=words):
        cholesky(np.asfortranarray(matrix))
    assert issubclass(NotPositiveDefiniteError, np.linalg.LinAlgError)


def saddle(gram, noise):
    n = len(gram)
    matrix = np.ones((n + 1, n + 1))
    matrix[:n, :n] = gram + np.diag(noise)
    matrix[n, n] = 0
    return matrix


@pytest.fixture(params=SIZES)
def system(request):
    n = request.param
    random = np.random.default_rng(n)
    gram, noise, y = positive_definite(n), random.uniform(0.5, 2, n), random.normal(size=(n, 3))
    return gram, noise, np.asfortranarray(y)


@pytest.mark.parametrize("read", [(), ("diagonal",), ("inverse",), ("diagonal", "inverse")])
def test_what_is_applied_does_not_depend_on_what_was_read(system, read):
    gram, noise, y = system
    n = len(gram)
    expected = np.linalg.inv(saddle(gram, noise))[:n, :n]
    bordered = BorderedSystem(gram, noise)
    for name in read:
        getattr(bordered, name)
    np.testing.assert_allclose(bordered.apply(y), expected @ y, rtol=1e-9, atol=1e-11)
    tangents = np.random.default_rng(n).normal(size=(n, 2, 3))
    squares = sum(own.T @ expected @ own for own in tangents.transpose(1, 0, 2))
    found = bordered.sum_of_squares(tangents)
    np.testing.assert_allclose(found, squares, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(bordered.diagonal, np.diag(expected), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(bordered.inverse, expected, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("with_inverse", [False, True])
def test_bordered_solve(system, with_inverse):
    gram, noise, y = system
    n = len(gram)
    bordered = BorderedSystem(gram.copy(order="F"), noise)
    if with_inverse:
        assert bordered.inverse.shape == (n, n)
    coef, intercept = bordered.solve(y)
    expected = np.linalg.solve(saddle(gram, noise), np.vstack([y, np.zeros((1, 3))]))
    np.testing.assert_allclose(coef, expected[:n], rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(intercept, expected[n], rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(coef.sum(axis=0), 0, atol=1e-11)


def test_residual_operator(system):
    gram, noise, y = system
    n = len(gram)
    expected = np.linalg.inv(saddle(gram, noise))
    bordered = BorderedSystem(gram, noise)
    np.testing.assert_allclose(bordered.apply(y), expected[:n, :n] @ y, rtol=1e-9, atol=1e-11)
    weights = bordered.intercept_weights
    np.testing.assert_allclose(weights, expected[n, :n], rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(bordered.inverse, expected[:n, :n], rtol=1e-9, atol=1e-11)
    np.testing.assert_array_equal(bordered.inverse, bordered.inverse.T)
    np.testing.assert_allclose(bordered.diagonal, np.diag(expected)[:n], rtol=1e-9, atol=1e-11)
    # Applied after the inverse has overwritten the factor.
    np.testing.assert_allclose(bordered.apply(y), expected[:n, :n] @ y, rtol=1e-9, atol=1e-11)


def test_log_determinant_orthogonal_to_the_constant(system):
    gram, noise, _ = system
    n = len(gram)
    complement = np.linalg.svd(np.ones((1, n)))[2][1:]
    inside = complement @ (gram + np.diag(noise)) @ complement.T
    expected = np.linalg.slogdet(inside)[1] if n > 1 else 0.0
    assert BorderedSystem(gram, noise).log_determinant == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("constant", [-1.0, 1e3])
def test_a_constant_in_the_gram_matrix_moves_only_the_intercept(constant):
    gram, noise = positive_definite(30), np.full(30, 0.1)
    y = np.random.default_rng(3).normal(size=(30, 1))
    plain, moved = BorderedSystem(gram, noise), BorderedSystem(gram + constant, noise)
    np.testing.assert_allclose(moved.solve(y)[0], plain.solve(y)[0], rtol=1e-9)
    assert moved.log_determinant == pytest.approx(plain.log_determinant, rel=1e-10)
    np.testing.assert_allclose(moved.diagonal, plain.diagonal, rtol=1e-10)


def test_the_gram_matrix_is_not_changed():
    gram = positive_definite(20)
    before = gram.copy()
    BorderedSystem(gram, np.ones(20)).inverse  # noqa: B018
    np.testing.assert_array_equal(gram, before)


def test_a_singular_system_warns_of_its_jitter():
    ones = np.zeros((6, 2))
    ones[::2, 0] = ones[1::2, 1] = 1.0
    with pytest.warns(JitterWarning, match=r"[0-9.]+e-[0-9]+ was added to its diagonal"):
        system = BorderedSystem(ones @ ones.T, np.zeros(6))
    assert 0 < system.jitter <= 1e-7
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert BorderedSystem(ones @ ones.T, np.full(6, 1e-3)).jitter == 0


@pytest.mark.parametrize("n", SIZES)
def test_small_helpers(n):
    random = np.random.default_rng(4)
    symmetric = positive_definite(n)
    half = np.asfortranarray(np.tril(symmetric))
    np.testing.assert_array_equal(mirror_lower(half), symmetric)
    for weights in (random.uniform(0, 1, n), -random.uniform(0, 1, n), random.normal(size=n)):
        expected = symmetric @ np.diag(weights) @ symmetric
        found = np.tril(scaled_outer_square(symmetric, weights))
        np.testing.assert_allclose(found, np.tril(expected), rtol=1e-9, atol=1e-11)
    left, right = random.normal(size=(2, n, 2))
    expected = symmetric + (left @ right.T + right @ left.T) / 2
    found = add_symmetric_product(symmetric.copy(order="F"), left, right)
    np.testing.assert_allclose(np.tril(found), np.tril(expected), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(("n_rows", "n_columns"), [(1, 1), (7, 0), (1000, 1000), (3, 10**7)])
def test_row_blocks_cover_every_row_once(n_rows, n_columns):
    covered = np.concatenate([np.arange(n_rows)[block] for block in row_blocks(n_rows, n_columns)])
    np.testing.assert_array_equal(covered, np.arange(n_rows))
