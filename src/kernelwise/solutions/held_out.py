"""Records of held-out rows: fold by fold, or one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kernelwise.solutions.targets import Targets


class LeftOut:
    """What leave-one-out reads of any record: ``left_out``, and the targets.

    Its ``gradient`` takes the derivative in ``left_out``.
    """

    targets: Targets
    gradient: ClassVar[Any]

    @property
    def left_out(self) -> np.ndarray:
        """Target minus output of each row when it is left out with all its weight."""
        raise NotImplementedError


class HeldOut:
    """What is known of rows held out by fold, be it their residuals or only sums of them.

    Its ``gradient`` takes the derivative in ``squared_error``.
    """

    gradient: ClassVar[Any]

    @property
    def squared_error(self) -> float:
        """The weighted squared held-out residuals, summed over rows and targets."""
        raise NotImplementedError


@dataclass(frozen=True)
class HeldOutGradient:
    """Derivatives of a criterion in what it read of held-out rows; default zero."""

    held_out: np.ndarray | float = 0.0
    squared_error: float = 0.0


@dataclass(frozen=True)
class HeldOutSolution(HeldOut):
    """The residual of each row without its fold: ``held_out = targets - outputs``."""

    held_out: np.ndarray
    targets: Targets
    back: Callable[[np.ndarray], tuple[list[np.ndarray], np.ndarray]]
    n_factorizations: int = 1

    gradient: ClassVar[type] = HeldOutGradient

    @property
    def _weighted(self) -> np.ndarray:
        return self.targets.weights[:, None] * self.held_out

    @property
    def squared_error(self) -> float:
        return float((self._weighted * self.held_out).sum() + self.targets.within.sum())

    def pullback(self, gradient: HeldOutGradient) -> tuple[list[np.ndarray], np.ndarray]:
        return self.back(gradient.held_out + 2 * gradient.squared_error * self._weighted)
