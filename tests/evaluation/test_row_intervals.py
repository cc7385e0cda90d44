"""Intervals of an error from one round of folds hold the true error of the procedure.

The mean over many tables of a cross-validated error is the true one, that of the procedure trained
on as many rows, so no test rows are needed.
"""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import SelectKBest, f_classif, f_regression
from sklearn.linear_model import LinearRegression, RidgeCV
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from kernelwise import LSSVMClassifier, LSSVMRegressor
from kernelwise.evaluation.row_intervals import (
    difference_interval,
    root_difference,
    root_interval,
    share_difference,
    share_interval,
)

ONE, WEAK, NOISE = (1.0, 0, 0, 0, 0), (0.5, 0.4, 0.3, 0, 0, 0, 0, 0, 0, 0), (0.0,) * 10
BEST_CLASS = make_pipeline(SelectKBest(f_classif, k=1), GaussianNB())
BEST_LINE = make_pipeline(SelectKBest(f_regression, k=1), LinearRegression())


def draw(random, rows, shifts, classes):
    """Two Gaussian classes with means ``shifts`` from 0, or a line through noise."""
    if not classes:
        X = random.normal(size=(rows, len(shifts)))
        return X, X @ shifts + random.normal(size=rows)
    y = random.integers(2, size=rows)
    return random.normal(size=(rows, len(shifts))) + np.outer(2 * y - 1, shifts), y


def losses(model, X, y, classes, seed):
    """Those of the model and of the trivial prediction, row by row."""
    splitter = (StratifiedKFold if classes else KFold)(5, shuffle=True, random_state=seed)
    predictions = cross_val_predict(model, X, y, cv=splitter)
    trivial = np.empty(len(y))
    for train, test in splitter.split(X, y):
        trivial[test] = np.bincount(y[train]).argmax() if classes else y[train].mean()
    if classes:
        return (predictions != y).astype(float), (trivial != y).astype(float)
    return (predictions - y) ** 2, (trivial - y) ** 2


def coverage(model, rows, shifts, classes, tables):
    """Shares of tables whose intervals hold the true error, and the true difference."""
    random = np.random.default_rng(0)
    made = [
        losses(model, *draw(random, rows, shifts, classes), classes, seed) for seed in range(tables)
    ]
    true, trivial = np.mean([[own.mean(), other.mean()] for own, other in made], axis=0)
    if not classes:
        true, trivial = np.sqrt([true, trivial])
    of_error, of_difference = (
        (share_interval, share_difference) if classes else (root_interval, root_difference)
    )
    held = []
    for own, other in made:
        error, gap = of_error(own), of_difference(own, other)
        held.append((error.lower <= true <= error.upper, gap.lower <= true - trivial <= gap.upper))
    return np.mean(held, axis=0)


@pytest.mark.parametrize(
    ("model", "shifts", "classes"),
    [
        (DecisionTreeClassifier(max_depth=1), WEAK, True),
        (LinearDiscriminantAnalysis(), ONE, True),
        (RidgeCV(), ONE, False),
    ],
    ids=["stump", "discriminant", "ridge"],
)
def test_the_intervals_cover(model, shifts, classes):
    """250 tables: a share of 0.95 has a standard error of 0.014, so 0.92 is two of them off."""
    error, difference = coverage(model, 60, shifts, classes, 250)
    assert error >= 0.92
    assert difference >= 0.92


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "rows", "shifts", "classes"),
    [
        (LinearDiscriminantAnalysis(), 200, ONE, True),
        (LinearDiscriminantAnalysis(), 100, (2.5, 0, 0), True),
        (KNeighborsClassifier(3), 100, ONE, True),
        (BEST_CLASS, 60, WEAK, True),
        (BEST_CLASS, 500, WEAK, True),
        (BEST_CLASS, 100, NOISE, True),
        (DecisionTreeClassifier(max_depth=3), 200, WEAK, True),
        (RidgeCV(), 60, ONE, False),
        (BEST_LINE, 60, WEAK, False),
        (BEST_LINE, 500, WEAK, False),
        (BEST_LINE, 100, NOISE, False),
        (KNeighborsRegressor(3), 200, ONE, False),
        (DecisionTreeRegressor(max_depth=3), 100, ONE, False),
        (LSSVMClassifier("gaussian", "loo"), 60, WEAK, True),
        (LSSVMRegressor("gaussian", "loo"), 60, ONE, False),
    ],
)
def test_coverage_at_length(model, rows, shifts, classes):
    """500 tables: a share of 0.95 has a standard error of 0.010, so 0.92 is three of them off."""
    error, difference = coverage(model, rows, shifts, classes, 500)
    assert error >= 0.92
    assert difference >= 0.92


