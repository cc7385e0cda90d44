"""A solution on landmarks at many regularizations, from one eigendecomposition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelwise.solutions.nystrom import NystromGradient, NystromSolution
from kernelwise.solutions.penalized import Penalized
from kernelwise.solutions.row_statistics import RowStatistics


@dataclass(frozen=True)
class NystromOnPath(Penalized):
    """What criteria read of a `NystromSolution`, from eigenvalues: O(m) for a regularization.

    Attributes
    ----------
    statistics, regularization, unexplained : as in `NystromSolution`
    eigenvalues, squares : of ``V``, and the squared cross products along its eigenvectors
    """

    statistics: RowStatistics
    regularization: float
    eigenvalues: np.ndarray
    squares: np.ndarray
    unexplained: float

    gradient: ClassVar[type] = NystromGradient

    @property
    def penalized_errors(self) -> np.ndarray:
        explained = (1 / (self.eigenvalues + self.regularization)) @ self.squares
        return self.statistics.centered_squares - explained

    @property
    def squared_error(self) -> float:
        shares = self.regularization / (self.eigenvalues + self.regularization) ** 2
        return float(self.penalized_errors.sum() - (shares @ self.squares).sum())

    @property
    def freedom(self) -> float:
        shares = self.eigenvalues / (self.eigenvalues + self.regularization)
        return 1.0 + float(shares.sum())

    @property
    def log_determinant(self) -> float:
        return float(np.log1p(self.eigenvalues / self.regularization).sum())


def regularization_path(
    solution: NystromSolution, regularizations: Iterable[float]
) -> list[NystromOnPath]:
    """What criteria read of a solution if it had each of these regularizations.

    Cost: the eigenvectors of ``V``, about 9 m^3, and O(m) for each.
    """
    values, vectors = np.linalg.eigh(solution.white_products)
    squares = (vectors.T @ solution.white_cross) ** 2
    return [
        NystromOnPath(
            solution.statistics,
            float(regularization),
            np.maximum(values, 0.0),
            squares,
            solution.unexplained,
        )
        for regularization in regularizations
    ]
