"""Least squares on landmarks: a machine whose cost grows with the rows, not with their square."""

from __future__ import annotations

import copy

import numpy as np

from kernelwise.machines.base import REGULARIZATION_LIMITS, Machine
from kernelwise.parameters import Parameter
from kernelwise.solutions import (
    HeldOutSolution,
    NystromOnRows,
    NystromSolution,
    RowStatistics,
    Targets,
)

# Added to the diagonal of the landmarks' Gram matrix, in units of its mean.
JITTER = 1e-6
# The kernel values of so many landmarks make the reference of all.
ROWS_OF_REFERENCE = 200


class Nystrom(Machine):
    """Ridge regression with a free bias in the span of the kernel at a few rows, the landmarks.

    ``min 1/2 sum w |y - f|^2 + regularization / 2 |f|^2``, ``f = K(x, Z) coef + intercept``. With
    all rows as landmarks it is `LeastSquares`.

    Parameters
    ----------
    landmarks : array of shape (landmarks, columns)
    regularization : float, of the same meaning as that of `LeastSquares`
    jitter : float, the share of the mean diagonal that is added to the landmarks' Gram matrix

    References
    ----------
    Williams & Seeger (2001), Using the Nystroem method to speed up kernel machines, NIPS 13.
    """

    gives = NystromSolution
    leaves_one_out = True
    held_out_leads_back = False

    def __init__(
        self, landmarks: np.ndarray, regularization: float = 1.0, jitter: float = JITTER
    ) -> None:
        if not regularization > 0:
            raise ValueError(f"regularization must be positive, got {regularization}")
        self.landmarks, self.regularization = np.asarray(landmarks, float), float(regularization)
        self.jitter = jitter

    @property
    def parameters(self) -> list[Parameter]:
        value = self.regularization
        return [Parameter("regularization", value, REGULARIZATION_LIMITS, "regularization")]

    def with_values(self, values: np.ndarray) -> Nystrom:
        other = copy.copy(self)
        (other.regularization,) = map(float, values)
        return other

    def blocks(self, X: np.ndarray) -> list[tuple[np.ndarray, np.ndarray | None]]:
        return [(X, self.landmarks), (self.landmarks, None)]

    def reference(self, landmark_gram: np.ndarray) -> np.ndarray:
        """A row of kernel values that all others are counted from."""
        return landmark_gram[:ROWS_OF_REFERENCE].mean(axis=0)

    def solve(self, grams: list[np.ndarray], targets: Targets) -> NystromOnRows:
        across, own = grams
        statistics = RowStatistics.of(across, targets, self.reference(own))
        return NystromOnRows(
            statistics,
            own,
            self.regularization,
            self.landmarks,
            self.jitter,
            gram=across,
            targets=targets,
        )

    def from_statistics(
        self, statistics: RowStatistics, landmark_gram: np.ndarray
    ) -> NystromSolution:
        """The solution for rows of which only the sums are known."""
        return NystromSolution(
            statistics, landmark_gram, self.regularization, self.landmarks, self.jitter
        )

    def held_out(
        self,
        grams: list[np.ndarray],
        targets: Targets,
        folds: list[np.ndarray] | None,
        solution: NystromOnRows | None = None,
    ) -> HeldOutSolution:
        """Residuals of rows held out; a fold costs no look at the others, but their sums less its.

        Row by row: ``r / (1 - h)``, ``h = w (1 / sum w + (k - mean)' P (k - mean))``.
        """
        whole = self.solve(grams, targets) if solution is None else solution
        spent = int(solution is None)
        if folds is None:
            leverages = whole.leverages(whole.gram, targets.weights)
            left_out = whole.residuals / (1 - leverages)[:, None]
            return HeldOutSolution(left_out, targets, _no_way_back, spent)
        held_out = np.empty_like(targets.values)
        for S in folds:
            part = RowStatistics.of(grams[0][S], targets.take(S), whole.statistics.reference)
            fold = self.from_statistics(whole.statistics - part, grams[1])
            held_out[S] = targets.values[S] - grams[0][S] @ fold.coef - fold.intercept
        return HeldOutSolution(held_out, targets, _no_way_back, spent + len(folds))

    def at_ridge(self, ridge: float, factor: float = 1.0) -> Nystrom:
        return self.with_values(np.array([ridge / factor]))

    def rescaled(self, amplitude: float) -> Nystrom:
        return self.with_values(self.values * amplitude)

    def __repr__(self) -> str:
        count = len(self.landmarks)
        return f"Nystrom({count} landmarks, regularization={self.regularization:.4g})"


def _no_way_back(gradient: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    raise NotImplementedError("held-out rows of landmarks have no gradient: use GCV instead")
