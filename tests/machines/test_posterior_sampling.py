"""Sampled posteriors: against quadrature, from any center, and how well chains have mixed."""

from dataclasses import replace

import numpy as np
import pytest
from posterior_problems import every_loss, exact, few_rows, rows

from kernelwise.criteria import PosteriorEvidence
from kernelwise.data import Catalogue
from kernelwise.kernels import Gaussian
from kernelwise.machines import PosteriorSupportVector, SampledPosterior
from kernelwise.machines.posterior.chains import effective_sample_size, mixing, split_r_hat
from kernelwise.machines.posterior.sampling import Sampler
from kernelwise.solutions import PosteriorGradient, Sampling, Targets

ERRORS = 4.0


def assert_sampled(draws, expected, C):
    """Averages within so many standard errors of the exact posterior's."""
    size = draws.report.effective_sample
    assert size > 3000 and draws.report.r_hat < 1.02
    deviations = np.sqrt(expected.variances / size)
    assert (abs(draws.means - expected.means) < ERRORS * deviations).all()
    spread = expected.variances * np.sqrt(2 / size)
    assert (abs(draws.variances - expected.variances) < ERRORS * spread).all()
    groups = -0.25 * (draws.cross + draws.cross.transpose(0, 2, 1))
    errors = groups.std(axis=0, ddof=1) / np.sqrt(len(groups))
    apart = abs(groups.mean(axis=0) - expected.gram_gradient)
    # Errors of eight groups are themselves uncertain, so none counts as less than half the largest.
    assert (apart < ERRORS * np.maximum(errors, 0.5 * errors.max())).all()
    error = draws.losses.std(ddof=1) / np.sqrt(len(draws.losses)) / C
    assert abs(draws.losses.mean() / C + expected.C_gradient) < ERRORS * error + 1e-9


def sampler(gram, labels, C, loss, around_C, seed=0, around_labels=None, chains=128, weights=None):
    """A sampler around the posterior of another C, or of other labels."""
    weights = np.ones(len(labels)) if weights is None else weights
    machine = PosteriorSupportVector(around_C, loss)
    targets = Targets.plain(labels if around_labels is None else around_labels, weights)
    _, (around,) = machine.solve_all(gram, targets)
    random = np.random.default_rng(seed)
    return Sampler(gram, labels, C * weights, loss, around, chains, random)


@every_loss
@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("C", [1.0, 3.0])
def test_few_rows(loss, n, C):
    gram, y = few_rows(n)
    draws = sampler(gram, y, C, loss, C).run(150)
    assert_sampled(draws, exact(gram, y, C, loss), C)
    np.testing.assert_allclose(gram @ draws.coef, draws.means, atol=0.05)


@every_loss
@pytest.mark.parametrize(("around_C", "sign"), [(0.3, 1), (6.0, 1), (1.0, -1)])
def test_a_poor_center_samples_the_same_posterior(loss, around_C, sign):
    """Even that of the opposite labels: the normal only guides, the target is exact."""
    gram, y = few_rows(2)
    draws = sampler(gram, y, 2.0, loss, around_C, around_labels=sign * y).run(250)
    assert_sampled(draws, exact(gram, y, 2.0, loss), 2.0)


@every_loss
@pytest.mark.parametrize("around_C", [1e-9, 0.5])
def test_rows_without_weight_leave_the_prior(loss, around_C):
    gram, targets = rows(12, 1)
    draws = sampler(gram, targets.values[:, 0], 1e-9, loss, around_C).run(100)
    size, prior = draws.report.effective_sample, np.diagonal(gram)
    assert size > 500
    assert (abs(draws.means) < ERRORS * np.sqrt(prior / size)).all()
    assert (abs(draws.variances - prior) < ERRORS * prior * np.sqrt(2 / size)).all()
    if around_C < 1e-6:
        assert draws.report.acceptance > 0.9999


