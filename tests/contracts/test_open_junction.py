"""A machine of another kind fits in without a change anywhere else: several Gram blocks,
coefficients on landmarks. And what does not fit says so.
"""

import copy
from dataclasses import dataclass, replace

import numpy as np
import pytest
from contract_cases import CRITERIA, CRITERION_IDS, FOLDS, KERNEL_IDS, kernel_case, targets
from finite_differences import assert_derivatives

from kernelwise.criteria import Criterion, LeaveOneOut
from kernelwise.kernels import Gaussian
from kernelwise.machines import Folded, LeastSquares, Machine
from kernelwise.machines.least_squares import closed_form_folds
from kernelwise.objective import Objective, evaluated
from kernelwise.parameters import Parameter
from kernelwise.selections import MinimizeCriterion, Problem
from kernelwise.solutions import Expansion, HeldOutSolution, LeastSquaresSolution, Targets

JITTER = 1e-6


@dataclass(frozen=True)
class NystromSolution(LeastSquaresSolution):
    """Least squares on ``K_nm K_mm^-1 K_mn``; it predicts with coefficients on the landmarks."""

    mixing: np.ndarray = None  # K_nm K_mm^-1
    landmarks: np.ndarray = None

    @property
    def expansion(self):
        return Expansion(self.mixing.T @ self.coef, self.intercept, self.landmarks)

    def pullback(self, gradient):
        (whole,), own = super().pullback(gradient)
        return self.to_blocks(whole), own

    def to_blocks(self, whole):
        across = whole @ self.mixing
        return [2 * across, -self.mixing.T @ across]


class Nystrom(Machine):
    """Least squares with a bias in the span of a few rows of X, given by their numbers."""

    gives = NystromSolution
    leaves_one_out = True

    def __init__(self, regularization=0.3, landmarks=(0, 3, 7, 8, 10)):
        self.regularization, self.landmarks = regularization, np.array(landmarks)

    @property
    def parameters(self):
        return [Parameter("ridge", self.regularization, (1e-10, 1e6), "regularization")]

    def with_values(self, values):
        other = copy.copy(self)
        (other.regularization,) = map(float, values)
        return other

    def at_ridge(self, ridge, factor=1.0):
        return self.with_values([ridge / factor])

    def blocks(self, X):
        # The rows themselves are kept for the expansion.
        self.rows = X[self.landmarks]
        return [(X, self.rows), (self.rows, None)]

    def solve(self, grams, targets):
        across, inner = grams
        mixing = np.linalg.solve(inner + JITTER * np.eye(len(inner)), across.T).T
        whole = LeastSquares(self.regularization).solve([mixing @ across.T], targets)
        return NystromSolution(**vars(whole), mixing=mixing, landmarks=self.rows)

    def held_out(self, grams, targets, folds, solution=None):
        solution = self.solve(grams, targets) if solution is None else solution
        folds = [np.array([i]) for i in range(len(grams[0]))] if folds is None else folds
        found = closed_form_folds(solution, folds)

        def back(gradient):
            (whole,), own = found.back(gradient)
            return solution.to_blocks(whole), own

        return replace(found, back=back)


def build(criterion_id):
    name, variant = criterion_id
    return CRITERIA[name][variant]()


READABLE = [c for c in CRITERION_IDS if issubclass(NystromSolution, build(c).reads)]
HELD_OUT = [c for c in CRITERION_IDS if issubclass(HeldOutSolution, build(c).reads)]
# The rows of a precomputed kernel have no landmarks among them.
KERNELS = [k for k in KERNEL_IDS if k[0] != "Precomputed"]


# Every kernel with one criterion, and every criterion with a kernel and a kernel of kernels.
FEW = [("Gaussian", "per-feature"), ("Sum", "two")]
PAIRS = [(k, c) for c in READABLE for k in (KERNELS if c == READABLE[0] else FEW)]


@pytest.mark.parametrize(("kernel_id", "criterion_id"), PAIRS, ids="-".join)
def test_gradient(kernel_id, criterion_id):
    check(kernel_id, criterion_id, Nystrom())


@pytest.mark.parametrize("kernel_id", FEW, ids="-".join)
@pytest.mark.parametrize("criterion_id", HELD_OUT, ids="-".join)
def test_gradient_of_held_out_rows(kernel_id, criterion_id):
    check(kernel_id, criterion_id, Folded(Nystrom(), FOLDS))


def check(kernel_id, criterion_id, machine):
    case, criterion = kernel_case(*kernel_id), build(criterion_id)
    objective = Objective(case.kernel, machine, criterion, case.rows, targets())
    found = objective(objective.point)
    assert found.value == pytest.approx(objective.value(objective.point), rel=1e-12)
    if "gradient" in criterion.gives:
        assert_derivatives(found.gradient, objective.value, objective.point, rtol=1e-6)


def test_it_is_least_squares_where_every_row_is_a_landmark():
    case = kernel_case("Gaussian", "per-feature")
    whole = evaluated(case.kernel, LeastSquares(0.3), case.rows, targets())
    found = evaluated(case.kernel, Nystrom(0.3, np.arange(12)), case.rows, targets())
    np.testing.assert_allclose(found.solution.coef, whole.solution.coef, atol=1e-4)
    np.testing.assert_allclose(
        found.held_out(None).held_out, whole.held_out(None).held_out, atol=1e-3
    )
    outputs = [
        case.kernel(case.rows, rows) @ expansion.coef + expansion.intercept
        for expansion, rows in (
            (whole.solution.expansion, case.rows),
            (found.solution.expansion, found.solution.expansion.rows),
        )
    ]
    np.testing.assert_allclose(*outputs, atol=1e-4)


def test_it_is_chosen_for_as_any_machine_is():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 3))
    y = np.sin(2 * X[:, 0]) + 0.1 * random.normal(size=60)
    problem = Problem(Gaussian(np.ones(3)), Nystrom(1.0, np.arange(0, 60, 3)), X, Targets.plain(y))
    choice = MinimizeCriterion(LeaveOneOut())(problem)
    assert np.sqrt(np.mean(choice.held_out**2)) < 0.3
    assert choice.expansion.coef.shape == (20, 1)
    np.testing.assert_array_equal(choice.expansion.rows, X[::3])
    assert choice.kernel.values[0] > 3 * choice.kernel.values[1:].max()


@pytest.mark.parametrize("field", ["gram", "C", "bound", "parameters"])
def test_a_gradient_in_what_a_record_does_not_have_is_a_type_error(field):
    class Wrong(Criterion):
        reads = LeastSquaresSolution

        def __call__(self, solution):
            return 0.0, solution.gradient(coef=solution.coef, **{field: np.eye(12)})

    case = kernel_case("Gaussian", "isotropic")
    objective = Objective(case.kernel, LeastSquares(), Wrong(), case.rows, targets())
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{field}'"):
        objective(objective.point)


def test_a_record_cannot_be_written_into():
    case = kernel_case("Gaussian", "isotropic")
    solution = evaluated(case.kernel, LeastSquares(), case.rows, targets()).solution
    for record in (solution, solution.gradient()):
        with pytest.raises(AttributeError):
            record.coef = None
