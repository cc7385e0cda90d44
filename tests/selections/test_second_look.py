"""A second look at the columns of an aligned kernel, by leave-one-out."""

import numpy as np
import pytest
from sklearn.datasets import make_friedman1

from kernelwise import KernelAligner, LSSVMClassifier, LSSVMRegressor
from kernelwise.criteria import LeaveOneOut
from kernelwise.kernels import Gaussian
from kernelwise.machines import LeastSquares
from kernelwise.objective import evaluated
from kernelwise.selections import AlignmentSelection, Problem
from kernelwise.selections.second_look import RIDGES, SecondLook
from kernelwise.solutions import Targets


@pytest.fixture(scope="module")
def parabola():
    """x0 has a trend, x1 is a parabola, x2 and x3 say nothing."""
    random = np.random.default_rng(0)
    X = random.uniform(-1, 1, size=(90, 4))
    return X, X[:, 0] + 2 * X[:, 1] ** 2 + 0.1 * random.normal(size=90)


def problem_of(X, y):
    targets = Targets.plain((y - y.mean())[:, None] / y.std(), np.ones(len(y)))
    return Problem(Gaussian(np.ones(X.shape[1])), LeastSquares(1.0), X, targets)


def test_a_column_comes_back_and_useless_ones_go(parabola):
    problem = problem_of(*parabola)
    look = SecondLook(problem)
    begin = Gaussian(np.ones(4)).with_values(np.array([0.5, 0.0, 0.5, 0.5]))
    found = look(begin)
    np.testing.assert_array_equal(found.values > 0, [True, True, False, False])
    assert look.loss(found) < 0.5 * look.loss(begin)
    # No further change of one column pays.
    assert all(look.loss(other) >= 0.99 * look.loss(found) for other in look._changes(found))


def test_the_loss_is_the_least_leave_one_out_loss(parabola):
    problem = problem_of(*parabola)
    kernel, losses = problem.kernel, []
    for ridge in RIDGES:
        solved = evaluated(kernel, LeastSquares(float(ridge)), problem.X, problem.targets)
        losses.append(LeaveOneOut()(solved.solution)[0])
    assert SecondLook(problem).loss(kernel) == pytest.approx(min(losses))


def test_a_kernel_without_column_weights_is_left_alone(parabola):
    kernel = Gaussian(1.0)
    assert SecondLook(problem_of(*parabola))(kernel) is kernel


def test_friedman_is_found_with_a_second_look_and_not_without():
    kept = {False: [], True: []}
    for seed in range(3):
        X, y = make_friedman1(150, 10, noise=1.0, random_state=seed)
        for second_look, found in kept.items():
            selection = AlignmentSelection(second_look=second_look)
            model = LSSVMRegressor("ard", selection, honest=False).fit(X, y)
            found.append(model.kernel_.values[:10] > 0)
            aligner = KernelAligner(second_look=second_look, task="regression").fit(X, y)
            np.testing.assert_array_equal(aligner.selected_features_, np.flatnonzero(found[-1]))
    assert np.all(kept[True], axis=0)[:5].all()
    assert np.sum(kept[True], axis=0)[5:].sum() <= 3 < np.sum(kept[False], axis=0)[5:].sum()


def test_columns_of_no_weight_are_not_selected():
    """Their effects are rounding errors, as small as 1e-159."""
    X, y = make_friedman1(100, 10, noise=1.0, random_state=0)
    aligner = KernelAligner(second_look=True).fit(X, y)
    kept = np.flatnonzero(np.isfinite(aligner.kernel_.kernel.length_scale))
    np.testing.assert_array_equal(aligner.selected_features_, kept)
    assert aligner.transform(X).shape == (100, len(kept)) and len(kept) < 10


def test_classes_are_looked_at_as_well(parabola):
    X, y = parabola
    model = LSSVMClassifier("ard", AlignmentSelection(second_look=True), honest=False)
    model.fit(X, y > np.median(y))
    assert (model.kernel_.values[:2] > 0).all()


def test_bad_input():
    with pytest.raises(ValueError, match="second_look must be True or False"):
        AlignmentSelection(second_look="yes")