@every_loss
def test_weights_count(loss):
    gram, y = few_rows(2)
    weights = np.array([3.0, 0.5])
    draws = sampler(gram, y, 1.0, loss, 1.0, weights=weights).run(150)
    assert_sampled(draws, exact(gram, y, 1.0, loss, weights), 1.0)


@every_loss
def test_the_machine_gives_the_gradient_of_the_evidence(loss):
    """Two outputs and weights, with the signs and factors that `PosteriorGradient` asks for."""
    gram, y = few_rows(3)
    weights = np.array([1.5, 0.4, 1.0])
    targets = Targets.plain(np.column_stack([y, [1.0, 1.0, -1.0]]), weights)
    found = SampledPosterior(2.0, loss, 128, 150).solve([gram], targets)
    shares = np.array([0.7, -1.5])
    (in_gram,), in_C = found.pullback(PosteriorGradient(shares, C=0.3))
    each = [exact(gram, labels, 2.0, loss, weights) for labels in targets.values.T]
    expected = sum(s * one.gram_gradient for s, one in zip(shares, each, strict=True))
    np.testing.assert_allclose(in_gram, expected, atol=0.03 * abs(expected).max())
    in_C_expected = sum(s * one.C_gradient for s, one in zip(shares, each, strict=True)) + 0.3
    np.testing.assert_allclose(in_C, in_C_expected, atol=0.03)
    np.testing.assert_allclose(found.outputs[:, 1], each[1].means, atol=0.05)
    assert found.evidence is None and PosteriorEvidence()(found)[0] is None
    assert len(found.reports) == 2 and len(found.groups) == 8
    parts = [group.pullback(PosteriorGradient(shares))[0][0] for group in found.groups]
    np.testing.assert_allclose(np.mean(parts, axis=0), in_gram, atol=1e-12)
    assert np.std(parts, axis=0).max() > 0
    (by_propagation,), _ = found.propagated.pullback(PosteriorGradient(shares))
    np.testing.assert_allclose(by_propagation, in_gram, atol=0.1 * abs(expected).max())


def test_a_seed_decides_every_bit():
    gram, targets = rows(10, 2)
    one, same, other = (
        SampledPosterior(1.0, "hinge", 16, 8, seed).solve([gram], targets) for seed in (0, 0, 1)
    )
    for name in ("coef", "outputs", "variances"):
        np.testing.assert_array_equal(getattr(one, name), getattr(same, name))
        assert (getattr(one, name) != getattr(other, name)).all()
    gradients = [
        found.pullback(PosteriorGradient(np.ones(1)))[0][0] for found in (one, same, other)
    ]
    np.testing.assert_array_equal(gradients[0], gradients[1])
    assert not np.array_equal(gradients[0], gradients[2])


def test_a_singular_prior_is_sampled():
    """Repeated rows: draws exist with a little jitter, and copies agree."""
    gram, targets = rows(6, 3)
    twice = np.tile(np.arange(6), 2)
    found = SampledPosterior(1.0, "squared_hinge", 32, 20).solve(
        [gram[np.ix_(twice, twice)]], targets.take(twice)
    )
    assert np.isfinite(found.outputs).all()
    np.testing.assert_allclose(found.outputs[:6], found.outputs[6:], atol=1e-3)


@pytest.mark.parametrize(
    ("given", "message"),
    [({"chains": 12}, "multiple of 8"), ({"chains": 0}, "chains"), ({"trajectories": 3}, "4 or")],
)
def test_bad_samplers_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        SampledPosterior(**given)


# Mixing


def autoregressive(rho, steps, chains, seed=0):
    random = np.random.default_rng(seed)
    series = np.empty((steps, chains))
    series[0] = random.normal(size=chains)
    for t in range(1, steps):
        series[t] = rho * series[t - 1] + np.sqrt(1 - rho**2) * random.normal(size=chains)
    return series


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_the_effective_sample_of_autoregressive_chains(rho):
    series = 7.0 + 3.0 * autoregressive(rho, 3000, 32)
    expected = series.size * (1 - rho) / (1 + rho)
    assert effective_sample_size(series) == pytest.approx(expected, rel=0.15)
    assert 0.999 < split_r_hat(series) < 1.02


