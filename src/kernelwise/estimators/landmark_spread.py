"""How far the outputs of a machine on landmarks may be off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from kernelwise.kernels import Kernel
from kernelwise.solutions import NystromSolution


@dataclass
class LandmarkSpread:
    """What the variance of an output needs, besides kernel and landmarks.

    Attributes
    ----------
    jitter : added to the diagonal of the landmarks' Gram matrix
    regularization, weight : of the machine, and of its rows
    mean_kernel : of the rows
    inverse : of the regularized products in white coordinates, its lower triangle row by row
    """

    jitter: float
    regularization: float
    weight: float
    mean_kernel: np.ndarray
    inverse: np.ndarray

    @classmethod
    def of(cls, solution: NystromSolution) -> LandmarkSpread:
        inverse = solution.white_inverse
        return cls(
            solution.added_jitter,
            solution.regularization,
            solution.statistics.weight,
            solution.statistics.mean_kernel,
            inverse[np.tril_indices(len(inverse))],
        )

    def variance(self, kernel: Kernel, rows: np.ndarray, landmarks: np.ndarray) -> np.ndarray:
        """The variance of the outputs of some rows, in units of the amplitude.

        ``k(x, x) - k' K^-1 k``, what the landmarks cannot tell, plus ``lam ((k - mean)' P (k -
        mean) + 1 / weight)``, what the rows left open; with all rows as landmarks it is that of the
        Gaussian process with a bias of flat prior. Cost: 2 m^2 a row.
        """
        gram = kernel(landmarks, rows)
        lower, inverse = self._factors(kernel, landmarks)
        white = solve_triangular(lower, gram, lower=True, check_finite=False)
        untold = np.maximum(kernel.diagonal(rows)[0] - (white**2).sum(axis=0), 0)
        mean = solve_triangular(lower, self.mean_kernel, lower=True, check_finite=False)
        white -= mean[:, None]
        left = (white * (inverse @ white)).sum(axis=0)
        return untold + self.regularization * (left + 1 / self.weight)

    def _factors(self, kernel: Kernel, landmarks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The factor of the landmarks' Gram matrix and the whole inverse; kept, but not saved."""
        if "_kept" not in self.__dict__:
            gram = kernel(landmarks) + self.jitter * np.eye(len(landmarks))
            inverse = np.zeros_like(gram)
            inverse[np.tril_indices(len(gram))] = self.inverse
            inverse += np.tril(inverse, -1).T
            self._kept = cholesky(gram, lower=True, check_finite=False), inverse
        return self._kept

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        state.pop("_kept", None)
        return state
