"""The base class of selections: data and a first guess in, the chosen kernel and machine out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from kernelwise.kernels.base import Kernel
from kernelwise.machines.base import Machine
from kernelwise.scale import BlockedRows
from kernelwise.searchers import MultiStart
from kernelwise.searchers.base import Evaluation, Function, Searcher, SearchTrace
from kernelwise.solutions import Expansion, Targets


@dataclass(frozen=True)
class Problem:
    """What a selection gets: distinct rows, their targets, a first guess, and how to search.

    Attributes
    ----------
    kernel, machine : where the choice begins
    X, targets : distinct rows and what they are to give
    rows : the rows in blocks, where ``X`` is not in memory
    rivals : other kernels of which the selection may choose one
    classification : the targets are -1 and +1, one column per class if there are several
    n_observations : how many rows of equal weight say as much; None: the sum of the weights
    folds : the rows held out together if a selection refits
    searcher : None leaves the choice to the selection
    n_restarts, seed, n_jobs : further random starts of a search
    combine : keep the "best" of the optima that restarts find, or "average" their machines
    factorizations_before : work already spent on the choice
    tied : values of the kernel (one of each parameter, or one for all) and the regularization
        where a search of the tied kernel by leave-one-out has ended, if it was done before
    on_evaluation : called after each evaluation (for progress bars)
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
    tied: tuple[np.ndarray, float] | None = None
    rows: BlockedRows | None = None
    rivals: tuple[Kernel, ...] = ()
    on_evaluation: Callable[[], None] = lambda: None

    def search_with(self, default: Searcher, given: frozenset[str]) -> MultiStart:
        """The wanted searcher, or the default, with restarts; ``given``: what it will get."""
        searcher = self.searcher or default
        searcher.check(given)
        return MultiStart(searcher, self.n_restarts, seed=self.seed, n_jobs=self.n_jobs)

    def watched(self, function: Function) -> Function:
        """The function, reporting each evaluation."""
        return _Watched(function, self.on_evaluation)


@dataclass(frozen=True)
class _Watched:
    """A function that reports each call; so does its fresh copy."""

    function: Function
    on_evaluation: Callable[[], None]

    def __call__(self, point: np.ndarray) -> Evaluation:
        result = self.function(point)
        self.on_evaluation()
        return result

    def fresh(self) -> _Watched:
        fresh = getattr(self.function, "fresh", lambda: self.function)
        return replace(self, function=fresh())


@dataclass(frozen=True)
class Choice:
    """What a selection chose.

    Attributes
    ----------
    kernel, machine : the chosen ones
    solution : the record of the machine, for the targets that vary
    expansion : what predicts
    held_out : target minus output of each row when it is left out
    criterion : the value that was minimized to make the choice
    trace : the search
    n_factorizations : the work done
    at_limits : names of parameters at a limit of the search that the criterion presses against
    members : the choices whose outputs are averaged, if several are; ``held_out`` is then that of
        their average, and all else that of the best
    """

    kernel: Kernel
    machine: Machine
    solution: Any
    expansion: Expansion
    held_out: np.ndarray
    criterion: float
    trace: SearchTrace
    n_factorizations: int
    at_limits: tuple[str, ...] = ()
    members: tuple[Choice, ...] = ()

    def with_constants(self, targets: Targets, varying: np.ndarray) -> Self:
        """The same with constant targets, which it has not seen, among its outputs again."""
        held_out = np.zeros_like(targets.values)
        held_out[:, varying] = self.held_out
        members = tuple(member.with_constants(targets, varying) for member in self.members)
        expansion = self.expansion.with_constants(targets.values[0], varying)
        return replace(self, expansion=expansion, held_out=held_out, members=members)


class Selection:
    """A selection chooses kernel parameters and regularization for a problem.

    ``combines``: whether it can average the machines at several optima.
    """

    combines = False

    @property
    def in_short(self) -> Selection:
        """The same choice without what is only said about it: for a copy that judges others."""
        return self

    def check(self, machine: Machine) -> None:
        """Raise a ValueError if this selection cannot choose for this machine."""

    def __call__(self, problem: Problem) -> Choice:
        raise NotImplementedError

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"
