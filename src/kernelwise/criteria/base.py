"""What every criterion is: a value to minimize and its derivative in what it read."""

from __future__ import annotations

from typing import Any

import numpy as np


class Criterion:
    """Reads a record (``reads``), knows no kernel and no machine.

    ``gives`` is what a search can use of it: its value and its gradient, or the value alone where
    it is a step function. ``jumps``: the gradient is right between jumps, at which a search by
    gradients may end.
    """

    reads: type
    gives = frozenset({"value", "gradient"})
    jumps = False

    def anchored(self, values: np.ndarray, machine_values: np.ndarray) -> Criterion:
        """The criterion for a search that starts at these values of kernel and machine."""
        return self

    def penalty(
        self, values: np.ndarray, machine_values: np.ndarray
    ) -> tuple[float, np.ndarray, np.ndarray]:
        """What the parameters themselves add, with its derivatives in the values of kernel and
        machine; nothing by default.
        """
        return 0.0, np.zeros_like(values), np.zeros_like(machine_values)

    def why_at_limit(self, solution: Any, amplitude: bool) -> str:
        """Why a search may have ended at a limit of a parameter, of the ``amplitude`` perhaps."""
        return "the optimum may lie beyond it (where classes can be told apart, it often does)"

    def __call__(self, solution: Any) -> tuple[float, Any]:
        """The value, and a ``solution.gradient`` of it."""
        raise NotImplementedError

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"
