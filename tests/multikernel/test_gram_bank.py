"""A bank of Gram matrices against the matrices themselves."""

import numpy as np
import pytest

from kernelwise.kernels import Gaussian, Laplacian, Linear, OnColumns, Polynomial
from kernelwise.multikernel import GramBank

KERNELS = [
    Gaussian(0.3),
    OnColumns(Gaussian(2.0), [0]),
    Linear(),
    Laplacian(1.0),
    OnColumns(Gaussian(8.0), [1]),
    OnColumns(Polynomial(2, 1.0), [2]),
]
WEIGHTS = np.array([0.5, 0.0, 2.0, 0.0, 3.0, 1.5])


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    X = random.normal(size=(50, 3))
    return X, random.normal(size=(50, 2)), np.array([kernel(X) for kernel in KERNELS])


@pytest.fixture(params=[True, False], ids=["low-rank", "dense"])
def bank(request, table):
    return GramBank(KERNELS, table[0], low_rank=request.param)


def test_every_product_is_that_of_the_matrices(bank, table):
    _, coef, grams = table
    values = np.random.default_rng(1).normal(size=(2, len(KERNELS), 50))
    expected = {
        "apply": np.einsum("mij,jo->omi", grams, coef),
        "combine": np.einsum("mij,omj->io", grams, values),
        "quadratic": np.einsum("io,mij,jo->m", coef, grams, coef),
        "weighted": np.tensordot(WEIGHTS, grams, axes=1),
        "squares": (grams @ grams).sum(axis=0),
        "diagonals": np.einsum("mii->mi", grams),
    }
    found = {
        "apply": bank.apply(coef),
        "combine": bank.combine(values),
        "quadratic": bank.quadratic(coef),
        "weighted": bank.weighted(WEIGHTS),
        "squares": bank.squares(),
        "diagonals": bank.diagonals(),
    }
    for name, value in expected.items():
        size = np.abs(value).max()
        np.testing.assert_allclose(found[name], value, rtol=0, atol=1e-12 * size, err_msg=name)


def test_kernels_of_low_rank_are_held_as_factors(table):
    bank = GramBank(KERNELS, table[0])
    assert sorted(bank.dense) == [0, 3]
    assert bank.ranks[2] == 3 and (bank.ranks[[0, 3]] == 50).all()
    assert bank.nbytes < GramBank(KERNELS, table[0], low_rank=False).nbytes


def test_weights_of_zero_give_a_zero_matrix(bank):
    assert not bank.weighted(np.zeros(len(KERNELS))).any()


def test_a_bank_of_some_rows(bank, table):
    X, coef, _ = table
    rows = np.array([3, 7, 8, 20, 41])
    expected = [coef[rows, 0] @ kernel(X[rows]) @ coef[rows, 0] for kernel in KERNELS]
    part = bank.take(rows)
    np.testing.assert_allclose(part.quadratic(coef[rows, :1]), expected, rtol=1e-10)
    assert part.n_rows == 5 and bank.n_rows == 50
