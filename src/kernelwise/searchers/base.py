"""What every searcher is: a function and a start in, a trace of the search out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

# function(point) -> (value, gradient); the gradient is None where there is none.
Function = Callable[[np.ndarray], tuple[float, np.ndarray | None]]


@dataclass
class SearchTrace:
    """Every point a search tried, and why it stopped, in words.

    ``optima`` are the traces of the single searches where several were made (restarts).
    """

    points: list[np.ndarray] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    gradient_norms: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    reason: str = ""
    converged: bool = True
    optima: list[SearchTrace] = field(default_factory=list)

    @property
    def best(self) -> int:
        """Index of the lowest finite value."""
        values = np.asarray(self.values)
        if not np.isfinite(values).any():
            raise ValueError("the criterion was not finite at any point of the search")
        return int(np.nanargmin(np.where(np.isfinite(values), values, np.nan)))

    @property
    def best_point(self) -> np.ndarray:
        return self.points[self.best]

    @property
    def best_value(self) -> float:
        return self.values[self.best]

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        best = f"best value {self.best_value:.6g}" if len(self) else "no point"
        return f"SearchTrace({len(self)} points, {best}; {self.reason})"


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


class Searcher:
    """Minimises a function within bounds, from a start."""

    def __call__(self, function: Function, start: np.ndarray, bounds: np.ndarray) -> SearchTrace:
        raise NotImplementedError

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"