def test_a_share_has_wilson_s_interval_for_fewer_rows():
    wrong = np.arange(170) < 17
    found = share_interval(wrong)
    wilson = stats.binomtest(10, 100).proportion_ci(method="wilson")  # 170 rows count as 100
    assert found[:2] == pytest.approx((wilson.low, wilson.high))
    assert found.standard_error == pytest.approx((wilson.high - wilson.low) / 2 / 1.96, rel=1e-4)


@pytest.mark.parametrize("rows", [15, 40, 1000])
def test_no_error_at_all_is_no_certainty(rows):
    none, every = share_interval(np.zeros(rows)), share_interval(np.ones(rows))
    # The bound without shared rows, Clopper & Pearson's, is the least that can be said.
    assert none.lower == 0 and none.upper > 1 - 0.025 ** (1 / rows)
    assert none.standard_error > 0
    assert every[:2] == pytest.approx((1 - none.upper, 1))


def test_the_ends_of_a_root_are_normal_quantiles_after_hall_s_transformation():
    squares = np.random.default_rng(0).lognormal(size=50)
    found = root_interval(squares)
    a = stats.skew(squares) * np.sqrt(1.7 / 50)
    for end, quantile in ((found.lower, 1.96), (found.upper, -1.96)):
        t = (squares.mean() - end**2) / (squares.std(ddof=1) * np.sqrt(1.7 / 50))
        assert t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6 == pytest.approx(quantile, abs=1e-4)


def test_a_difference_of_roots_varies_as_over_resampled_rows():
    random = np.random.default_rng(0)
    own, trivial = random.normal(size=(2, 400)) ** 2 * [[1.0], [3.0]]
    rows = random.integers(400, size=(4000, 400))
    resampled = np.sqrt(own[rows].mean(axis=1)) - np.sqrt(trivial[rows].mean(axis=1))
    found = root_difference(own, trivial)
    assert found.standard_error == pytest.approx(np.sqrt(1.7) * resampled.std(), rel=0.05)
    middle = np.sqrt(own.mean()) - np.sqrt(trivial.mean())
    assert (found.lower + found.upper) / 2 == pytest.approx(middle)


def test_few_rows_that_decide_leave_few_degrees_of_freedom():
    values = np.zeros(100)
    values[:2] = -1
    few, many = (difference_interval(x, 1.7) for x in (values, np.linspace(-1, 1, 100)))
    reach = [(found.upper - found.lower) / 2 / found.standard_error for found in (few, many)]
    assert reach[0] > stats.t.ppf(0.975, 5)
    assert reach[1] == pytest.approx(stats.t.ppf(0.975, 99))


@pytest.mark.parametrize("own", [0.0, 2.0])
@pytest.mark.parametrize("trivial", [0.0, 3.0])
def test_losses_without_spread(own, trivial):
    """Equal squares have a width of 0; nothing is divided by a root of 0."""
    squares, others = np.full(9, own), np.full(9, trivial)
    assert root_interval(squares) == (np.sqrt(own), np.sqrt(own), 0)
    assert root_difference(squares, others).upper == pytest.approx(np.sqrt(own) - np.sqrt(trivial))


@given(st.lists(st.floats(0, 1e6), min_size=3, max_size=30), st.floats(1e-3, 1e3))
@example([0.0, 0.0, 4.35e-161], 1.0)  # whose third power vanishes
def test_an_interval_of_a_root_has_the_unit_of_the_target(squares, unit):
    squares = np.array(squares)
    found, scaled = root_interval(squares), root_interval(squares * unit**2)
    root = np.sqrt(squares.mean())
    assert found.lower <= root * (1 + 1e-9) and root <= found.upper * (1 + 1e-9)
    assert scaled.upper == pytest.approx(found.upper * unit, rel=1e-6, abs=1e-9)


def test_rows_that_agree_throughout_show_no_difference():
    wrong = np.arange(50) % 2
    found = share_difference(wrong, wrong)
    assert found.lower < 0 < found.upper
