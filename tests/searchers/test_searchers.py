"""Searchers: known optima, limits, traces, failures survived, reasons in words."""

import re

import numpy as np
import pytest
from scipy.optimize import nnls

from kernelwise import searchers
from kernelwise.criteria import LeaveOneOut
from kernelwise.kernels import Gaussian
from kernelwise.linalg import NotPositiveDefiniteError
from kernelwise.machines import LeastSquares
from kernelwise.objective import Objective
from kernelwise.searchers import (
    Evaluation,
    GaussNewton,
    MultiStart,
    NelderMead,
    QuasiNewton,
    Searcher,
    SearchTrace,
    TrustRegion,
    merge_traces,
)
from kernelwise.solutions import Targets

# A searcher for the tests, and how near it comes to a minimum.
SEARCHERS = {
    "AdaptiveGradient": (lambda: searchers.AdaptiveGradient(2000, share_of_peak=1e-6), 1e-4),
    "Rprop": (lambda: searchers.Rprop(max_iterations=2000, gradient_tolerance=1e-7), 1e-4),
    "Relay": (lambda: searchers.Relay(searchers.QuasiNewton(), searchers.Rprop()), 1e-4),
    "RandomWalk": (
        lambda: searchers.RandomWalk(max_evaluations=5000, tolerance=1e-5, value_tolerance=0.0),
        1e-3,
    ),
    "GaussNewton": (lambda: GaussNewton(tolerance=1e-13), 1e-4),
    "QuadraticBelief": (
        lambda: searchers.QuadraticBelief(400, tolerance=1e-9, last_radius=3e-3, roughness=1e-8),
        1e-2,
    ),
    "QuasiNewton": (lambda: QuasiNewton(tolerance=1e-12), 1e-4),
    "Secant": (lambda: searchers.Secant(tolerance=1e-13), 1e-4),
    "NelderMead": (lambda: NelderMead(max_evaluations=800, tolerance=1e-4), 1e-3),
    "TrustRegion": (lambda: TrustRegion(max_evaluations=400, tolerance=1e-4), 1e-3),
    "MultiStart": (lambda: MultiStart(QuasiNewton(tolerance=1e-12), n_restarts=2), 1e-4),
}
every_searcher = pytest.mark.parametrize("name", SEARCHERS)
CURVATURE = np.array([[3.0, 1.0], [1.0, 2.0]])
OPTIMUM = np.array([0.7, -1.2])
WIDE = np.array([[-5.0, 5.0], [-5.0, 5.0]])


def bowl(point):
    away = point - OPTIMUM
    return 0.5 * away @ CURVATURE @ away + 3.0, CURVATURE @ away


def search(name, function=bowl, start=(-2.0, 2.0), limits=WIDE):
    if name == "GaussNewton":
        function = with_curvature(function, 0.4 * CURVATURE)  # too flat: it oversteps
    return SEARCHERS[name][0]()(said(function), np.array(start, float), np.asarray(limits, float))


def said(function):
    """A function of (value, gradient, curvature), as searchers take it."""
    return lambda point: Evaluation(*function(point))


def with_curvature(function, curvature=CURVATURE):
    return lambda point: (*function(point), curvature)


def is_sentence(text):
    return bool(re.fullmatch(r"[a-z].{20,}", text)) and " " in text


def test_complete():
    kinds = {
        name
        for name in searchers.__all__
        if isinstance(getattr(searchers, name), type)
        and issubclass(getattr(searchers, name), Searcher)
    }
    assert kinds - {"Searcher"} == set(SEARCHERS)


@every_searcher
def test_finds_the_minimum(name):
    trace = search(name)
    np.testing.assert_allclose(trace.best_point, OPTIMUM, atol=SEARCHERS[name][1])
    assert trace.best_value == pytest.approx(3.0, abs=1e-5)
    assert trace.converged and is_sentence(trace.reason)


def test_secants_begin_with_steps_of_the_right_size():
    """Where held-out squares are flat at first, and not convex."""

    def squares(point):
        away = point[0] - 2.0
        return 400.0 - 6 * np.exp(-0.5 * away**2), 6 * away * np.exp(-0.5 * away**2)

    limits, start = np.array([[-9.0, 9.0]]), np.array([-1.0])

    def found(searcher):
        return searcher(
            said(lambda x: (squares(x)[0], np.atleast_1d(squares(x)[1]))), start, limits
        )

    quick, slow = found(searchers.Secant()), found(QuasiNewton())
    for trace in (quick, slow):
        np.testing.assert_allclose(trace.best_point, [2.0], atol=0.02)
    assert len(quick) <= 9 < len(slow)


