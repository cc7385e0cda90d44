"""Selections: what they choose satisfies their own conditions, and is honest about its error."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from kernelwise import LSSVMClassifier
from kernelwise.criteria import (
    BayesianLeaveOneOut,
    Evidence,
    FirstLevel,
    HeldOutSquares,
    LeaveOneOut,
)
from kernelwise.kernels import Gaussian, Laplacian, Linear
from kernelwise.machines import Folded, LeastSquares
from kernelwise.objective import Objective
from kernelwise.searchers import QuasiNewton, Rprop
from kernelwise.selections import AsGiven, FirstLevelSelection, MinimizeCriterion, Problem
from kernelwise.selections.first_level import Learner
from kernelwise.solutions import LinearizedLeastSquares, Targets

ESTIMATES = ["tangent-loo", "cv", "evidence"]


def problem_of(X, y, kernel=None, **settings):
    """Standardized rows, one length scale per feature, 5 folds."""
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    d = X.shape[1]
    fold_of = np.random.default_rng(0).permutation(np.arange(len(X)) % 5)
    return Problem(
        kernel=kernel or Gaussian(np.full(d, np.sqrt(d))),
        machine=LeastSquares(1.0),
        X=X,
        targets=Targets.plain(y),
        folds=[np.flatnonzero(fold_of == k) for k in range(5)],
        **settings,
    )


def two_of_five(n=60, seed=0):
    """Labels from a product of the first two columns of five, one in ten wrong."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 5))
    y = np.sign(X[:, 0] * X[:, 1] + 0.5 * X[:, 0]) * np.where(random.uniform(size=n) < 0.1, -1, 1)
    return X, y


@pytest.fixture(scope="module")
def heart(generated_split):
    X, y, *_ = generated_split("ida_heart")
    return problem_of(X, y)


def inner_objective(choice, problem, rows=slice(None)):
    """The training criterion at the two regularisers that were chosen."""
    _, log_penalty = choice.trace.best_point
    return Objective(
        choice.kernel.in_coordinates("natural"),
        choice.machine,
        FirstLevel(np.exp(log_penalty)),
        problem.X[rows],
        problem.targets.take(np.arange(len(problem.X))[rows]),
        learn_machine=False,
    )


def solve_inner(objective):
    """The inner problem by scipy, from the objective's own point; the kernel found."""
    unit, size = objective.point.mean(), objective.value(objective.point)

    def function(point):
        found = objective(point * unit)
        value, gradient = found.value, found.gradient
        return value / size, gradient * unit / size

    limits = [(0, None)] * len(objective.point)
    options = {"ftol": 1e-14, "gtol": 1e-8, "maxiter": 500}
    found = minimize(
        function,
        objective.point / unit,
        jac=True,
        method="L-BFGS-B",
        bounds=limits,
        options=options,
    )
    return objective.kernel.with_theta(found.x * unit), found.fun * size


@pytest.fixture(scope="module", params=["heart", "with-irrelevant-columns"])
def learnable(request):
    if request.param == "heart":
        return request.getfixturevalue("heart")
    return problem_of(*two_of_five(100, seed=4))


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("kind", [Gaussian, Laplacian])
def test_the_inner_problem_is_at_its_minimum(learnable, estimate, kind):
    """Karush, Kuhn and Tucker: no slope on active parameters, none downwards on those at zero."""
    d = learnable.X.shape[1]
    problem = replace(learnable, kernel=kind(np.full(d, float(d))))
    choice = FirstLevelSelection(estimate)(problem)
    assert choice.machine.values[0] == pytest.approx(np.exp(choice.trace.best_point[0]))
    objective = inner_objective(choice, problem)
    found = objective(objective.point)
    value, gradient = found.value, found.gradient
    values, unit = choice.kernel.values, choice.kernel.values.mean()
    active = values > 0
    # Slopes in units of the mean parameter and of the criterion.
    assert (values >= 0).all() and active.any()
    assert abs(gradient[active] * unit / value).max() < 1e-3
    assert (gradient[~active] * unit / value > -1e-3).all()
    assert solve_inner(objective)[1] > value * (1 - 1e-4)
    tied = np.full_like(values, unit)
    assert abs(objective(tied).gradient * unit / value).max() > 3e-3, "this test could not fail"


def test_irrelevant_columns_reach_zero():
    """Exactly; in logarithms they never would."""
    weights = [FirstLevelSelection()(problem_of(*two_of_five(80, s))).kernel.values for s in (0, 7)]
    assert (np.array(weights)[:, :2] > 0).all()
    assert (np.array(weights)[:, 2:] == 0).any()


