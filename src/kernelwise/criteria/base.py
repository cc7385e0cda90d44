"""The base class of criteria: a value to minimize, and its derivative in what was read."""

from __future__ import annotations

from typing import Any

import numpy as np


class Criterion:
    """A criterion reads a record (``reads``) and knows neither kernel nor machine.

    ``gives`` is what a search can use: value and gradient, or only the value of a step function.
    ``jumps``: the gradient is right between jumps, where a search by gradients may end.
    ``is_evidence``: a probability of the labels, to which a row of weight 2 is two rows that agree.
    """

    reads: type
    gives = frozenset({"value", "gradient"})
    jumps = False
    is_evidence = False

    def anchored(self, values: np.ndarray, machine_values: np.ndarray) -> Criterion:
        """The criterion for a search that starts at these values of kernel and machine."""
        return self

    def penalty(
        self, values: np.ndarray, machine_values: np.ndarray
    ) -> tuple[float, np.ndarray, np.ndarray]:
        """A penalty on the values of kernel and machine, with its gradients; none by default."""
        return 0.0, np.zeros_like(values), np.zeros_like(machine_values)

    def why_at_limit(self, solution: Any, amplitude: bool) -> str:
        """Why a search may have ended at a limit, perhaps that of the ``amplitude``."""
        return "the optimum may lie beyond it (as it often does for separable classes)"

    def null_value(self, solution: Any) -> float | None:
        """The value of a machine that says nothing; None if the criterion knows of none."""
        return None

    def __call__(self, solution: Any) -> tuple[Any, Any]:
        """The value (None if only its gradient is known), and a ``solution.gradient`` of it."""
        raise NotImplementedError

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"
