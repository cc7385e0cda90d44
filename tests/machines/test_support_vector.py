"""The support vector machine: against a quadratic program, its conditions, its invariances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC
from support_vector_problems import (
    KINDS,
    assert_same,
    draw,
    every_kind,
    interior_point,
    problems,
    violation,
)

from kernelwise.criteria import GACV, HeldOutHinge
from kernelwise.kernels import Gaussian, Laplacian, Linear
from kernelwise.machines import Folded, SupportVector
from kernelwise.machines.refitting import refitted_folds
from kernelwise.objective import Objective
from kernelwise.solutions import HeldOutGradient, Targets


@every_kind
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("C", [0.03, 1.0, 40.0])
def test_the_quadratic_program_is_solved(loss, bias, weighted, C):
    X, targets = draw(30, n_outputs=2, weighted=weighted)
    gram = Laplacian([1.0, 2.0, 1.5])(X)
    solution = SupportVector(C, loss, bias).solve([gram], targets)
    squared = loss == "squared_hinge"
    limits = np.full(30, np.inf) if squared else C * targets.weights
    ridge = 1 / (C * targets.weights) if squared else np.zeros(30)
    for j, y in enumerate(targets.values.T):
        alpha, intercept = interior_point(gram, y, limits, ridge, bias)
        tolerance = 1e-7 * solution.alpha.max()
        np.testing.assert_allclose(solution.alpha[:, j], alpha, rtol=0, atol=tolerance)
        if solution.marginal[:, j].any():
            assert solution.intercept[j] == pytest.approx(intercept, abs=1e-7)


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_a_free_bias_is_what_libsvm_finds(C):
    X, targets = draw(60, weighted=True)
    gram, y = Gaussian(1.5)(X), targets.values[:, 0]
    other = SVC(C=C, kernel="precomputed", tol=1e-9).fit(gram, y, sample_weight=targets.weights)
    solution = SupportVector(C, bias=True).solve([gram], targets)
    assert set(other.support_) == set(np.flatnonzero(solution.support))
    np.testing.assert_allclose(solution.coef[other.support_, 0], other.dual_coef_[0], atol=1e-5 * C)
    np.testing.assert_allclose(solution.intercept, other.intercept_, atol=1e-5)


def test_no_bias_is_the_doubled_problem_of_libsvm():
    X, targets = draw(40)
    gram, y = Gaussian(1.5)(X) + 0.3, targets.values[:, 0]
    doubled = np.block([[gram, -gram], [-gram, gram]])
    other = SVC(C=1.0, kernel="precomputed", tol=1e-9).fit(doubled, np.r_[y, -y])
    coef = np.zeros(80)
    coef[other.support_] = other.dual_coef_[0]
    solution = SupportVector(2.0).solve([gram], targets)
    np.testing.assert_allclose(solution.coef[:, 0], coef[:40] - coef[40:], atol=1e-6)


@given(problems(), st.sampled_from(KINDS))
@settings(max_examples=150, deadline=None)
def test_the_conditions_of_optimality_hold(problem, kind):
    gram, targets, C = problem
    solution = SupportVector(C, *kind).solve([gram], targets)
    assert violation(solution) < 1e-10
    assert np.isfinite(solution.coef).all() and np.isfinite(solution.intercept).all()


# What must not matter


@every_kind
def test_a_start_nearby_changes_nothing(loss, bias):
    X, targets = draw(50, n_outputs=2, weighted=True)
    plain = SupportVector(3.0, loss, bias)
    remembering = plain.fresh()
    for step in np.linspace(0, 1, 12):
        gram, C = Gaussian([1.0 + step, 2.0 - step, 1.5])(X), np.array([3.0 * 10**step])
        warm = remembering.with_values(C).solve([gram], targets)
        assert_same(warm, plain.with_values(C).solve([gram], targets))
    gram = Linear(1.0)(X)  # far away, and of low rank
    assert_same(remembering.solve([gram], targets), plain.solve([gram], targets))


@every_kind
def test_a_memory_saves_factorizations(loss, bias):
    X, targets = draw(50, n_outputs=2)
    gram = Gaussian(1.5)(X)
    machine = SupportVector(10.0, loss, bias).fresh()
    first = machine.solve([gram], targets)
    assert machine.with_values(np.array([10.0])).solve([gram], targets).n_factorizations == 2
    assert machine.fresh().solve([gram], targets).n_factorizations == first.n_factorizations
    other = Targets.plain(-targets.values)
    assert violation(machine.solve([gram], other)) < 1e-10


@every_kind
@pytest.mark.parametrize("folded", [False, True])
def test_a_search_starts_from_its_last_solution(loss, bias, folded):
    """And a parallel search from none, so that it does not matter which runs first."""
    X, targets = draw(60)
    machine = SupportVector(10.0, loss, bias)
    criterion = HeldOutHinge() if folded else GACV()
    if folded:
        machine = Folded(machine, [np.arange(k, 60, 3) for k in range(3)])
    objective = Objective(Gaussian(1.5), machine, criterion, X, targets)
    cold = objective.value(objective.point)
    first = objective.n_factorizations
    again = objective.value(objective.point)
    assert again == pytest.approx(cold, rel=1e-9)
    # One for each machine if the sets are right; the hinge's start by LIBSVM has none.
    assert objective.n_factorizations - first == (3 if folded else 1)
    assert first > objective.n_factorizations - first or loss == "hinge"
    beside = objective.fresh()
    assert beside.value(objective.point) == cold
    assert objective.n_factorizations == beside.n_factorizations


@every_kind
def test_the_order_of_rows_does_not_matter(loss, bias):
    X, targets = draw(40, weighted=True)
    gram, order = Gaussian(1.5)(X), np.random.default_rng(3).permutation(40)
    machine = SupportVector(5.0, loss, bias)
    expected = machine.solve([gram], targets)
    found = machine.solve([gram[np.ix_(order, order)]], targets.take(order))
    np.testing.assert_allclose(found.coef, expected.coef[order], rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.intercept, expected.intercept, rtol=0, atol=1e-10)


@every_kind
def test_swapped_labels_swap_signs(loss, bias):
    X, targets = draw(40, weighted=True)
    gram, machine = Gaussian(1.5)(X), SupportVector(5.0, loss, bias)
    expected = machine.solve([gram], targets)
    found = machine.solve([gram], Targets.plain(-targets.values, targets.weights))
    np.testing.assert_allclose(found.coef, -expected.coef, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.intercept, -expected.intercept, rtol=0, atol=1e-10)


@every_kind
def test_outputs_are_solved_one_by_one(loss, bias):
    X, targets = draw(40, n_outputs=3)
    gram, machine = Gaussian(1.5)(X), SupportVector(5.0, loss, bias)
    together = machine.solve([gram], targets)
    for j, y in enumerate(targets.values.T):
        alone = machine.solve([gram], Targets.plain(y))
        np.testing.assert_array_equal(together.coef[:, [j]], alone.coef)


@every_kind
@pytest.mark.parametrize("C", [0.1, 2.0, 100.0])
@pytest.mark.parametrize("kernel", [Gaussian(1.5), Linear(1.0)], ids=["gaussian", "linear"])
def test_copies_of_a_row_are_its_weight(loss, bias, C, kernel):
    """Copies share equally, so that twice a half is the whole."""
    X, targets = draw(24)
    counts = np.random.default_rng(4).integers(1, 4, 24)
    where = np.repeat(np.arange(24), counts)
    machine, gram = SupportVector(C, loss, bias), kernel(X)
    light = machine.solve([gram], Targets.plain(targets.values, counts.astype(float)))
    heavy = machine.solve([gram[np.ix_(where, where)]], targets.take(where))
    expected = (light.coef / counts[:, None])[where]
    np.testing.assert_allclose(heavy.coef, expected, rtol=0, atol=1e-9 * abs(expected).max())
    np.testing.assert_allclose(heavy.intercept, light.intercept, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(heavy.hard, light.hard[where])


# The way back


def test_folds_refit():
    X, targets = draw(30, n_outputs=2)
    gram, folds = Gaussian(1.5)(X), [np.arange(k, 30, 3) for k in range(3)]
    machine = SupportVector(2.0, "squared_hinge", True)
    solution = Folded(machine, folds).solve([gram], targets)
    warm = refitted_folds(machine.fresh(), [gram], targets, folds)
    np.testing.assert_allclose(warm.held_out, solution.held_out, atol=1e-10)
    kept = np.setdiff1d(np.arange(30), folds[1])
    alone = machine.solve([gram[np.ix_(kept, kept)]], targets.take(kept))
    outputs = gram[np.ix_(folds[1], kept)] @ alone.coef + alone.intercept
    np.testing.assert_allclose(solution.held_out[folds[1]], targets.values[folds[1]] - outputs)
    gradient = HeldOutGradient(held_out=np.sin(solution.held_out))
    (gram_gradient,), _ = solution.pullback(gradient)
    direction, step = np.cov(X), 1e-6
    up, down = (
        -np.cos(Folded(machine, folds).solve([gram + s * step * direction], targets).held_out).sum()
        for s in (1, -1)
    )
    assert (gram_gradient * direction).sum() == pytest.approx((up - down) / (2 * step), rel=1e-5)


# Edges


def test_rows_are_not_left_out_one_by_one_without_a_closed_form():
    X, targets = draw(12)
    with pytest.raises(ValueError, match="SupportVector cannot leave out single rows"):
        SupportVector().held_out([Gaussian(1.0)(X)], targets, None)