@pytest.mark.parametrize(
    ("estimate", "vanishing"),
    [("tangent-loo", False), ("tangent-loo", True), ("cv", False), ("evidence", True)],
)
def test_the_choice_is_consistent(heart, estimate, vanishing):
    """Also where a parameter is at zero: it takes no part in learning, and costs nothing."""
    problem = problem_of(*two_of_five(80, seed=7)) if vanishing else heart
    choice = FirstLevelSelection(estimate)(problem)
    assert not vanishing or (choice.kernel.values == 0).any()
    X = problem.X
    solution = choice.machine.solve([choice.kernel(X)], problem.targets)
    np.testing.assert_allclose(choice.solution.coef, solution.coef, rtol=1e-6, atol=1e-9)
    natural, active = choice.kernel.in_coordinates("natural"), choice.kernel.values > 0
    tangents = natural.output_tangents(X, X, solution.coef)[:, :, active]
    penalty = np.exp(choice.trace.best_point[1])
    linearized = LinearizedLeastSquares(solution, tangents, penalty)
    expected = linearized.left_out
    np.testing.assert_allclose(choice.held_out, expected, rtol=1e-5, atol=1e-8)
    assert choice.trace.best_value == min(choice.trace.values)
    assert choice.n_factorizations > len(choice.trace)
    if estimate == "tangent-loo":
        assert choice.criterion == pytest.approx(0.5 * (expected**2).sum(), rel=1e-5)
    if estimate == "evidence":
        size = (choice.kernel.values**2).sum()
        assert choice.criterion == pytest.approx(linearized.evidence_error(size), rel=1e-5)
    assert choice.criterion == pytest.approx(choice.trace.best_value, rel=0.01)


def test_the_cv_estimate_is_refitting_kernel_and_machine_on_every_fold(heart):
    choice = FirstLevelSelection("cv")(heart)
    total = 0.0
    for rows in heart.folds:
        kept = np.setdiff1d(np.arange(len(heart.X)), rows)
        objective = inner_objective(choice, heart, kept)
        kernel, _ = solve_inner(objective)
        X, y = heart.X, heart.targets.values
        fit = choice.machine.solve([kernel(X[kept])], heart.targets.take(kept))
        residuals = y[rows] - kernel(X[rows], X[kept]) @ fit.coef - fit.intercept
        total += 0.5 * (residuals**2).sum()
    assert choice.criterion == pytest.approx(total, rel=0.01)


def test_the_evidence_is_at_its_minimum():
    problem = problem_of(*two_of_five(100, seed=4))
    choice, learner = FirstLevelSelection("evidence")(problem), Learner(problem, [], True)
    moves = [(0.8, 0.0), (-0.8, 0.0), (0.0, 0.8), (0.0, -0.8)]
    around = [learner(choice.trace.best_point + np.array(move)).value for move in moves]
    assert min(around) > choice.trace.best_value * (1 - 1e-3)
    assert max(around) > choice.trace.best_value * (1 + 2e-3), "this test could not fail"


def test_tangent_leave_one_out_is_nearer_to_refitting_than_plain_leave_one_out():
    """Both against learning kernel and machine again without each row."""
    problem = problem_of(*two_of_five(40))
    choice = FirstLevelSelection()(problem)
    refitted = np.empty(40)
    for i in range(40):
        kept = np.delete(np.arange(40), i)
        kernel, _ = solve_inner(inner_objective(choice, problem, kept))
        fit = choice.machine.solve([kernel(problem.X[kept])], problem.targets.take(kept))
        output = kernel(problem.X[[i]], problem.X[kept]) @ fit.coef + fit.intercept
        refitted[i] = (problem.targets.values[i] - output).item()
    tangent, plain = choice.held_out[:, 0], choice.solution.left_out[:, 0]
    true = (refitted**2).sum()
    assert abs((tangent**2).sum() - true) < 0.5 * abs((plain**2).sum() - true)
    assert np.corrcoef(tangent, refitted)[0, 1] > 0.97


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_it_finds_the_features_that_matter(estimate):
    X, y = two_of_five(150)
    choice = FirstLevelSelection(estimate)(problem_of(X, y))
    assert choice.kernel.values[:2].min() > 3 * choice.kernel.values[2:].max()


CRITERIA = {
    "loo": LeaveOneOut(),
    "loo-bayes": BayesianLeaveOneOut(),
    "evidence": Evidence(),
    "cv": HeldOutSquares(),
}


