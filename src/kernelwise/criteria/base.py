"""What every criterion is: a value to minimise and its derivative in what it read."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.solutions import SolutionGradient


class Criterion:
    """Reads a record (``reads``), knows no kernel and no machine.

    ``gives`` is what a search can use of it: ``"gradient"``, or ``"value"`` of a step function.
    ``jumps``: the gradient is right between jumps, at which a search by gradients may end.
    """

    reads: type
    gives = "gradient"
    jumps = False

    def anchored(self, parameters: np.ndarray) -> Criterion:
        """The criterion for a search that starts at these kernel parameters."""
        return self

    def __call__(self, solution: Any) -> tuple[float, SolutionGradient]:
        raise NotImplementedError

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"
