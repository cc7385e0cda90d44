"""MinimizeCriterion and what it is made of: starts, limits, ties, optima; C by folds."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC
from support_vector_records import slope

from kernelwise.criteria import (
    GACV,
    HeldOutErrors,
    LaplaceEvidence,
    SmoothedHeldOutErrors,
    SmoothedSpan,
    Span,
)
from kernelwise.kernels import Constant, Gaussian
from kernelwise.machines import Folded, SupportVector
from kernelwise.objective import Objective
from kernelwise.searchers import MultiStart, QuasiNewton, RandomWalk, SearchTrace
from kernelwise.selections import Given, MinimizeCriterion, Problem, Random, Scan
from kernelwise.selections.c_by_folds import DECADES, CByFolds
from kernelwise.selections.optima import combined, disagreement
from kernelwise.selections.roles import is_scale, with_amplitude
from kernelwise.selections.starts import search_tied
from kernelwise.solutions import HeldOutSolution, Targets

KINDS = [(loss, bias) for loss in ("hinge", "squared_hinge") for bias in (False, True)]
every_kind = pytest.mark.parametrize(("loss", "bias"), KINDS)


def problem_of(seed=0, n=40, d=3, loss="squared_hinge", bias=True, C=1.0, kernel=None, **settings):
    """The sign of one column and half another, blurred; folds dealt at random."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    y = np.sign(X[:, 0] + 0.5 * X[:, 1] + 0.5 * random.normal(size=n))
    fold_of = random.permutation(np.arange(n) % 3)
    return Problem(
        kernel=kernel or Gaussian(np.full(d, np.sqrt(d))),
        machine=SupportVector(C, loss, bias),
        X=X,
        targets=Targets.plain(y),
        classification=True,
        folds=[np.flatnonzero(fold_of == k) for k in range(3)],
        **settings,
    )


# Where a search begins


def test_given_begins_at_the_given_point():
    problem = problem_of(C=0.7, kernel=Gaussian([1.0, 2.0, 3.0]))
    choice = MinimizeCriterion(SmoothedSpan(), start=Given())(problem)
    expected = np.log([1 / 2, 1 / 8, 1 / 18, 0.7])
    np.testing.assert_allclose(choice.trace.points[0], expected, atol=1e-12)
    assert choice.criterion <= choice.trace.values[0]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_random_begins_within_its_spread_and_by_the_seed():
    def first(seed, spread):
        problem = problem_of(seed=0, searcher=RandomWalk(max_evaluations=1))
        selection = MinimizeCriterion(Span(), start=Random(spread))
        return selection(replace(problem, seed=seed)).trace.points[0]

    middle = np.log([1 / 6, 1 / 6, 1 / 6, 1.0])
    moves = np.array([first(seed, 2.0) - middle for seed in range(8)])
    assert np.abs(moves).max() <= 2.0 and np.abs(moves).max() > 1.5
    assert len(np.unique(moves)) == moves.size
    np.testing.assert_array_equal(first(3, 2.0), middle + moves[3])
    np.testing.assert_allclose(first(3, 0.5) - middle, moves[3] / 4, atol=1e-12)
    np.testing.assert_allclose(first(3, 0.0), middle, atol=1e-12)


def test_a_scan_is_no_worse_than_the_given_start():
    """For evidence; the span rule has several optima: either start may find the better one."""
    for seed in range(3):
        problem = problem_of(seed, bias=False, kernel=Gaussian(np.sqrt(3)) + Constant(1.0))
        scanned, given = (
            MinimizeCriterion(LaplaceEvidence(0.0), start=start)(problem)
            for start in (Scan(), Given())
        )
        assert scanned.criterion <= given.criterion + 1e-4 * abs(given.criterion)


