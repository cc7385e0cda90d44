"""Variational sweeps against a plain dense model, sampling, and each other."""

import numpy as np
import pytest
from dense_bemkl import DenseModel

from kernelwise.kernels import Gaussian, Linear, OnColumns, Polynomial
from kernelwise.multikernel import GramBank, KernelBank
from kernelwise.multikernel.variational.ascent import FIRST_SWEEPS, ascend, beyond
from kernelwise.multikernel.variational.likelihoods import Labels, Quantities, hazard
from kernelwise.multikernel.variational.posterior import Posterior, label_log_odds
from kernelwise.multikernel.variational.priors import SPARSE, Priors
from kernelwise.multikernel.variational.sweep import Model

KERNELS = [
    *(Gaussian(width) for width in (0.5, 1.0, 4.0)),
    Linear(),
    OnColumns(Gaussian(1.0), [0]),
    OnColumns(Gaussian(1.0), [1]),
    OnColumns(Polynomial(2, 1.0), [2]),
]
N = 22
HALF = np.array([[0.5, 0.5]])


def drawn_rows(seed=0, n=N):
    return np.random.default_rng(seed).normal(size=(n, 3))


def classes_of(X, seed=1):
    return np.digitize(X[:, 0] + 0.3 * np.random.default_rng(seed).normal(size=len(X)), [-0.5, 0.5])


def case(name, weights=None, spread=1.0):
    """A model of ours and the dense one, of the same data."""
    X = drawn_rows()
    grams = np.stack([kernel(X) for kernel in KERNELS])
    priors = Priors() if weights is None else Priors(weights=weights)
    three = np.eye(3)[classes_of(X)]
    if name in ("one", "several"):
        y = np.column_stack([X[:, 0] ** 2 - 1, X[:, 1] + 0.1 * np.sin(9 * X[:, 2])])
        y = y if name == "several" else y[:, :1]
        likelihood, dense = Quantities(y), DenseModel(grams, priors, y=y)
    else:
        signs = 2.0 * (three if name != "two" else three[:, :1]) - 1
        signs[::3] *= name != "unlabeled"
        shares = np.column_stack([1 - three.mean(0), three.mean(0)])[: signs.shape[1]]
        likelihood = Labels(signs, 1.0, shares)
        dense = DenseModel(grams, priors, signs, 1.0, shares, spread=spread)
    return Model(GramBank(KERNELS, X), likelihood, priors, spread), dense


CASES = ("two", "three", "unlabeled", "one", "several")


@pytest.mark.parametrize("weights", [None, SPARSE], ids=["dense", "sparse"])
@pytest.mark.parametrize(
    ("name", "spread"), [*((name, 1.0) for name in CASES), ("two", 100.0), ("unlabeled", 100.0)]
)
def test_sweeps_are_those_of_the_dense_model(name, weights, spread):
    model, dense = case(name, weights, spread)
    state = model.start()
    for _ in range(25):
        state = model.sweep(state)
        dense.sweep()
    assert state.bound == pytest.approx(dense.bound(), rel=1e-9)
    np.testing.assert_allclose(state.weights, dense.e, rtol=0, atol=1e-9)
    np.testing.assert_allclose(state.coef, dense.a, rtol=0, atol=1e-8)
    np.testing.assert_allclose(state.bias, dense.b, rtol=0, atol=1e-9)
    np.testing.assert_allclose(state.weight_variances, np.diag(dense.cov_be)[dense.L :], rtol=1e-7)
    np.testing.assert_allclose(state.crossing, dense.cov_be[dense.L :, : dense.L], atol=1e-9)
    np.testing.assert_allclose(state.noise, dense.noise, rtol=1e-8)


@pytest.mark.parametrize("weights", [None, SPARSE], ids=["dense", "sparse"])
@pytest.mark.parametrize("name", CASES)
def test_the_bound_rises_after_every_factor(name, weights):
    _, dense = case(name, weights)
    dense.sweep()  # the first outputs are no posterior of anything
    watched = [dense.bound()]
    for _ in range(6):
        dense.sweep(watched)
    assert np.diff(watched).min() >= -1e-9 * abs(watched[-1])
    assert watched[-1] > watched[0] + 1


