"""The support vector machine: hinge or squared hinge, with the offset in the kernel or free."""

from __future__ import annotations

import copy

import numpy as np

from kernelwise.linalg import NotPositiveDefiniteError
from kernelwise.machines.base import Machine
from kernelwise.machines.support_vector.dual_problem import Candidate, DualProblem
from kernelwise.machines.support_vector.faces import MAX_RELATIVE_NEGATIVE
from kernelwise.machines.support_vector.hinge import solve_hinge
from kernelwise.machines.support_vector.squared_hinge import solve_squared_hinge
from kernelwise.machines.support_vector.way_back import WayBack
from kernelwise.parameters import Parameter
from kernelwise.solutions import SupportVectorSolution, Targets

# The names of the losses of a support vector machine.
LOSSES = ("hinge", "squared_hinge")
C_LIMITS = (1e-4, 1e8)


class SupportVector(Machine):
    """``min 1/2 |f|^2 + C sum_i w_i loss(y_i f_i)``, ``f = gram @ coef + intercept``, ``y = +-1``.

    ``loss`` is ``max(0, 1 - z)`` (hinge) or half its square. Without ``bias`` the intercept is 0,
    and the offset is a constant in the kernel. Several outputs are several machines on one Gram
    matrix. The solution is exact: every row is at zero, at its ceiling, or free, and the free rows
    solve their linear system. If several solutions are optimal (linearly dependent rows), it is
    the one of least ``sum alpha^2 / weight`` (copies share equally). With a bias and no free row
    the intercept is the middle of its range; with only one class, its label.

    Cost: a few Cholesky factorizations of the free rows' size (hinge: after LIBSVM's n^2 to n^3).
    ``fresh()`` gives the same machine with a memory, which copies by ``with_values`` share: it
    starts from the sets of rows last found for the same targets. This only saves time.

    References
    ----------
    Gold & Sollich (2003), Model selection for support vector machine classification, section 2.
    """

    gives = SupportVectorSolution
    # Criteria read the Gram matrix besides the solution, so no constant may be missing from it.
    ignores_constant = False
    # If the classes are separable, criteria may fall without end in C.
    limits_mislead = True
    start_factors = (0.1, 1.0, 10.0, 100.0)

    def __init__(self, C: float = 1.0, loss: str = "hinge", bias: bool = False):
        if not (C > 0 and np.isfinite(C)):
            raise ValueError(f"C must be positive and finite, got {C}")
        if loss not in LOSSES:
            raise ValueError(f"loss must be one of {LOSSES}, got {loss!r}")
        self.C, self.loss, self.bias = float(C), loss, bool(bias)
        self._memory: dict[tuple, tuple[np.ndarray, np.ndarray]] | None = None

    @property
    def parameters(self) -> list[Parameter]:
        return [Parameter("C", self.C, C_LIMITS, "regularization")]

    def with_values(self, values: np.ndarray) -> SupportVector:
        other = copy.copy(self)
        (other.C,) = map(float, values)
        return other

    def fresh(self) -> SupportVector:
        """The same machine with an empty memory of its own."""
        other = copy.copy(self)
        other._memory = {}
        return other

    def at_ridge(self, ridge: float, factor: float = 1.0) -> SupportVector:
        return self.with_values(np.array([factor / ridge]))

    def rescaled(self, amplitude: float) -> SupportVector:
        return self.with_values(self.values / amplitude)

    def solve(self, grams: list[np.ndarray], targets: Targets) -> SupportVectorSolution:
        (gram,) = grams
        y, weights = targets.values, targets.weights
        if not (np.abs(y) == 1).all():
            raise ValueError("the targets of a support vector machine must be -1 or +1")
        check_gram(gram)
        squared = self.loss == "squared_hinge"
        ceilings = np.full(len(gram), np.inf) if squared else self.C * weights
        ridge = 1 / (self.C * weights) if squared else np.zeros(len(gram))
        key = (y.shape, y.tobytes())
        guess = (self._memory or {}).get(key)
        columns = []
        for j, labels in enumerate(y.T):
            problem = DualProblem(gram, labels, ceilings, ridge, weights, self.bias)
            start = None if guess is None else (guess[0][:, j], guess[1][:, j])
            columns.append((problem, self._solve_one(problem, start)))
        points = [point for _, point in columns]
        if self._memory is not None:
            self._memory[key] = (stacked(points, "free"), stacked(points, "hard"))
        coef = np.asfortranarray(stacked(points, "coef"))
        intercept = np.array([point.intercept for point in points])
        product = gram @ coef
        check_norms(gram, coef, product)
        return SupportVectorSolution(
            gram,
            targets,
            coef,
            intercept,
            product + intercept,
            self.C,
            self.loss,
            self.bias,
            WayBack(columns, gram, coef, self.C),
            n_factorizations=sum(problem.n_factorizations for problem, _ in columns),
        )

    def _solve_one(
        self, problem: DualProblem, guess: tuple[np.ndarray, np.ndarray] | None
    ) -> Candidate:
        none = np.zeros(len(problem.y), bool)
        if problem.has_one_class and self.bias:
            return problem.at(none, none)
        if self.loss == "hinge":
            return solve_hinge(problem, guess)
        return solve_squared_hinge(problem, ~none if guess is None else guess[0])

    def __repr__(self) -> str:
        return f"SupportVector(C={self.C:.4g}, loss={self.loss!r}, bias={self.bias})"


def check_gram(gram: np.ndarray) -> None:
    """Refuse what is plainly not a Gram matrix."""
    diagonal = np.diagonal(gram)
    if not np.isfinite(gram.sum()):
        raise NotPositiveDefiniteError(
            "the Gram matrix is not positive semi-definite: it has entries that are not finite"
        )
    if diagonal.min() < -MAX_RELATIVE_NEGATIVE * np.abs(diagonal).max():
        raise NotPositiveDefiniteError(
            f"the Gram matrix is not positive semi-definite: {diagonal.min():g} is on its diagonal"
        )


def check_norms(gram: np.ndarray, coef: np.ndarray, product: np.ndarray) -> None:
    """Refuse a matrix in which a solution has a negative squared norm, ``coef'gram coef``."""
    squares = np.einsum("ij,ij->j", coef, product)
    largest = (np.sqrt(np.maximum(np.diagonal(gram), 0.0)) @ np.abs(coef)) ** 2
    if (squares < -MAX_RELATIVE_NEGATIVE * largest).any():
        raise NotPositiveDefiniteError(
            f"the Gram matrix is not positive semi-definite: the squared norm of the solution is "
            f"{squares.min():g}. Is the kernel positive semi-definite?"
        )


def stacked(points: list[Candidate], name: str) -> np.ndarray:
    """One attribute of all outputs, as columns."""
    return np.column_stack([getattr(point, name) for point in points])
