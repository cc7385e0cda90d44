"""The support vector machine: hinge or squared hinge, with the offset in the kernel or free."""

from __future__ import annotations

import copy

import numpy as np

from kernelwise.linalg import NotPositiveDefiniteError, add_symmetric_product, mirror_lower
from kernelwise.machines.base import Machine
from kernelwise.machines.support_vector.dual_problem import (
    MAX_RELATIVE_NEGATIVE,
    Candidate,
    DualProblem,
)
from kernelwise.machines.support_vector.hinge import solve_hinge
from kernelwise.machines.support_vector.squared_hinge import solve_squared_hinge
from kernelwise.solutions import SupportVectorSolution, Targets

LOSSES = ("hinge", "squared_hinge")
BOUND_BOUNDS = (1e-4, 1e8)


class SupportVector(Machine):
    """``min 1/2 |f|^2 + C sum_i w_i loss(y_i f_i)``, ``f = gram @ coef + intercept``, ``y = +-1``.

    ``loss`` is ``max(0, 1 - z)`` (hinge) or half its square. Without ``bias`` the intercept is 0,
    and the offset is a constant in the kernel. Several outputs are several machines on one Gram
    matrix. The solution is exact: every row is at zero, at its bound, or free, and the
    free rows solve their linear system. Where rows depend on each other and several coefficients
    are optimal, those of least ``sum alpha^2 / weight`` are returned (copies share alike). With a
    bias and no free row the intercept is the middle of its range; with one class only, its label.

    Cost: a few Cholesky factorisations of the free rows' size (hinge: after LIBSVM's n^2 to n^3).
    ``fresh()`` gives the same machine with a memory, shared by what ``with_values`` makes of it: it
    then starts from the sets of rows last found for the same targets. That saves time and changes
    nothing else.

    References
    ----------
    Gold & Sollich (2003), Model selection for support vector machine classification, section 2.
    """

    gives = SupportVectorSolution
    # Criteria read the Gram matrix beside the solution, so no constant may be missing from it.
    ignores_constant = False

    def __init__(self, C: float = 1.0, loss: str = "hinge", bias: bool = False):
        if not (C > 0 and np.isfinite(C)):
            raise ValueError(f"C must be positive and finite, got {C}")
        if loss not in LOSSES:
            raise ValueError(f"loss must be one of {LOSSES}, got {loss!r}")
        self.C, self.loss, self.bias = float(C), loss, bool(bias)
        self._memory: dict[tuple, tuple[np.ndarray, np.ndarray]] | None = None

    @property
    def values(self) -> np.ndarray:
        return np.array([self.C])

    @property
    def value_bounds(self) -> np.ndarray:
        return np.array([BOUND_BOUNDS])

    @property
    def value_names(self) -> list[str]:
        return ["C"]

    def with_values(self, values: np.ndarray) -> SupportVector:
        other = copy.copy(self)
        (other.C,) = map(float, values)
        return other

    def fresh(self) -> SupportVector:
        """The same machine with an empty memory of its own."""
        other = copy.copy(self)
        other._memory = {}
        return other

    def solve(self, grams: list[np.ndarray], targets: Targets) -> SupportVectorSolution:
        (gram,) = grams
        y, weights = targets.values, targets.weights
        if not (np.abs(y) == 1).all():
            raise ValueError("the targets of a support vector machine must be -1 or +1")
        check_gram(gram)
        squared = self.loss == "squared_hinge"
        bounds = np.full(len(gram), np.inf) if squared else self.C * weights
        ridge = 1 / (self.C * weights) if squared else np.zeros(len(gram))
        key = (y.shape, y.tobytes())
        guess = (self._memory or {}).get(key)
        columns = []
        for j, labels in enumerate(y.T):
            problem = DualProblem(gram, labels, bounds, ridge, weights, self.bias)
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
    """Refuse what can be seen at once not to be a Gram matrix."""
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
    """Refuse a matrix that gives a solution a negative squared norm, ``coef'gram coef``."""
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


class WayBack:
    """Derivatives of coefficients and intercepts in the Gram matrix and in C, sets of rows fixed.

    Of ``A coef_free = y - K_fh coef_hard``, bordered with ones for a bias. With ``v`` the solution
    of the same system for the gradient: ``-sum_outputs sym(v coef')`` in the Gram matrix. Where
    free rows depend on each other, the least-norm solution is differentiated among changes that
    keep them so: ``+ sym(q n')``, ``q = A^+ (coef / w)``, ``n`` the gradient's part that no output
    sees. It reuses the factors of the solution: O(n^2) per output.
    """

    def __init__(
        self,
        columns: list[tuple[DualProblem, Candidate]],
        gram: np.ndarray,
        coef: np.ndarray,
        bound: float,
    ):
        self.columns, self.gram, self.coef, self.bound = columns, gram, coef, bound

    def __call__(
        self, coef_gradient: np.ndarray, intercept_gradient: np.ndarray
    ) -> tuple[np.ndarray, float]:
        left, right, bound_gradient = [], [], 0.0
        for j, (problem, point) in enumerate(self.columns):
            v, total, pairs = self._adjoint(
                problem, point, coef_gradient[:, j], float(intercept_gradient[j])
            )
            left += [-v] + [n for n, _ in pairs]
            right += [self.coef[:, j]] + [q for _, q in pairs]
            bound_gradient += self._in_bound(problem, point, v, total, coef_gradient[:, j])
        n = len(self.gram)
        gram_gradient = add_symmetric_product(
            np.zeros((n, n), order="F"), np.column_stack(left), np.column_stack(right)
        )
        return mirror_lower(gram_gradient).T, bound_gradient

    def _adjoint(
        self, problem: DualProblem, point: Candidate, coef_gradient: np.ndarray, of_intercept: float
    ) -> tuple[np.ndarray, float, list[tuple[np.ndarray, np.ndarray]]]:
        """``v`` on all rows, the multiplier of the balance, and pairs ``(n, q)``."""
        v, total = np.zeros(len(self.gram)), 0.0
        if point.face is None:
            if len(point.pinning) > 1:
                v[point.pinning] = of_intercept / len(point.pinning)
            return v, total, []
        rows = np.flatnonzero(point.free)
        v[rows], total = point.face.adjoint(coef_gradient[rows], of_intercept)
        if not point.face.is_singular:
            return v, total, []
        n, q = np.zeros_like(v), np.zeros_like(v)
        n[rows] = point.face.null_part(coef_gradient[rows])
        q[rows] = point.face.curvature_of_norm(point.coef[rows])
        return v, total, [(n, q)]

    def _in_bound(
        self,
        problem: DualProblem,
        point: Candidate,
        v: np.ndarray,
        total: float,
        coef_gradient: np.ndarray,
    ) -> float:
        """Hard rows move as C, and with them the right-hand side; the ridge is ``1 / (C w)``."""
        if problem.ridge.any():
            return float(v @ (problem.ridge * point.coef)) / self.bound
        slope = np.where(point.hard, point.coef, 0.0) / self.bound
        return float((coef_gradient - self.gram @ v - total) @ slope)
