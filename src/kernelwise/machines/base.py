"""What every machine is: a solution of Gram matrices and targets, with its way back."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from kernelwise.parameters import Parametrized
from kernelwise.solutions import Targets

REGULARIZATION_BOUNDS = (1e-10, 1e6)


class Machine(Parametrized):
    """Takes Gram matrices, never kernels; ``gives`` names the record it returns."""

    gives: type
    # True where adding a constant to the Gram matrix changes nothing (a free bias).
    ignores_constant = False

    def fresh(self) -> Self:
        """The same machine, ready for a search of its own; one that remembers begins anew."""
        return self

    def solve(self, grams: list[np.ndarray], targets: Targets) -> Any:
        raise NotImplementedError
