"""LSSVMRegressor: targets, error bars and units."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.base import clone
from sklearn.metrics import r2_score
from sklearn.metrics.pairwise import rbf_kernel

from kernelwise import LSSVMRegressor
from kernelwise.estimators.lssvm import SELECTIONS
from kernelwise.kernels import Gaussian, Polynomial
from kernelwise.kernels.names import KERNEL_NAMES

RADIAL = [name for name in KERNEL_NAMES if not name.endswith(("linear", "computed"))]
LINEAR = ["linear", "ard-linear"]
SCALE = 1.3


@pytest.mark.parametrize("kernel", RADIAL)
def test_every_kernel_that_can_bend_learns_the_curve(smooth, kernel):
    model = LSSVMRegressor(kernel, selection="loo").fit(smooth.X, smooth.y)
    assert model.score(smooth.X_test, smooth.y_test) > 0.6
    assert model.relevance_.sum() == pytest.approx(1)


@pytest.mark.parametrize("kernel", LINEAR)
def test_linear_kernels_are_ridge_regression(smooth, kernel):
    """They find the plane: no better and no worse than least squares, up to shrinkage."""
    model = LSSVMRegressor(kernel, selection="loo").fit(smooth.X, smooth.y)
    design = np.column_stack([smooth.X, np.ones(60)])
    plane = np.linalg.lstsq(design, smooth.y)[0]
    expected = np.column_stack([smooth.X_test, np.ones(300)]) @ plane
    assert model.score(smooth.X_test, smooth.y_test) > r2_score(smooth.y_test, expected) - 0.05
    steps = np.diff(model.predict(np.outer(np.arange(5.0), [1, 2, 3])))
    np.testing.assert_allclose(steps, steps[0], rtol=1e-6)


@pytest.mark.parametrize("selection", [name for name in SELECTIONS if name], ids=str)
def test_every_selection_finds_the_curve_and_its_columns(smooth, selection):
    model = LSSVMRegressor(selection=selection, random_state=0).fit(smooth.X, smooth.y)
    assert model.score(smooth.X_test, smooth.y_test) > 0.9
    assert np.argsort(model.relevance_).tolist() == [2, 1, 0]
    assert np.isfinite(model.criterion_)
    assert len(model.trace_) > 1


# Set by hand from the formula of the table: x0 bends, x1 is straight, x2 is off.
BY_HAND = LSSVMRegressor(Gaussian([1.0, 8.0, 1e3]), None, 1e-3)


@pytest.mark.parametrize("seed", [2, 3])
def test_leave_one_out_search_is_not_stuck_far_above_a_kernel_set_by_hand(draw_smooth, seed):
    data = draw_smooth(seed)
    by_hand = clone(BY_HAND).fit(data.X, data.y)
    searched = LSSVMRegressor("ard", "loo").fit(data.X, data.y)
    assert searched.criterion_ < 1.5 * by_hand.criterion_


@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("selection", ["first-level", "loo", "evidence"])
def test_chosen_kernel_is_about_as_good_as_one_set_by_hand(draw_smooth, selection, seed):
    data = draw_smooth(seed)
    by_hand, chosen = (
        1 - model.fit(data.X, data.y).score(data.X_test, data.y_test)
        for model in (clone(BY_HAND), LSSVMRegressor("ard", selection))
    )
    assert chosen < 2.5 * by_hand


def test_many_targets_share_the_kernel_and_equal_single_fits_when_it_is_fixed(smooth):
    Y = np.column_stack([smooth.y, 5 - 100 * smooth.X[:, 1], np.abs(smooth.X[:, 2])])
    model = LSSVMRegressor(Gaussian(SCALE), selection=None, regularization=0.05)
    together, std = clone(model).fit(smooth.X, Y).predict(smooth.X_test, return_std=True)
    assert together.shape == std.shape == (300, 3)
    for column in range(3):
        alone, own = clone(model).fit(smooth.X, Y[:, column]).predict(smooth.X_test, True)
        np.testing.assert_allclose(together[:, column], alone, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(std[:, column], own, rtol=1e-9)


# Alignment prefers the straight part that both targets share: it does not ask what is left over.
@pytest.mark.parametrize(
    "selection", [name for name in SELECTIONS if name not in (None, "alignment")]
)
def test_selections_by_error_learn_many_targets(smooth, selection):
    Y = np.column_stack([smooth.y, 1e3 * smooth.X[:, 1]])
    Y_test = np.column_stack([smooth.y_test, 1e3 * smooth.X_test[:, 1]])
    model = LSSVMRegressor(selection=selection).fit(smooth.X, Y)
    assert min(r2_score(Y_test, model.predict(smooth.X_test), multioutput="raw_values")) > 0.85
    assert model.relevance_.argmin() == 2


def dense_gaussian_process(gram, across, own, noise, ridge, y):
    """Mean and variance of a new observation; a bias with flat prior; amplitude at its maximum.

    Rasmussen & Williams, eq. (2.42), with one constant basis function.
    """
    inverse = np.linalg.inv(gram + np.diag(noise))
    ones = np.ones(len(y))
    precision = ones @ inverse @ ones
    bias = ones @ inverse @ y / precision
    mean = bias + across.T @ inverse @ (y - bias)
    lack = 1 - ones @ inverse @ across
    variance = own - np.einsum("ij,ij->j", across, inverse @ across) + lack**2 / precision
    amplitude = (y - bias) @ inverse @ (y - bias)
    return mean, variance + ridge, amplitude


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kernel", [Gaussian(SCALE), Polynomial(3, 1.0, SCALE)], ids=str)
def test_return_std_is_that_of_the_gaussian_process(smooth, kernel, weighted):
    ridge = 0.05
    weights = np.random.default_rng(0).uniform(0.5, 3, 60) if weighted else np.ones(60)
    model = LSSVMRegressor(kernel, selection=None, regularization=ridge)
    model.fit(smooth.X, smooth.y, sample_weight=weights)
    if isinstance(kernel, Gaussian):
        function = lambda A, B: rbf_kernel(A, B, gamma=0.5 / SCALE**2)  # noqa: E731
    else:
        function = lambda A, B: (A @ B.T / SCALE**2 + 1) ** 3  # noqa: E731
    mean, variance, amplitude = dense_gaussian_process(
        function(smooth.X, smooth.X),
        function(smooth.X, smooth.X_test),
        np.diagonal(function(smooth.X_test, smooth.X_test)),
        ridge / weights,
        ridge,
        smooth.y,
    )
    predicted, std = model.predict(smooth.X_test, return_std=True)
    np.testing.assert_allclose(predicted, mean, atol=1e-8)
    plain = std / model._stretch
    np.testing.assert_allclose(plain**2, variance * amplitude / (weights.sum() - 1), rtol=1e-7)


@pytest.mark.parametrize("selection", ["evidence", "loo", "first-level"])
def test_error_bars_cover_held_out_observations(smooth, selection):
    model = LSSVMRegressor("ard", selection).fit(smooth.X, smooth.y)
    predicted, std = model.predict(smooth.X_test, return_std=True)
    inside = np.abs(smooth.y_test - predicted) < norm.ppf(0.95) * std
    assert 0.8 < inside.mean() < 0.99
    # The noise of the data is 0.1; no honest error bar is much smaller.
    assert std.min() > 0.07


def test_error_bars_grow_away_from_the_data(smooth):
    model = LSSVMRegressor("gaussian", "evidence").fit(smooth.X, smooth.y)
    _, near = model.predict(smooth.X, return_std=True)
    _, far = model.predict(smooth.X + 20, return_std=True)
    assert far.min() > 2 * near.max()


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
@pytest.mark.parametrize("power", [-990, -20, 20, 990])
def test_binary_units_of_the_target_change_no_bit(smooth, selection, power):
    """Powers of two, from 1e-298 to 1e298, are exact: so must everything else be."""
    model = LSSVMRegressor("gaussian", selection, random_state=0)
    mean, std = clone(model).fit(smooth.X, smooth.y).predict(smooth.X_test, return_std=True)
    model.fit(smooth.X, smooth.y * 2.0**power)
    other_mean, other_std = model.predict(smooth.X_test, return_std=True)
    np.testing.assert_array_equal(other_mean * 2.0**-power, mean)
    np.testing.assert_array_equal(other_std * 2.0**-power, std)


@pytest.mark.parametrize("factor, shift", [(-3.0, 7.0), (1e-250, 0.0), (1e250, 0.0), (1.0, 1e6)])
@pytest.mark.parametrize("selection, tolerance", [(None, 1e-9), ("loo", 1e-5), ("evidence", 1e-5)])
def test_units_of_the_target_carry_over(smooth, selection, tolerance, factor, shift):
    """Up to rounding, which a search may magnify to its own tolerance (1e-7 of the criterion)."""
    model = LSSVMRegressor("gaussian", selection)
    mean, std = clone(model).fit(smooth.X, smooth.y).predict(smooth.X_test, return_std=True)
    model.fit(smooth.X, factor * smooth.y + shift)
    other_mean, other_std = model.predict(smooth.X_test, return_std=True)
    np.testing.assert_allclose((other_mean - shift) / factor, mean, atol=tolerance)
    np.testing.assert_allclose(other_std / abs(factor), std, rtol=10 * tolerance)


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_constant_target_is_predicted_everywhere(smooth, selection):
    model = LSSVMRegressor(selection=selection).fit(smooth.X, np.full(60, 0.3))
    mean, std = model.predict(smooth.X_test, return_std=True)
    np.testing.assert_allclose(mean, 0.3, rtol=1e-12)
    np.testing.assert_allclose(std, 0, atol=1e-12)


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_constant_target_beside_a_varying_one_does_no_harm(smooth, selection):
    model = LSSVMRegressor("gaussian", selection, random_state=0)
    alone = clone(model).fit(smooth.X, smooth.y).predict(smooth.X_test)
    Y = np.column_stack([np.full(60, 0.3), smooth.y])
    predicted = model.fit(smooth.X, Y).predict(smooth.X_test)
    np.testing.assert_allclose(predicted[:, 0], 0.3, rtol=1e-12)
    # On landmarks a search ends after some steps, wherever rounding has led it.
    close = 1e-3 if selection == "gcv" else 1e-10
    np.testing.assert_allclose(predicted[:, 1], alone, atol=close)


def test_return_std_of_a_precomputed_kernel_is_refused_in_words(smooth):
    gram = rbf_kernel(smooth.X)
    model = LSSVMRegressor("precomputed", "loo").fit(gram, smooth.y)
    with pytest.raises(ValueError, match="return_std needs k"):
        model.predict(gram, return_std=True)


def test_one_column_of_targets_predicts_one_dimension(smooth):
    with pytest.warns(UserWarning, match="1d array was expected"):
        model = LSSVMRegressor("gaussian", None).fit(smooth.X, smooth.y[:, None])
    assert model.predict(smooth.X_test).shape == (300,)