def test_secants_go_far_and_turn_back():
    def far(point):
        return 100.0 + 0.5 * (point[0] - 60) ** 2, point - 60

    def narrow(point):
        depth = 50 * np.exp(-50 * point[0] ** 2)
        return 100.0 - depth, 100 * point * depth

    limits = np.array([[-99.0, 99.0]])
    trace = searchers.Secant(tolerance=1e-9)(said(far), np.array([0.0]), limits)
    assert trace.best_point == pytest.approx(60, abs=1e-3) and len(trace) < 15
    trace = searchers.Secant()(said(narrow), np.array([-0.15]), limits)
    assert trace.best_point == pytest.approx(0, abs=1e-3)


@every_searcher
def test_finds_the_minimum_on_a_bound(name):
    """With the first coordinate held at -1, the second minimizes what is left."""
    limits = np.array([[-3.0, -1.0], [-5.0, 5.0]])
    second = OPTIMUM[1] - CURVATURE[0, 1] / CURVATURE[1, 1] * (-1.0 - OPTIMUM[0])
    trace = search(name, limits=limits)
    np.testing.assert_allclose(trace.best_point, [-1.0, second], atol=5 * SEARCHERS[name][1])
    assert trace.converged


@every_searcher
@pytest.mark.parametrize("start", [(-2.0, 2.0), (-50.0, 50.0), (-3.0, -1.0)])
def test_never_leaves_the_bounds(name, start):
    limits = np.array([[-3.0, 0.1], [-1.0, 2.5]])
    points = np.array(search(name, start=start, limits=limits).points)
    assert (points >= limits[:, 0]).all() and (points <= limits[:, 1]).all()


@pytest.mark.parametrize("name", ["QuasiNewton", "GaussNewton"])
@pytest.mark.parametrize("seed", range(10))
def test_many_correlated_parameters_with_most_bounds_active(name, seed):
    """Non-negative least squares, against the active-set solution."""
    random = np.random.default_rng(seed)
    design = random.normal(size=(12, 6)) + 2 * random.normal(size=(12, 1))
    y = random.normal(size=12)

    def squares(point):
        residuals = design @ point - y
        return 0.5 * residuals @ residuals, design.T @ residuals

    function = squares if name == "QuasiNewton" else with_curvature(squares, design.T @ design)
    searcher = SEARCHERS[name][0]()
    limits = np.column_stack([np.zeros(6), np.full(6, 10.0)])
    trace = searcher(said(function), random.uniform(0, 1, 6), limits)
    exact, norm = nnls(design, y)
    assert trace.converged, trace.reason
    assert trace.best_value == pytest.approx(0.5 * norm**2, rel=1e-7)
    np.testing.assert_allclose(trace.best_point, exact, atol=1e-3)


@every_searcher
def test_the_trace_is_complete(name):
    calls = []

    def watched(point):
        calls.append(point.copy())
        return bowl(point)

    trace = search(name, watched)
    assert len(trace) == len(calls) == len(trace.points) == len(trace.gradient_norms)
    np.testing.assert_array_equal(trace.points, calls)
    np.testing.assert_array_equal(trace.values, [bowl(point)[0] for point in calls])
    norms = [np.linalg.norm(bowl(point)[1]) for point in calls]
    np.testing.assert_allclose(trace.gradient_norms, norms)
    assert len(trace.seconds) == len(calls)
    assert trace.seconds[0] >= 0 and (np.diff(trace.seconds) >= 0).all()
    assert trace.best_value == min(trace.values)
    assert f"{len(calls)} points" in repr(trace)


@pytest.mark.parametrize("name", ["NelderMead", "TrustRegion"])
def test_values_are_enough(name):
    trace = search(name, lambda point: (bowl(point)[0], None))
    np.testing.assert_allclose(trace.best_point, OPTIMUM, atol=SEARCHERS[name][1])
    assert np.isnan(trace.gradient_norms).all()


