"""Least squares on landmarks: sums over rows, against all rows at once and against refitting."""

import numpy as np
import pytest
from finite_differences import assert_derivatives

from kernelwise.criteria import GeneralizedCrossValidation
from kernelwise.kernels import Gaussian, Laplacian
from kernelwise.machines import LeastSquares, Nystrom
from kernelwise.objective import evaluated
from kernelwise.scale import BlockedObjective, RowBlocks, drawn_rows, row_blocks, tree_sum
from kernelwise.scale.blocked_objective import blocked_evaluation
from kernelwise.solutions import RowStatistics, Targets
from kernelwise.solutions.nystrom import squared_error_on

random = np.random.default_rng(0)
X = random.normal(size=(300, 3))
WANTED = Targets(
    np.asfortranarray(
        np.column_stack([np.sin(2 * X[:, 0]), X[:, 1] ** 2]) + 0.1 * random.normal(size=(300, 2))
    ),
    random.uniform(0.5, 2.0, 300),
    np.array([0.3, 0.7]),
)
KERNEL = Gaussian(np.array([1.0, 1.5, 2.0]))
Z = X[::12]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(row_blocks, "ROWS_IN_BLOCK", 32)


@pytest.mark.parametrize("regularization", [1.0, 1e-3])
@pytest.mark.parametrize("kernel", [Laplacian(2.0), Gaussian(0.4)], ids=repr)
def test_all_rows_as_landmarks_are_the_exact_machine(kernel, regularization):
    exact = evaluated(kernel, LeastSquares(regularization), X, WANTED)
    searched = blocked_evaluation(kernel, Nystrom(X, regularization), RowBlocks(X, WANTED))
    found = searched.with_least_jitter()
    assert found.machine.jitter == 0
    new = np.random.default_rng(5).normal(size=(50, 3))
    outputs = kernel(new, X) @ exact.solution.coef + exact.solution.intercept
    np.testing.assert_allclose(found.outputs(new), outputs, rtol=0, atol=1e-8)
    np.testing.assert_allclose(found.left_out(), exact.held_out(None).held_out, atol=1e-7)


def test_the_least_jitter_is_what_rounding_needs():
    """Smooth kernels have eigenvalues of 0: the less regularization, the more jitter."""
    rows, shares = RowBlocks(X, WANTED), []
    for regularization in (1.0, 1e-3, 1e-6):
        searched = blocked_evaluation(Gaussian(3.0), Nystrom(X, regularization), rows)
        found = searched.with_least_jitter()
        assert np.isfinite(found.outputs(X)).all()
        shares.append(found.solution.added_jitter / searched.solution.added_jitter)
    assert 0 < shares[0] < 1e-4 < shares[1] < 0.1
    assert shares[2] == pytest.approx(1.0), "never more than a search has"


def test_below_the_least_regularization_rounding_decides():
    found = blocked_evaluation(Gaussian(3.0), Nystrom(X, 1.0), RowBlocks(X, WANTED))
    least = found.solution.least_regularization
    assert 1e-9 < least < 1e-5
    solved = found.solved_by(found.machine.with_values([least])).with_least_jitter()
    assert np.isfinite(solved.outputs(X)).all()
    bare = Nystrom(X, 1e-3 * least, rounding=0.0)
    with pytest.raises(np.linalg.LinAlgError):
        found.solved_by(bare).outputs(X)
    # A search may go there: jitter grows as the regularization falls.
    far = found.solved_by(Nystrom(X, 1e-3 * least))
    assert np.isfinite(far.outputs(X)).all()
    assert far.solution.added_jitter > 100 * found.solution.added_jitter


def test_single_precision_is_summed_in_double():
    machine = Nystrom(Z, 0.1, rounding=0.0)
    reference, gram = machine.reference(KERNEL(Z)), KERNEL(X, Z)
    single = RowStatistics.of(gram.astype(np.float32), WANTED, reference)
    double = RowStatistics.of(gram.astype(np.float32).astype(float), WANTED, reference)
    np.testing.assert_array_equal(single.centered_products, double.centered_products)
    assert single.products.dtype == float
    # It cannot see a spread of 1e-6, and no regularization as weak as double precision can.
    wide = Gaussian(1000.0)(Z)
    for statistics, least in ((single, 0.5), (double, 1e-6)):
        fit = machine.from_statistics(statistics, wide)
        assert least < fit.added_jitter / machine.jitter < 3 * least + 3e-6
    kept = machine.with_values([1e-7]).with_least_jitter(single, KERNEL(Z))
    assert (
        kept.jitter > 100 * machine.with_values([1e-7]).with_least_jitter(double, KERNEL(Z)).jitter
    )


def test_gcv_is_leave_one_out_with_the_mean_leverage():
    found = evaluated(KERNEL, Nystrom(Z, 0.1), X, WANTED).solution
    assert found.leverages.sum() == pytest.approx(found.freedom)
    squares = (WANTED.weights[:, None] * found.residuals**2).sum() + WANTED.within.sum()
    assert found.squared_error == pytest.approx(squares)
    left = 1 - found.freedom / WANTED.weights.sum()
    assert GeneralizedCrossValidation()(found)[0] == pytest.approx(squares / 2 / left**2)


def test_rows_left_out_are_those_of_refitting():
    machine = Nystrom(Z, 0.1)
    found = evaluated(KERNEL, machine, X, WANTED)
    for row in (0, 17, 299):
        rest = np.delete(np.arange(300), row)
        fit = evaluated(KERNEL, machine, X[rest], WANTED.take(rest)).solution
        output = KERNEL(X[[row]], Z) @ fit.coef + fit.intercept
        np.testing.assert_allclose(
            found.held_out(None).held_out[row], WANTED.values[row] - output[0], rtol=1e-8
        )
    folds = np.array_split(np.arange(300), 4)
    held_out = found.held_out(folds).held_out
    rest = np.concatenate(folds[1:])
    fit = evaluated(KERNEL, machine, X[rest], WANTED.take(rest)).solution
    expected = WANTED.values[folds[0]] - KERNEL(X[folds[0]], Z) @ fit.coef - fit.intercept
    np.testing.assert_allclose(held_out[folds[0]], expected, atol=1e-9)


