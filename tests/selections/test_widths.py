"""The width scan: known curves of values, direct values of machines, and what it counts."""

from dataclasses import replace

import numpy as np
import pytest
from relevance_vector_problems import draw

from kernelwise.criteria import HeldOutErrors, HeldOutSquares, LeaveOneOut, PricedEvidence
from kernelwise.kernels import Gaussian, Linear, RationalQuadratic, Scaled
from kernelwise.machines import LeastSquares, RelevanceVector
from kernelwise.objective import evaluated
from kernelwise.selections import AsGiven, MinimizeCriterion, Problem, Selection, WidthScan
from kernelwise.selections.widths import CLOSE, FACTORS, MOST_BEYOND, MOST_VALUES
from kernelwise.solutions import Targets, moderated

LOGS = np.log(FACTORS)
STEP = LOGS[1] - LOGS[0]


def problem_of(likelihood="normal", kernel=None, n=40, **settings):
    X, y = draw(n, labels=likelihood == "logistic")
    folds = [np.arange(k, n, 3) for k in range(3)]
    machine = RelevanceVector(likelihood)
    return Problem(kernel or Gaussian(1.0), machine, X, Targets.plain(y), folds=folds, **settings)


class Known(WidthScan):
    """A scan of a known function of the logarithm of the factor."""

    def __init__(self, function, *args, **settings):
        super().__init__(PricedEvidence(), *args, **settings)
        self.function = function

    def value(self, problem, found):
        return self.function(self.logs(problem, found.kernel.theta))

    @staticmethod
    def logs(problem, theta):
        return float((theta - problem.kernel.theta)[0])

    def tried(self, problem):
        """The logarithms that were tried, and the one that was chosen."""
        choice = self(problem)
        logs = [self.logs(problem, point) for point in choice.trace.points]
        return np.array(logs), self.logs(problem, choice.kernel.theta), choice


@pytest.fixture(scope="module")
def small():
    return problem_of(n=12)


@pytest.mark.parametrize("likelihood", ["normal", "logistic"])
def test_the_best_of_the_factors_by_direct_values(likelihood):
    problem, factors = problem_of(likelihood), (0.02, 0.3, 1.0, 6.0)
    direct, solutions = [], []
    for factor in factors:
        kernel = Gaussian(factor**-0.5)  # weights are 1 / (2 l^2)
        solution = problem.machine.solve([kernel(problem.X)], problem.targets)
        (vectors,) = solution.machines
        direct.append(0.5 * np.log(40) * len(vectors.rows) - vectors.evidence)
        solutions.append(solution)
    choice = WidthScan(PricedEvidence(), factors, refine=False)(problem)
    np.testing.assert_allclose(choice.trace.values, direct, rtol=1e-9)
    best = int(np.argmin(direct))
    assert choice.kernel.length_scale == pytest.approx(factors[best] ** -0.5)
    assert choice.criterion == pytest.approx(direct[best], rel=1e-9)
    np.testing.assert_allclose(choice.expansion.coef, solutions[best].coef, rtol=1e-6)
    assert choice.trace.reason == "all widths were tried" and choice.trace.converged


@pytest.mark.parametrize("seed", range(4))
def test_refining_never_makes_it_worse(seed):
    X, y = draw(30, seed=seed)
    problem = replace(problem_of(n=30), X=X, targets=Targets.plain(y))
    plain = WidthScan(PricedEvidence(), refine=False)(problem)
    refined = WidthScan(PricedEvidence())(problem)
    assert refined.criterion <= plain.criterion
    assert refined.criterion == min(refined.trace.values)
    again = evaluated(refined.kernel, problem.machine, X, problem.targets)
    assert PricedEvidence()(again.solution)[0] == pytest.approx(refined.criterion, rel=1e-9)


@pytest.mark.parametrize("lowest", [LOGS[3] + 0.3, LOGS[7] - 0.4, LOGS[5]])
def test_refining_finds_a_minimum_between_two_factors(small, lowest):
    logs, chosen, choice = Known(lambda log: (log - lowest) ** 2).tried(small)
    assert chosen == pytest.approx(lowest, abs=CLOSE)
    np.testing.assert_allclose(logs[:12], LOGS)
    assert 12 < len(logs) <= 12 + MOST_VALUES + 1
    assert np.abs(logs[12:] - lowest).max() < 2 * STEP
    assert choice.trace.reason == "the best width was found"


def test_a_spike_that_only_the_scan_hits_is_kept(small):
    """Around it all is alike or worse: the refinement must not lose it."""
    spike = LOGS[4]
    _, chosen, _ = Known(lambda log: -5.0 if abs(log - spike) < 1e-6 else 0.0).tried(small)
    assert chosen == pytest.approx(spike)


@pytest.mark.parametrize("end", [-1, 1], ids=["wide", "narrow"])
@pytest.mark.parametrize("beyond", [0.0, 2.4, 6.7])
def test_the_scan_goes_on_beyond_an_end_while_that_is_better(small, end, beyond):
    lowest = LOGS[-1 if end > 0 else 0] + end * beyond * STEP
    logs, chosen, _ = Known(lambda log: abs(log - lowest), refine=False).tried(small)
    assert abs(chosen - lowest) <= STEP / 2
    # One factor beyond the best says that it is the best.
    assert len(logs) == 12 + round(beyond) + 1
    assert (np.diff(logs[12:]) * end > 0).all()


