"""The corrected interval covers the true error of a procedure; the plain one does not.

Two Gaussian classes, a quick learner, and its true mean error by the closed form of a linear rule.
Each simulated data set is split at random ``splits`` times, as a user would.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtr

from kernelwise.evaluation import corrected_resampled_interval


def draw(rng, sets, rows, features, shift):
    """Rows of two classes, ``y`` of -1 and 1, whose means are ``shift`` from 0 in one feature."""
    y = rng.choice([-1.0, 1.0], size=(sets, rows))
    X = rng.normal(size=(sets, rows, features))
    X[..., 0] += shift * y
    return X, y


def linear_rule(X, y, train, discriminant):
    """Normal and offset for each set and split: nearest centroid, or Fisher's discriminant."""
    centers, counts = [], []
    for sign in (1, -1):
        members = train * (y == sign)[:, None, :]
        counts.append(members.sum(axis=2)[..., None])
        centers.append(members @ X / counts[-1])
    normal = centers[0] - centers[1]
    if discriminant:
        d = X.shape[2]
        products = (X[..., :, None] * X[..., None, :]).reshape(*X.shape[:2], d * d)
        scatter = (train @ products).reshape(*normal.shape, d)
        for center, count in zip(centers, counts, strict=True):
            scatter -= count[..., None] * center[..., :, None] * center[..., None, :]
        normal = np.linalg.solve(scatter, normal[..., None])[..., 0]
    return normal, ((centers[0] + centers[1]) / 2 * normal).sum(axis=2)


def true_error(rng, rows, features, shift, discriminant, sets=8000):
    """Mean over training sets of the exact error of the rule; its own error is about 1e-4."""
    X, y = draw(rng, sets, rows, features, shift)
    normal, offset = linear_rule(X, y, np.ones((sets, 1, rows)), discriminant)
    length = np.linalg.norm(normal, axis=2)
    sides = [ndtr((sign * offset - shift * normal[..., 0]) / length) for sign in (-1, 1)]
    return np.mean(sides)


def split_errors(rng, sets, rows, n_test, splits, features, shift, discriminant):
    """Errors on the test rows, one row per simulated data set and one column per split."""
    X, y = draw(rng, sets, rows, features, shift)
    train = (rng.random((sets, splits, rows)).argsort(axis=2) >= n_test).astype(float)
    normal, offset = linear_rule(X, y, train, discriminant)
    wrong = (normal @ X.transpose(0, 2, 1) - offset[..., None]) * y[:, None, :] <= 0
    return (wrong * (1 - train)).sum(axis=2) / n_test


def coverages(sets, rows, n_test, splits, features=5, shift=1.0, discriminant=False, seed=0):
    """Shares of 95 % intervals that hold the true error: corrected, and plain."""
    rng = np.random.default_rng(seed)
    truth = true_error(rng, rows - n_test, features, shift, discriminant)
    held = []
    for _ in range(-(-sets // 500)):
        for errors in split_errors(rng, 500, rows, n_test, splits, features, shift, discriminant):
            corrected = corrected_resampled_interval(errors, rows - n_test, n_test)
            plain = corrected_resampled_interval(errors, 1, 1e-12)
            held.append([found.lower <= truth <= found.upper for found in (corrected, plain)])
    return np.mean(held, axis=0)


@pytest.mark.parametrize("splits", [10, 30])
def test_the_corrected_interval_covers_and_the_plain_one_does_not(splits):
    """2000 data sets: a share of 0.95 has a standard error of 0.005."""
    corrected, plain = coverages(2000, 100, 20, splits)
    assert 0.93 <= corrected <= 0.98
    assert plain < 0.85


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "n_test", "splits", "features", "shift", "discriminant"),
    [
        (100, 10, 10, 5, 1.0, False),
        (100, 20, 100, 5, 1.0, False),
        (100, 50, 30, 5, 1.0, False),
        (200, 20, 10, 5, 1.0, False),
        (100, 10, 15, 5, 0.3, True),
        (100, 20, 30, 10, 1.0, True),
        (60, 20, 30, 20, 1.0, True),
        (200, 60, 50, 5, 1.0, True),
        (500, 50, 15, 5, 1.8, True),
    ],
)
def test_coverage_at_length(rows, n_test, splits, features, shift, discriminant):
    """10000 data sets: a share of 0.95 has a standard error of 0.002."""
    corrected, plain = coverages(10_000, rows, n_test, splits, features, shift, discriminant)
    assert corrected >= 0.93
    assert plain < 0.9


@pytest.mark.slow
def test_the_limits_that_the_docstring_states():
    few_errors, _ = coverages(10_000, 100, 20, 15, shift=1.8, discriminant=True)
    assert 0.90 < few_errors < 0.93
    large_tests, _ = coverages(500, 500, 450, 20, discriminant=True)
    assert large_tests > 0.99


def test_the_formula():
    errors = np.array([0.1, 0.2, 0.15, 0.3])
    found = corrected_resampled_interval(errors, n_train=90, n_test=10, level=0.9)
    error = np.sqrt((1 / 4 + 1 / 9) * errors.var(ddof=1))
    assert found.standard_error == pytest.approx(error)
    assert (found.value, found.degrees_of_freedom) == (pytest.approx(errors.mean()), 3)
    assert found.upper - found.value == pytest.approx(stats.t.ppf(0.95, 3) * error)
    assert found.sentence.startswith("Error 0.1875, 90 % interval")


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20), st.floats(0.1, 10), st.floats(0.5, 0.99))
def test_scale_and_level(errors, unit, level):
    found = corrected_resampled_interval(errors, 80, 20, level)
    scaled = corrected_resampled_interval(np.array(errors) * unit, 80, 20, level)
    wider = corrected_resampled_interval(errors, 80, 20, (1 + level) / 2)
    assert scaled.upper == pytest.approx(found.upper * unit, abs=1e-9)
    assert wider.lower <= found.lower <= found.value <= found.upper <= wider.upper


def test_more_splits_do_not_buy_certainty():
    """The width falls to a floor set by the rows, unlike the plain one."""
    errors = np.tile([0.1, 0.2], 5000)
    found = corrected_resampled_interval(errors, 80, 20)
    assert found.standard_error == pytest.approx(0.05 * np.sqrt(20 / 80), rel=1e-3)


def test_equal_errors_are_called_out():
    found = corrected_resampled_interval([0.3, 0.3, 0.3], 80, 20)
    assert found.lower == found.upper == pytest.approx(0.3)
    assert "means nothing" in found.sentence


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.1], 80, 20), "at least two"),
        (([[0.1, 0.2]], 80, 20), "one per split"),
        (([0.1, np.nan], 80, 20), "finite"),
        (([0.1, 0.2], 0, 20), "rows on both sides"),
        (([0.1, 0.2], 80, np.nan), "rows on both sides"),
        (([0.1, 0.2], 80, 20, 95), "level must be between 0 and 1"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        corrected_resampled_interval(*arguments)