def test_a_fold_is_judged_by_its_sums():
    machine, fold = Nystrom(Z, 0.1), np.arange(80)
    own = KERNEL(Z)
    reference = machine.reference(own)
    whole = RowStatistics.of(KERNEL(X, Z), WANTED, reference)
    part = RowStatistics.of(KERNEL(X[fold], Z), WANTED.take(fold), reference)
    fit = machine.from_statistics(whole - part, own)
    residuals = WANTED.values[fold] - KERNEL(X[fold], Z) @ fit.coef - fit.intercept
    expected = (WANTED.weights[fold, None] * residuals**2).sum(axis=0)
    np.testing.assert_allclose(squared_error_on(part, fit), expected, rtol=1e-9)


def test_a_row_of_weight_2_is_a_row_written_twice():
    doubled = np.r_[np.arange(300), np.arange(40)]
    weights = np.r_[np.full(40, 2.0), np.ones(260)]
    machine = Nystrom(Z, 0.1)
    once = evaluated(KERNEL, machine, X, Targets.plain(WANTED.values, weights)).solution
    twice = evaluated(KERNEL, machine, X[doubled], Targets.plain(WANTED.values[doubled])).solution
    np.testing.assert_allclose(once.coef, twice.coef, rtol=1e-6)
    criterion = GeneralizedCrossValidation()
    assert criterion(once)[0] == pytest.approx(criterion(twice)[0])


@pytest.mark.parametrize("n_threads", [2, 3])
def test_threads_change_no_bit(n_threads):
    found = []
    for threads in (1, n_threads):
        rows = RowBlocks(X, WANTED, threads)
        objective = BlockedObjective(KERNEL, Nystrom(Z, 0.1), GeneralizedCrossValidation(), rows)
        found.append(objective(objective.point))
    assert found[0].value == found[1].value
    np.testing.assert_array_equal(found[0].gradient, found[1].gradient)


def test_passes_are_counted_and_memory_is_that_of_a_block():
    objective = BlockedObjective(
        KERNEL, Nystrom(Z, 0.1), GeneralizedCrossValidation(), RowBlocks(X, WANTED)
    )
    objective(objective.point)
    objective.value(objective.point)
    assert objective.n_passes == 3 and objective.n_factorizations == 2


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 100])
def test_the_order_of_a_tree_sum(count):
    assert tree_sum(range(count)) == sum(range(count))
    shown = tree_sum([f"{i} " for i in range(count)])
    assert shown == "".join(f"{i} " for i in range(count)), "parts stay in order"


@pytest.mark.parametrize("regularization", [1e-4, 1e-6])
def test_a_kernel_that_hardly_varies_keeps_its_digits(regularization):
    """Length scales of 1000: linear regression, which landmarks must find among constants."""
    kernel = Gaussian(np.full(3, 1000.0))
    random = np.random.default_rng(6)
    wanted = Targets.plain(X @ np.array([1.0, -2.0, 0.5]) + 0.1 * random.normal(size=300))
    exact = evaluated(kernel, LeastSquares(regularization), X, wanted).solution
    outputs = exact.targets.values - regularization * exact.coef
    found = blocked_evaluation(kernel, Nystrom(Z, regularization), RowBlocks(X, wanted))
    scale = outputs.std()
    np.testing.assert_allclose(found.with_least_jitter().outputs(X), outputs, atol=1e-6 * scale)
    np.testing.assert_allclose(found.outputs(X), outputs, atol=1e-5 * scale)
    # Linear regression: each weight x z' of the kernel is 1e-6.
    centered = X - X.mean(axis=0)
    slopes = np.linalg.solve(
        centered.T @ centered + 1e6 * regularization * np.eye(3), centered.T @ wanted.values
    )
    np.testing.assert_allclose(outputs, wanted.values.mean() + centered @ slopes, atol=1e-4 * scale)


def test_gradients_know_that_jitter_follows_the_rounding_errors():
    machine = Nystrom(Z, 0.1, rounding=1e12)
    objective = BlockedObjective(
        KERNEL, machine, GeneralizedCrossValidation(), RowBlocks(X, WANTED)
    )
    assert 0.1 < objective.solve(objective.point).solution.added_jitter < 10
    gradient = objective(objective.point).gradient
    assert_derivatives(gradient, objective.value, objective.point, rtol=1e-6)


def test_drawn_rows_depend_on_seed_and_number_alone():
    first = drawn_rows(10_000, 500, seed=3)
    assert len(np.unique(first)) == 500 and (np.diff(first) > 0).all()
    assert not np.array_equal(first, drawn_rows(10_000, 500, seed=4))
    # Uniform: ten equal parts of the table have about as many each.
    counts = np.bincount(first // 1000)
    assert counts.min() > 25 and counts.max() < 80
    # Of fewer rows, those that were drawn before and are still there come first.
    fewer = drawn_rows(5_000, 500, seed=3)
    assert np.isin(first[first < 5_000], fewer).all()


def test_rare_classes_have_as_many_landmarks_as_others():
    codes = np.repeat([0, 1, 2], [9_000, 900, 20])
    drawn = drawn_rows(len(codes), 300, seed=0, codes=codes)
    assert list(np.bincount(codes[drawn])) == [140, 140, 20]
