"""Choosing by alignment: its optimum, its starts, its filter, and the traps of its plateaus."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from kernelwise import LSSVMClassifier, LSSVMRegressor
from kernelwise.criteria import Alignment, LeaveOneOut
from kernelwise.kernels import Gaussian, Laplacian, Linear, Polynomial
from kernelwise.machines import LeastSquares, NoMachine
from kernelwise.objective import Objective
from kernelwise.searchers import QuasiNewton, Rprop
from kernelwise.selections import AlignmentSelection, NoAlignmentWarning, Problem
from kernelwise.selections.alignment import ideal_targets, identity_alignment
from kernelwise.selections.alignment_start import neighbor_scales, start_kernel
from kernelwise.solutions import Targets

# More columns than a kernel of one scale each can sort out quickly.
LONG = pytest.param(30, 500, marks=pytest.mark.slow)


def two_classes(n=80, d=4, seed=0):
    """x0 and x1 decide, on a curve; the others say nothing. Standardized."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    y = np.where(X[:, 0] + np.sin(2 * X[:, 1]) + 0.2 * random.normal(size=n) > 0, 1.0, -1.0)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def problem_of(X, y, kernel, classification=True, **settings):
    return Problem(
        kernel, LeastSquares(1.0), X, Targets.plain(y), classification=classification, **settings
    )


def aligned(problem, start="fixed", threshold=1e-3, spread=1.0):
    return AlignmentSelection(start, spread, threshold=threshold).align(problem)


def alignment_of(kernel, X, y):
    """By definition, with n x n matrices."""
    H = np.eye(len(X)) - 1 / len(X)
    K, Y = H @ kernel(X) @ H, H @ np.outer(y, y) @ H
    return (K * Y).sum() / np.linalg.norm(K) / np.linalg.norm(Y)


class TestOptimum:
    def test_is_stationary_and_what_it_claims(self):
        X, y = two_classes()
        problem = problem_of(X, y, Gaussian(np.ones(4)), searcher=QuasiNewton(tolerance=1e-12))
        found = aligned(problem, threshold=0.0)
        assert found.alignment == pytest.approx(alignment_of(found.kernel, X, y), abs=1e-12)
        objective = Objective(
            found.kernel, NoMachine(), Alignment(), X, Targets.plain(y), learn_machine=False
        )
        gradient = objective(found.kernel.theta).gradient
        inside = found.kernel.values > 1e-9  # the others have run to their limit
        assert np.abs(gradient[inside]).max() < 1e-4

    def test_rprop_and_quasi_newton_agree_where_there_is_one_optimum(self):
        X, y = two_classes()
        found = [
            aligned(problem_of(X, y, Gaussian(np.ones(4)), searcher=searcher)).alignment
            for searcher in (None, Rprop(max_iterations=500), QuasiNewton(tolerance=1e-10))
        ]
        np.testing.assert_allclose(found, found[0], rtol=1e-3)

    def test_no_factorization_until_the_regularisation(self):
        """A search of many points costs as many factorizations as one of few."""
        X, y = two_classes()
        short = problem_of(X, y, Gaussian(np.ones(4)), searcher=Rprop(max_iterations=2))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            quick = AlignmentSelection()(short)
        slow = AlignmentSelection()(problem_of(X, y, Gaussian(np.ones(4))))
        assert len(slow.trace) > 5 * len(quick.trace)
        assert slow.n_factorizations <= quick.n_factorizations + 10

    def test_the_regularisation_has_the_least_leave_one_out_error(self):
        X, y = two_classes()
        choice = AlignmentSelection()(problem_of(X, y, Gaussian(np.ones(4))))
        gram = choice.kernel(X)

        def error(ridge):
            return LeaveOneOut()(LeastSquares(ridge).solve([gram], Targets.plain(y)))[0]

        ridge = float(choice.machine.values[0])
        grid = ridge * 10.0 ** np.linspace(-4, 4, 41)
        assert error(ridge) <= min(map(error, grid)) * (1 + 1e-6)
        assert choice.criterion == pytest.approx(-alignment_of(choice.kernel, X, y), abs=1e-9)

    def test_restarts_report_the_spread_of_their_optima(self):
        X, y = two_classes()
        found = aligned(problem_of(X, y, Gaussian(np.ones(4)), n_restarts=3))
        lowest = [trace.lowest for trace in found.trace.optima]
        assert len(lowest) == 4
        text = f"best of 4 searches (optima from {min(lowest):.4g} to {max(lowest):.4g})"
        assert found.trace.reason.startswith(text)