@pytest.mark.parametrize("start", [Scan(), Given(), Random()], ids=str)
@pytest.mark.parametrize("criterion", [SmoothedSpan(), Span()], ids=str)
def test_a_regularization_that_is_not_searched_stays(start, criterion):
    problem = problem_of(C=3.7, kernel=Gaussian(2.0), searcher=RandomWalk(max_evaluations=5))
    selection = MinimizeCriterion(criterion, start=start, search_regularization=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        choice = selection(problem)
    assert choice.machine.values[0] == 3.7
    assert all(len(point) == 1 for point in choice.trace.points)


# The preference for equal scales


def test_near_is_the_criterion_and_the_squared_way_from_the_tied_kernel():
    problem = problem_of(d=3)
    selection = MinimizeCriterion(SmoothedSpan(), near=0.3)
    choice = selection(problem)
    start = choice.trace.points[0]
    assert np.ptp(start[:3]) < 1e-12, "the search begins at the tied kernel"

    def plain(point):
        kernel = problem.kernel.with_values(np.exp(point[:3]))
        machine = SupportVector(np.exp(point[3]), "squared_hinge", True)
        return SmoothedSpan()(machine.solve([kernel(problem.X)], problem.targets))[0]

    strength = 0.3 * abs(plain(start))
    for k in (0, len(choice.trace) // 2, choice.trace.best):
        point = choice.trace.points[k]
        way = np.append(0.5 * (point - start)[:3], (point - start)[3])
        expected = plain(point) + strength * np.mean(way**2)
        assert choice.trace.values[k] == pytest.approx(expected, rel=1e-8)


def test_near_pulls_towards_the_tied_kernel():
    spreads = []
    for near in (0.0, 0.01, 1.0, 1e4):
        choice = MinimizeCriterion(SmoothedSpan(), near=near)(problem_of(seed=1, d=3))
        spreads.append(np.ptp(choice.kernel.theta))
    assert spreads[0] > spreads[1] > spreads[2] > spreads[3]
    assert spreads[3] < 0.01


# Criteria that give only values


def test_a_criterion_of_values_is_walked_at_random():
    problem = problem_of(kernel=Gaussian(2.0))
    first, other = (
        MinimizeCriterion(Span(), start=Given())(replace(problem, seed=seed)) for seed in (0, 1)
    )
    walk = MultiStart(RandomWalk(), seed=0)
    objective = Objective(problem.kernel, problem.machine, Span(), problem.X, problem.targets)
    expected = walk(objective, objective.point, objective.limits)
    np.testing.assert_array_equal(first.trace.points, expected.points)
    assert first.trace.values == expected.values
    assert not np.array_equal(first.trace.points[1], other.trace.points[1])


def test_folded_criteria_judge_held_out_rows():
    problem = problem_of(kernel=Gaussian(2.0), searcher=RandomWalk(max_evaluations=20))
    choice = MinimizeCriterion(HeldOutErrors(), start=Given())(problem)
    folded = Folded(choice.machine, problem.folds)
    solution = folded.solve([choice.kernel(problem.X)], problem.targets)
    assert choice.criterion == HeldOutErrors()(solution)[0]
    np.testing.assert_array_equal(choice.held_out, solution.held_out)
    assert isinstance(choice.machine, SupportVector)


# C by folds


@pytest.mark.parametrize("seed", range(4))
def test_the_C_of_fewest_held_out_errors(seed):
    """Against LIBSVM, in all folds, for all seven."""
    problem = problem_of(seed, loss="hinge", kernel=Gaussian(1.0))
    gram, y = problem.kernel(problem.X), problem.targets.values[:, 0]
    size = np.mean(np.diagonal(gram)) - gram.mean()
    judged = []
    for bound in DECADES / size:
        wrong = hinge = 0.0
        for S in problem.folds:
            T = np.setdiff1d(np.arange(len(y)), S)
            svc = SVC(C=bound, kernel="precomputed", tol=1e-8).fit(gram[np.ix_(T, T)], y[T])
            margins = y[S] * svc.decision_function(gram[np.ix_(S, T)])
            wrong += (margins <= 0).sum() / len(y)
            hinge += np.maximum(0, 1 - margins).sum() / len(y)
        judged.append((round(wrong, 9), hinge, bound))
    choice = CByFolds()(problem)
    np.testing.assert_allclose(choice.trace.values, [wrong for wrong, _, _ in judged], atol=1e-9)
    wrong, _, bound = min(judged)
    assert choice.machine.values[0] == pytest.approx(bound)
    assert choice.criterion == pytest.approx(wrong) and len(choice.trace) == 7
    np.testing.assert_array_equal(choice.kernel.values, problem.kernel.values)


# Ties


def test_only_what_is_tied_moves_together():
    kernel = with_amplitude(Gaussian([1.0, 2.0, 3.0]) + Constant(0.4), 2.0)
    tied = is_scale(kernel)
    assert kernel.roles[0] == "amplitude" and tied.tolist() == [False, *[True] * 3, False]
    problem = problem_of(bias=False, kernel=kernel)
    objective = Objective(kernel, problem.machine, LaplaceEvidence(0.0), problem.X, problem.targets)
    point, trace = search_tied(objective, QuasiNewton(), tied)
    moved = point - objective.point
    np.testing.assert_allclose(moved[1:4], moved[1], atol=1e-12)
    assert abs(moved[0] - moved[1]) > 1e-3 and abs(moved[4] - moved[1]) > 1e-3
    assert trace.best_value == pytest.approx(objective.value(point), rel=1e-9)
    assert trace.best_value < objective.value(objective.point)
    # (log factor, amplitude, offset, C)
    assert all(len(tried) == 4 for tried in trace.points)
    all_tied, trace = search_tied(objective, QuasiNewton())
    np.testing.assert_allclose(np.ptp((all_tied - objective.point)[:5]), 0, atol=1e-12)
    assert all(len(tried) == 2 for tried in trace.points)


def test_ties_keep_to_limits():
    problem = problem_of(kernel=Gaussian([1.0, 2.0, 3.0]))
    objective = Objective(
        problem.kernel, problem.machine, SmoothedSpan(), problem.X, problem.targets
    )
    room = np.array([0.1, 0.3, 0.3, 0.1])
    for below, above in ((np.full(4, 0.2), room), (room, np.full(4, 0.1))):
        limits = np.column_stack([objective.point - below, objective.point + above])
        point, trace = search_tied(objective, QuasiNewton(), np.array([True] * 3), limits)
        assert (point >= limits[:, 0] - 1e-12).all() and (point <= limits[:, 1] + 1e-12).all()
        factors = np.array(trace.points)[:, 0]
        assert -below[:3].min() - 1e-12 <= factors.min() and factors.max() <= 0.1 + 1e-12


# Several optima


def test_disagreement_is_the_share_of_rows_of_another_class():
    random = np.random.default_rng(0)
    problem = problem_of(n=12)
    weights = random.uniform(0.5, 2, 12)
    for outputs in (1, 3):
        y = np.where(random.uniform(size=(12, outputs)) > 0.5, 1.0, -1.0)
        problem = replace(problem, targets=Targets.plain(y, weights))
        one, other = random.normal(size=(2, 12, outputs))
        differing = 0.0
        for i in range(12):
            f, g = y[i] - one[i], y[i] - other[i]
            same = (f[0] > 0) == (g[0] > 0) if outputs == 1 else f.argmax() == g.argmax()
            differing += 0.0 if same else weights[i]
        assert 0 < differing < weights.sum()
        found = disagreement(problem, one, other)
        assert found == pytest.approx(differing / weights.sum())
        assert disagreement(problem, one, one) == 0
    quantities = replace(problem, classification=False)
    expected = np.sqrt(np.average(((one - other) ** 2).mean(axis=1), weights=weights))
    assert disagreement(quantities, one, other) == pytest.approx(expected)


class Points:
    """An objective that only says which kernel and machine are at a point."""

    n_factorizations = 5

    def __init__(self, problem):
        self.problem = problem

    def at(self, point):
        kernel, machine = self.problem.kernel, self.problem.machine
        return kernel.with_theta(point[:1]), machine.with_theta(point[1:])


def trace_of(points, values):
    traces = [
        SearchTrace([np.array(point)], [value], [0.0], [0.0], "tried")
        for point, value in zip(points, values, strict=True)
    ]
    return SearchTrace(list(map(np.array, points)), list(values), reason="tried", optima=traces)


def test_an_optimum_inside_is_preferred():
    problem, asked = problem_of(kernel=Gaussian(2.0)), []
    points, values = [(-1.0, 0.0), (-3.0, 2.0), (0.5, 9.0), (9.0, 9.0)], [0.4, 0.2, 0.1, np.inf]
    trace = trace_of(points, values)

    def far(point):
        asked.append(tuple(point))
        return ("C",) if point[1] > 8 else ()

    choice = combined(problem, trace, Points(problem), far)
    assert choice.criterion == 0.2 and not choice.members and not choice.at_limits
    assert asked == points[:3], "each optimum is asked once"
    np.testing.assert_allclose(choice.kernel.theta, [-3.0])
    first, best, _, nowhere = choice.trace.optima
    assert nowhere.kernel is None and np.isnan(nowhere.disagreement)
    assert len(repr(best)) < 100
    assert best.disagreement == 0 and best.kernel == choice.kernel
    assert first.best_value == 0.4 and first.kernel.theta == pytest.approx([-1.0])
    assert choice.n_factorizations > 5
    average = combined(replace(problem, combine="average"), trace, Points(problem), far)
    assert [member.criterion for member in average.members] == [0.2, 0.4]
    mean = np.mean([member.held_out for member in average.members], axis=0)
    np.testing.assert_allclose(average.held_out, mean)
    # If all are false, the best of them.
    false = combined(problem, trace, Points(problem), lambda point: ("C",))
    assert false.criterion == 0.1 and false.at_limits == ("C",)
    with pytest.raises(ValueError, match="tried"):
        combined(problem, trace_of(points[:1], [np.inf]), Points(problem), far)


# Criteria


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_gacv_with_a_bias_does_not_see_a_constant_in_the_kernel(loss):
    for seed in range(3):
        problem = problem_of(seed, n=20, kernel=Gaussian(1.5))
        gram = problem.kernel(problem.X)
        targets = replace(problem.targets, weights=np.random.default_rng(seed).uniform(0.5, 2, 20))
        value, *moved = (
            GACV()(SupportVector(2.0, loss, True).solve([gram + constant], targets))[0]
            for constant in (0.0, 0.3, 10.0)
        )
        np.testing.assert_allclose(moved, value, rtol=1e-9)
        alone, other = (
            GACV()(SupportVector(2.0, loss, False).solve([gram + constant], targets))[0]
            for constant in (0.0, 10.0)
        )
        assert abs(other - alone) > 0.1, "without a bias it must"


@every_kind
def test_smoothed_held_out_errors(loss, bias):
    """By definition, and its slope in every held-out residual and along the whole chain."""
    random = np.random.default_rng(2)
    y = np.where(random.uniform(size=(10, 2)) > 0.5, 1.0, -1.0)
    weights, outputs = random.uniform(0.5, 2, 10), random.normal(size=(10, 2))
    targets, criterion = Targets.plain(y, weights), SmoothedHeldOutErrors(slope=4.0)

    def at(outputs):
        return criterion(HeldOutSolution(y - outputs, targets, None))

    total = 0.0
    for i in range(10):
        for t in range(2):
            total += weights[i] / (1 + np.exp(4.0 * y[i, t] * outputs[i, t]))
    value, gradient = at(outputs)
    assert value == pytest.approx(total / weights.sum(), rel=1e-12)
    for i in range(10):
        for t in range(2):
            step = np.zeros((10, 2))
            step[i, t] = 1.0
            expected = slope(lambda h, step=step: at(outputs - h * step)[0], 1e-3)
            assert gradient.held_out[i, t] == pytest.approx(expected, rel=1e-7, abs=1e-10)

    problem = problem_of(n=20, loss=loss, bias=bias, C=0.8)
    folded = Folded(problem.machine, problem.folds)
    objective = Objective(problem.kernel, folded, criterion, problem.X, problem.targets)
    gradient = objective(objective.point).gradient
    for r, found in enumerate(gradient):
        unit = np.eye(len(gradient))[r]
        expected = slope(lambda h, unit=unit: objective.value(objective.point + h * unit), 1e-4)
        assert found == pytest.approx(expected, rel=1e-5, abs=1e-8)


def test_smoothed_counts_become_counts():
    problem = problem_of(n=30)
    solution = Folded(problem.machine, problem.folds).solve(
        [problem.kernel(problem.X)], problem.targets
    )
    steep = SmoothedHeldOutErrors(slope=1e9)(solution)[0]
    assert steep == pytest.approx(HeldOutErrors()(solution)[0], abs=1e-12)
    with pytest.raises(ValueError, match="slope must be positive"):
        SmoothedHeldOutErrors(0.0)
