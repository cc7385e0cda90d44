"""Limits of a search: kept at every point, given by role, and warned of only where they matter."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from test_support_vector_selection import problem_of

from kernelwise.criteria import LeaveOneOut, SmoothedSpan, Span
from kernelwise.kernels import Constant, Gaussian, Polynomial, Scaled
from kernelwise.machines import LeastSquares
from kernelwise.objective import Objective
from kernelwise.searchers import RandomWalk
from kernelwise.selections import AtLimitWarning, Given, MinimizeCriterion
from kernelwise.selections.limits import pressed_limits


def test_limits_are_kept_by_every_point():
    limits = {"scale": (0.05, 0.5), "regularization": (0.5, 4.0)}
    selection = MinimizeCriterion(SmoothedSpan(), limits=limits)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AtLimitWarning)
        choice = selection(replace(problem_of(), n_restarts=2))
    points = np.array(choice.trace.points)
    limits = np.log([(0.05, 0.5)] * 3 + [(0.5, 4.0)])
    assert (points >= limits[:, 0] - 1e-12).all() and (points <= limits[:, 1] + 1e-12).all()
    assert len(choice.trace.optima) == 3


def test_limits_go_by_role():
    kernel = Scaled(Gaussian(1.0)) + Polynomial(2, 1.0, 1.0)
    problem = problem_of(kernel=kernel, searcher=RandomWalk(max_evaluations=60))
    limits = {"amplitude": (2.0, 3.0), "offset": (5.0, 6.0)}
    choice = MinimizeCriterion(Span(), start=Given(), limits=limits)(problem)
    roles = [*kernel.roles, "regularization"]
    assert roles.count("amplitude") == roles.count("offset") == 1
    for role, column in zip(roles, np.exp(choice.trace.points).T, strict=True):
        low, high = limits.get(role, (0.0, np.inf))
        assert (column >= low * (1 - 1e-9)).all() and (column <= high * (1 + 1e-9)).all(), role


def test_limits_of_what_is_not_there_are_refused():
    selection = MinimizeCriterion(SmoothedSpan(), limits={"amplitude": (0.1, 1.0)})
    with pytest.raises(ValueError, match=r"'amplitude', but the roles .*'regularization', 'scale'"):
        selection(problem_of())


def test_the_end_of_a_range_is_warned_of_where_the_criterion_presses_on():
    free = MinimizeCriterion(SmoothedSpan())(problem_of(kernel=Gaussian(2.0)))
    best = float(free.machine.values[0])
    for within in ((best * 10, best * 100), (best / 100, best / 10)):
        selection = MinimizeCriterion(
            SmoothedSpan(), limits={"regularization": within, "scale": (0.02, 0.2)}
        )
        with pytest.warns(AtLimitWarning, match="range of .*C"):
            selection(problem_of(kernel=Gaussian(2.0)))


class Rising(Objective):
    """Every parameter presses upward."""

    def value(self, point):
        return 10.0 - float(np.sum(point))


def test_an_offset_at_its_limit_is_no_false_optimum():
    """Any offset that is large enough is the same; a scale or C at its limit is not."""
    problem = problem_of(kernel=Gaussian(2.0) + Constant(1.0))
    objective = Rising(problem.kernel, problem.machine, Span(), problem.X, problem.targets)
    point = objective.point
    for r, names in ((0, ("weight",)), (1, ()), (2, ("C",))):
        limits = np.column_stack([point - 9.0, point + 9.0])
        assert pressed_limits(objective, point, limits) == ()
        limits[r, 1] = point[r]
        assert pressed_limits(objective, point, limits) == names
        limits[r] = point[r], point[r] + 9.0  # at the lower end, from which a step back is better
        assert pressed_limits(objective, point, limits) == ()


class Flat(Objective):
    """Every step up lowers the criterion, which is 10 at the start, by ``share``."""

    share = 0.0

    def value(self, point):
        return 10.0 - self.share * float(np.sum(point - self.point))


def test_an_end_that_hardly_matters_is_not_warned_of():
    """A thousandth of the criterion, one step back, is what matters."""
    problem = problem_of(kernel=Gaussian(2.0))
    objective = Flat(problem.kernel, problem.machine, Span(), problem.X, problem.targets)
    point = objective.point
    limits = np.column_stack([point - 9.0, point])
    for share, names in ((0.0, ()), (0.002, ()), (0.006, ("weight", "C"))):
        objective.share = share
        assert pressed_limits(objective, point, limits) == names


def test_a_scale_at_zero_is_switched_off_and_no_false_optimum():
    problem = problem_of(kernel=Gaussian(2.0))
    objective = Flat(problem.kernel, problem.machine, Span(), problem.X, problem.targets)
    objective.share = -1.0
    point = objective.point
    assert pressed_limits(objective, point, np.column_stack([point, point + 9.0])) == ("C",)


def test_ends_of_least_squares_are_not_warned_of():
    """Its criteria have their minimum somewhere; a limit that was asked for is no false optimum."""
    problem = replace(problem_of(kernel=Gaussian(2.0)), machine=LeastSquares(1.0))
    selection = MinimizeCriterion(LeaveOneOut(), limits={"regularization": (1e3, 1e4)})
    with warnings.catch_warnings():
        warnings.simplefilter("error", AtLimitWarning)
        choice = selection(problem)
    assert choice.machine.values[0] == pytest.approx(1e3) and choice.at_limits == ()