def test_the_scan_does_not_go_on_without_end(small):
    logs, chosen, _ = Known(lambda log: log, refine=False).tried(small)
    assert len(logs) == 12 + MOST_BEYOND
    assert chosen == logs.min() == pytest.approx(LOGS[0] - MOST_BEYOND * STEP)


def test_given_factors_are_all_that_is_tried(small):
    logs, chosen, _ = Known(lambda log: log, (0.5, 1.0, 2.0), refine=False).tried(small)
    np.testing.assert_allclose(logs, np.log([0.5, 1.0, 2.0]))
    assert chosen == pytest.approx(np.log(0.5))
    logs, _, _ = Known(lambda log: log, (0.5, 1.0, 2.0)).tried(small)
    assert logs.min() >= np.log(0.5) - 1e-12


def test_one_factor_has_nothing_to_refine(small):
    logs, chosen, _ = Known(lambda log: log**2, (3.0,)).tried(small)
    assert len(logs) == 1 and chosen == pytest.approx(np.log(3.0))


@pytest.mark.parametrize("refine", [False, True])
@pytest.mark.parametrize(
    ("function", "widest"),
    [
        (lambda log: 1.0, LOGS[0] - STEP),  # one beyond shows that nothing gets better
        (lambda log: float(log < LOGS[4] - 1e-6), LOGS[4]),
        (lambda log: float(abs(log - LOGS[6]) > 1.5 * STEP), LOGS[5]),
    ],
    ids=["flat", "flat to the narrow end", "a valley"],
)
def test_of_equal_values_the_widest_kernel_counts(small, function, widest, refine):
    logs, chosen, choice = Known(function, refine=refine).tried(small)
    equal = np.array(choice.trace.values) == min(choice.trace.values)
    assert chosen == logs[equal].min() <= widest + 1e-9
    assert len(logs) <= 13 + (MOST_VALUES + 1) * refine


@pytest.mark.filterwarnings("error")
def test_widths_that_cannot_be_judged_lose(small):
    """A null model has an infinite value; next to the best it must not spoil the refinement."""
    choice = Known(lambda log: log**2 if log > -0.3 else np.inf)(small)
    assert choice.trace.converged
    assert Known.logs(small, choice.kernel.theta) == pytest.approx(0, abs=2 * CLOSE)


def test_if_none_can_be_judged_the_middle_is_taken(small):
    logs, chosen, choice = Known(lambda log: np.nan).tried(small)
    assert len(logs) == 12 and chosen == pytest.approx(LOGS[6])
    assert not choice.trace.converged
    assert choice.trace.reason == "no width could be judged, so the middle one was taken"


@pytest.mark.parametrize("kernel", [Linear(), Scaled(Linear(), 2.0)], ids=repr)
def test_a_kernel_without_a_width_is_judged_as_it_is(kernel):
    problem = problem_of(kernel=kernel)
    choice = WidthScan(PricedEvidence())(problem)
    solution = evaluated(kernel, problem.machine, problem.X, problem.targets).solution
    assert choice.trace.values == [pytest.approx(PricedEvidence()(solution)[0])]
    assert choice.trace.reason == "the kernel has no width to choose"
    np.testing.assert_array_equal(choice.kernel.values, kernel.values)


def test_only_scales_have_the_factor():
    """Neither an amplitude nor a shape: scaled alike, weight and shape would cancel."""
    kernel = Scaled(RationalQuadratic([1.0, 2.0, 3.0], shape=0.7), 5.0)
    choice = WidthScan(PricedEvidence(), (4.0,))(problem_of(kernel=kernel))
    kept = np.array([role != "scale" for role in kernel.roles])
    assert kept.sum() == 2
    np.testing.assert_allclose(choice.kernel.values[kept], kernel.values[kept], rtol=1e-12)
    np.testing.assert_allclose(choice.kernel.values[~kept], 4 * kernel.values[~kept], rtol=1e-12)


class Noted(AsGiven):
    """Chooses nothing, and notes the kernel it was given."""

    def __call__(self, problem):
        self.kernel = problem.kernel
        return super().__call__(problem)


@pytest.mark.parametrize(
    ("kernel", "several"),
    [
        (Gaussian(1.0), False),
        (Scaled(Gaussian(1.0)), False),
        (Gaussian([1.0, 1.0, 2.0]), True),
        (RationalQuadratic(1.0), True),
    ],
    ids=repr,
)
def test_what_comes_then_begins_at_the_best_width_if_there_are_several_scales(kernel, several):
    problem, then = problem_of(kernel=kernel, n=20), Noted()
    scan = WidthScan(PricedEvidence(), (0.3, 1.0, 3.0), then=then)
    choice = scan(problem)
    alone = WidthScan(PricedEvidence(), (0.3, 1.0, 3.0))(problem)
    assert hasattr(then, "kernel") == several
    assert len(choice.trace) == len(alone.trace) + several
    np.testing.assert_allclose(choice.kernel.values, alone.kernel.values)
    assert choice.n_factorizations == alone.n_factorizations  # both end with the same fit
    if several:
        np.testing.assert_array_equal(then.kernel.values, alone.kernel.values)
        assert choice.trace.reason == "nothing was searched"


