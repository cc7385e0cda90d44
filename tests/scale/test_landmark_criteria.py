"""Criteria of machines on landmarks: values by brute force, gradients by finite differences."""

import numpy as np
import pytest
from finite_differences import assert_derivatives

from kernelwise.criteria import (
    BayesianLeaveOneOut,
    Evidence,
    EvidenceBound,
    FirstLevel,
    GeneralizedCrossValidation,
    HeldOutSquares,
    LeaveOneOut,
)
from kernelwise.kernels import Gaussian, Linear, Polynomial
from kernelwise.machines import Folded, LeastSquares, Nystrom, NystromProcess
from kernelwise.objective import Objective, evaluated
from kernelwise.scale import BlockedFolds, BlockedObjective, RowBlocks, dealt_folds, row_blocks
from kernelwise.solutions import Targets

random = np.random.default_rng(0)
N = 90
X = np.column_stack([random.normal(size=(N, 2)), random.integers(3, size=N)])
MIXED = Gaussian([1.0, 1.5, 2.0], dissimilarity=("squared", "absolute", "overlap"))
# k(x, x) differs from row to row.
UNEVEN = MIXED + Polynomial(2, 0.5, [1.0, 2.0, 3.0])
Z = X[::9]
FOLDS = dealt_folds(np.arange(N), 4, seed=1)


def targets(n_targets=2, weighted=True):
    values = np.column_stack([np.sin(2 * X[:, 0]), X[:, 1] ** 2])[:, :n_targets]
    values = values + 0.2 * np.random.default_rng(1).normal(size=values.shape)
    if not weighted:
        return Targets.plain(values)
    weights = np.random.default_rng(2).uniform(0.5, 2.0, N)
    return Targets(np.asfortranarray(values), weights, np.array([0.3, 0.7])[:n_targets])


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(row_blocks, "ROWS_IN_BLOCK", 16)


MACHINE = Nystrom(Z, 0.3)
PROCESS = NystromProcess(Z, 0.3)
FOLDED = Folded(MACHINE, FOLDS)


def blocked(kernel, machine, criterion):
    return lambda wanted: BlockedObjective(kernel, machine, criterion, RowBlocks(X, wanted))


def held(kernel, machine, criterion):
    return lambda wanted: Objective(kernel, machine, criterion, X, wanted)


OBJECTIVES = {
    "gcv": blocked(MIXED, MACHINE, GeneralizedCrossValidation()),
    "first-level": blocked(MIXED, MACHINE, FirstLevel(0.4)),
    "evidence": blocked(UNEVEN, PROCESS, EvidenceBound()),
    "evidence, rows held": held(UNEVEN, PROCESS, EvidenceBound()),
    "leave-one-out": held(UNEVEN, MACHINE, LeaveOneOut()),
    "bayesian leave-one-out": held(MIXED, MACHINE, BayesianLeaveOneOut(0.1)),
    "folds": lambda wanted: BlockedFolds(MIXED, FOLDED, HeldOutSquares(), RowBlocks(X, wanted)),
    "folds, rows held": held(MIXED, FOLDED, HeldOutSquares()),
}


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("n_targets", [1, 2])
@pytest.mark.parametrize("name", OBJECTIVES)
def test_gradients_in_scales_and_regularization(name, n_targets, weighted):
    objective = OBJECTIVES[name](targets(n_targets, weighted))
    found = objective(objective.point)
    assert found.value == pytest.approx(objective.value(objective.point), rel=1e-12)
    assert_derivatives(found.gradient, objective.value, objective.point, rtol=1e-6)


def dense_bound(kernel, wanted, ridge):
    """The bound of Titsias (2009) on all rows, with a flat prior on the bias."""
    own = kernel(Z)
    spread = (1 + 1e-6) * np.trace(own) / len(own) - own.mean()
    across = kernel(X, Z)
    seen = across @ np.linalg.solve(own + 1e-6 * spread * np.eye(len(Z)), across.T)
    covariance = seen + ridge * np.diag(1 / wanted.weights)
    inverse = np.linalg.inv(covariance)
    ones, freedom = np.ones(N), wanted.weights.sum() - 1
    summed = inverse @ ones
    residual = inverse - np.outer(summed, summed) / summed.sum()
    misfit = np.einsum("it,ij,jt->t", wanted.values, residual, wanted.values)
    misfit += wanted.within / ridge
    # A row of weight w is w rows: w - 1 further noises of their own, and the mean's variance.
    log_determinant = np.linalg.slogdet(covariance)[1] + np.log(summed.sum())
    log_determinant += (wanted.weights - 1).sum() * np.log(ridge) + np.log(wanted.weights).sum()
    log_determinant -= np.log(wanted.weights.sum())
    hidden = wanted.weights @ (np.diagonal(kernel(X)) - np.diagonal(seen))
    value = freedom * np.log(2 * np.pi * np.e * misfit / freedom) + log_determinant + hidden / ridge
    return 0.5 * value.sum()