class TestIdealKernel:
    def test_several_classes_by_definition(self):
        """Each class at unit weight: Y_ij = 1 / n_c if both are of class c, else 0."""
        codes = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2])
        coded = 2.0 * np.eye(3)[codes] - 1
        values = ideal_targets(Targets.plain(coded), classification=True).values
        expected = (codes[:, None] == codes) / np.bincount(codes)[codes]
        np.testing.assert_allclose(values @ values.T, expected, atol=1e-15)

    def test_two_classes_either_way_are_the_same(self):
        X, y = two_classes()
        both = np.column_stack([y, -y])
        kernel = Gaussian(1.3)
        one, two = (
            -Objective(
                kernel, NoMachine(), Alignment(), X, ideal_targets(Targets.plain(t), True)
            ).value(kernel.theta)
            for t in (y, both)
        )
        assert one == pytest.approx(two, abs=1e-14)

    def test_a_class_named_twice_as_often_counts_as_much(self):
        """Weights 2 on one class and rows repeated twice are the same."""
        X, y = two_classes(40)
        codes = (y > 0) + (X[:, 2] > 0.5)
        coded = 2.0 * np.eye(3)[codes.astype(int)] - 1
        twice = np.repeat(np.arange(40), 1 + (codes == 0))
        kernel = Gaussian(1.0)
        weighted = ideal_targets(Targets.plain(coded, 1.0 + (codes == 0)), True)
        repeated = ideal_targets(Targets.plain(coded[twice]), True)
        values = [
            Objective(kernel, NoMachine(), Alignment(), rows, targets).value(kernel.theta)
            for rows, targets in ((X, weighted), (X[twice], repeated))
        ]
        assert values[0] == pytest.approx(values[1], abs=1e-13)

    def test_several_quantities_are_projected_on(self):
        """However they are mixed, and whatever one repeats of the others."""
        X, _ = two_classes(40)
        Y = X[:, :2] @ np.array([[1.0, 0.5], [0.2, 3.0]])
        mixed = np.column_stack([Y @ np.array([[1.0, 1.0], [1.0, 1.001]]), Y.sum(axis=1)])
        one, other = (ideal_targets(Targets.plain(t), False).values for t in (Y, mixed))
        centered = Y - Y.mean(axis=0)
        expected = centered @ np.linalg.pinv(centered)
        np.testing.assert_allclose(one @ one.T, expected, atol=1e-12)
        np.testing.assert_allclose(other @ other.T, expected, atol=1e-8)

    def test_identity_alignment_is_that_of_the_plateau(self):
        X, y = two_classes(50)
        floor = identity_alignment(NoMachine(), Targets.plain(y))
        assert floor == pytest.approx(1 / np.sqrt(49), abs=1e-14)
        assert alignment_of(Gaussian(1e-3), X, y) == pytest.approx(floor, abs=1e-12)