def failing(how):
    """The bowl, with holes where it fails: on the straight way from (-2, 2), and just past the
    minimum, where a long step lands.
    """

    def function(point):
        on_the_way = np.linalg.norm(point - [-0.9, 0.8]) < 0.4
        if point[0] > 1.5 or on_the_way or np.linalg.norm(point - [0.6, -1.7]) < 0.25:
            if how == "error":
                raise NotPositiveDefiniteError("the matrix is not positive definite")
            bad = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}.get(how, 0.0)
            return bad, np.full(2, np.nan) if how == "nan gradient" else bowl(point)[1]
        return bowl(point)

    return function


@every_searcher
@pytest.mark.parametrize("how", ["error", "nan", "inf", "-inf", "nan gradient"])
def test_failures_are_survived(name, how):
    trace = search(name, failing(how))
    assert not np.isfinite(trace.values).all(), "the search never met the hole"
    assert not np.isnan(trace.values).any()
    if name in ("Rprop", "AdaptiveGradient"):
        # Slopes alone lead straight into the hole; the search stops at its edge, and says so.
        assert not trace.converged and "no way around" in trace.reason
        assert bowl(trace.best_point)[0] < bowl(np.array([-2.0, 2.0]))[0]
        return
    np.testing.assert_allclose(trace.best_point, OPTIMUM, atol=0.02)


@every_searcher
def test_a_start_that_fails_is_said(name):
    """Nothing is found, so nothing may be called a minimum."""
    trace = search(name, failing("error"), start=(2.0, 0.0), limits=[[1.6, 3.0], [-1.0, 1.0]])
    assert not trace.converged
    assert "not positive definite" in trace.reason
    assert f"{len(trace)} points" in repr(trace)
    with pytest.raises(ValueError, match="not finite at any point"):
        trace.best_value  # noqa: B018


def test_a_restart_that_fails_does_not_harm_the_others():
    """Half of all random starts fail at their first point."""

    def function(point):
        if point[0] < 0:
            raise NotPositiveDefiniteError("the matrix is not positive definite")
        return bowl(point)

    multistart = MultiStart(QuasiNewton(), n_restarts=6)
    trace = multistart(said(function), np.array([0.1, 0.0]), WIDE)
    np.testing.assert_allclose(trace.best_point, OPTIMUM, atol=1e-3)
    assert any(not np.isfinite(optimum.values).any() for optimum in trace.optima)


@pytest.mark.parametrize(
    ("searcher", "words"),
    [
        (QuasiNewton(max_iterations=2, tolerance=0), "iteration limit"),
        (NelderMead(max_evaluations=5), "evaluation limit"),
        (GaussNewton(max_evaluations=3, tolerance=0), "evaluation limit"),
        (TrustRegion(max_evaluations=6), "evaluation limit"),
    ],
)
def test_a_limit_is_said(searcher, words):
    def rosenbrock(point):
        x, z = point
        value = (1 - x) ** 2 + 100 * (z - x * x) ** 2
        return value, np.array([-2 * (1 - x) - 400 * x * (z - x * x), 200 * (z - x * x)])

    curved = isinstance(searcher, GaussNewton)
    function = with_curvature(rosenbrock, np.diag([800.0, 200.0])) if curved else rosenbrock
    trace = searcher(said(function), np.array([-1.2, 1.0]), WIDE)
    assert not trace.converged
    assert is_sentence(trace.reason) and words in trace.reason


@pytest.mark.parametrize("name", ["QuasiNewton", "GaussNewton"])
def test_an_abnormal_stop_is_explained(name):
    """The start is lower than its gradient says, so that no step along it improves."""
    start = OPTIMUM + 0.1

    def trap(point):
        value, gradient = bowl(point)
        return value - float(np.array_equal(point, start)), gradient

    trace = search(name, trap, start=start)
    assert not trace.converged
    assert is_sentence(trace.reason) and "improve" in trace.reason
    np.testing.assert_array_equal(trace.best_point, start)


@pytest.mark.parametrize("name", ["QuasiNewton", "GaussNewton"])
def test_the_last_failure_is_part_of_the_explanation(name):
    def cliff(point):
        if not np.array_equal(point, [-2.0, 2.0]):
            raise NotPositiveDefiniteError("the cliff is not positive definite")
        return bowl(point)

    trace = search(name, cliff)
    assert not trace.converged and "the cliff is not positive definite" in trace.reason
    np.testing.assert_array_equal(trace.best_point, [-2.0, 2.0])


