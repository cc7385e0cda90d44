"""A criterion with a preference for parameters near the start of the search."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria.base import Criterion
from kernelwise.solutions import SolutionGradient, SupportVectorSolution


class NearStart(Criterion):
    """``criterion + strength mean(d^2)``, ``d`` the parameters' way from their start.

    ``d`` is half the logarithm of each kernel value over its start (a kernel's values are inverse
    squares of length scales, so this is the logarithm of a length scale), and the logarithm of C
    over ``bound``. Before a search has given its start (``anchored``), the kernel adds nothing.

    References
    ----------
    Chapelle's code for Chapelle et al. (2002), Machine Learning 46, which Pérez-Ortiz et al.,
    multi-scale alignment, compare with.
    """

    def __init__(
        self,
        criterion: Criterion,
        strength: float = 0.01,
        bound: float = 1.0,
        parameters: np.ndarray | None = None,
    ):
        if not issubclass(criterion.reads, SupportVectorSolution):
            raise TypeError(
                f"NearStart is for criteria of support vector machines; {criterion!r} reads a "
                f"{criterion.reads.__name__}"
            )
        if not strength >= 0 or not bound > 0:
            raise ValueError(
                f"strength must not be negative and bound must be positive, got {strength} and "
                f"{bound}"
            )
        self.criterion, self.strength, self.bound = criterion, float(strength), float(bound)
        self.parameters, self.jumps = parameters, criterion.jumps

    reads = SupportVectorSolution

    def anchored(self, parameters: np.ndarray) -> NearStart:
        inner = self.criterion.anchored(parameters)
        return NearStart(inner, self.strength, self.bound, np.array(parameters, float))

    def __call__(self, solution: SupportVectorSolution) -> tuple[float, SolutionGradient]:
        value, gradient = self.criterion(solution)
        values = solution.parameters
        start = values if self.parameters is None else self.parameters
        way = np.append(0.5 * np.log(values / start), np.log(solution.bound / self.bound))
        slopes = 2 * self.strength * way / len(way)
        in_values = 0.5 * slopes[:-1] / values
        if gradient.parameters is not None:
            in_values = in_values + gradient.parameters
        gradient.parameters = in_values
        gradient.bound += slopes[-1] / solution.bound
        return value + self.strength * float(np.mean(way**2)), gradient
