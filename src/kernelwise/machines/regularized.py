"""The base class of least-squares machines: one regularization, in the unit of the kernel."""

from __future__ import annotations

import copy
from typing import Self

import numpy as np

from kernelwise.machines.base import Machine
from kernelwise.parameters import Parameter

REGULARIZATION_LIMITS = (1e-10, 1e6)


class Regularized(Machine):
    """A machine whose one parameter is the ``regularization`` of the squared norm."""

    def __init__(self, regularization: float = 1.0) -> None:
        if not regularization > 0:
            raise ValueError(f"regularization must be positive, got {regularization}")
        self.regularization = float(regularization)

    @property
    def parameters(self) -> list[Parameter]:
        value = self.regularization
        return [Parameter("regularization", value, REGULARIZATION_LIMITS, "regularization")]

    def with_values(self, values: np.ndarray) -> Self:
        other = copy.copy(self)
        (other.regularization,) = map(float, values)
        return other

    def at_ridge(self, ridge: float, factor: float = 1.0) -> Self:
        return self.with_values(np.array([ridge / factor]))

    def rescaled(self, amplitude: float) -> Self:
        return self.with_values(self.values * amplitude)
