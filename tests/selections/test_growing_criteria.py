"""Scales learned on landmarks by each criterion: what is known of generated rows."""

import numpy as np
import pytest

from kernelwise.criteria import FirstLevel, GeneralizedCrossValidation, HeldOutErrors, RadiusMargin
from kernelwise.kernels import Gaussian
from kernelwise.machines import LeastSquares, Nystrom
from kernelwise.objective import Objective, evaluated
from kernelwise.scale import BlockedFolds, BlockedObjective, RowBlocks
from kernelwise.scale.landmark_fit import HARDLY_MORE, PER_WEIGHT
from kernelwise.selections import LANDMARK_SELECTIONS, GrowingFirstLevel, GrowingLandmarks, Problem
from kernelwise.selections.growing import Relay
from kernelwise.selections.growing_first_level import StageLearner
from kernelwise.selections.landmark_stage import HeldRows, Stage
from kernelwise.solutions import Targets

random = np.random.default_rng(0)
X = random.normal(size=(900, 3))
WEIGHTS = random.uniform(0.5, 1.5, 900)
TRUTH = np.sin(2 * X[:, 0]) + np.sin(1.5 * X[:, 1])
Y = TRUTH + 0.2 * random.normal(size=900)
TARGETS = Targets.plain(Y, WEIGHTS)
PROBLEM = Problem(Gaussian(np.full(3, 2.0)), LeastSquares(), X, TARGETS)
HELD = HeldRows.of(RowBlocks(X, TARGETS), np.arange(900), 900, PROBLEM.seed)
STAGES = ((400, 40, 20), (900, 60, 12))


def stage_of(n_rows, n_landmarks):
    return Stage.of(PROBLEM, HELD, n_rows, n_landmarks)


def chosen(name):
    selection = LANDMARK_SELECTIONS[name].on(100)
    selection.stages = STAGES
    return selection(PROBLEM)


@pytest.mark.parametrize("name", sorted({*LANDMARK_SELECTIONS} - {None, "auto"}))
def test_every_selection_finds_the_features_and_the_function(name):
    choice = chosen(name)
    assert choice.kernel.values[:2].min() > 5 * choice.kernel.values[2]
    expansion = choice.expansion
    outputs = choice.kernel(X, expansion.rows) @ expansion.coef + expansion.intercept
    assert np.sqrt(np.mean((outputs[:, 0] - TRUTH) ** 2)) < 0.1
    assert expansion.rows.shape == (100, 3)
    whole = evaluated(choice.kernel, choice.machine, X, TARGETS)
    judge = GeneralizedCrossValidation()
    # The sums were added fold by fold, and with the least jitter rounding is felt.
    assert choice.criterion == pytest.approx(judge(whole.solution)[0], rel=3e-4)
    # It is as good as the best on the path, and the next larger one is not.
    machine = Nystrom(choice.machine.landmarks, choice.machine.regularization)
    factor = PER_WEIGHT[1] / PER_WEIGHT[0]
    best, larger, *smaller = (
        judge(evaluated(choice.kernel, own, X, TARGETS).solution)[0]
        for own in (machine.with_values(factor**step * machine.values) for step in (0, 1, -1, -4))
    )
    assert best < (1 + 2 * HARDLY_MORE) * min(smaller) and larger > best


def test_a_stage_has_the_objective_that_a_criterion_needs():
    stage = stage_of(100, 20)
    kinds = {"gcv": BlockedObjective, "loo": Objective, "cv": BlockedFolds}
    for name, kind in kinds.items():
        criterion = LANDMARK_SELECTIONS[name].criterion
        objective = stage.objective(PROBLEM.kernel, 1e-3, criterion)
        assert type(objective) is kind
        assert objective.machine.values[0] == pytest.approx(1e-3 * stage.weight)


