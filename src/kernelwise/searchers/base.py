"""The base class of searchers: a function and a start in, a trace of the search out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

import numpy as np

NOTHING_TO_SEARCH = "there is nothing to search"
EVALUATION_LIMIT = "the evaluation limit was reached; raise max_evaluations to search on"
EDGE = "the criterion cannot be computed beyond this point, and signs alone find no way around it"
ITERATION_LIMIT = "the iteration limit was reached; raise max_iterations to search on"


@dataclass(frozen=True)
class Evaluation:
    """A function at a point: any of a value, a gradient and a curvature.

    ``curvature`` is positive semi-definite. ``noisy``: sampled, so that the next call differs.
    """

    value: float | None = None
    gradient: np.ndarray | None = None
    curvature: np.ndarray | None = None
    noisy: bool = False

    @property
    def is_finite(self) -> bool:
        parts = (self.value, self.gradient, self.curvature)
        return all(np.isfinite(part).all() for part in parts if part is not None)


Function = Callable[[np.ndarray], Evaluation]


@dataclass
class SearchTrace:
    """Every point a search tried, and why it stopped, in words.

    ``values`` are NaN if the function gives none; such a search says itself which point it
    ``chose``. ``optima`` are the traces of the single searches if there were several (restarts).
    """

    points: list[np.ndarray] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    gradient_norms: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    reason: str = ""
    converged: bool = True
    optima: list[SearchTrace] = field(default_factory=list)
    chose: int | None = None

    @property
    def lowest(self) -> float:
        """The lowest finite value, or infinity if there is none."""
        return min((value for value in self.values if np.isfinite(value)), default=np.inf)

    @property
    def found(self) -> bool:
        """Whether there is a best point."""
        return self.chose is not None or bool(np.isfinite(self.lowest))

    @property
    def best(self) -> int:
        """Index of the lowest value, or of the point chosen without values."""
        if not self.found:
            raise ValueError(self.reason or "nothing was searched")
        return self.values.index(self.lowest) if self.chose is None else self.chose

    @property
    def best_point(self) -> np.ndarray:
        return self.points[self.best]

    @property
    def best_value(self) -> float:
        return self.values[self.best]

    def followed_by(self, other: SearchTrace) -> SearchTrace:
        """Both searches as one, which ends like the second."""
        after = self.seconds[-1] if self.seconds else 0.0
        return SearchTrace(
            points=self.points + other.points,
            values=self.values + other.values,
            gradient_norms=self.gradient_norms + other.gradient_norms,
            seconds=self.seconds + [after + second for second in other.seconds],
            reason=other.reason,
            converged=other.converged,
        )

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        found = f"{len(self)} points, lowest value {self.lowest:.6g}; {self.reason}"
        return f"{type(self).__name__}({found})"


class Recorder:
    """A function that records every call and never hands a NaN to an optimizer.

    A point where the function fails numerically or is not finite counts as worse than anything
    seen, with a gradient of zero; ``failed`` says so.
    """

    def __init__(self, function: Function):
        self.function, self.trace, self.start = function, SearchTrace(), time.perf_counter()
        self.failed, self.last_failure = False, ""

    def __call__(self, point: np.ndarray) -> Evaluation:
        point = np.array(point, float)
        try:
            found = self.function(point)
        except np.linalg.LinAlgError as error:
            self.last_failure, found = str(error), Evaluation(np.inf)
        self.failed = not found.is_finite
        self._write(point, found)
        return self._worst(point) if self.failed else found

    def _write(self, point: np.ndarray, found: Evaluation) -> None:
        unknown = np.nan if found.value is None else float(found.value)
        norm = np.nan if found.gradient is None else float(np.linalg.norm(found.gradient))
        self.trace.points.append(point)
        self.trace.values.append(np.inf if self.failed else unknown)
        self.trace.gradient_norms.append(norm)
        self.trace.seconds.append(time.perf_counter() - self.start)

    def _worst(self, point: np.ndarray) -> Evaluation:
        seen = [value for value in self.trace.values if np.isfinite(value)]
        value = max(seen) + abs(max(seen)) + 1.0 if seen else 1e300
        return Evaluation(value, np.zeros_like(point))

    def finish(self, converged: bool, reason: str, chose: int | None = None) -> SearchTrace:
        """The trace, with the reason in words; a search that found nothing says so."""
        self.trace.chose = chose
        if not self.trace.found:
            converged = False
            reason = (
                "the criterion was not finite at any point; check the scale of X and the kernel"
            )
        if not converged and self.last_failure:
            reason = f"{reason}. Last failure: {self.last_failure}"
        self.trace.converged, self.trace.reason = converged, reason
        return self.trace


class Searcher:
    """A searcher minimizes a function within limits, from a start.

    ``needs`` is what the function must give: any of ``"value"``, ``"gradient"``, ``"curvature"``.
    """

    needs = frozenset({"value"})

    def check(self, given: frozenset[str]) -> None:
        """Raise a ValueError if the function gives less than this searcher needs."""
        if missing := sorted(self.needs - given):
            raise ValueError(
                f"{type(self).__name__} needs the {' and the '.join(missing)} of what it "
                f"minimizes, but this selection provides only the "
                f"{' and the '.join(sorted(given))}; choose another searcher, or None"
            )

    def seeded(self, seed: int) -> Self:
        """The same searcher with this seed, if it is random and was given none."""
        return self

    def __call__(self, function: Function, start: np.ndarray, limits: np.ndarray) -> SearchTrace:
        raise NotImplementedError

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"


def no_room(limits: np.ndarray) -> bool:
    """Whether there is only one point within the limits: nothing to search, or all of it fixed."""
    return bool((limits[:, 0] >= limits[:, 1]).all())


def pressed(point: np.ndarray, gradient: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Which parameters are at a limit with the gradient pushing outward."""
    low, high = point <= limits[:, 0], point >= limits[:, 1]
    return (low & (gradient > 0)) | (high & (gradient < 0))
