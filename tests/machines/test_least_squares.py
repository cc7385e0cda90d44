"""Least squares: every closed form against refitting, dense formulas and duplicated rows."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import multivariate_normal

from kernelwise.criteria import (
    BayesianLeaveOneOut,
    Evidence,
    FirstLevel,
    HeldOutSquares,
    LeaveOneOut,
)
from kernelwise.kernels import Gaussian, Laplacian
from kernelwise.machines import Folded, LeastSquares
from kernelwise.machines.refitting import refitted_folds
from kernelwise.objective import Objective
from kernelwise.solutions import LinearizedLeastSquares, Targets

N, RIDGE = 18, 0.37
FOLDS = [np.array([0, 5, 6, 7]), np.array([1, 2, 17]), np.array([3]), np.r_[4, 8:17]]


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(N, 3))


@pytest.fixture
def gram(X):
    return Gaussian([0.8, 1.5, 3.0])(X)


@pytest.fixture(params=["plain", "weighted", "three-targets", "weighted-three-targets"])
def targets(request):
    random = np.random.default_rng(1)
    y = random.normal(size=(N, 3 if "three" in request.param else 1))
    return Targets.plain(y, random.uniform(0.2, 3, N) if "weighted" in request.param else None)


def fit_by_hand(gram, y, weights, ridge=RIDGE):
    """Minimize the primal loss ``1/2 sum w (y - K c - b)^2 + ridge/2 c'Kc`` directly."""
    n = len(gram)
    design = np.column_stack([gram, np.ones(n)])
    penalty = np.zeros((n + 1, n + 1))
    penalty[:n, :n] = ridge * gram
    normal = design.T @ (weights[:, None] * design) + penalty
    solved = np.linalg.lstsq(normal, design.T @ (weights[:, None] * y), rcond=None)[0]
    return solved[:n], solved[n]


def refit_without(rows, gram, y, noise):
    """Held-out residuals of ``rows`` from the saddle system of the others."""
    kept = np.setdiff1d(np.arange(len(gram)), rows)
    m = len(kept)
    system = np.ones((m + 1, m + 1))
    system[:m, :m] = gram[np.ix_(kept, kept)] + np.diag(noise[kept])
    system[m, m] = 0
    solved = np.linalg.solve(system, np.vstack([y[kept], np.zeros((1, y.shape[1]))]))
    return y[rows] - gram[np.ix_(rows, kept)] @ solved[:m] - solved[m]


def refit_each(folds, gram, targets, ridge=RIDGE):
    residuals = np.empty_like(targets.values)
    for rows in folds:
        noise = ridge / targets.weights
        residuals[rows] = refit_without(rows, gram, targets.values, noise)
    return residuals


def test_the_loss_is_minimised(gram, targets):
    solution = LeastSquares(RIDGE).solve([gram], targets)
    coef, intercept = fit_by_hand(gram, targets.values, targets.weights)
    outputs = gram @ solution.coef + solution.intercept
    np.testing.assert_allclose(outputs, gram @ coef + intercept, atol=1e-8)
    residuals = targets.values - outputs
    np.testing.assert_allclose(solution.coef, targets.weights[:, None] * residuals / RIDGE)


def test_leave_one_out_is_refitting(gram, targets):
    solution = LeastSquares(RIDGE).solve([gram], targets)
    refitted = refit_each(np.arange(N)[:, None], gram, targets)
    np.testing.assert_allclose(solution.left_out, refitted, rtol=1e-9)
    expected = 0.5 * (targets.weights[:, None] * refitted**2).sum()
    assert LeaveOneOut()(solution)[0] == pytest.approx(expected, rel=1e-9)
    size = 0.5 * targets.weights.sum() * refitted.shape[1]
    assert BayesianLeaveOneOut()(solution)[0] == pytest.approx(size * np.log(expected), rel=1e-9)


@pytest.mark.parametrize(("floor", "fall"), [(0.0, 3 * np.log(10)), (1e-3, 0.0)])
def test_only_a_floor_bounds_bayesian_leave_one_out(X, floor, fall):
    """Parameters and regularization to zero together: three parameters lose log 10 per decade."""
    y = Targets.plain(np.random.default_rng(1).normal(size=N))
    kernel, criterion = Gaussian([0.8, 1.5, 3.0]), BayesianLeaveOneOut(floor)
    values = []
    for size in (1e-9, 1e-10):
        objective = Objective(
            kernel.with_values(size * kernel.values), LeastSquares(size), criterion, X, y
        )
        values.append(objective.value(objective.point))
    assert values[0] - values[1] == pytest.approx(fall, abs=1e-5)


def test_folds_are_refitting(gram, targets):
    solution = Folded(LeastSquares(RIDGE), FOLDS).solve([gram], targets)
    refitted = refit_each(FOLDS, gram, targets)
    np.testing.assert_allclose(solution.held_out, refitted, rtol=1e-9)
    expected = 0.5 * (targets.weights[:, None] * refitted**2).sum()
    assert HeldOutSquares()(solution)[0] == pytest.approx(expected, rel=1e-9)
    assert solution.n_factorizations == 1


