"""The record of held-out rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelwise.solutions.targets import Targets


@dataclass(frozen=True)
class HeldOutGradient:
    """The derivative of a criterion in the held-out residuals."""

    held_out: np.ndarray


@dataclass(frozen=True)
class HeldOutSolution:
    """The residual of each row without its fold: ``held_out = targets - outputs``."""

    held_out: np.ndarray
    targets: Targets
    back: Callable[[np.ndarray], tuple[list[np.ndarray], np.ndarray]]
    n_factorizations: int = 1

    gradient: ClassVar[type] = HeldOutGradient

    def pullback(self, gradient: HeldOutGradient) -> tuple[list[np.ndarray], np.ndarray]:
        return self.back(gradient.held_out)
