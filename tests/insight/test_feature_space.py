"""Coordinates against the Gram matrix they come from, and against numpy's eigenvalues."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.linalg import ArpackNoConvergence
from sklearn.metrics.pairwise import rbf_kernel

import kernelwise.insight.feature_space as feature_space
from kernelwise import KernelAligner
from kernelwise.insight.feature_space import empirical_feature_space
from kernelwise.kernels import Constant, Gaussian, Laplacian, Linear, Polynomial

KERNELS = [Gaussian([0.5, 1.0, 2.0]), Laplacian(1.5), Polynomial(2), Linear(), rbf_kernel]


def name_of(kernel):
    return getattr(kernel, "__name__", type(kernel).__name__)


def draw(seed, n=30):
    return np.random.default_rng(seed).normal(size=(n, 3))


@pytest.mark.parametrize("kernel", KERNELS, ids=name_of)
def test_all_components_reproduce_the_gram_matrix(kernel):
    X = draw(0)
    space = empirical_feature_space(kernel, X, n_components=len(X))
    gram = kernel(X, X)
    assert space.coordinates.shape == (30, 30)
    np.testing.assert_allclose(
        space.coordinates @ space.coordinates.T, gram, rtol=0, atol=1e-10 * np.abs(gram).max()
    )
    assert space.share == pytest.approx(1, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 30), st.sampled_from(KERNELS))
def test_eigenvalues_share_and_inner_products(seed, count, kernel):
    X = draw(seed)
    gram = kernel(X, X)
    expected = np.linalg.eigvalsh(gram)[::-1]
    space = empirical_feature_space(kernel, X, count)
    size = expected[0]
    np.testing.assert_allclose(space.eigenvalues, expected[:count], rtol=0, atol=1e-12 * size)
    assert space.share == pytest.approx(expected[:count].sum() / expected.sum(), abs=1e-12)
    # Uncorrelated columns, each as long as its eigenvalue says, ...
    products = space.coordinates.T @ space.coordinates
    np.testing.assert_allclose(products, np.diag(space.eigenvalues), rtol=0, atol=1e-12 * size)
    # ... and what they leave of the Gram matrix is what the other eigenvalues hold.
    left = np.linalg.norm(gram - space.coordinates @ space.coordinates.T)
    assert left == pytest.approx(np.linalg.norm(expected[count:]), abs=1e-12 * 30 * size)


@pytest.mark.parametrize("kernel", KERNELS, ids=name_of)
def test_the_rows_themselves_project_to_their_coordinates(kernel):
    X = draw(1)
    space = empirical_feature_space(kernel, X, 3)
    np.testing.assert_allclose(space.project(X), space.coordinates, rtol=0, atol=1e-10)
    np.testing.assert_allclose(space.project(X[4:6].tolist()), space.coordinates[4:6], atol=1e-10)


def test_new_rows_have_the_inner_products_that_the_kernel_says():
    """A linear kernel of three columns has three dimensions: nothing is lost by projecting."""
    X, new = draw(2), draw(3, n=7)
    space = empirical_feature_space(Linear(), X, 3)
    found = space.project(new)
    np.testing.assert_allclose(found @ space.coordinates.T, Linear()(new, X), atol=1e-10)
    np.testing.assert_allclose(found @ found.T, Linear()(new, new), atol=1e-10)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_the_order_of_rows_is_that_of_the_coordinates(seed):
    X, order = draw(seed), np.random.default_rng(seed).permutation(30)
    kernel = Gaussian(2.0)
    space, shuffled = (empirical_feature_space(kernel, rows, 2) for rows in (X, X[order]))
    gaps = -np.diff(np.linalg.eigvalsh(kernel(X))[::-1][:3])
    np.testing.assert_allclose(
        shuffled.coordinates, space.coordinates[order], rtol=0, atol=1e-12 / gaps.min() + 1e-12
    )
    assert shuffled.share == pytest.approx(space.share, abs=1e-13)


def test_the_largest_entry_of_every_direction_is_positive():
    coordinates = empirical_feature_space(Gaussian(1.0), draw(4), 20).coordinates
    assert (coordinates.max(axis=0) == np.abs(coordinates).max(axis=0)).all()


def test_repeated_rows_are_at_one_place_and_add_no_dimension():
    X = draw(5, n=6)
    space = empirical_feature_space(Gaussian(1.0), np.vstack([X, X, X]), 10)
    for copy in np.split(space.coordinates, 3)[1:]:
        np.testing.assert_allclose(copy, space.coordinates[:6], rtol=0, atol=1e-7)
    assert (space.eigenvalues[6:] == 0).all() and not space.coordinates[:, 6:].any()
    assert space.share == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 20, 1100])
def test_a_constant_kernel_has_one_dimension(n):
    space = empirical_feature_space(Constant(4.0), draw(6, n), min(n, 2))
    assert space.eigenvalues[0] == pytest.approx(4 * n)
    np.testing.assert_allclose(space.coordinates[:, 0], 2.0)
    assert not space.coordinates[:, 1:].any() and not space.eigenvalues[1:].any()
    assert space.share == pytest.approx(1)
    np.testing.assert_allclose(space.project(draw(7, 3))[:, 0], 2.0)


@pytest.mark.parametrize("kernel", [Gaussian(0.01), Gaussian(0.5), Gaussian(3.0), Linear()])
def test_many_rows_by_iterations_are_as_by_the_dense_reduction(kernel, monkeypatch):
    X = draw(8, n=1100)
    quick, again = (empirical_feature_space(kernel, X, 2) for _ in range(2))
    monkeypatch.setattr(feature_space, "MANY_ROWS", len(X))
    dense = empirical_feature_space(kernel, X, 2)
    assert (quick.coordinates == again.coordinates).all()
    np.testing.assert_allclose(quick.eigenvalues, dense.eigenvalues, rtol=1e-12)
    for space in (quick, dense):
        vectors = space.coordinates / np.sqrt(space.eigenvalues)
        left = kernel(X, X) @ vectors - vectors * space.eigenvalues
        assert np.abs(left).max() < 1e-11 * space.eigenvalues[0]


def test_iterations_that_do_not_converge_are_replaced(monkeypatch):
    X = draw(9, n=1100)
    expected = empirical_feature_space(Gaussian(1.0), X, 2)

    def gives_up(*args, **options):
        raise ArpackNoConvergence("no convergence", np.empty(0), np.empty((1100, 0)))

    monkeypatch.setattr(feature_space, "eigsh", gives_up)
    found = empirical_feature_space(Gaussian(1.0), X, 2)
    np.testing.assert_allclose(found.coordinates, expected.coordinates, atol=1e-9)


def test_the_kernel_of_an_aligner_takes_the_rows_of_a_table():
    pandas = pytest.importorskip("pandas")
    X = draw(13)
    frame = pandas.DataFrame({"length": X[:, 0], "kind": np.where(X[:, 1] > 0, "a", "b")})
    aligner = KernelAligner().fit(frame, X[:, 0] + X[:, 1] > 0)
    space = empirical_feature_space(aligner.kernel_, frame, 30)
    gram = space.coordinates @ space.coordinates.T
    np.testing.assert_allclose(gram, aligner.kernel_(frame), rtol=0, atol=1e-10)
    np.testing.assert_allclose(space.project(frame[3:5])[:, :2], space.coordinates[3:5, :2])


def test_the_kernels_own_matrix_is_left_alone_and_the_record_too():
    gram = Gaussian(1.0)(draw(10))
    before = gram.copy()
    space = empirical_feature_space(lambda A, B: gram, draw(10), 2)
    assert (gram == before).all()
    with pytest.raises(FrozenInstanceError):
        space.share = 0.5


@pytest.mark.parametrize(
    ("kernel", "count", "message"),
    [
        (Gaussian(1.0), 0, "n_components must be a whole number from 1 to .* 30; got 0"),
        (Gaussian(1.0), 31, "got 31"),
        (Gaussian(1.0), 1.5, "got 1.5"),
        (lambda A, B: A @ np.triu(np.ones((3, 3))) @ B.T, 2, "is not symmetric"),
        (lambda A, B: A @ B.T / 0 * 0, 2, "missing or infinite"),
        (lambda A, B: A @ B[:5].T, 2, r"square Gram matrix of the 30 rows .* \(30, 5\)"),
        (lambda A, B: np.ones(30), 2, r"its shape is \(30,\)"),
        (lambda A, B: np.zeros((30, 30)), 2, "zero or not positive semi-definite"),
        (lambda A, B: -np.eye(30), 2, "zero or not positive semi-definite"),
        (lambda A, B: A @ np.diag([1, 1, -1]) @ B.T, 2, "zero or not positive semi-definite"),
        (lambda A, B: np.eye(30) - 0.5 * (len(A) > 1), 30, "zero or not positive semi-definite"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_what_is_no_gram_matrix_is_refused(kernel, count, message):
    with pytest.raises(ValueError, match=message):
        empirical_feature_space(kernel, draw(11), count)


def test_missing_values_in_the_rows_are_said():
    X = draw(12)
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="fill in missing values of X"):
        empirical_feature_space(Gaussian(1.0), X)


@pytest.mark.parametrize("kernel", ["gaussian", np.eye(3)], ids=["name", "matrix"])
def test_a_kernel_is_a_function(kernel):
    with pytest.raises(ValueError, match="must be a function of two tables"):
        empirical_feature_space(kernel, np.ones((3, 1)))