def test_held_out_errors_by_refits():
    problem, factors = problem_of("logistic"), (0.1, 1.0, 10.0)
    X, y = problem.X, problem.targets.values[:, 0]
    direct, spent = [], []
    for factor in factors:
        kernel, wrong, work = Gaussian(factor**-0.5), 0, 0
        for S in problem.folds:
            T = np.setdiff1d(np.arange(40), S)
            fit = problem.machine.solve([kernel(X[T])], Targets.plain(y[T]))
            (vectors,) = fit.machines
            across = kernel(X[S], X[T[vectors.rows]])
            outputs = moderated(vectors.outputs(across), vectors.output_variances(across))
            wrong += (outputs * y[S] <= 0).sum()
            work += fit.n_factorizations
        direct.append(wrong / 40)
        spent.append(work)
    choice = WidthScan(HeldOutErrors(), factors, refine=False)(problem)
    np.testing.assert_allclose(choice.trace.values, direct)
    assert len(set(direct)) > 1
    best = int(np.argmin(direct))
    # All refits of the scan, then the fit on all rows and once more those of the best width.
    whole = problem.machine.solve([choice.kernel(X)], problem.targets).n_factorizations
    assert choice.n_factorizations == sum(spent) + whole + spent[best]


def test_held_out_squares_by_refits():
    problem = problem_of()
    X, y, kernel, squares = problem.X, problem.targets.values[:, 0], Gaussian(0.5**0.5), 0.0
    for S in problem.folds:
        T = np.setdiff1d(np.arange(40), S)
        fit = problem.machine.solve([kernel(X[T])], Targets.plain(y[T])).expansion
        outputs = kernel(X[S], X[T]) @ fit.coef[:, 0] + fit.intercept[0]
        squares += ((outputs - y[S]) ** 2).sum()
    choice = WidthScan(HeldOutSquares(), (2.0,))(problem)
    assert choice.trace.values == [pytest.approx(squares / 2, rel=1e-9)]


def test_other_machines_have_widths_too():
    problem = replace(problem_of(), machine=LeastSquares(0.3))
    choice = WidthScan(LeaveOneOut())(problem)
    assert choice.machine.values == pytest.approx(0.3)
    assert choice.criterion == min(choice.trace.values)


def test_every_value_is_in_the_trace_counted_and_reported():
    calls = []
    problem = problem_of(on_evaluation=lambda: calls.append(1))
    choice = WidthScan(PricedEvidence())(problem)
    trace = choice.trace
    assert len(calls) == len(trace) == len(trace.points) == len(trace.seconds) > 12
    assert (np.diff(trace.seconds) >= 0).all()
    np.testing.assert_array_equal(trace.best_point, choice.kernel.theta)
    solutions = [
        evaluated(problem.kernel.with_theta(point), problem.machine, problem.X, problem.targets)
        for point in trace.points
    ]
    direct = [PricedEvidence()(found.solution)[0] for found in solutions]
    np.testing.assert_allclose(trace.values, direct, rtol=1e-9)
    work = sum(found.solution.n_factorizations for found in solutions)
    last = evaluated(choice.kernel, problem.machine, problem.X, problem.targets)
    left_out = last.held_out(problem.folds)
    work += last.solution.n_factorizations + left_out.n_factorizations
    assert choice.n_factorizations == work
    np.testing.assert_allclose(choice.held_out, left_out.held_out, rtol=1e-9)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"factors": ()}, r"factors must be positive numbers, got \(\)"),
        ({"factors": (0.0, 1.0)}, "factors must be positive numbers"),
        ({"factors": (-1.0, 1.0)}, "factors must be positive numbers"),
        ({"factors": (1.0, np.nan)}, "factors must be positive numbers"),
        ({"factors": (1.0, np.inf)}, "factors must be positive numbers"),
        ({"factors": ((1.0, 2.0),)}, "factors must be positive numbers"),
        ({"factors": (1.0, 1.0)}, "factors must increase"),
        ({"factors": (2.0, 1.0)}, "factors must increase"),
        ({"criterion": "evidence"}, "criterion must be an object of kernelwise.criteria"),
        ({"criterion": PricedEvidence}, "criterion must be an object of kernelwise.criteria"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        WidthScan(**({"criterion": PricedEvidence()} | settings))


def test_criteria_and_what_comes_then_must_suit_the_machine():
    with pytest.raises(ValueError, match="does not judge a LeastSquares machine"):
        WidthScan(PricedEvidence()).check(LeastSquares())
    then = MinimizeCriterion(LeaveOneOut())
    with pytest.raises(ValueError, match="does not judge a RelevanceVector machine"):
        WidthScan(PricedEvidence(), then=then).check(RelevanceVector())
    for criterion in (PricedEvidence(), HeldOutSquares()):
        WidthScan(criterion, then=Selection()).check(RelevanceVector())