def test_the_bound_is_the_mean_of_samples():
    X = drawn_rows(5, 6)
    grams = np.stack([kernel(X) for kernel in KERNELS[:3]])
    signs = np.where(X[:, :1] > 0, 1.0, -1.0)
    dense = DenseModel(grams, Priors(), signs, 1.0, HALF)
    for _ in range(5):
        dense.sweep()
    mean, error = dense.sampled_bound(1500, seed=0)
    assert error < 0.3
    assert abs(mean - dense.bound()) < 4 * error


def small_problem(weights=None, n=40, seed=3):
    X = np.random.default_rng(seed).normal(size=(n, 1))
    signs = np.where(np.sin(2 * X) + 0.3 * np.cos(9 * X) > 0, 1.0, -1.0)
    kernels = [member.kernel for member in KernelBank.widths_and_degrees().members(1)]
    priors = Priors() if weights is None else Priors(weights=weights)
    return kernels, X, Labels(signs, 1.0, HALF), priors


@pytest.mark.parametrize("weights", [None, SPARSE], ids=["dense", "sparse"])
def test_low_rank_factors_and_whole_gram_matrices_have_the_same_bound(weights):
    kernels, X, labels, priors = small_problem(weights)
    factors, whole = GramBank(kernels, X), GramBank(kernels, X, low_rank=False)
    assert len(factors.dense) < len(kernels) == len(whole.dense)
    bounds = [
        ascend(model, model.start(), 60, 0.0).bounds
        for model in (Model(bank, labels, priors) for bank in (factors, whole))
    ]
    np.testing.assert_allclose(*bounds, rtol=1e-8)


def test_momentum_ends_where_many_plain_sweeps_do():
    kernels, X, labels, priors = small_problem()
    assert len(X) == 40 and len(kernels) == 13
    model = Model(GramBank(kernels, X), labels, priors)
    plain = ascend(model, model.start(), 5000, 0.0, momentum=False)
    quick = ascend(model, model.start(), 500, 1e-9)
    assert quick.state.bound == pytest.approx(plain.state.bound, rel=1e-6)
    assert quick.n_sweeps < 500 and len(plain.bounds) == 5000
    # From the arbitrary start, no step is repeated.
    first = slice(FIRST_SWEEPS)
    np.testing.assert_array_equal(quick.bounds[first], plain.bounds[first])
    assert FIRST_SWEEPS >= 5 and quick.bounds[FIRST_SWEEPS + 5] > plain.bounds[FIRST_SWEEPS + 5]
    # What 500 plain sweeps reach takes a quarter of them.
    assert np.searchsorted(quick.bounds, plain.bounds[499]) < 125


def test_momentum_does_not_lose_to_plain_sweeps_with_a_sparse_prior():
    kernels, X, labels, priors = small_problem(SPARSE, seed=0)
    model = Model(GramBank(kernels, X), labels, priors)
    plain = ascend(model, model.start(), 2000, 0.0, momentum=False)
    quick = ascend(model, model.start(), 1000, 1e-9)
    assert quick.state.bound > plain.state.bound - 1e-4 * abs(plain.state.bound)


@pytest.mark.parametrize("name", CASES)
def test_the_bound_never_falls_with_momentum(name):
    model, _ = case(name, SPARSE)
    ascent = ascend(model, model.start(), 150, 0.0)
    assert ascent.n_sweeps == 150 and not ascent.converged
    assert np.diff(ascent.bounds).min() >= -1e-9 * abs(ascent.bounds[-1])


