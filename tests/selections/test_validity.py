"""Kernel validity against integrals and centers that are moved one coordinate at a time."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from relevance_vector_problems import draw
from scipy.integrate import quad
from scipy.special import erfc, log_expit

from kernelwise import LSSVMClassifier, RVMClassifier, RVMRegressor
from kernelwise.kernels import Gaussian, Laplacian, Linear, Matern32, Matern52, RationalQuadratic
from kernelwise.machines import LeastSquares, RelevanceVector
from kernelwise.objective import evaluated
from kernelwise.selections import Problem, ValidityScan
from kernelwise.selections.validity import log_stability, log_validity, weighted_deviations
from kernelwise.solutions import Targets

CENTRAL = {
    "first": {-2: 1 / 12, -1: -2 / 3, 1: 2 / 3, 2: -1 / 12},
    "second": {-2: -1 / 12, -1: 4 / 3, 0: -5 / 2, 1: 4 / 3, 2: -1 / 12},
}
STEP = 2e-3


def targets_of(y, weights=None, within=0.0):
    plain = Targets.plain(y, weights)
    return replace(plain, within=plain.within + within)


def log_likelihood(outputs, t, weights, within, noise):
    """Of labels (shares of the class +1 among equal rows) or of quantities, by weight."""
    if noise == 0:
        share = (1 + t) / 2
        return weights @ (share * log_expit(outputs) + (1 - share) * log_expit(-outputs))
    squares = weights @ (t - outputs) ** 2 + within
    return -0.5 * (weights.sum() * np.log(2 * np.pi * noise) + squares / noise)


def stability(a, b):
    """Equation (9) as printed."""
    if b <= 0:
        return 1 / abs(a)
    return np.sqrt(np.pi / (2 * b)) * np.exp(a**2 / (2 * b)) * erfc(abs(a) / np.sqrt(2 * b))


def moved(found, X, j, i, r, distance):
    """The log likelihood of output j with its center i moved along r, weights and bias fixed."""
    vectors, targets = found.solution.machines[j], found.targets
    centers = X[vectors.rows].copy()
    centers[i, r] += distance
    outputs = (found.kernel(X, centers) - vectors.means) @ vectors.weights + vectors.bias
    within = targets.within[j]
    return log_likelihood(outputs, targets.values[:, j], targets.weights, within, vectors.noise)


def by_moving(found, X, units):
    """Equations (9) to (11), with derivatives by differences and gamma from the posterior."""
    total = 0.0
    for j, vectors in enumerate(found.solution.machines):
        m = len(vectors.rows)
        gamma = 1 - np.diag(vectors.covariance)[:m] / vectors.variances
        total += moved(found, X, j, 0, 0, 0.0)
        for i in range(m):
            for r in range(X.shape[1]):
                step = STEP * units[r]
                at = {k: moved(found, X, j, i, r, k * step) for k in range(-2, 3)}
                a = sum(c * at[k] for k, c in CENTRAL["first"].items()) / STEP
                b = -sum(c * at[k] for k, c in CENTRAL["second"].items()) / STEP**2
                total += gamma[i] * np.log(stability(a, b))
    return total


@pytest.mark.parametrize(
    ("a", "b"),
    [(0, 2), (1.3, 0.5), (-1.3, 0.5), (1e-9, 3), (40, 7), (-3e5, 0.2), (7, 1e-12), (2, 5e4)],
)
def test_stability_is_the_integral_of_the_falling_side(a, b):
    size = 1 / max(abs(a), np.sqrt(b))  # how far it is to the end
    area, _ = quad(lambda t: np.exp(-abs(a) * t * size - b * (t * size) ** 2 / 2), 0, 50)
    found = log_stability(np.array([[float(a)]]), np.array([[float(b)]]))
    np.testing.assert_allclose(found, np.log(area * size), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("a", "b"), [(5.0, 0.0), (-5.0, -2.0), (0.01, -1e-9)])
def test_a_likelihood_that_bends_upward_falls_along_a_line(a, b):
    area, _ = quad(lambda t: np.exp(-t), 0, np.inf)
    found = log_stability(np.array([a]), np.array([b]))
    np.testing.assert_allclose(found, np.log(area / abs(a)), rtol=1e-9)


def test_where_nothing_changes_stability_is_large_but_finite():
    assert 100 < log_stability(np.array([0.0]), np.array([0.0]))[0] < np.inf


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize(
    "kernel",
    [Gaussian(1.5), Gaussian([0.8, 3.0, 6.0]), Matern52(2.0), RationalQuadratic(1.5, 2.0)],
    ids=repr,
)
@pytest.mark.parametrize("likelihood", ["normal", "logistic"])
def test_like_moving_the_centers(likelihood, kernel, weighted):
    X, y = draw(30, labels=likelihood == "logistic")
    X = X * [1.0, 4.0, 0.2] + [0.0, 9.0, 0.0]
    targets = targets_of(y)
    if weighted:
        # Rows of unequal weight; labels that equal rows do not agree on, quantities they hide.
        y, random = y.copy(), np.random.default_rng(1)
        y[:5] *= 0.4
        within = 1.5 if likelihood == "normal" else 0.0
        targets = targets_of(y, random.uniform(0.3, 3, size=30), within)
    kernel = kernel.with_length_scale(
        kernel.length_scale * np.array([1.0, 2.0, 0.7])[: kernel.weights.size]
    )
    found = evaluated(kernel, RelevanceVector(likelihood), X, targets)
    assert found.solution.n_vectors[0] > 1
    units = weighted_deviations(X, targets.weights)
    expected = by_moving(found, X, units)
    assert log_validity(found, X, units) == pytest.approx(expected, rel=1e-6, abs=1e-4)


def test_matern32_where_its_centers_are_rows():
    """Its third derivative jumps there, which central differences blur by about a step."""
    X, y = draw(30)
    found = evaluated(Matern32(2.0), RelevanceVector(), X, targets_of(y))
    units = weighted_deviations(X, np.ones(30))
    assert log_validity(found, X, units) == pytest.approx(by_moving(found, X, units), abs=0.05)


def test_outputs_add_up_and_a_constant_one_adds_nothing():
    X, y = draw(30)
    other = np.cos(X[:, 1]) + X[:, 2]
    units = np.ones(3)

    def validity(*outputs):
        targets = targets_of(np.column_stack(outputs))
        return log_validity(evaluated(Gaussian(1.5), RelevanceVector(), X, targets), X, units)

    both = validity(y, other)
    assert both == pytest.approx(validity(y) + validity(other), rel=1e-12)
    assert validity(y, np.full(30, 3.0), other) == pytest.approx(both, rel=1e-12)


def test_rows_with_equal_means_still_have_a_likelihood():
    """Equal rows may hide what varies."""
    X, _ = draw(30)
    targets = targets_of(np.full(30, 3.0), within=7.0)
    found = evaluated(Gaussian(1.5), RelevanceVector(), X, targets)
    height = -0.5 * (30 * np.log(2 * np.pi * 7 / 29) + 29)  # the bias takes one row
    assert log_validity(found, X, np.ones(3)) == pytest.approx(height, rel=1e-9)


@pytest.mark.filterwarnings("error")
def test_an_output_without_vectors_adds_its_likelihood():
    x = np.linspace(-1, 1, 24)
    X, wave = x[:, None], np.cos(12 * x)
    targets = targets_of(np.column_stack([x**3, wave]))
    found = evaluated(Gaussian(1.0), RelevanceVector(), X, targets)
    assert found.solution.n_vectors[0] > 0 == found.solution.n_vectors[1]
    alone = evaluated(Gaussian(1.0), RelevanceVector(), X, targets_of(x**3))
    left = wave - wave.mean()
    noise = left @ left / 23  # the bias takes one row
    height = -0.5 * (24 * np.log(2 * np.pi * noise) + 23)
    expected = log_validity(alone, X, np.ones(1)) + height
    assert log_validity(found, X, np.ones(1)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("likelihood", ["normal", "logistic"])
def test_units_of_the_columns_do_not_matter(likelihood):
    X, y = draw(30, labels=likelihood == "logistic")
    targets, scales = targets_of(y, np.linspace(0.5, 2, 30)), np.array([1.0, 2.0, 3.0])
    found = []
    for unit in ([1, 1, 1], [1000, 1, 1e-4]):
        rows = X * unit
        joined = evaluated(Gaussian(scales * unit), RelevanceVector(likelihood), rows, targets)
        found.append(log_validity(joined, rows, weighted_deviations(rows, targets.weights)))
    assert found[0] == pytest.approx(found[1], rel=1e-8)


@pytest.mark.parametrize("kind", [RVMClassifier, RVMRegressor])
def test_nor_do_those_of_columns_that_a_kernel_object_sees(kind):
    X, y = draw(30, labels=kind is RVMClassifier)
    scan = ValidityScan((0.3, 1.0, 3.0), refine=False)
    unit = np.array([1000.0, 1.0, 0.01])
    one = kind(Gaussian([1.0, 2.0, 3.0]), selection=scan).fit(X, y)
    other = kind(Gaussian(unit * [1.0, 2.0, 3.0]), selection=scan).fit(X * unit, y)
    assert one.criterion_ == pytest.approx(other.criterion_, rel=1e-8)
    np.testing.assert_allclose(one.kernel_.length_scale * unit, other.kernel_.length_scale)


def test_columns_that_say_nothing_do_not_count():
    X, y = draw(30)
    weights = np.linspace(0.5, 2, 30)
    alone = evaluated(Gaussian([1.0, 2.0, 3.0]), RelevanceVector(), X, targets_of(y, weights))
    expected = log_validity(alone, X, weighted_deviations(X, weights))
    constant, off = np.full(30, 0.1), np.random.default_rng(5).normal(size=30)
    more = np.column_stack([constant, X, off])
    kernel = Gaussian([0.5, 1.0, 2.0, 3.0, np.inf])
    found = evaluated(kernel, RelevanceVector(), more, targets_of(y, weights))
    units = weighted_deviations(more, weights)
    assert units[0] == 0
    assert log_validity(found, more, units) == pytest.approx(expected, rel=1e-9)


def test_deviations_count_a_row_of_weight_two_twice():
    X, _ = draw(10)
    weights = np.array([1, 2] * 5)
    expected = np.repeat(X, weights, axis=0).std(axis=0)
    np.testing.assert_allclose(weighted_deviations(X, weights.astype(float)), expected, rtol=1e-12)


@given(st.floats(-1e6, 1e6), st.lists(st.floats(0.1, 10), min_size=2, max_size=9))
def test_a_constant_column_deviates_by_exactly_nothing(value, weights):
    """The mean of equal numbers may differ from them in the last digit."""
    assert weighted_deviations(np.full((len(weights), 1), value), np.array(weights)) == 0


def wave():
    """Only narrow kernels can follow it."""
    x = np.linspace(-1, 1, 24)
    return Problem(Gaussian(1.0), RelevanceVector(), x[:, None], targets_of(np.cos(12 * x)))


def test_the_most_valid_width_is_chosen():
    X, y = draw(40)
    problem = Problem(Gaussian(1.0), RelevanceVector(), X, targets_of(y), folds=[np.arange(20)])
    factors = (0.1, 0.5, 2.0, 10.0)
    units = X.std(axis=0)
    direct = [
        log_validity(evaluated(kernel, problem.machine, X, problem.targets), X, units)
        for kernel in (Gaussian(factor**-0.5) for factor in factors)
    ]
    choice = ValidityScan(factors, refine=False)(problem)
    np.testing.assert_allclose(choice.trace.values, np.negative(direct), rtol=1e-9)
    best = factors[int(np.argmax(direct))]
    assert choice.kernel.length_scale == pytest.approx(best**-0.5)
    assert choice.criterion == pytest.approx(-max(direct), rel=1e-9)


def test_null_models_are_never_chosen():
    problem = replace(wave(), folds=[np.arange(12)])
    choice = ValidityScan((0.01, 1.0, 100.0), refine=False)(problem)
    assert choice.trace.values[:2] == [np.inf, np.inf] and np.isfinite(choice.criterion)
    assert choice.kernel.length_scale == pytest.approx(0.1)
    assert choice.solution.n_vectors[0] > 0


def test_if_all_models_are_null_the_trace_says_so():
    choice = ValidityScan((0.01, 0.1, 1.0), refine=False)(replace(wave(), folds=[np.arange(12)]))
    assert choice.trace.reason == "no width could be judged, so the middle one was taken"
    assert not choice.trace.converged
    assert choice.kernel.values == pytest.approx(0.1 * Gaussian(1.0).values)


@pytest.mark.parametrize("kernel", [Laplacian(), Linear(), Gaussian(1.0, "overlap")], ids=repr)
def test_a_kernel_that_cannot_be_moved_is_refused_before_any_work(kernel):
    def no_work():
        raise AssertionError("a machine was solved")

    problem = replace(wave(), kernel=kernel, on_evaluation=no_work)
    with pytest.raises(ValueError, match=f"{re.escape(repr(kernel))} has no second derivatives"):
        ValidityScan()(problem)


def test_columns_of_categories_are_refused():
    X, y = draw(30, labels=True)
    X[:, 1] = X[:, 1] > 0
    model = RVMClassifier(selection="validity", categorical_features=[1])
    with pytest.raises(ValueError, match="and no categorical columns"):
        model.fit(X, y)


def test_a_machine_without_relevance_vectors_is_refused():
    message = "validity judges relevance vectors, which a LeastSquares machine does not have"
    with pytest.raises(ValueError, match=message):
        ValidityScan().check(LeastSquares())
    with pytest.raises(ValueError, match=message):
        LSSVMClassifier(selection=ValidityScan()).fit(*draw(20, labels=True))
    ValidityScan().check(RelevanceVector())