def test_rounding_at_the_minimum_is_not_an_abnormal_stop():
    """A criterion with noise of 1e-11, searched to a tolerance below that."""

    def rough(point):
        value, gradient = bowl(point)
        return value + 1e-11 * np.sin(1e9 * point.sum()), gradient

    searcher = QuasiNewton(tolerance=0, gradient_tolerance=1e-14)
    trace = searcher(said(rough), np.array([-2.0, 2.0]), WIDE)
    assert trace.converged, trace.reason
    np.testing.assert_allclose(trace.best_point, OPTIMUM, atol=1e-4)


def test_nothing_to_search():
    trace = QuasiNewton()(lambda point: Evaluation(1.5, np.empty(0)), np.empty(0), np.empty((0, 2)))
    assert len(trace) == 1 and trace.best_value == 1.5 and "nothing to search" in trace.reason


def two_valleys(point):
    """Two minima at -2 and +2 of the first coordinate; the second is deeper."""
    x, z = point
    value = (x * x - 4) ** 2 / 8 - 0.3 * x + z * z
    return value, np.array([x * (x * x - 4) / 2 - 0.3, 2 * z])


def test_restarts_find_the_deeper_valley():
    start = np.array([-2.0, 0.5])
    single = QuasiNewton()(said(two_valleys), start, WIDE)
    several = MultiStart(QuasiNewton(), n_restarts=8, seed=1)(said(two_valleys), start, WIDE)
    assert single.best_point[0] < 0 < several.best_point[0]
    assert several.best_value < single.best_value - 0.5


def bits(trace):
    return np.array(trace.points).tobytes(), np.array(trace.values).tobytes()


def test_the_same_bits_whatever_n_jobs():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(150, 3)), random.normal(size=150)
    limits = None
    results = []
    for n_jobs in (1, 2):
        objective = Objective(
            Gaussian([1.0, 1.0, 1.0]), LeastSquares(0.1), LeaveOneOut(), X, Targets.plain(y)
        )
        limits = objective.limits
        multistart = MultiStart(QuasiNewton(max_iterations=15), n_restarts=3, seed=7, n_jobs=n_jobs)
        trace = multistart(objective, objective.point, limits)
        results.append((*bits(trace), objective.n_factorizations))
    assert results[0] == results[1]
    other_seed = MultiStart(QuasiNewton(max_iterations=15), n_restarts=3, seed=8)
    assert bits(other_seed(objective, objective.point, limits)) != results[0][:2]


def test_merged_traces_keep_everything():
    start = np.array([-2.0, 0.5])
    trace = MultiStart(QuasiNewton(), n_restarts=3)(said(two_valleys), start, WIDE)
    assert len(trace.optima) == 4
    assert len(trace) == sum(len(optimum) for optimum in trace.optima)
    np.testing.assert_array_equal(trace.optima[0].points[0], start)
    assert trace.best_value == min(optimum.best_value for optimum in trace.optima)
    best = min(trace.optima, key=lambda optimum: optimum.best_value)
    assert best.reason in trace.reason and "4 searches" in trace.reason
    assert trace.converged == best.converged


def test_merging_takes_the_best_of_what_is_finite():
    def trace(values):
        points = [np.array([float(i)]) for i in range(len(values))]
        zeros = [0.0] * len(values)
        return SearchTrace(points, list(values), zeros, zeros, "a reason that is a sentence")

    whole = merge_traces([trace([3.0, np.inf]), trace([np.nan, 2.0])])
    assert whole.best_value == 2.0 and len(whole) == 4


class TestRandomWalk:
    def test_steps_keep_being_accepted_all_the_way(self):
        """Over eight decades of the value; steps become shorter only by rejections."""
        walk = searchers.RandomWalk(max_evaluations=4000, tolerance=1e-4, value_tolerance=0.0)
        trace = walk(
            lambda point: Evaluation(float(point @ point)),
            np.full(8, 5.0),
            np.tile([-9.0, 9.0], (8, 1)),
        )
        best = np.minimum.accumulate(trace.values)
        assert trace.best_value < 1e-6
        assert 0.15 < np.mean(np.diff(best) < 0) < 0.5

    def test_a_seed_is_a_path(self):
        walks = [
            searchers.RandomWalk(seed=seed)(said(bowl), np.zeros(2), WIDE) for seed in (0, 0, 1)
        ]
        assert walks[0].values == walks[1].values != walks[2].values

    def test_jumps_do_no_harm(self):
        """A criterion of steps has no gradient; a walk still goes down them."""
        trace = searchers.RandomWalk(max_evaluations=3000, value_tolerance=0.0)(
            lambda point: Evaluation(float(np.floor(20 * bowl(point)[0]))),
            np.array([-2.0, 2.0]),
            WIDE,
        )
        assert trace.values[0] > 200 and trace.best_value <= 61

    def test_it_does_not_move_where_nothing_is_better(self):
        trace = searchers.RandomWalk()(lambda point: Evaluation(1.0), np.ones(2), WIDE)
        assert trace.converged
        np.testing.assert_array_equal(trace.best_point, np.ones(2))


