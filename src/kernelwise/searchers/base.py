"""What every searcher is: a function and a start in, a trace of the search out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

# What a function can give, each with all before it.
LEVELS = ("value", "gradient", "curvature")
# function(point) -> (value, gradient); the gradient is None where there is none.
Function = Callable[[np.ndarray], tuple[float, np.ndarray | None]]


@dataclass
class SearchTrace:
    """Every point a search tried, and why it stopped, in words.

    ``optima`` are the traces of the single searches where several were made (restarts). A selection
    that knows them gives each its ``kernel``, and its ``disagreement``: the share of rows, by
    weight, whose held-out class is not that of the optimum that was chosen (of quantities: the
    root mean squared difference of the held-out outputs).
    """

    points: list[np.ndarray] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    gradient_norms: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    reason: str = ""
    converged: bool = True
    optima: list[SearchTrace] = field(default_factory=list)
    kernel: Any = None
    disagreement: float = float("nan")

    @property
    def lowest(self) -> float:
        """The lowest finite value, or infinity where there is none."""
        return min((value for value in self.values if np.isfinite(value)), default=np.inf)

    @property
    def best(self) -> int:
        """Index of the lowest value."""
        if not np.isfinite(self.lowest):
            raise ValueError(self.reason or "nothing was searched")
        return self.values.index(self.lowest)

    @property
    def best_point(self) -> np.ndarray:
        return self.points[self.best]

    @property
    def best_value(self) -> float:
        return self.values[self.best]

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"SearchTrace({len(self)} points, lowest value {self.lowest:.6g}; {self.reason})"


class Recorder:
    """A function that writes down every call, and never hands a NaN to an optimiser.

    A point where the function fails numerically or is not finite counts as worse than anything
    seen.
    """

    def __init__(self, function: Function):
        self.function, self.trace, self.start = function, SearchTrace(), time.perf_counter()
        self.last_failure = ""

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray | None]:
        point = np.array(point, float)
        try:
            value, gradient = self.function(point)
        except np.linalg.LinAlgError as error:
            self.last_failure, value, gradient = str(error), np.inf, None
        usable = np.isfinite(value) and (gradient is None or np.isfinite(gradient).all())
        self.trace.points.append(point)
        self.trace.values.append(float(value) if usable else np.inf)
        norm = np.nan if gradient is None else float(np.linalg.norm(gradient))
        self.trace.gradient_norms.append(norm)
        self.trace.seconds.append(time.perf_counter() - self.start)
        if usable:
            return float(value), gradient
        seen = [v for v in self.trace.values if np.isfinite(v)]
        return (max(seen) + abs(max(seen)) + 1.0 if seen else 1e300), np.zeros_like(point)

    def finish(self, converged: bool, reason: str) -> SearchTrace:
        """The trace, with the reason in words; a search that never saw a value says that."""
        if not np.isfinite(self.trace.lowest):
            converged = False
            reason = (
                "the criterion was not finite at any point; check the scale of X and the kernel"
            )
        if not converged and self.last_failure:
            reason = f"{reason}. Last failure: {self.last_failure}"
        self.trace.converged, self.trace.reason = converged, reason
        return self.trace


class Searcher:
    """Minimises a function within bounds, from a start.

    ``needs`` is what the function must give: ``"value"``, ``"gradient"`` or ``"curvature"``.
    """

    needs = "value"

    def check(self, given: str) -> None:
        """Say so if the function gives less than this searcher needs."""
        if LEVELS.index(self.needs) > LEVELS.index(given):
            raise ValueError(
                f"{type(self).__name__} needs the {self.needs} of what it minimises, but this "
                f"selection's search has only the {given}; choose another searcher, or None"
            )

    def seeded(self, seed: int) -> Self:
        """The same searcher with this seed, where it is random and was given none."""
        return self

    def __call__(self, function: Function, start: np.ndarray, bounds: np.ndarray) -> SearchTrace:
        raise NotImplementedError

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"
