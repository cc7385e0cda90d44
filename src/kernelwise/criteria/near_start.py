"""A criterion with a preference for parameters near the start of the search."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.criteria.base import Criterion


class NearStart(Criterion):
    """``criterion + strength mean(d^2)``, ``d`` the parameters' distance from their start.

    ``d`` is half the logarithm of each kernel value over its start (a kernel's values are inverse
    squares of length scales, so this is the logarithm of a length scale), and the logarithm of each
    machine value, such as C, over its own. Nothing is added before ``anchored`` has set the start.

    References
    ----------
    Chapelle's code for Chapelle et al. (2002), Machine Learning 46, which Pérez-Ortiz et al.,
    multi-scale alignment, compare with.
    """

    def __init__(
        self,
        criterion: Criterion,
        strength: float = 0.01,
        start: np.ndarray | None = None,
        machine_start: np.ndarray | None = None,
    ):
        if not strength >= 0:
            raise ValueError(f"strength must not be negative, got {strength}")
        self.criterion, self.strength = criterion, float(strength)
        self.start, self.machine_start = start, machine_start
        self.reads, self.gives, self.jumps = criterion.reads, criterion.gives, criterion.jumps
        self.is_evidence = criterion.is_evidence

    def anchored(self, values: np.ndarray, machine_values: np.ndarray) -> NearStart:
        """The criterion that prefers these values, unless it was given a start."""
        start = values if self.start is None else self.start
        machine_start = machine_values if self.machine_start is None else self.machine_start
        inner = self.criterion.anchored(values, machine_values)
        return NearStart(
            inner, self.strength, np.array(start, float), np.array(machine_start, float)
        )

    def why_at_limit(self, solution: Any, amplitude: bool) -> str:
        return self.criterion.why_at_limit(solution, amplitude)

    def null_value(self, solution: Any) -> float | None:
        return self.criterion.null_value(solution)

    def __call__(self, solution: Any) -> tuple[Any, Any]:
        return self.criterion(solution)

    def penalty(
        self, values: np.ndarray, machine_values: np.ndarray
    ) -> tuple[float, np.ndarray, np.ndarray]:
        inner, in_values, in_machine = self.criterion.penalty(values, machine_values)
        if (
            self.start is None
            or self.machine_start is None
            or not len(values) + len(machine_values)
        ):
            return inner, in_values, in_machine
        kernel_way = 0.5 * np.log(values / self.start)
        way = np.append(kernel_way, np.log(machine_values / self.machine_start))
        slopes = 2 * self.strength * way / len(way)
        size = len(values)
        return (
            inner + self.strength * float(np.mean(way**2)),
            0.5 * slopes[:size] / values + in_values,
            slopes[size:] / machine_values + in_machine,
        )

    def __repr__(self) -> str:
        return f"NearStart({self.criterion!r}, strength={self.strength!r})"