@pytest.mark.parametrize("kernel", [MIXED, UNEVEN, Linear([1.0, 2.0, 3.0])], ids=repr)
def test_the_evidence_bound_is_that_of_all_rows(kernel):
    wanted = targets()
    found = evaluated(kernel, PROCESS, X, wanted)
    assert EvidenceBound()(found.solution)[0] == pytest.approx(dense_bound(kernel, wanted, 0.3))


def test_the_evidence_bound_is_above_the_evidence_and_reaches_it():
    wanted = targets()
    exact = Evidence()(evaluated(UNEVEN, LeastSquares(0.3), X, wanted).solution)[0]
    few, more, every = (
        EvidenceBound()(evaluated(UNEVEN, NystromProcess(rows, 0.3, 1e-12), X, wanted).solution)[0]
        for rows in (Z, X[::3], X)
    )
    assert few > more + 1 > exact + 2
    assert every == pytest.approx(exact, rel=1e-7)


def test_leave_one_out_is_refitting():
    wanted = targets()
    found = evaluated(UNEVEN, MACHINE, X, wanted).solution
    squares = wanted.within.sum()
    for row in range(N):
        rest = np.delete(np.arange(N), row)
        fit = evaluated(UNEVEN, MACHINE, X[rest], wanted.take(rest)).solution
        output = UNEVEN(X[[row]], Z) @ fit.coef + fit.intercept
        squares += (wanted.weights[row] * (wanted.values[row] - output) ** 2).sum()
    assert LeaveOneOut()(found)[0] == pytest.approx(squares / 2, rel=1e-9)


@pytest.mark.parametrize("name", ["folds", "folds, rows held"])
def test_folds_are_refitting(name):
    wanted = targets()
    squares = wanted.within.sum()
    for S in FOLDS:
        rest = np.setdiff1d(np.arange(N), S)
        fit = evaluated(MIXED, MACHINE, X[rest], wanted.take(rest)).solution
        residuals = wanted.values[S] - MIXED(X[S], Z) @ fit.coef - fit.intercept
        squares += (wanted.weights[S, None] * residuals**2).sum()
    objective = OBJECTIVES[name](wanted)
    assert objective.value(objective.point) == pytest.approx(squares / 2, rel=1e-9)


def test_folds_take_two_passes_for_value_and_gradient():
    objective = OBJECTIVES["folds"](targets())
    objective(objective.point)
    assert objective.n_passes == 2 and objective.n_factorizations == len(FOLDS)


def test_dealt_folds_are_of_about_one_size_and_depend_on_the_number_of_a_row():
    rows = np.arange(10_000)
    folds = dealt_folds(rows, 5, seed=3)
    np.testing.assert_array_equal(np.sort(np.concatenate(folds)), rows)
    assert all(1_800 < len(fold) < 2_200 for fold in folds)
    assert not np.array_equal(folds[0], dealt_folds(rows, 5, seed=4)[0])
    later = dealt_folds(rows[4_000:], 5, seed=3)[0]
    np.testing.assert_array_equal(later + 4_000, folds[0][folds[0] >= 4_000])


@pytest.mark.parametrize("criterion", [LeaveOneOut(), EvidenceBound()], ids=repr)
def test_what_sums_cannot_tell_is_said(criterion):
    with pytest.raises(TypeError, match=r"Nystrom gives a NystromSolution\."):
        BlockedObjective(MIXED, Nystrom(Z), criterion, RowBlocks(X, targets()))


def test_gcv_of_more_parameters_than_rows_is_infinite():
    light = Targets.plain(targets().values, np.full(N, 0.05))
    found = evaluated(Gaussian(0.1), Nystrom(X, 1e-9), X, light).solution
    assert found.freedom > 4.5
    assert GeneralizedCrossValidation()(found)[0] == np.inf
