"""Low-rank factors against whole Gram matrices."""

import numpy as np
import pytest

from kernelwise.kernels import Constant, Gaussian, Kernel, Laplacian, Linear, OnColumns, Polynomial
from kernelwise.multikernel import factors
from kernelwise.multikernel.factors import low_rank_factor, spread_candidates

LOW_RANK = [
    OnColumns(Gaussian(2.0), [0]),
    OnColumns(Gaussian(64.0), [1]),
    Linear(),
    Polynomial(3, 1.0),
    1e6 * OnColumns(Gaussian(1.0), [2]),
    Constant(2.0),
]


def draw(n=80, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.fixture(params=["whole", "lazy"])
def way(request, monkeypatch):
    """Both ways to a factor, whatever the number of rows."""
    monkeypatch.setattr(factors, "WHOLE_ROWS", 300 if request.param == "whole" else 0)
    return request.param


@pytest.mark.parametrize("kernel", LOW_RANK, ids=repr)
def test_a_factor_gives_the_gram_matrix(way, kernel):
    X = draw()
    gram = kernel(X)
    factor = low_rank_factor(kernel, X, most=40)
    assert len(factor) < 40
    np.testing.assert_allclose(factor.T @ factor, gram, rtol=0, atol=1e-12 * gram.max())


def test_the_rank_is_no_larger_than_it_must_be(way):
    X = draw(n=60)
    assert len(low_rank_factor(Linear(), X, most=30)) == 3
    assert len(low_rank_factor(Constant(1.0), X, most=30)) == 1
    kernel = OnColumns(Gaussian(1.0), [0])
    values = np.linalg.eigvalsh(kernel(X))
    assert len(low_rank_factor(kernel, X, most=30)) <= (values > 1e-14).sum()


def test_a_kernel_of_full_rank_has_no_factor(way):
    assert low_rank_factor(Laplacian(0.1), draw(), most=40) is None


def test_repeated_rows_do_not_raise_the_rank(way):
    X = np.repeat(draw(n=5), 20, axis=0)
    factor = low_rank_factor(Laplacian(1.0), X, most=50)
    assert len(factor) == 5
    np.testing.assert_allclose(factor.T @ factor, Laplacian(1.0)(X), atol=1e-12)


def test_a_kernel_that_is_zero_has_an_empty_factor(way):
    assert low_rank_factor(Linear(), np.zeros((30, 2)), most=10).shape == (0, 30)


class CountedRows(Kernel):
    """A Gaussian kernel of the first column that counts the rows it computes."""

    def __init__(self):
        self.rows, self.inner = 0, OnColumns(Gaussian(3.0), [0])

    def evaluate(self, A, B=None, up_to_constant=False):
        self.rows += len(A)
        return self.inner.evaluate(A, B)

    def diagonal(self, A):
        return self.inner.diagonal(A)


def test_many_rows_never_need_their_gram_matrix():
    kernel, X = CountedRows(), draw(n=1000)
    factor = low_rank_factor(kernel, X, most=500)
    assert kernel.rows < 10 * len(factor) < 300


def test_candidates_are_open_rows_with_the_one_of_most_left():
    left = np.array([0.0, 1.0, 0.0, 5.0, 0.5, 1e-20])
    chosen = spread_candidates(left, 1e-13)
    assert 3 in chosen and set(chosen) <= {1, 3, 4}