def test_a_step_is_repeated_in_part():
    model, _ = case("two")
    before = model.sweep(model.start())
    state = model.sweep(before)
    moved = beyond(state, before, 0.5)
    expected = 1.5 * state.weights - 0.5 * before.weights
    np.testing.assert_allclose(moved.weights, expected, rtol=1e-12)
    ratio = state.coef_variances / before.coef_variances
    np.testing.assert_allclose(moved.coef_variances, state.coef_variances * ratio**0.5, rtol=1e-12)
    assert moved.precision is state.precision


def test_hazards_of_far_outputs_are_finite_and_right():
    t = np.array([-40.0, -8.5, 0.0, 9.0, 60.0])
    found = hazard(t)
    assert found[0] == pytest.approx(40 + 1 / 40, rel=1e-4)  # Mills' ratio
    assert found[2] == pytest.approx(np.sqrt(2 / np.pi), rel=1e-14)
    assert 0 <= found[4] < 1e-300 and np.isfinite(found).all()


def test_unlabeled_outputs_lean_to_their_nearer_side_and_keep_the_shares():
    means = np.array([[0.4], [0.0], [-0.4]])
    labels = Labels(np.zeros((3, 1)), 1.0, HALF)
    outputs, part = labels.outputs(means)
    assert outputs[0, 0] > 0.4 and outputs[1, 0] == pytest.approx(0, abs=1e-12)
    assert outputs[2, 0] == pytest.approx(-outputs[0, 0])
    assert part < 0
    # All means on one side: without the shares all outputs would be there too.
    shifted = labels.outputs(means + 2)[0]
    assert shifted.min() < 0 < shifted.max()


@pytest.mark.parametrize("name", ["two", "three", "several"])
def test_variances_of_new_outputs_are_those_of_samples(name):
    model, _ = case(name)
    state = ascend(model, model.start(), 40, 0.0).state
    posterior = Posterior.of(model, state)
    X, new = drawn_rows(), drawn_rows(9, 2)
    means, variances = posterior.means_and_variances(KERNELS, new, X)
    np.testing.assert_allclose(means, posterior.means(KERNELS, new, X), rtol=1e-10)
    rng, draws, P = np.random.default_rng(0), 40_000, len(KERNELS)
    lower = np.tril(posterior.precision)
    cov_e = np.linalg.inv(lower + np.tril(lower, -1).T)
    for o, spread in enumerate(posterior.spread):
        cross = posterior.crossing[:, [o]]
        joint = np.block([[cov_e, cross], [cross.T, posterior.bias_variances[[o]][:, None]]])
        center = np.append(posterior.weights, posterior.bias[o])
        weights = rng.multivariate_normal(center, joint, draws)
        precision = np.diag(posterior.coef_precisions[:, o]) + spread * posterior.squares
        coef = rng.multivariate_normal(posterior.coef[:, o], np.linalg.inv(precision), draws)
        for i, row in enumerate(new):
            values = np.stack([kernel(row[None], X)[0] for kernel in KERNELS])
            inner = coef @ values.T + rng.normal(size=(draws, P)) / np.sqrt(spread)
            outputs = np.sum(inner * weights[:, :-1], axis=1) + weights[:, -1]
            assert variances[i, o] == pytest.approx(outputs.var(), rel=0.05)
            assert means[i, o] == pytest.approx(outputs.mean(), abs=5 * outputs.std() / 200)


def test_log_odds_of_labels_divide_by_the_standard_deviation():
    # P(f > 1) and P(f < -1) of f ~ N(0.5, 4): 0.40129 and 0.22663.
    odds = label_log_odds(np.array([[0.5]]), np.array([[3.0]]), 1.0)
    assert odds[0, 0] == pytest.approx(np.log(0.4012937 / 0.2266274), rel=1e-6)


def test_shares_are_those_of_the_variance_of_the_outputs():
    model, dense = case("three")
    state = ascend(model, model.start(), 30, 0.0, momentum=False).state
    for _ in range(30):
        dense.sweep()
    parts = dense.e[:, None] * dense.G
    expected = parts.var(axis=2).sum(axis=0)
    np.testing.assert_allclose(
        Posterior.of(model, state).shares, expected / expected.sum(), atol=1e-8
    )