def test_a_relay_goes_on_where_the_first_searcher_is_stuck():
    """A falling slope with a step up just after the start, higher than a line search gets over."""

    def jump(point):
        return 10.0 - point[0] + 5.0 * (1e-12 < point[0] < 0.15), np.array([-1.0])

    start, limits = np.zeros(1), np.array([[-1.0, 1.0]])
    first, second = QuasiNewton(), searchers.Rprop(first_step=0.2)
    stuck = first(said(jump), start, limits)
    assert stuck.best_value == stuck.values[0]
    relay = searchers.Relay(first, second)(said(jump), start, limits)
    assert relay.best_value == second(said(jump), start, limits).best_value < 9.8
    assert len(relay) > len(stuck) and np.all(np.diff(relay.seconds) >= 0)


def test_a_relay_that_moves_is_its_first_searcher():
    def bowl(point):
        return float(point @ point), 2 * point

    start, limits = np.array([1.0, 2.0]), np.array([[-5.0, 5.0]] * 2)
    first = searchers.QuasiNewton()
    relay = searchers.Relay(first, searchers.Rprop())
    assert relay(said(bowl), start, limits).values == first(said(bowl), start, limits).values
    assert relay.needs == {"value", "gradient"}
    assert searchers.Relay(first, searchers.RandomWalk()).seeded(3).second.seed == 3


class TestNoValues:
    """A sampled gradient has no value: Rprop follows its signs."""

    LIMITS = np.array([[-5.0, 0.1], [-5.0, 5.0]])

    def slopes(self, point):
        return Evaluation(gradient=bowl(point)[1])

    def test_a_gradient_alone_is_searched(self):
        trace = searchers.Rprop(1000, gradient_tolerance=1e-6)(
            self.slopes, np.array([-2.0, 2.0]), WIDE
        )
        assert trace.converged and trace.found and np.isnan(trace.values).all()
        np.testing.assert_allclose(trace.best_point, OPTIMUM, atol=1e-5)
        assert np.isnan(trace.best_value)

    def test_up_to_its_limits(self):
        trace = searchers.Rprop(1000)(self.slopes, np.array([-2.0, 2.0]), self.LIMITS)
        second = OPTIMUM[1] - CURVATURE[0, 1] / CURVATURE[1, 1] * (0.1 - OPTIMUM[0])
        np.testing.assert_allclose(trace.best_point, [0.1, second], atol=1e-4)

    def test_restarts_keep_a_point(self):
        several = MultiStart(searchers.Rprop(1000), n_restarts=2)
        trace = several(self.slopes, np.array([-2.0, 2.0]), WIDE)
        assert len(trace.optima) == 3
        np.testing.assert_allclose(trace.best_point, OPTIMUM, atol=1e-4)

    def test_failures_are_survived(self):
        def holes(point):
            if point[0] > 0.9:
                raise NotPositiveDefiniteError("a hole past the minimum")
            return self.slopes(point)

        trace = searchers.Rprop(1000, first_step=0.5)(holes, np.array([-2.0, 2.0]), WIDE)
        assert np.isinf(trace.values).any()
        np.testing.assert_allclose(trace.best_point, OPTIMUM, atol=1e-4)

    @pytest.mark.parametrize("searcher", [QuasiNewton(), NelderMead(), GaussNewton()])
    def test_others_say_what_they_miss(self, searcher):
        with pytest.raises(ValueError, match=r"needs the .*value of what it minimizes"):
            searcher.check(frozenset({"gradient"}))
        searchers.Rprop().check(frozenset({"gradient"}))