class TestStarts:
    def test_fixed_is_one_standard_deviation(self):
        X, y = two_classes()
        kernel = start_kernel(problem_of(X, y, Gaussian(np.full(4, 7.0))), "fixed", 1.0)
        np.testing.assert_allclose(kernel.length_scale, 1.0)
        assert start_kernel(problem_of(X, y, Gaussian(7.0)), "fixed", 1.0).length_scale == 1.0

    def test_given_and_kernels_without_length_scales_stay(self):
        X, y = two_classes()
        given = Gaussian([1.0, 2.0, 3.0, 4.0])
        assert start_kernel(problem_of(X, y, given), "given", 1.0) is given
        polynomial = Polynomial(2)
        assert start_kernel(problem_of(X, y, polynomial), "fixed", 1.0) is polynomial
        with pytest.raises(ValueError, match="does not have; use 'fixed'"):
            start_kernel(problem_of(X, y, polynomial), "distance", 1.0)

    def test_random_widths_are_within_their_decades(self):
        X, y = two_classes(d=4)
        drawn = [
            start_kernel(problem_of(X, y, Gaussian(np.ones(4)), seed=seed), "random", 2.0)
            for seed in range(50)
        ]
        decades = np.log10([kernel.length_scale for kernel in drawn])
        assert np.abs(decades).max() <= 2
        assert decades.min() < -1.5 and decades.max() > 1.5
        again = start_kernel(problem_of(X, y, Gaussian(np.ones(4)), seed=0), "random", 2.0)
        np.testing.assert_array_equal(again.length_scale, drawn[0].length_scale)

    @pytest.mark.parametrize("isotropic", [False, True])
    def test_distance_by_brute_force(self, isotropic):
        """alpha = sqrt(mean / 2), mean over the 5 nearest of the class, found in all columns."""
        X, y = two_classes(40)
        squares = []
        for i in range(40):
            own = [j for j in range(40) if y[j] == y[i] and j != i]
            own.sort(key=lambda j: ((X[i] - X[j]) ** 2).sum())
            squares += [(X[i] - X[j]) ** 2 for j in own[:5]]
        mean = np.mean(squares, axis=0)
        expected = np.sqrt((mean.sum() if isotropic else mean) / 2)
        start = Gaussian(1.0) if isotropic else Gaussian(np.ones(4))
        found = neighbor_scales(start, problem_of(X, y, start))
        np.testing.assert_allclose(found.length_scale, expected, rtol=1e-12)

    def test_distance_of_absolute_differences(self):
        X, y = two_classes(40)
        start = Laplacian(np.full(4, 4.0))
        found = neighbor_scales(start, problem_of(X, y, start))
        assert (found.length_scale > 0.1).all() and (found.length_scale < 2).all()

    def test_a_class_of_one_row_has_no_neighbours(self):
        X, y = two_classes(20)
        y[:] = -1
        y[0] = 1
        kernel = neighbor_scales(Gaussian(np.ones(4)), problem_of(X, y, Gaussian(np.ones(4))))
        assert np.isfinite(kernel.length_scale).all()

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"start": "nearest"}, "start must be one of"),
            ({"spread": -1.0}, "spread must be a number of decades"),
            ({"threshold": 1.0}, "threshold must be at least 0 and below 1"),
        ],
    )
    def test_bad_settings(self, settings, message):
        with pytest.raises(ValueError, match=message):
            AlignmentSelection(**settings)


