"""What every selection is: data and a first guess in, the chosen kernel and machine out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kernelwise.kernels.base import Kernel
from kernelwise.machines.base import Machine
from kernelwise.searchers import MultiStart
from kernelwise.searchers.base import Function, Searcher, SearchTrace
from kernelwise.solutions import Targets


@dataclass(frozen=True)
class Problem:
    """What there is to choose for: distinct rows, their targets, the first guess and the means.

    ``folds`` are the rows held out together where a selection refits; ``searcher`` None leaves the
    choice to the selection; ``factorizations_before`` is work already spent on the choice.
    ``classification``: the targets are -1 and +1, one column per class if there are several.
    ``n_observations``: how many rows of equal weight say as much; None is the sum of the weights.
    ``combine``: keep the "best" of the optima that restarts find, or "average" their machines.
    """

    kernel: Kernel
    machine: Machine
    X: np.ndarray
    targets: Targets
    classification: bool = False
    n_observations: float | None = None
    folds: list[np.ndarray] = field(default_factory=list)
    searcher: Searcher | None = None
    n_restarts: int = 0
    combine: str = "best"
    seed: int = 0
    n_jobs: int | None = None
    factorizations_before: int = 0
    on_evaluation: Callable[[], None] = lambda: None

    def search_with(self, default: Searcher, given: str) -> MultiStart:
        """The searcher asked for, or the default, with restarts; ``given`` is what it will get."""
        searcher = self.searcher or default
        searcher.check(given)
        return MultiStart(searcher, self.n_restarts, seed=self.seed, n_jobs=self.n_jobs)

    def watched(self, function: Function) -> Function:
        """The function, reporting each evaluation (for progress bars)."""
        return _Watched(function, self.on_evaluation)


@dataclass(frozen=True)
class _Watched:
    """A function that says when it was called; its fresh one does too."""

    function: Function
    on_evaluation: Callable[[], None]

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray | None]:
        result = self.function(point)
        self.on_evaluation()
        return result

    def fresh(self) -> _Watched:
        fresh = getattr(self.function, "fresh", lambda: self.function)
        return replace(self, function=fresh())


@dataclass
class Choice:
    """What a selection chose, and the residuals each row has when it is left out.

    ``criterion`` is the value that was minimised to make the choice. ``members`` are the choices
    whose outputs are averaged, where several are; then ``held_out`` is of their average, and the
    rest of the best of them.
    """

    kernel: Kernel
    machine: Machine
    solution: Any
    held_out: np.ndarray
    criterion: float
    trace: SearchTrace
    n_factorizations: int
    members: list[Choice] = field(default_factory=list)


class Selection:
    """Chooses kernel parameters and regularisation for a problem.

    ``suits`` is the machine that it can choose for.
    """

    suits: type[Machine] = Machine

    def __call__(self, problem: Problem) -> Choice:
        raise NotImplementedError

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"
