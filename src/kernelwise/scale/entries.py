"""Kernel values between rows and landmarks, in as many digits as they need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelwise.kernels.base import GramAndWays, Kernel
from kernelwise.kernels.radial import is_radial

# Above this mean, a kernel hardly varies: single precision would lose the digits that matter.
NEARLY_CONSTANT = 0.9
# Fewer rows take too little time to save any of it.
FEWEST_SINGLE = 10_000


@dataclass(frozen=True)
class Entries:
    """The kernel's values between any rows and the landmarks.

    Those of radial kernels that vary are in single precision, which takes half the time and does
    not change errors in the third digit; products of them are always in double precision.
    """

    kernel: Kernel
    landmarks: np.ndarray

    @classmethod
    def of(
        cls, kernel: Kernel, landmarks: np.ndarray, landmark_gram: np.ndarray, n_rows: int
    ) -> Entries:
        varies = landmark_gram.mean() < NEARLY_CONSTANT
        single = is_radial(kernel) and varies and n_rows >= FEWEST_SINGLE
        return cls(kernel, landmarks.astype(np.float32 if single else np.float64, copy=False))

    def gram(self, X: np.ndarray) -> np.ndarray:
        return self.kernel(X.astype(self.landmarks.dtype, copy=False), self.landmarks)

    def gram_and_ways(self, X: np.ndarray) -> GramAndWays:
        X = X.astype(self.landmarks.dtype, copy=False)
        return self.kernel.gram_and_ways(X, self.landmarks)