def test_chains_that_swing_are_no_larger_than_their_sample():
    assert effective_sample_size(autoregressive(-0.8, 500, 8)) <= 4000


def test_chains_apart_are_seen():
    series = autoregressive(0.0, 400, 8)
    apart = series + np.where(np.arange(8) < 4, 0.0, 3.0)
    assert split_r_hat(apart) > 1.1
    assert effective_sample_size(apart) < 0.05 * series.size
    drifting = series + np.linspace(0, 4, 400)[:, None]
    assert split_r_hat(drifting) > 1.1


def test_the_worst_quantity_counts():
    good, bad = autoregressive(0.0, 600, 8), autoregressive(0.9, 600, 8) + np.arange(8)
    size, r_hat = mixing(np.stack([good, bad], axis=1))
    assert size == effective_sample_size(bad) < effective_sample_size(good)
    assert r_hat == split_r_hat(bad) > split_r_hat(good)


def test_a_quantity_that_never_moved_has_no_sample():
    assert effective_sample_size(np.full((50, 8), 2.0)) == 0
    assert split_r_hat(np.full((50, 8), 2.0)) == 1
    stuck = np.tile(np.arange(8.0), (50, 1))
    assert split_r_hat(stuck) == np.inf and effective_sample_size(stuck) <= 8.5


def test_complaints():
    fine = Sampling(64, 60, 4, 0.8, 2000.0, 1.01, False, 400)
    assert fine.complaint == ""
    assert "35% of the trajectories" in replace(fine, acceptance=0.35).complaint
    assert "R-hat 1.200" in replace(fine, r_hat=1.2).complaint
    assert "C is too large" in replace(fine, silent=True, acceptance=1.0).complaint


def test_samples_without_any_loss_are_silent():
    """A large C forbids every loss, so a sampled gradient would be zero."""
    draws = sampler(np.eye(2), np.array([1.0, -1.0]), 1e7, "hinge", 1e7, chains=16).run(8)
    assert draws.report.complaint


# Real sets


@pytest.mark.slow
@every_loss
@pytest.mark.parametrize(
    ("name", "kind", "amplitude"),
    [
        ("crabs", "generated", 1.0),
        ("crabs", "generated", 20.0),
        ("pima_ripley", "published", 1.0),
        ("delve_twonorm", "published", 1.0),
    ],
)
def test_propagation_and_long_chains_agree_on_real_sets(data_folder, name, kind, amplitude, loss):
    """At C = 1; the largest difference is propagation's own, 0.001 on crabs at amplitude 20."""
    X, y, _, _ = Catalogue(data_folder).load(name).split(kind, 0)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    gram = amplitude * Gaussian(np.sqrt(X.shape[1]))(X)
    targets = Targets.plain(np.where(y == np.unique(y)[1], 1.0, -1.0))
    slope = np.full(1, -1 / len(X))
    sizes, gradients = 0.0, []
    for seed in range(12):
        found = SampledPosterior(1.0, loss, 128, 120, seed).solve([gram], targets)
        assert not found.reports[0].complaint
        sizes += found.reports[0].effective_sample
        (in_gram,), in_C = found.pullback(PosteriorGradient(slope))
        gradients.append([(in_gram * gram).sum(), in_C[0]])
        if sizes > 3e4:
            break
    (in_gram,), in_C = found.propagated.pullback(PosteriorGradient(slope))
    propagated = np.array([(in_gram * gram).sum(), in_C[0]])
    assert sizes > 1e4
    np.testing.assert_allclose(np.mean(gradients, axis=0), propagated, atol=0.002)