def test_folds_of_a_stage_are_those_given_or_dealt():
    folds = [np.arange(0, 900, 2), np.arange(1, 900, 2)]
    given = Problem(PROBLEM.kernel, LeastSquares(), X, TARGETS, folds=folds)
    stage = Stage.of(given, HELD, 100, 20)
    assert len(stage.folds) == 2 and len(np.concatenate(stage.folds)) == 100
    assert np.isin(stage.rows.X[stage.folds[0], 0], X[::2, 0]).all()
    assert len(stage_of(100, 20).folds) == 5


@pytest.mark.parametrize("criterion", [FirstLevel(1.0), RadiusMargin(), HeldOutErrors()], ids=repr)
def test_a_criterion_that_cannot_choose_says_so(criterion):
    with pytest.raises(ValueError, match="cannot choose a kernel on landmarks"):
        GrowingLandmarks(criterion=criterion)


def test_the_training_error_is_at_its_minimum_in_the_kernel():
    """What Gauss-Newton finds cannot be improved by any parameter alone."""
    kernel = PROBLEM.kernel.in_coordinates("natural")
    learner = StageLearner(PROBLEM, stage_of(150, 30), kernel, 40)
    pair = np.log([1e-4, learner.first_penalty(1e-4)])
    learner(pair)
    found = learner.kernel_at(pair)
    best = learner._evaluation(found, *np.exp(pair)).value
    for r in range(3):
        for factor in (0.8, 1.25):
            values = found.values.copy()
            values[r] *= factor
            other = learner._evaluation(found.with_theta(values), *np.exp(pair)).value
            assert other > best * (1 - 1e-4)


def test_pairs_of_regularizations_go_on_from_an_edge():
    """From a regularization a thousand times too strong, the search walks most of the way back."""
    kernel = PROBLEM.kernel.in_coordinates("natural")
    stage = stage_of(150, 30)
    learner = StageLearner(PROBLEM, stage, kernel, 15)
    start = np.log([1e-4, learner.first_penalty(1e-4)])
    trace = StageLearner(PROBLEM, stage, kernel, 15).search(start, 0)
    assert len(trace) >= 9 and len(np.unique(trace.points, axis=0)) == len(trace)
    far = learner.search(start + np.log([1000.0, 1.0]), 0)
    assert len(far) > 9
    assert far.best_value < 1.2 * trace.best_value < 0.2 * far.values[0]
    assert [len(learner.search(start, number)) for number in (1, 2, 3)] == [5, 1, 1]


def test_landmarks_of_a_named_selection_are_ones_own():
    few = LANDMARK_SELECTIONS["first-level"].on(7, apart=3)
    assert (few.landmarks, few.apart) == (7, 3) and LANDMARK_SELECTIONS[
        "first-level"
    ].landmarks == 2000
    assert isinstance(few, GrowingFirstLevel)


def test_the_first_penalty_holds_the_kernel_where_it_is():
    """Along the kernel's own direction, the pull of the data and of the penalty cancel."""
    kernel = PROBLEM.kernel.in_coordinates("natural")
    learner = StageLearner(PROBLEM, stage_of(150, 30), kernel, 1)
    with_penalty = learner._evaluation(kernel, 1e-3, learner.first_penalty(1e-3)).evaluation
    without = learner._evaluation(kernel, 1e-3, 0.0).evaluation
    pull = without.gradient @ kernel.values
    assert pull < 0 and abs(with_penalty.gradient @ kernel.values) < 1e-9 * abs(pull)


def test_regularization_is_handed_on_per_unit_of_weight():
    relay = Relay(PROBLEM, HELD, GeneralizedCrossValidation())
    found = relay.run(STAGES)
    assert found.per_weight * WEIGHTS.sum() == pytest.approx(np.exp(found.trace.best_point[-1]))


def test_pairs_stay_within_the_limits_of_the_regularization():
    kernel = PROBLEM.kernel.in_coordinates("natural")
    learner = StageLearner(PROBLEM, stage_of(150, 30), kernel, 2)
    trace = learner.search(np.log([1e-12, 1e-3]), 1)
    assert [point[0] for point in trace.points] == pytest.approx(
        np.log([1e-9, 3e-9, 1e-9, 1e-9]), rel=1e-9
    )
