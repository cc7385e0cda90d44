"""Steps between the sweeps of expectation propagation: they change the way, not the end."""

from functools import partial

import numpy as np
import pytest

from kernelwise.kernels import Gaussian
from kernelwise.machines.posterior.nearby import Nearby
from kernelwise.machines.posterior.propagation import Steps, approach, propagate, sweep
from kernelwise.machines.posterior.sites import MOMENTS


def problem(loss, n=60, amplitude=1.0, C=1.0):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 3))
    labels = np.where(X[:, 0] + 0.5 * random.normal(size=n) > 0, 1.0, -1.0)
    return amplitude * (Gaussian(2.0)(X) + 0.1), labels, partial(MOMENTS[loss], C=np.full(n, C))


def some_sites(n, weakest=1e-2):
    random = np.random.default_rng(1)
    return np.exp(random.uniform(np.log(weakest), 1, n)), random.normal(size=n)


@pytest.mark.parametrize("weakest", [1e-1, 1e-12], ids=["usual", "some say nothing"])
def test_a_sweep_has_the_moments_of_the_normal_posterior(weakest):
    gram, labels, moments = problem("hinge")
    precisions, shifts = some_sites(len(gram), weakest)
    here = sweep(gram, labels, moments, precisions, shifts)
    root = np.sqrt(precisions)
    B = np.eye(len(gram)) + gram * np.outer(root, root)
    np.testing.assert_allclose(here.log_determinant, np.linalg.slogdet(B)[1], rtol=1e-12)
    covariance = gram - gram @ (np.outer(root, root) * np.linalg.inv(B)) @ gram
    np.testing.assert_allclose(here.variances, np.diagonal(covariance), rtol=1e-9)
    np.testing.assert_allclose(here.means, covariance @ shifts, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(here.inverse, np.linalg.inv(B), atol=1e-12)


def test_near_a_sweep_variances_are_of_first_order_and_means_exact():
    gram, labels, moments = problem("squared_hinge")
    n = len(gram)
    precisions, shifts = some_sites(n)
    here = sweep(gram, labels, moments, precisions, shifts)
    turn = np.random.default_rng(2).uniform(-1, 1, (2, n))
    apart = []
    for size in (1e-2, 1e-3):
        sites = precisions * (1 + size * turn[0]), shifts + size * turn[1]
        there, model = (
            sweep(gram, labels, moments, *sites),
            Nearby(here, np.empty((n, n), order="F")),
        )
        for _ in range(20):
            found = model.at(*sites, moments)
        np.testing.assert_allclose(found.means, there.means, atol=1e-12)
        apart.append(np.abs(found.variances - there.variances).max())
    assert apart[1] < 0.02 * apart[0]  # of the second order in the size


@pytest.mark.parametrize("loss", MOMENTS)
@pytest.mark.parametrize(("amplitude", "C"), [(1.0, 1.0), (20.0, 2.0), (400.0, 5.0)])
def test_models_near_a_sweep_save_sweeps_and_change_nothing(loss, amplitude, C):
    gram, labels, moments = problem(loss, amplitude=amplitude, C=C)
    prior = np.diagonal(gram)
    start = np.ones(len(gram)), np.zeros(len(gram))
    counts = []
    for tolerance in (1e-6, 1e-10):  # the second is beyond rounding, which decides when it ends
        steps = Steps(prior, moments, tolerance, predicting=False)
        plain, slow = approach(gram, labels, start, steps)
        found, quick = propagate(gram, labels, moments, tolerance, start)
        counts.append((quick, slow))
    assert counts[0][0] < counts[0][1]
    np.testing.assert_allclose(found.evidence, plain.evidence, rtol=1e-10)
    np.testing.assert_allclose(found.means, plain.means, atol=1e-8)
    np.testing.assert_allclose(found.variances, plain.variances, rtol=1e-8)
    np.testing.assert_allclose(found.gram_gradient(1.0), plain.gram_gradient(1.0), atol=1e-9)
