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


def test_quantities_left_out_are_predicted_by_all_other_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 2))
    y = np.column_stack([np.sin(X[:, 0]), X[:, 1] + 0.2 * rng.normal(size=20)])
    bank, posterior = fitted(Quantities(y), X)
    found = left_out_outputs(bank, posterior, Quantities(y))
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
    found = left_out_outputs(bank, posterior, labels)[:, 0]
    prior, label = process(posterior, X, 0), signs[:, 0]
    inverse = np.linalg.inv(prior)
    expected = []
    for i in range(24):
        seen = np.where(np.arange(24) == i, 0.0, label)

        def loss(z, seen=seen):
            return 0.5 * z @ inverse @ z - log_ndtr(seen * z - 1)[seen != 0].sum()

        expected.append(minimize(loss, np.zeros(24), method="BFGS").x[i])
    expected = np.array(expected)
    # Laplace's approximation moves with the row; far less than the row's own pull does.
    inside = minimize(
        lambda z: 0.5 * z @ inverse @ z - log_ndtr(label * z - 1)[label != 0].sum(), np.zeros(24)
    ).x
    pull = np.abs(inside - expected)[label != 0].mean()
    assert np.abs(found - expected).max() < 0.25 * pull
    assert found[5] == pytest.approx(inside[5], abs=1e-4)  # nothing was known of this row
