"""One stage of learning on landmarks: some rows, some of them landmarks, and who judges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from joblib import effective_n_jobs

from kernelwise.criteria import Criterion
from kernelwise.kernels import Kernel
from kernelwise.machines import Folded, Nystrom, NystromProcess
from kernelwise.objective import Objective
from kernelwise.scale import (
    BlockedFolds,
    BlockedObjective,
    BlockedRows,
    RowBlocks,
    dealt_folds,
    drawn_rows,
)
from kernelwise.selections.base import Problem
from kernelwise.solutions import NystromFolds, NystromOnRows, Penalized, ProcessSolution

# How many folds are dealt if none are given.
FOLDS = 5


def check_judges_landmarks(criterion: Criterion) -> None:
    """Raise a ValueError if a criterion cannot choose kernel and regularization on landmarks."""
    known = (ProcessSolution, NystromFolds, NystromOnRows)
    # The training error alone would have the weakest regularization.
    judges = criterion.reads is not Penalized and any(issubclass(k, criterion.reads) for k in known)
    if not judges or "gradient" not in criterion.gives:
        raise ValueError(
            f"{criterion!r} cannot choose a kernel on landmarks: use GeneralizedCrossValidation(), "
            "EvidenceBound(), LeaveOneOut(), BayesianLeaveOneOut() or HeldOutSquares()"
        )


def landmark_machine(criterion: Criterion) -> type[Nystrom]:
    """The machine that knows what a criterion reads."""
    reads_process = issubclass(criterion.reads, ProcessSolution)
    return NystromProcess if reads_process else Nystrom


@dataclass(frozen=True)
class HeldRows:
    """Rows in memory of which parts are drawn, each a part of every larger one.

    Attributes
    ----------
    seen : numbers of all rows that may be drawn
    places, X : places among them of the rows that are held, and the rows
    """

    seen: np.ndarray
    places: np.ndarray
    X: np.ndarray

    @classmethod
    def of(cls, rows: BlockedRows, seen: np.ndarray, most: int, seed: int) -> HeldRows:
        """As many rows as will be drawn at most: one pass."""
        places = drawn_rows(len(seen), most, seed)
        return cls(seen, places, rows.take(seen[places]))

    @property
    def n_seen(self) -> int:
        return len(self.seen)

    def drawn(self, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of so many rows, and the rows; the seed is that of those held."""
        places = drawn_rows(len(self.seen), count, seed)
        return self.seen[places], self.X[np.searchsorted(self.places, places)]


@dataclass(frozen=True)
class Stage:
    """Rows drawn from a problem, and landmarks drawn from them.

    Attributes
    ----------
    rows : in blocks
    landmarks : array of shape (landmarks, columns)
    folds : places of the rows that are held out together
    """

    rows: RowBlocks
    landmarks: np.ndarray
    folds: list[np.ndarray]

    @classmethod
    def of(cls, problem: Problem, rows: HeldRows, n_rows: int, n_landmarks: int) -> Stage:
        some, X = rows.drawn(n_rows, problem.seed)
        folds = [np.flatnonzero(np.isin(some, fold)) for fold in problem.folds]
        return cls(
            RowBlocks(X, problem.targets.take(some), effective_n_jobs(problem.n_jobs)),
            X[drawn_rows(len(X), n_landmarks, problem.seed + 1)],
            [fold for fold in folds if len(fold)] or dealt_folds(some, FOLDS, problem.seed),
        )

    @property
    def weight(self) -> float:
        return float(self.rows.targets.weights.sum())

    def objective(self, kernel: Kernel, per_weight: float, criterion: Criterion) -> Objective:
        """The criterion on these rows: two passes over blocks, or the Gram matrix in memory.

        Only leave-one-out needs each row's own leverage; for it, holding rows x landmarks (128 MB
        for 32,000 x 500, and as much again on the way back) is simpler than a third pass.
        """
        machine = landmark_machine(criterion)(self.landmarks, per_weight * self.weight)
        if issubclass(machine.gives_from_sums, criterion.reads):
            return BlockedObjective(kernel, machine, criterion, self.rows)
        if issubclass(NystromFolds, criterion.reads):
            return BlockedFolds(kernel, Folded(machine, self.folds), criterion, self.rows)
        return Objective(kernel, machine, criterion, self.rows.X, self.rows.targets)