class TestTraps:
    """Plateaus, runaway widths, discrete columns, noise alone, fewer rows than columns."""

    @pytest.mark.parametrize("scale", [1e-3, 1e4])
    def test_a_start_on_a_plateau_is_left(self, scale):
        """Widths so small that all rows look different, or so large that all look alike."""
        X, y = two_classes(100)
        good = aligned(problem_of(X, y, Gaussian(np.ones(4)))).alignment
        start = Gaussian(np.full(4, scale))
        objective = Objective(start, NoMachine(), Alignment(), X, Targets.plain(y))
        assert (
            abs(objective(start.theta).gradient.sum()) < 1e-5
        )  # no common factor promises anything
        found = aligned(problem_of(X, y, start), "given")
        assert found.alignment > 0.9 * good

    def test_many_columns_at_the_fixed_start(self):
        """500 standardized columns: every two rows are 500 / 2 apart, exp(-500) of nothing."""
        random = np.random.default_rng(0)
        X = random.normal(size=(100, 500))
        y = np.where(X[:, :3].sum(axis=1) > 0, 1.0, -1.0)
        found = aligned(problem_of(X, y, Gaussian(np.ones(500))))
        assert found.alignment > 3 * identity_alignment(NoMachine(), Targets.plain(y))

    def test_widths_that_run_away_stay_finite(self):
        """Irrelevant columns are pushed out by growing steps; nothing overflows, no NaN."""
        X, y = two_classes(100, 8)
        searcher = Rprop(max_iterations=1000, gradient_tolerance=0.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            found = aligned(problem_of(X, y, Gaussian(np.ones(8)), searcher=searcher))
        assert np.isfinite(found.trace.points).all() and np.isfinite(found.trace.values).all()
        assert np.isfinite(found.kernel(X)).all()
        assert (found.kernel.values[2:] == 0).any()

    def test_discrete_columns_from_the_distance_start(self):
        """Nearest rows of a class are equal in most columns; the start must not be width 0."""
        random = np.random.default_rng(0)
        X = random.integers(3, size=(150, 5)).astype(float)
        y = np.where((X[:, 0] == 1) ^ (X[:, 1] > 1), 1.0, -1.0)
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        problem = problem_of(X, y, Gaussian(np.full(5, np.sqrt(5))))
        start = neighbor_scales(problem.kernel, problem)
        assert (start.length_scale >= 0.099).all()
        plateau = identity_alignment(NoMachine(), Targets.plain(y))
        assert aligned(problem, "distance").alignment > 3 * plateau

    @pytest.mark.parametrize(("n", "d"), [(40, 5), (100, 5), (100, 30), (60, 100), LONG])
    def test_noise_alone_is_said_and_leaves_a_usable_model(self, n, d):
        random = np.random.default_rng(n + d)
        X, y = random.normal(size=(n, d)), random.integers(2, size=n)
        with pytest.warns(NoAlignmentWarning, match="no more than chance gives"):
            model = LSSVMClassifier(selection="alignment").fit(X, y)
        probabilities = model.predict_proba(random.normal(size=(50, d)))
        assert np.isfinite(probabilities).all()
        assert np.isfinite(model.relevance_).all()

    @pytest.mark.parametrize("n", [100, 400])
    def test_weak_signal_is_not_called_noise(self, n):
        random = np.random.default_rng(0)
        X = random.normal(size=(n, 5))
        y = np.where(X[:, 0] + random.normal(size=n) > 0, 1, 0)
        with warnings.catch_warnings():
            warnings.simplefilter("error", NoAlignmentWarning)
            model = LSSVMClassifier(selection="alignment").fit(X, y)
        assert model.relevance_.argmax() == 0

    def test_chance_is_the_mean_over_shuffled_targets(self):
        """The exact mean that the warning is based on, against 2000 shuffles."""
        X, y = two_classes(30)
        K = Gaussian(1.0)(X)
        H = np.eye(30) - 1 / 30
        Kc, yc = H @ K @ H, y - y.mean()
        exact = np.trace(Kc) * (yc @ yc) / (29 * np.linalg.norm(Kc) * (yc @ yc))
        random = np.random.default_rng(0)
        drawn = [alignment_of(Gaussian(1.0), X, random.permutation(y)) for _ in range(2000)]
        assert np.mean(drawn) == pytest.approx(exact, abs=4 * np.std(drawn) / np.sqrt(2000))

    def test_fewer_rows_than_columns(self):
        random = np.random.default_rng(3)
        X = random.normal(size=(25, 40))
        X[:, 0] *= 3
        y = np.where(X[:, 0] > 0, "a", "b")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NoAlignmentWarning)
            model = LSSVMClassifier(selection="alignment").fit(X, y)
        assert model.relevance_.argmax() == 0
        assert model.score(X, y) > 0.9


@pytest.mark.parametrize(
    "kernel", ["gaussian", "ard", "ard-laplacian", "matern52", "mixed", "linear", "ard-polynomial"]
)
def test_every_named_kernel_can_be_aligned(kernel):
    X, y = two_classes(100)
    model = LSSVMClassifier(kernel, "alignment").fit(X, y)
    assert model.score(X, y) > 0.75
    assert -1 <= model.criterion_ < 0


def test_regression_aligns_with_quantities():
    X, _ = two_classes(150)
    quantity = X[:, 0] + np.sin(2 * X[:, 1])
    model = LSSVMRegressor(selection="alignment").fit(X, quantity)
    assert -model.criterion_ == pytest.approx(alignment_of(model.kernel_, X, quantity), abs=1e-9)
    assert model.score(X, quantity) > 0.8
    assert set(np.argsort(model.relevance_)[-2:]) == {0, 1}


def test_a_kernel_without_parameters_has_nothing_to_align():
    X, y = two_classes()
    found = aligned(problem_of(X, y, Linear()))
    assert len(found.trace) == 1
    assert found.alignment == pytest.approx(alignment_of(Linear(), X, y), abs=1e-12)
