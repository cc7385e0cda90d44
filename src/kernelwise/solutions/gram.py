"""The record of no machine: the Gram matrix itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelwise.solutions.targets import Targets


@dataclass(frozen=True)
class GramGradient:
    """The derivative of a criterion in the Gram matrix."""

    gram: np.ndarray


@dataclass(frozen=True)
class GramSolution:
    """The Gram matrix itself, centered or not, for criteria that judge it without a machine.

    ``factor`` (rows, targets) makes ``factor @ factor.T`` the ideal Gram matrix, centered or not.
    """

    gram: np.ndarray
    factor: np.ndarray
    targets: Targets
    back: Callable[[np.ndarray], np.ndarray]
    n_factorizations: int = 0

    gradient: ClassVar[type] = GramGradient

    def pullback(self, gradient: GramGradient) -> tuple[list[np.ndarray], np.ndarray]:
        return [self.back(gradient.gram)], np.empty(0)
