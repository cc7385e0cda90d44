"""SimpleMKL against another optimizer on the simplex, and its optimality."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.svm import SVC

from kernelwise.kernels import Gaussian, Laplacian, Linear, OnColumns
from kernelwise.multikernel import GramBank
from kernelwise.multikernel.simple import TOLERANCE, SimpleProblem, weights_by_folds
from kernelwise.solutions import Targets

KERNELS = [
    Gaussian(1.0),
    Gaussian(3.0),
    Laplacian(4.0),
    Linear(),
    *(OnColumns(Gaussian(1.0), [r]) for r in range(3)),
]


def draw(seed=0, n=40):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    return X, np.sign(np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.5 * random.normal(size=n))


def problem_of(X, y, weights=None, kernels=KERNELS):
    return SimpleProblem(GramBank(kernels, X), Targets.plain(y, weights))


def assert_optimal(found):
    gaps = found.pulls / found.price - 1
    assert gaps.max() < 2 * TOLERANCE
    assert np.abs(gaps[found.weights > 0]).max() < 2 * TOLERANCE
    assert (found.weights >= 0).all() and found.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("C", [0.05, 1.0, 50.0])
@pytest.mark.parametrize("seed", range(2))
def test_weights_satisfy_the_conditions_of_an_optimum(seed, C):
    X, y = draw(seed)
    assert_optimal(problem_of(X, y).weights_at(C))


@pytest.mark.parametrize("alone", [3, 6])
def test_kernels_without_weight_get_one_if_they_pull(alone):
    """From a start that knows one kernel, and not a good one."""
    problem = problem_of(*draw())
    best = problem.weights_at(1.0)
    found = problem.weights_at(1.0, np.eye(len(KERNELS))[alone])
    assert (best.weights > 0).sum() > 1
    assert_optimal(found)
    assert found.objective == pytest.approx(best.objective, rel=1e-6)


def dual_objective(grams, d, y, C):
    """``max_alpha sum(alpha) - 1/2 alpha'Y K Y alpha``, by LIBSVM."""
    gram = np.tensordot(d, grams, axes=1)
    fit = SVC(kernel="precomputed", C=C, tol=1e-9).fit(gram, y)
    coef = np.zeros(len(y))
    coef[fit.support_] = fit.dual_coef_[0]
    slopes = -np.einsum("i,mij,j->m", coef, grams, coef) / (2 * len(y))
    return (np.abs(coef).sum() - 0.5 * coef @ gram @ coef) / len(y), slopes


@pytest.mark.parametrize("C", [0.3, 10.0])
def test_objective_of_another_machine_and_optimizer(C):
    X, y = draw(2)
    grams = np.array([kernel(X) for kernel in KERNELS])
    other = minimize(
        lambda d: dual_objective(grams, d, y, C),
        np.full(len(KERNELS), 1 / len(KERNELS)),
        jac=True,
        method="SLSQP",
        bounds=[(0, 1)] * len(KERNELS),
        constraints={"type": "eq", "fun": lambda d: d.sum() - 1},
        options={"ftol": 1e-10, "maxiter": 300},
    )
    found = problem_of(X, y).weights_at(C)
    assert found.objective == pytest.approx(dual_objective(grams, found.weights, y, C)[0], rel=1e-6)
    assert found.objective == pytest.approx(other.fun, rel=1e-5)


def test_a_repeated_kernel_changes_nothing_but_whose_weight_it_is():
    X, y = draw(3)
    once = problem_of(X, y).weights_at(1.0)
    twice = problem_of(X, y, kernels=[*KERNELS, *KERNELS]).weights_at(1.0)
    assert twice.objective == pytest.approx(once.objective, rel=1e-6)


def test_order_labels_and_repeated_rows():
    X, y = draw(4)
    expected = problem_of(X, y).weights_at(1.0)
    order = np.random.default_rng(0).permutation(len(X))
    counts = np.random.default_rng(0).integers(1, 3, size=len(X))
    rows = np.repeat(np.arange(len(X)), counts)
    assert problem_of(X[order], y[order]).weights_at(1.0).objective == pytest.approx(
        expected.objective
    )
    assert problem_of(X, -y).weights_at(1.0).objective == pytest.approx(expected.objective)
    weighted, repeated = (
        problem_of(X, y, counts).weights_at(1.0),
        problem_of(X[rows], y[rows]).weights_at(1.0),
    )
    assert weighted.objective == pytest.approx(repeated.objective, rel=1e-6)
    np.testing.assert_allclose(weighted.weights, repeated.weights, atol=2e-3)


def test_several_outputs_share_the_weights():
    X, y = draw(5)
    both = np.column_stack([y, np.sign(X[:, 2] + 0.1)])
    found = problem_of(X, both).weights_at(1.0)
    assert_optimal(found)
    assert found.solution.coef.shape == (40, 2)


def test_folds_learn_the_weights_again():
    X, y = draw(6, n=45)
    folds = np.array_split(np.random.default_rng(0).permutation(45), 3)
    bank, targets = GramBank(KERNELS, X), Targets.plain(y)
    found = weights_by_folds(bank, targets, folds, C=2.0)
    for S in folds:
        T = np.setdiff1d(np.arange(45), S)
        fit = problem_of(X[T], y[T]).weights_at(2.0)
        across = sum(w * k(X[S], X[T]) for w, k in zip(fit.weights, KERNELS, strict=True))
        outputs = across @ fit.solution.coef + fit.solution.intercept
        np.testing.assert_allclose(y[S, None] - found.held_out[S], outputs, atol=0.02)
    assert found.tried == [2.0] and found.best.C == 2.0
    chosen = weights_by_folds(bank, targets, folds)
    assert chosen.errors[chosen.tried.index(chosen.best.C)] == min(chosen.errors)


def test_a_fold_may_hold_a_whole_class():
    X, _ = draw(7, n=20)
    y = np.where(np.arange(20) < 4, -1.0, 1.0)
    folds = [np.arange(5), np.arange(5, 20)]
    found = weights_by_folds(GramBank(KERNELS, X), Targets.plain(y), folds, C=1.0)
    assert np.isfinite(found.held_out).all()
