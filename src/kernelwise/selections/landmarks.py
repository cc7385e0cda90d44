"""What is chosen on landmarks, and the choice of nothing."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from joblib import effective_n_jobs

from kernelwise.machines import Nystrom
from kernelwise.scale import BlockedRows, RowBlocks, drawn_rows
from kernelwise.scale.folds import FoldedTargets, hashed_folds
from kernelwise.scale.landmark_fit import LandmarkFit, criterion_of, fitted_on_landmarks
from kernelwise.scale.logistic import logistic_on_landmarks
from kernelwise.searchers import SearchTrace
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.solutions import Expansion, Targets

# If a class has a smaller share of the rows, landmarks are drawn from all classes alike.
RARE = 0.1
# Folds of rows for which none were given.
N_FOLDS = 5
# Each fold has sums of its own, landmarks^2 of them: more folds are held out several at a time.
MOST_FOLDS = 10


@dataclass(frozen=True)
class LandmarkChoice(Choice):
    """What was chosen, with the machines that have not seen each fold.

    Attributes
    ----------
    fold : the number of each row's fold
    without : the predictor that has not seen each fold
    learned_without : the fold that had no part in learning the kernel; None: all had
    n_passes : how often all rows were looked at
    freedom : effective parameters of each target, the bias included
    misfit : ``sum w (y - mean)(y - f)`` of each target
    """

    fold: np.ndarray = field(kw_only=True)
    without: dict[int, Expansion] = field(kw_only=True)
    learned_without: int | None = field(kw_only=True)
    n_passes: int = field(kw_only=True)
    freedom: float = field(kw_only=True)
    misfit: np.ndarray = field(kw_only=True)

    def with_constants(self, targets: Targets, varying: np.ndarray) -> LandmarkChoice:
        found = super().with_constants(targets, varying)
        without = {
            number: expansion.with_constants(targets.values[0], varying)
            for number, expansion in self.without.items()
        }
        misfit = np.zeros(len(varying))
        misfit[varying] = self.misfit
        return replace(found, without=without, misfit=misfit)


class LandmarkSelection(Selection):
    """A selection for a machine on landmarks.

    Parameters
    ----------
    landmarks : int or array of shape (landmarks, columns), default 2000
        Of the final machine: how many to draw, or which.
    apart : int, default None
        The fold whose rows take no part in learning the kernel, so that they can judge it.

    Attributes
    ----------
    loss : "squared", or "logistic" for a last step by Newton's method, of classes only
    """

    loss = "squared"

    def __init__(self, landmarks: int | np.ndarray = 2000, apart: int | None = None) -> None:
        self.landmarks, self.apart = landmarks, apart

    def on(
        self, landmarks: int | np.ndarray, apart: int | None = None, loss: str = "squared"
    ) -> Self:
        """The same selection on other landmarks, without a fold or with all."""
        other = copy.copy(self)
        other.landmarks, other.apart, other.loss = landmarks, apart, loss
        return other

    def _chosen(
        self, problem: Problem, rows: BlockedRows, found: LandmarkFit, trace: SearchTrace, work: int
    ) -> LandmarkChoice:
        """The fitted machine with each row's output by the one without its fold: another pass."""
        if self.loss == "logistic":
            found = logistic_on_landmarks(found, rows, problem.on_evaluation)
        return chosen(found, rows, trace, work, self.apart)


class LandmarksAsGiven(LandmarkSelection):
    """The kernel and the regularization as given, on landmarks: as `AsGiven` on all rows."""

    def __call__(self, problem: Problem) -> LandmarkChoice:
        rows = rows_of(problem)[0]
        landmarks = final_landmarks(self.landmarks, problem, rows)
        machine = Nystrom(landmarks, float(problem.machine.values[0]))
        point = np.concatenate([problem.kernel.theta, problem.machine.theta])
        trace = SearchTrace([point], [np.nan], [np.nan], [0.0], "nothing was searched")
        found = fitted_on_landmarks(problem.kernel, machine, rows, choose_regularization=False)
        return self._chosen(problem, rows, found, trace, 0)


def chosen(
    found: LandmarkFit, rows: BlockedRows, trace: SearchTrace, work: int, apart: int | None
) -> LandmarkChoice:
    """What was fitted, and how its folds are predicted."""
    targets, held_out = rows.targets, found.held_out(rows)
    assert isinstance(targets, FoldedTargets)
    return LandmarkChoice(
        kernel=found.kernel,
        machine=found.machine,
        solution=found.solution,
        expansion=found.expansion,
        held_out=held_out,
        criterion=criterion_of(found, held_out, targets),
        trace=trace,
        n_factorizations=work + 2 + len(found.without),
        fold=targets.fold,
        without=found.without,
        learned_without=apart,
        n_passes=found.n_passes + 1,
        freedom=found.freedom,
        misfit=found.misfit,
    )


def final_landmarks(wanted: int | np.ndarray, problem: Problem, rows: BlockedRows) -> np.ndarray:
    """The landmarks as given; or so many rows, of all classes alike where one is rare."""
    if not isinstance(wanted, (int, np.integer)):
        return np.asarray(wanted, float)
    counted = np.flatnonzero(problem.targets.weights > 0)
    codes = rare_codes(problem, counted) if problem.classification else None
    drawn = drawn_rows(len(counted), int(wanted), problem.seed + 2, codes)
    return rows.take(counted[drawn])


def rows_of(problem: Problem) -> tuple[BlockedRows, np.ndarray]:
    """The rows in blocks, and the fold of each."""
    n_rows = len(problem.targets.weights)
    fold = hashed_folds(n_rows, N_FOLDS, problem.seed + 3)
    for number, held_out in enumerate(problem.folds):
        fold[held_out] = number % MOST_FOLDS
    targets = FoldedTargets.of(problem.targets, fold)
    if problem.rows is not None:
        return problem.rows.with_targets(targets), fold
    return RowBlocks(problem.X, targets, effective_n_jobs(problem.n_jobs)), fold


def rare_codes(problem: Problem, rows: np.ndarray) -> np.ndarray | None:
    """The class of each of some rows if one of the classes is rare, else None."""
    values = problem.targets.values[rows]
    codes = values.argmax(axis=1) if values.shape[1] > 1 else (values[:, 0] > 0).astype(int)
    counts = np.bincount(codes)
    return codes if counts[counts > 0].min() < RARE * len(codes) else None
