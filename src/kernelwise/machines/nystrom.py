"""Least squares on landmarks: a machine whose cost grows with the rows, not with their square."""

from __future__ import annotations

import copy

import numpy as np

from kernelwise.machines.regularized import Regularized
from kernelwise.solutions import (
    HeldOutSolution,
    NystromGradient,
    NystromOnRows,
    NystromSolution,
    ProcessOnRows,
    ProcessSolution,
    RowStatistics,
    Targets,
)
from kernelwise.solutions.nystrom import spread
from kernelwise.solutions.nystrom_folds import without_each
from kernelwise.solutions.row_statistics import DOUBLE

# Added to the diagonal of the landmarks' Gram matrix, in units of its spread.
JITTER = 1e-6
# Added besides, in rounding errors of the products per unit of regularization.
ROUNDING = 4.0
# How many times the rounding errors the least eigenvalue must be.
MARGIN = 8
# The kernel values of so many landmarks make the reference of all.
ROWS_OF_REFERENCE = 200


class Nystrom(Regularized):
    """Ridge regression with a free bias in the span of the kernel at a few rows, the landmarks.

    ``min 1/2 sum w |y - f|^2 + regularization / 2 |f|^2``, ``f = K(x, Z) coef + intercept``. With
    all rows as landmarks it is `LeastSquares`.

    Parameters
    ----------
    landmarks : array of shape (landmarks, columns)
    regularization : float, of the same meaning as that of `LeastSquares`
    jitter : float, the share of its `spread` that is added to the landmarks' Gram matrix
    rounding : float, how many rounding errors of the products are added, per unit of regularization

    References
    ----------
    Williams & Seeger (2001), Using the Nystroem method to speed up kernel machines, NIPS 13.
    """

    gives: type[NystromOnRows] = NystromOnRows
    gives_from_sums: type[NystromSolution] = NystromSolution
    leaves_one_out = True

    def __init__(
        self,
        landmarks: np.ndarray,
        regularization: float = 1.0,
        jitter: float = JITTER,
        rounding: float = ROUNDING,
    ) -> None:
        super().__init__(regularization)
        self.landmarks = np.asarray(landmarks, float)
        self.jitter, self.rounding = jitter, rounding

    def blocks(self, X: np.ndarray) -> list[tuple[np.ndarray, np.ndarray | None]]:
        return [(X, self.landmarks), (self.landmarks, None)]

    def reference(self, landmark_gram: np.ndarray) -> np.ndarray:
        """A row of kernel values that all others are counted from."""
        return landmark_gram[:ROWS_OF_REFERENCE].mean(axis=0)

    def solve(self, grams: list[np.ndarray], targets: Targets) -> NystromOnRows:
        across, own, *diagonal = grams
        statistics = RowStatistics.of(across, targets, self.reference(own), *diagonal)
        return self.gives(
            statistics,
            own,
            self.regularization,
            self.landmarks,
            self.jitter,
            self.rounding,
            gram=across,
            targets=targets,
        )

    def from_statistics(
        self, statistics: RowStatistics, landmark_gram: np.ndarray
    ) -> NystromSolution:
        """The solution for rows of which only the sums are known."""
        return self.gives_from_sums(
            statistics,
            landmark_gram,
            self.regularization,
            self.landmarks,
            self.jitter,
            self.rounding,
        )

    def with_least_jitter(self, statistics: RowStatistics, landmark_gram: np.ndarray) -> Nystrom:
        """The machine with the least jitter that rounding allows, for a last solution.

        The least eigenvalue of the landmarks' Gram matrix must exceed the rounding errors of its
        own trace and, in units of the regularization, those of the products and of the kernel
        values in them; if it does, nothing is added, and never more than a search would. It jumps
        from kernel to kernel, so a search keeps its own rule. Cost: the eigenvalues.
        """
        trace, precision = float(np.trace(landmark_gram)), statistics.precision
        in_products = DOUBLE * float(np.trace(statistics.centered_products))
        in_values = statistics.weight * (precision * trace / len(landmark_gram)) ** 2
        errors = DOUBLE * trace, in_products / self.regularization, in_values / self.regularization
        missing = MARGIN * max(errors) - float(np.linalg.eigvalsh(landmark_gram)[0])
        most = self.from_statistics(statistics, landmark_gram).added_jitter
        other = copy.copy(self)
        other.rounding = 0.0
        other.jitter = min(max(missing, 0.0), most) / spread(landmark_gram, precision)
        return other

    def held_out(
        self,
        grams: list[np.ndarray],
        targets: Targets,
        folds: list[np.ndarray] | None,
        solution: NystromOnRows | None = None,
    ) -> HeldOutSolution:
        """Residuals of rows held out: see `NystromOnRows` for single rows.

        A fold costs no look at the others, but their sums less its own.
        """
        whole = self.solve(grams, targets) if solution is None else solution
        spent = int(solution is None)
        if folds is None:
            return HeldOutSolution(
                whole.left_out,
                targets,
                lambda gradient: whole.pullback(whole.gradient(left_out=gradient)),
                spent,
            )
        return self._folds(whole, folds, spent)

    def _folds(
        self, whole: NystromOnRows, folds: list[np.ndarray], n_factorizations: int
    ) -> HeldOutSolution:
        targets, gram = whole.targets, whole.gram
        held_out, fits = np.empty_like(targets.values), []
        for S in folds:
            part = RowStatistics.of(gram[S], targets.take(S), whole.statistics.reference)
            fit = self.from_statistics(whole.statistics - part, whole.landmark_gram)
            held_out[S] = targets.values[S] - gram[S] @ fit.coef - fit.intercept
            fits.append(fit)

        def back(held_out_gradient: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
            trained = []
            for S, fit in zip(folds, fits, strict=True):
                centered, own = gram[S] - fit.statistics.mean_kernel, held_out_gradient[S]
                passed_on = NystromGradient(
                    coef=-centered.T @ own, mean_kernel=fit.coef @ own.sum(axis=0)
                )
                trained.append(fit.to_statistics(passed_on))
            total, others = without_each(trained)
            in_rows = np.zeros_like(gram)
            for S, fit, other in zip(folds, fits, others, strict=True):
                in_rows[S] = other.in_rows(gram[S], targets.take(S))
                in_rows[S] -= held_out_gradient[S] @ fit.coef.T
            return whole.blocks(in_rows, total), np.array([total.regularization])

        return HeldOutSolution(held_out, targets, back, n_factorizations + len(folds))

    def __repr__(self) -> str:
        count = len(self.landmarks)
        return f"Nystrom({count} landmarks, regularization={self.regularization:.4g})"


class NystromProcess(Nystrom):
    """The same, as a Gaussian process: it takes ``k(x, x)`` of all rows besides.

    Its predictions are those of `Nystrom`; the bound on its evidence charges it for the variance of
    the rows that landmarks do not see.
    """

    gives = ProcessOnRows
    gives_from_sums = ProcessSolution
    takes_diagonal = True
