"""Outputs of rows left out with the kernel weights kept, against leaving them out."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_ndtr

from kernelwise.kernels import Gaussian, Linear, OnColumns
from kernelwise.multikernel import GramBank
from kernelwise.multikernel.variational.ascent import ascend
from kernelwise.multikernel.variational.held_out import left_out_outputs
from kernelwise.multikernel.variational.likelihoods import Labels, Quantities
from kernelwise.multikernel.variational.posterior import Posterior
from kernelwise.multikernel.variational.priors import Priors
from kernelwise.multikernel.variational.sweep import Model

KERNELS = [Gaussian(1.0), Linear(), OnColumns(Gaussian(0.5), [1])]


def one_by_one(n):
    return [np.array([i]) for i in range(n)]


def fitted(likelihood, X):
    bank = GramBank(KERNELS, X)
    model = Model(bank, likelihood, Priors())
    state = ascend(model, model.start(), 60, 0.0).state
    return bank, Posterior.of(model, state)


def process(posterior, X, o):
    """The covariance of outputs at the kernel weights, written out."""
    combined = sum(e * kernel(X) for e, kernel in zip(posterior.weights, KERNELS, strict=True))
    of_rows = combined @ np.diag(1 / posterior.coef_precisions[:, o]) @ combined
    squares = np.sum(posterior.weights**2 + posterior.weight_variances)
    bias = posterior.bias[o] ** 2 + posterior.bias_variances[o]
    return of_rows + bias + squares / posterior.spread[o] * np.eye(len(X))


def most_probable(inverse, signs):
    """The outputs of least loss given these labels, 0 where there is none, by plain search."""

    def loss(z):
        return 0.5 * z @ inverse @ z - log_ndtr(signs * z - 1)[signs != 0].sum()

    return minimize(loss, np.zeros(len(signs)), method="BFGS").x


def test_quantities_left_out_are_predicted_by_all_other_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 2))
    y = np.column_stack([np.sin(X[:, 0]), X[:, 1] + 0.2 * rng.normal(size=20)])
    bank, posterior = fitted(Quantities(y), X)
    found = left_out_outputs(bank, posterior, Quantities(y), one_by_one(20))
    for o in range(2):
        prior = process(posterior, X, o)
        covariance = prior + np.eye(20) / posterior.noise[o]
        for i in range(20):
            rest = np.delete(np.arange(20), i)
            solved = np.linalg.solve(covariance[np.ix_(rest, rest)], y[rest, o])
            assert found[i, o] == pytest.approx(prior[i, rest] @ solved, abs=1e-9)


def test_labels_left_out_are_predicted_by_all_other_rows_nearly():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(24, 2))
    signs = np.where(X[:, :1] + 0.7 * rng.normal(size=(24, 1)) > 0, 1.0, -1.0)
    signs[5] = 0.0
    labels = Labels(signs, 1.0, np.array([[0.5, 0.5]]))
    bank, posterior = fitted(labels, X)
    found = left_out_outputs(bank, posterior, labels, one_by_one(24))[:, 0]
    prior, label = process(posterior, X, 0), signs[:, 0]
    inverse = np.linalg.inv(prior)
    expected = []
    for i in range(24):
        seen = np.where(np.arange(24) == i, 0.0, label)

        expected.append(most_probable(inverse, seen)[i])
    expected = np.array(expected)
    # Laplace's approximation moves with the row; far less than the row's own pull does.
    inside = most_probable(inverse, label)
    pull = np.abs(inside - expected)[label != 0].mean()
    assert np.abs(found - expected).max() < 0.25 * pull
    assert found[5] == pytest.approx(inside[5], abs=1e-4)  # nothing was known of this row


def test_groups_are_left_out_together():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(12, 2))
    y = np.sin(X[:, :1])
    bank, posterior = fitted(Quantities(y), X)
    groups = [np.array([0, 3, 7]), *one_by_one(12)[8:], np.array([1, 2]), np.array([4, 5, 6])]
    found = left_out_outputs(bank, posterior, Quantities(y), groups)
    prior = process(posterior, X, 0)
    covariance = prior + np.eye(12) / posterior.noise[0]
    rest = np.setdiff1d(np.arange(12), groups[0])
    expected = prior[np.ix_(groups[0], rest)] @ np.linalg.solve(
        covariance[np.ix_(rest, rest)], y[rest, 0]
    )
    np.testing.assert_allclose(found[groups[0], 0], expected, atol=1e-9)


def test_labels_of_a_group_are_left_out_together_nearly():
    """The copy of a row must not tell its label."""
    rng = np.random.default_rng(3)
    X = np.repeat(rng.normal(size=(12, 2)), 2, axis=0)
    signs = np.repeat(np.where(rng.uniform(size=(12, 1)) > 0.5, 1.0, -1.0), 2, axis=0)
    labels = Labels(signs, 1.0, np.array([[0.5, 0.5]]))
    bank, posterior = fitted(labels, X)
    pairs = [np.array([2 * i, 2 * i + 1]) for i in range(12)]
    alone = left_out_outputs(bank, posterior, labels, one_by_one(24))[::2, 0]
    together = left_out_outputs(bank, posterior, labels, pairs)[::2, 0]
    inverse = np.linalg.inv(process(posterior, X, 0))
    expected = [
        most_probable(inverse, np.where(np.isin(np.arange(24), S), 0, signs[:, 0]))[S[0]]
        for S in pairs
    ]
    assert np.median(np.abs(together - expected)) < 0.15 * np.median(np.abs(alone - expected))
