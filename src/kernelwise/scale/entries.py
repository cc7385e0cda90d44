"""Kernel values between rows and landmarks, in as many digits as they need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelwise.kernels.base import GramAndWays, Kernel
from kernelwise.kernels.radial import is_radial
from kernelwise.machines.nystrom import Nystrom
from kernelwise.solutions import Targets

# Above this mean, a kernel hardly varies: single precision would lose the digits that matter.
NEARLY_CONSTANT = 0.9
# Fewer rows take too little time to save any of it.
FEWEST_SINGLE = 10_000
# With less regularization per unit of weight, coefficients are so large that they show the rounding
# errors of single precision in the outputs.
LEAST_SINGLE = 1e-6


@dataclass(frozen=True)
class Entries:
    """The kernel's values between any rows and the landmarks.

    Those of radial kernels that vary are in single precision where the regularization allows it:
    it takes half the time and does not change errors in the third digit. Products of them are
    always in double precision.
    """

    kernel: Kernel
    landmarks: np.ndarray

    @classmethod
    def of(
        cls, kernel: Kernel, machine: Nystrom, landmark_gram: np.ndarray, targets: Targets
    ) -> Entries:
        """For a machine that is to be fitted to rows with these targets."""
        weights = targets.weights
        single = (
            is_radial(kernel)
            and len(weights) >= FEWEST_SINGLE
            and machine.regularization >= LEAST_SINGLE * weights.sum()
            and landmark_gram.mean() < NEARLY_CONSTANT
        )
        kind = np.float32 if single else np.float64
        return cls(kernel, machine.landmarks.astype(kind, copy=False))

    def gram(self, X: np.ndarray) -> np.ndarray:
        return self.kernel(X.astype(self.landmarks.dtype, copy=False), self.landmarks)

    def gram_and_ways(self, X: np.ndarray) -> GramAndWays:
        X = X.astype(self.landmarks.dtype, copy=False)
        return self.kernel.gram_and_ways(X, self.landmarks)