def test_closed_form_and_generic_folds_agree_both_ways(gram, targets):
    machine = LeastSquares(RIDGE)
    closed = Folded(machine, FOLDS).solve([gram], targets)
    generic = refitted_folds(machine, [gram], targets, FOLDS)
    np.testing.assert_allclose(closed.held_out, generic.held_out, rtol=1e-9)
    gradient = closed.gradient(np.random.default_rng(2).normal(size=closed.held_out.shape))
    (closed_gram,), closed_ridge = closed.pullback(gradient)
    (generic_gram,), generic_ridge = generic.pullback(gradient)
    scale = abs(generic_gram).max()
    np.testing.assert_allclose(closed_gram, generic_gram, atol=1e-9 * scale)
    np.testing.assert_allclose(closed_ridge, generic_ridge, rtol=1e-9)
    np.testing.assert_array_equal(closed_gram, closed_gram.T)


def test_one_by_one_is_every_row_a_fold(gram, targets):
    """Leaving out each row alone, and its way back, are those of folds of one row."""
    machine, rows = LeastSquares(RIDGE), [np.array([i]) for i in range(N)]
    solution = machine.solve([gram], targets)
    alone = machine.held_out([gram], targets, None, solution)
    folded = machine.held_out([gram], targets, rows)
    np.testing.assert_allclose(alone.held_out, folded.held_out, rtol=1e-9)
    assert (alone.n_factorizations, folded.n_factorizations) == (0, 1)
    gradient = alone.gradient(np.random.default_rng(2).normal(size=alone.held_out.shape))
    (alone_gram,), alone_ridge = alone.pullback(gradient)
    (folded_gram,), folded_ridge = folded.pullback(gradient)
    np.testing.assert_allclose(alone_gram, folded_gram, atol=1e-9 * abs(folded_gram).max())
    np.testing.assert_allclose(alone_ridge, folded_ridge, rtol=1e-8)


def repeated(X, y, counts):
    """The rows as often as ``counts`` says, the copies with targets of their own."""
    where = np.repeat(np.arange(len(X)), counts)
    noise = np.random.default_rng(5).normal(size=(len(where), y.shape[1]))
    return X[where], y[where] + 0.3 * noise, where


def merged(y, where, counts):
    """Mean target, total weight and hidden squared deviations of each distinct row."""
    means = np.stack([y[where == i].mean(axis=0) for i in range(len(counts))])
    return Targets(np.asfortranarray(means), counts.astype(float), ((y - means[where]) ** 2).sum(0))


@pytest.fixture
def pair(X):
    """The same data twice: with repeated rows, and with weights; 2 targets."""
    counts = np.random.default_rng(4).integers(1, 4, size=N)
    y = np.random.default_rng(6).normal(size=(N, 2))
    rows, values, where = repeated(X, y, counts)
    return (rows, Targets.plain(values)), (X, merged(values, where, counts)), where


@pytest.mark.parametrize("criterion", [FirstLevel(0.3), Evidence()], ids=repr)
def test_a_repeated_row_is_a_weight(pair, criterion):
    """Value and gradient, in kernel parameters and regularization."""
    (long, long_targets), (short, short_targets), _ = pair
    kernel, machine = Gaussian([0.8, 1.5, 3.0]), LeastSquares(RIDGE)
    expected = Objective(kernel, machine, criterion, long, long_targets)
    found = Objective(kernel, machine, criterion, short, short_targets)
    wanted = expected(expected.point)
    np.testing.assert_allclose(found(found.point).gradient, wanted.gradient, rtol=1e-8)
    assert found.value(found.point) == pytest.approx(wanted.value, rel=1e-10)


