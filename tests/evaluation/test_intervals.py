"""The corrected interval covers the true error of a procedure; the plain one does not.

Two Gaussian classes, a quick learner, and its true mean error by the closed form of a linear rule:
nearest centroid, Fisher's discriminant, or the one feature with the fewest errors in training.
Each simulated data set is split at random ``splits`` times, as a user would.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtr

from kernelwise.evaluation import corrected_resampled_interval

ONE = (1.0, 0, 0, 0, 0)
# Several features are about as good, so that the splits disagree on which is best.
UNSTEADY = (0.5, 0.4, 0.3, 0, 0, 0, 0, 0, 0, 0)
NOISE = (0,) * 10


def draw(rng, sets, rows, shifts):
    """Rows of two classes, ``y`` of -1 and 1, whose means are ``shifts`` from 0."""
    y = rng.choice([-1.0, 1.0], size=(sets, rows))
    return rng.normal(size=(sets, rows, len(shifts))) + y[..., None] * shifts, y


def linear_rule(X, y, train, learner):
    """Normal and offset of the learner's rule for each set and split."""
    centers, counts = [], []
    for sign in (1, -1):
        members = train * (y == sign)[:, None, :]
        counts.append(members.sum(axis=2)[..., None])
        centers.append(members @ X / counts[-1])
    normal, middle = centers[0] - centers[1], (centers[0] + centers[1]) / 2
    if learner == "discriminant":
        d = X.shape[2]
        products = (X[..., :, None] * X[..., None, :]).reshape(*X.shape[:2], d * d)
        scatter = (train @ products).reshape(*normal.shape, d)
        for center, count in zip(centers, counts, strict=True):
            scatter -= count[..., None] * center[..., :, None] * center[..., None, :]
        normal = np.linalg.solve(scatter, normal[..., None])[..., 0]
    elif learner == "best feature":
        side = (X[:, None] - middle[:, :, None]) * np.sign(normal)[:, :, None] > 0
        wrong = (side != (y == 1)[:, None, :, None]) * train[..., None]
        best = wrong.sum(axis=2).argmin(axis=2)
        normal = normal * (best[..., None] == np.arange(X.shape[2]))
    else:
        assert learner == "centroid"
    return normal, (middle * normal).sum(axis=2)


def true_error(rng, rows, shifts, learner, sets=8000):
    """Mean over training sets of the exact error of the rule; its own error is about 1e-4."""
    X, y = draw(rng, sets, rows, shifts)
    normal, offset = linear_rule(X, y, np.ones((sets, 1, rows)), learner)
    length = np.linalg.norm(normal, axis=2)
    sides = [ndtr((sign * offset - normal @ shifts) / length) for sign in (-1, 1)]
    return np.mean(sides)


def split_errors(rng, sets, rows, n_test, splits, shifts, learner):
    """Errors on the test rows, one row per simulated data set and one column per split."""
    X, y = draw(rng, sets, rows, shifts)
    train = (rng.random((sets, splits, rows)).argsort(axis=2) >= n_test).astype(float)
    normal, offset = linear_rule(X, y, train, learner)
    wrong = (normal @ X.transpose(0, 2, 1) - offset[..., None]) * y[:, None, :] <= 0
    return (wrong * (1 - train)).sum(axis=2) / n_test


def coverages(sets, rows, n_test, splits, shifts=ONE, learner="centroid", seed=0):
    """Shares of 95 % intervals that hold the true error: corrected, and plain."""
    rng = np.random.default_rng(seed)
    shifts = np.array(shifts, dtype=float)
    truth = true_error(rng, rows - n_test, shifts, learner)
    held = []
    for _ in range(-(-sets // 100)):
        for errors in split_errors(rng, 100, rows, n_test, splits, shifts, learner):
            corrected = corrected_resampled_interval(errors, rows - n_test, n_test)
            plain = corrected_resampled_interval(errors, 1, 1e-12)
            held.append([found.lower <= truth <= found.upper for found in (corrected, plain)])
    return np.mean(held, axis=0)


@pytest.mark.parametrize(
    ("n_test", "splits", "shifts", "learner"),
    [
        (20, 10, ONE, "centroid"),
        (20, 30, ONE, "centroid"),
        (10, 30, UNSTEADY, "best feature"),
        (20, 30, UNSTEADY, "best feature"),
    ],
)
def test_the_corrected_interval_covers_and_the_plain_one_does_not(n_test, splits, shifts, learner):
    """1000 data sets: a share of 0.95 has a standard error of 0.007, so 0.93 is three of them off.

    Near 1 the interval would be needlessly wide.
    """
    corrected, plain = coverages(1000, 100, n_test, splits, shifts, learner)
    assert 0.93 <= corrected <= 0.995
    assert plain < 0.85


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "n_test", "splits", "shifts", "learner"),
    [
        (100, 10, 10, ONE, "centroid"),
        (100, 20, 100, ONE, "centroid"),
        (100, 50, 30, ONE, "centroid"),
        (200, 20, 10, ONE, "centroid"),
        (100, 10, 15, (0.3, 0, 0, 0, 0), "discriminant"),
        (100, 20, 30, (1.0, *[0] * 9), "discriminant"),
        (60, 20, 30, (1.0, *[0] * 19), "discriminant"),
        (200, 60, 50, ONE, "discriminant"),
        (500, 50, 15, (1.8, 0, 0, 0, 0), "discriminant"),
        (100, 20, 15, (1.8, 0, 0, 0, 0), "discriminant"),
        (100, 10, 50, UNSTEADY, "best feature"),
        (200, 40, 50, UNSTEADY, "best feature"),
        (100, 50, 30, UNSTEADY, "best feature"),
        (200, 20, 30, (0.4, 0.4, 0.4, 0.4), "best feature"),
        (60, 6, 10, NOISE, "best feature"),
        (100, 10, 100, NOISE, "best feature"),
    ],
)
def test_coverage_at_length(rows, n_test, splits, shifts, learner):
    """4000 data sets: a share of 0.94 has a standard error of 0.004, so 0.93 is 2.5 of them off."""
    corrected, plain = coverages(4000, rows, n_test, splits, shifts, learner)
    assert corrected >= 0.93
    assert plain < 0.9


@pytest.mark.slow
def test_large_test_sets_make_it_too_wide():
    large_tests, _ = coverages(500, 500, 450, 20, learner="discriminant")
    assert large_tests > 0.99


def test_the_formula():
    errors = np.array([0.1, 0.2, 0.15, 0.3])
    found = corrected_resampled_interval(errors, n_train=90, n_test=10, level=0.9)
    error = np.sqrt((1 / 4 + 2.25 / 10) * errors.var(ddof=1))
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
    assert found.standard_error == pytest.approx(0.05 * np.sqrt(2.25 * 20 / 100), rel=1e-3)


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