@pytest.mark.parametrize("name", CRITERIA)
def test_minimize_criterion_reaches_a_minimum(name):
    problem = problem_of(*two_of_five(60))
    choice = MinimizeCriterion(CRITERIA[name])(problem)
    start = np.exp(choice.trace.points[0])
    criterion = CRITERIA[name].anchored(start[:5], start[5:])
    machine = Folded(choice.machine, problem.folds) if name == "cv" else choice.machine
    objective = Objective(choice.kernel, machine, criterion, problem.X, problem.targets)
    found = objective(objective.point)
    value, gradient = found.value, found.gradient
    assert value == pytest.approx(choice.criterion, rel=1e-9)
    low, high = objective.limits.T
    held = (objective.point <= low + 1e-9) & (gradient > 0)
    held |= (objective.point >= high - 1e-9) & (gradient < 0)
    assert abs(gradient[~held]).max() < 1e-2 * max(1.0, abs(value))
    given = Objective(problem.kernel, machine, criterion, problem.X, problem.targets)
    assert value < given.value(given.point)
    np.testing.assert_allclose(choice.held_out, choice.solution.left_out)


def test_as_given_changes_nothing():
    problem = problem_of(*two_of_five())
    choice = AsGiven()(problem)
    np.testing.assert_array_equal(choice.kernel.values, problem.kernel.values)
    assert choice.machine.values[0] == 1.0 and choice.n_factorizations == 1
    assert choice.criterion == pytest.approx(0.5 * (choice.held_out**2).sum())


def test_a_kernel_with_nothing_to_learn_still_gets_its_regularization():
    problem = problem_of(*two_of_five(), kernel=Linear())
    first, plain = (s(problem) for s in (FirstLevelSelection(), MinimizeCriterion(LeaveOneOut())))
    assert first.machine.values[0] == plain.machine.values[0] != 1.0


SELECTIONS = {
    "first-level": FirstLevelSelection(),
    "first-level-cv": FirstLevelSelection("cv"),
    "first-level-evidence": FirstLevelSelection("evidence"),
    "loo": MinimizeCriterion(LeaveOneOut()),
    "cv": MinimizeCriterion(HeldOutSquares()),
}


@pytest.mark.parametrize("name", SELECTIONS)
def test_row_order_does_not_matter(name):
    """To the bit for an estimator, which sorts; to rounding for the selection itself."""
    X, y = two_of_five(60)
    order = np.random.default_rng(3).permutation(60)
    settings = {"selection": SELECTIONS[name], "random_state": 0}
    fits = [LSSVMClassifier(**settings).fit(X[rows], y[rows]) for rows in (slice(None), order)]
    np.testing.assert_array_equal(*(fit.decision_function(X) for fit in fits))

    problem = problem_of(X, y)
    place = np.argsort(order)
    moved = replace(
        problem,
        X=problem.X[order],
        targets=problem.targets.take(order),
        folds=[place[fold] for fold in problem.folds],
    )
    values = [SELECTIONS[name](each).criterion for each in (problem, moved)]
    # The outer search ends when its trust region is small: the criterion is flat by then.
    assert values[0] == pytest.approx(values[1], rel=0.01)


@pytest.mark.parametrize("name", ["first-level", "loo"])
def test_the_same_bits_whatever_n_jobs(name):
    problem = problem_of(*two_of_five(50), n_restarts=2, seed=5)
    choices = [SELECTIONS[name](replace(problem, n_jobs=n_jobs)) for n_jobs in (1, 2)]
    assert choices[0].kernel.values.tobytes() == choices[1].kernel.values.tobytes()
    assert choices[0].solution.coef.tobytes() == choices[1].solution.coef.tobytes()
    assert len(choices[0].trace.optima) == 3


@pytest.mark.parametrize("name", SELECTIONS)
def test_progress_is_told_of_every_point(name):
    told = []
    problem = problem_of(*two_of_five(40), on_evaluation=lambda: told.append(1))
    assert len(told) == 0
    assert len(SELECTIONS[name](problem).trace) == len(told)


def test_a_search_that_ends_early_warns_and_keeps_its_best():
    problem = problem_of(*two_of_five(), searcher=QuasiNewton(max_iterations=1, tolerance=0))
    with pytest.warns(ConvergenceWarning, match="iteration limit"):
        choice = MinimizeCriterion(LeaveOneOut())(problem)
    assert choice.criterion == min(choice.trace.values)


def test_an_unknown_estimate_is_refused():
    with pytest.raises(ValueError, match="bootstrap"):
        FirstLevelSelection("bootstrap")


