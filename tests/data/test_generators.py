"""The generators draw what they say: the best rule has the known Bayes error."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from scipy.special import i0e, ndtr

from kernelwise.data.generators import GENERATORS, banana, ring, ringnorm, twonorm, waveform

ROWS = 60_000


def assert_error(wrong, bayes_error):
    """The share of errors on the drawn rows is within four standard errors of the true one."""
    deviation = np.sqrt(bayes_error * (1 - bayes_error) / len(wrong))
    assert abs(wrong.mean() - bayes_error) < 4 * deviation


def test_the_bayes_rule_of_twonorm_has_the_known_error():
    X, y = twonorm(ROWS, seed=1)
    assert_error(np.sign(X.sum(axis=1)) != y, ndtr(-2))


def test_the_bayes_rule_of_ringnorm_has_the_known_error():
    X, y = ringnorm(ROWS, seed=2)
    a = np.full(20, 2 / np.sqrt(20))
    log_wide = -(X**2).sum(axis=1) / 8 - 20 * np.log(2)
    log_narrow = -((X - a) ** 2).sum(axis=1) / 2

    # The squared distance from 4/3 a, by which the rule decides, is a scaled noncentral chi2.
    bound = (160 * np.log(2) + 16 / 3) / 3
    narrow_outside = stats.ncx2.sf(bound, 20, 4 / 9)
    wide_inside = stats.ncx2.cdf(bound / 4, 20, 16 / 9)
    bayes_error = (narrow_outside + wide_inside) / 2

    decided = np.where(log_wide > log_narrow, 1, -1)
    far = ((X - 4 / 3 * a) ** 2).sum(axis=1) > bound
    np.testing.assert_array_equal(decided, np.where(far, 1, -1))
    assert_error(decided != y, bayes_error)
    assert bayes_error == pytest.approx(0.0124, abs=5e-5)


def test_the_bayes_rule_of_ring_is_a_circle_of_known_error():
    X, y = ring(ROWS, seed=3)

    def log_ratio(r):
        return np.log(i0e(4 * r)) + 4 * r - 8

    radius = optimize.brentq(log_ratio, 0, 4)
    outside, inside = np.exp(-(radius**2) / 2), stats.ncx2.cdf(radius**2, 2, 16)
    bayes_error = (outside + inside) / 2
    assert_error(np.where(np.hypot(X[:, 0], X[:, 1]) < radius, 1, -1) != y, bayes_error)
    assert radius == pytest.approx(2.52, abs=0.005)
    assert bayes_error == pytest.approx(0.0462, abs=5e-5)


def test_eight_features_of_ring_tell_nothing():
    X, y = ring(20_000, seed=4)
    for feature in X[:, 2:].T:
        assert stats.kstest(feature[y > 0], "norm").pvalue > 1e-4
        assert stats.kstest(feature[y < 0], "norm").pvalue > 1e-4


def crescent_density(points, arch):
    """Mean of normal densities along the arch, by the midpoint rule; one value per point."""
    squared = ((points[:, None, :] - arch) ** 2).sum(axis=2)
    return np.exp(-squared / (2 * 0.33**2)).mean(axis=1) / (2 * np.pi * 0.33**2)


def test_the_bayes_rule_of_banana_has_the_integrated_error():
    angle = (np.arange(150) + 0.5) * np.pi / 150
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    lower = np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)])

    step = 0.05
    grid = np.mgrid[-3:4:step, -2.5:3:step].reshape(2, -1).T
    densities = [crescent_density(grid, arch) for arch in (upper, lower)]
    assert [d.sum() * step**2 for d in densities] == pytest.approx([1, 1], abs=1e-6)
    bayes_error = np.minimum(*densities).sum() * step**2 / 2
    assert bayes_error == pytest.approx(0.102, abs=5e-4)

    X, y = banana(20_000, seed=5)
    decided = np.where(crescent_density(X, upper) > crescent_density(X, lower), 1, -1)
    assert_error(decided != y, bayes_error)


def test_the_classes_of_waveform_have_the_means_and_shares_of_their_waves():
    X, y = waveform(ROWS, seed=6)
    at = np.arange(1, 22)
    first, second, third = (np.maximum(6 - np.abs(at - center), 0) for center in (11, 7, 15))
    means = {-1: (first + second) / 2, 1: (first + second) / 4 + third / 2}
    for label, mean in means.items():
        own = X[y == label]
        deviations = np.abs(own.mean(axis=0) - mean) / (own.std(axis=0) / np.sqrt(len(own)))
        assert deviations.max() < 4.5
    assert_error(y == -1, 1 / 3)


@pytest.mark.parametrize("name", GENERATORS)
@given(rows=st.integers(2, 60), seed=st.integers(0, 2**32))
def test_equal_seeds_give_equal_rows_and_only_they(name, rows, seed):
    X, y = GENERATORS[name](rows, seed)
    again, labels = GENERATORS[name](rows, seed)
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, labels)
    assert X.shape[0] == len(y) == rows
    assert set(y) <= {-1, 1}
    assert not np.array_equal(X, GENERATORS[name](rows, seed + 1)[0])


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("rows", [1, 0, -5])
def test_too_few_rows_are_refused(name, rows):
    with pytest.raises(ValueError, match=f"a set of {rows} rows .* 2 rows or more"):
        GENERATORS[name](rows, 0)