def test_leaving_out_a_repeated_row_leaves_out_its_weight(pair):
    """All copies of a row are one fold; the weighted row is one row."""
    (long, long_targets), (short, short_targets), where = pair
    kernel, machine = Gaussian([0.8, 1.5, 3.0]), LeastSquares(RIDGE)
    one_fold_per_row = [np.flatnonzero(where == i) for i in range(N)]
    folded = Folded(machine, one_fold_per_row)
    expected = Objective(kernel, folded, HeldOutSquares(), long, long_targets)
    found = Objective(kernel, machine, LeaveOneOut(), short, short_targets)
    wanted = expected(expected.point)
    assert found.value(found.point) == pytest.approx(wanted.value, rel=1e-9)
    np.testing.assert_allclose(found(found.point).gradient, wanted.gradient, rtol=1e-7)
    long_folds = [np.flatnonzero(np.isin(where, fold)) for fold in FOLDS]
    whole = Objective(kernel, Folded(machine, long_folds), HeldOutSquares(), long, long_targets)
    light = Objective(kernel, Folded(machine, FOLDS), HeldOutSquares(), short, short_targets)
    assert light.value(light.point) == pytest.approx(whole.value(whole.point), rel=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_evidence_is_the_marginal_likelihood(gram, weighted):
    """On the complement of the constant, dense, maximized over each target's amplitude."""
    counts = np.random.default_rng(7).integers(1, 4, size=N) if weighted else np.ones(N, int)
    where = np.repeat(np.arange(N), counts)
    y = np.random.default_rng(8).normal(size=(len(where), 2))
    solution = LeastSquares(RIDGE).solve([gram], merged(y, where, counts))
    complement = np.linalg.svd(np.ones((1, len(where))))[2][1:]
    covariance = gram[np.ix_(where, where)] + RIDGE * np.eye(len(where))
    covariance = complement @ covariance @ complement.T
    total = 0.0
    for column in (complement @ y).T:
        total += minimize_scalar(
            lambda log_amplitude, column=column: (
                -multivariate_normal.logpdf(column, cov=np.exp(log_amplitude) * covariance)
            ),
            bracket=(-1, 1),
            tol=1e-10,
        ).fun
    assert Evidence()(solution)[0] == pytest.approx(total, rel=1e-9)


def test_first_level_is_the_training_loss(X, gram, targets):
    kernel, penalty = Gaussian([0.8, 1.5, 3.0]), 0.7
    objective = Objective(kernel, LeastSquares(RIDGE), FirstLevel(penalty), X, targets)
    coef, intercept = fit_by_hand(gram, targets.values, targets.weights)
    residuals = targets.values - gram @ coef - intercept
    loss = 0.5 * (targets.weights[:, None] * residuals**2).sum()
    loss += 0.5 * RIDGE * np.trace(coef.T @ gram @ coef)
    loss += 0.5 * penalty * (kernel.values**2).sum()
    assert objective.value(objective.point) == pytest.approx(loss, rel=1e-9)


def augmented(gram, tangents, ratio):
    """Gram matrix of all outputs together: own block K each, and the shared tangent kernel."""
    stacked = np.vstack(tangents.transpose(1, 0, 2))
    return np.kron(np.eye(tangents.shape[1]), gram) + ratio * stacked @ stacked.T


def joint_refit(rows, joint, targets_aug, noise, n_targets):
    """Held-out residuals of ``rows`` (of every output), one bias per output."""
    kept = np.setdiff1d(np.arange(len(joint)), rows)
    biases = np.kron(np.eye(n_targets), np.ones((len(joint) // n_targets, 1)))
    m = len(kept)
    system = np.zeros((m + n_targets, m + n_targets))
    system[:m, :m] = joint[np.ix_(kept, kept)] + np.diag(noise[kept])
    system[:m, m:], system[m:, :m] = biases[kept], biases[kept].T
    solved = np.linalg.solve(system, np.concatenate([targets_aug[kept], np.zeros(n_targets)]))
    outputs = joint[np.ix_(rows, kept)] @ solved[:m] + biases[rows] @ solved[m:]
    return targets_aug[rows] - outputs


@pytest.mark.parametrize("kernel", [Gaussian([0.8, 1.5, 3.0]), Laplacian([2.0, 3.0, 5.0])])
def test_tangent_leave_one_out_is_refitting_the_augmented_machine(X, targets, kernel):
    penalty, gram = 0.09, kernel(X)
    solution = LeastSquares(RIDGE).solve([gram], targets)
    natural = kernel.in_coordinates("natural")
    tangents = natural.output_tangents(X, X, solution.coef)
    found = LinearizedLeastSquares(solution, tangents, penalty).left_out

    n_targets = targets.values.shape[1]
    joint = augmented(gram, tangents, RIDGE / penalty)
    noise = np.tile(RIDGE / targets.weights, n_targets)
    # The targets for which the augmented machine has the coefficients of the plain one.
    coef, intercepts = solution.coef.T.ravel(), np.repeat(solution.intercept, N)
    same_coefficients = joint @ coef + noise * coef + intercepts
    refitted = np.empty_like(found)
    for i in range(N):
        rows = i + N * np.arange(n_targets)
        refitted[i] = joint_refit(rows, joint, same_coefficients, noise, n_targets)
    np.testing.assert_allclose(found, refitted, rtol=1e-9)
    plain = solution.left_out
    assert abs(found - plain).max() > 1e-3


def test_a_stiff_kernel_has_the_plain_leave_one_out(X, gram, targets):
    """As the kernel's regularization grows, nothing is learned, and nothing is charged."""
    solution = LeastSquares(RIDGE).solve([gram], targets)
    kernel = Gaussian([0.8, 1.5, 3.0]).in_coordinates("natural")
    tangents = kernel.output_tangents(X, X, solution.coef)
    stiff = LinearizedLeastSquares(solution, tangents, 1e14).left_out
    np.testing.assert_allclose(stiff, solution.left_out, rtol=1e-9)


@pytest.mark.parametrize("ridge", [0.0, -1.0, np.nan])
def test_a_regularization_that_is_not_positive_is_refused(ridge):
    with pytest.raises(ValueError, match="regularization must be positive"):
        LeastSquares(ridge)