def noise(n, d, seed):
    """Labels without meaning."""
    random = np.random.default_rng(seed)
    y = random.permutation(np.repeat([-1.0, 1.0], n // 2))
    return problem_of(random.normal(size=(n, d)), y)


def test_first_level_is_honest_about_noise():
    """60 rows, 30 columns, labels without meaning: plain leave-one-out deceives itself."""
    shares, deceived = [], []
    for seed in range(6):
        problem = noise(60, 30, seed)
        chance = 0.5 * (problem.targets.values**2).sum()
        shares.append(FirstLevelSelection()(problem).criterion / chance)
        plain = Objective(
            problem.kernel, problem.machine, LeaveOneOut(), problem.X, problem.targets
        )
        deceived.append(QuasiNewton()(plain, plain.point, plain.limits).best_value / chance)
    assert np.mean(deceived) < 0.5
    assert np.mean(shares) > 0.85


@pytest.mark.parametrize(("n", "d", "seed"), [(60, 30, 0), (60, 30, 7), (40, 100, 3)])
def test_the_criterion_is_that_of_the_kernel_that_was_kept(n, d, seed):
    """The inner problem may have several minima; the one judged must be the one returned."""
    choice = FirstLevelSelection()(noise(n, d, seed))
    assert choice.criterion == pytest.approx(0.5 * (choice.held_out**2).sum(), rel=0.05)


def test_near_serves_least_squares_too():
    """A preference for the tied kernel, with any machine: the scales stay closer together."""
    spreads = []
    for near in (0.0, 1.0, 1e4):
        choice = MinimizeCriterion(LeaveOneOut(), near=near)(problem_of(*two_of_five(60)))
        spreads.append(np.ptp(choice.kernel.theta))
    assert spreads[0] > spreads[1] > spreads[2] and spreads[2] < 0.01


def test_a_gradient_without_a_value_can_be_searched():
    """A criterion that gives no value, like a sampled one."""

    class Slope(LeaveOneOut):
        gives = frozenset({"gradient"})

    problem = problem_of(*two_of_five(60), searcher=Rprop(300))
    objective = Objective(problem.kernel, problem.machine, Slope(), problem.X, problem.targets)

    def slopes(point):
        return replace(objective(point), value=None)

    trace = problem.search_with(QuasiNewton(), Slope.gives)(
        slopes, objective.point, objective.limits
    )
    assert trace.found and np.isnan(trace.best_value)
    assert objective.value(trace.best_point) < 0.9 * objective.value(objective.point)
    with pytest.raises(ValueError, match="needs the value"):
        replace(problem, searcher=None).search_with(QuasiNewton(), Slope.gives)


def test_no_gram_matrix_is_computed_twice(monkeypatch):
    """Inner searches begin where earlier ones ended; only the best of the scan and the tied kernel
    are met again, by searches of another kind.
    """
    seen, evaluate = [], Gaussian.evaluate

    def counting(self, A, B=None, up_to_constant=False):
        seen.append((len(A), self.values.tobytes()))
        return evaluate(self, A, B, up_to_constant)

    monkeypatch.setattr(Gaussian, "evaluate", counting)
    FirstLevelSelection()(problem_of(*two_of_five(80)))
    assert len(seen) > 50 and len(seen) - len(set(seen)) <= 2


def test_restarts_of_first_level_learning_describe_their_optima():
    problem = problem_of(*two_of_five(60), n_restarts=2, classification=True)
    choice = FirstLevelSelection()(problem)
    assert len(choice.trace.optima) == 3
    best = min(choice.trace.optima, key=lambda optimum: optimum.best_value)
    assert best.disagreement == 0
    for optimum in choice.trace.optima:
        assert optimum.kernel.values.shape == (5,) and 0 <= optimum.disagreement <= 1


@pytest.mark.parametrize(
    ("regularization", "within"),
    [(1e-14, (1e-10, 1e-9)), (1e-10, (1e-10, 1e-9)), (2.0, (0.2, 20.0)), (1e30, (1e5, 1e6))],
)
def test_room_is_around_a_start_and_within_limits(regularization, within):
    """A start beyond the limits has its room at their end, not none."""
    selection = MinimizeCriterion(Evidence(), room=10.0)
    problem = problem_of(*two_of_five(20))
    objective = selection.objective(problem, problem.kernel, LeastSquares(regularization))
    limits = np.exp(selection.search_limits(objective))
    np.testing.assert_allclose(limits[-1], within)
    np.testing.assert_allclose(limits[:-1], problem.kernel.value_limits)
