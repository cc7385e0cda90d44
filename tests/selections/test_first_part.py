"""First-level learning that begins on a part of the rows, and predicts where kernels go."""

from dataclasses import replace

import numpy as np
import pytest

from kernelwise.kernels import Gaussian
from kernelwise.machines import LeastSquares
from kernelwise.searchers import Earlier, Evaluation, QuadraticBelief
from kernelwise.selections import FirstLevelSelection, Problem
from kernelwise.selections.first_level import Learner
from kernelwise.selections.first_part import first_part
from kernelwise.solutions import Targets


def problem_of(n, seed=0, weights=None, n_targets=1):
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, 4))
    y = np.column_stack([X[:, 0] * X[:, 1], X[:, 2]])[:, :n_targets]
    y = np.sign(y + 0.3 * random.standard_normal((n, n_targets)))
    targets = Targets.plain(y)
    if weights is not None:
        targets = replace(targets, weights=weights)
    return Problem(Gaussian(np.full(4, 2.0)), LeastSquares(1.0), X, targets)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("direction", [0, 1])
def test_predicted_slopes_are_those_of_learned_kernels(weighted, direction):
    """Nearly: the curvature lacks second derivatives of the kernel. Two targets, weighted rows."""
    weights = np.random.default_rng(1).uniform(0.2, 3.0, 60) if weighted else None
    problem = problem_of(60, weights=weights, n_targets=2)
    learner = Learner(problem, [])
    point = learner.start
    inner = learner._fit(point, problem.X, problem.targets, learner.reference.values, 1e-13)
    moved = []
    for sign in (1, -1):
        move = np.zeros(2)
        move[direction] = sign * 0.01
        values = inner.kernel.values
        fit = learner._fit(point + move, problem.X, problem.targets, values, 1e-13)
        moved.append(fit.kernel.values)
    exact, slopes = (moved[0] - moved[1]) / 0.02, inner.slopes[:, direction]
    assert np.linalg.norm(exact - slopes) < 0.4 * np.linalg.norm(exact)
    move = np.eye(2)[direction] * 1e-4
    change = (inner.predicted(move) - inner.kernel.values) / 1e-4
    np.testing.assert_allclose(change, slopes, rtol=1e-3, atol=1e-6)


def test_a_part_has_the_shares_of_the_classes_and_is_always_the_same():
    problem = problem_of(900)
    part = first_part(problem)
    assert len(part.X) == 300 and part.targets.values.shape == (300, 1)
    assert abs(part.targets.values.mean() - problem.targets.values.mean()) < 0.01
    np.testing.assert_array_equal(part.X, first_part(problem).X)


def test_no_part_of_few_rows_or_of_a_class_that_would_be_missing():
    assert first_part(problem_of(599)) is None
    wide = problem_of(900)
    columns = np.random.default_rng(0).standard_normal((900, 31))
    assert first_part(replace(wide, kernel=Gaussian(np.full(31, 5.0)), X=columns)) is None
    rare = -np.ones((900, 1))
    rare[7] = 1.0
    assert first_part(replace(wide, targets=Targets.plain(rare))) is None


def test_a_search_after_a_part_is_as_good_as_one_of_all_rows(monkeypatch):
    problem = problem_of(660, seed=2)
    seen = []
    original = Learner.__call__

    def counting(self, point):
        seen.append(len(self.problem.X))
        return original(self, point)

    monkeypatch.setattr(Learner, "__call__", counting)
    quick = FirstLevelSelection()(problem)
    assert 220 in seen and len(quick.trace) == seen.count(660)
    assert quick.solution.coef.shape == (660, 1)
    whole = FirstLevelSelection()(replace(problem, searcher=QuadraticBelief()))
    assert quick.criterion == pytest.approx(whole.criterion, rel=0.01)


def test_what_is_known_of_a_similar_function_saves_evaluations():
    curvature = np.array([[0.6, 0.2], [0.2, 0.3]])

    def bowl(point, optimum, level):
        away = point - optimum
        return level + 0.5 * away @ curvature @ away

    grid = np.array([[i, j] for i in (-2.0, 0.0, 2.0) for j in (-2.0, 0.0, 2.0)])
    similar = np.array([bowl(point, np.zeros(2), 7.0) for point in grid])
    limits, counts = np.array([[-9.0, 9.0]] * 2), []
    for earlier in (None, Earlier(grid, similar)):
        searcher = QuadraticBelief(first_radius=1.0, earlier=earlier)
        trace = searcher(
            lambda point: Evaluation(bowl(point, np.array([0.9, -1.1]), 5.0)), np.zeros(2), limits
        )
        assert trace.converged and trace.best_value < 5.01
        counts.append(len(trace))
    assert counts[1] < counts[0]
