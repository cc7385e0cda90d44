"""Copies of an estimator that have not seen one fold: what judges everything the fit has learned.

Outputs held out at the chosen kernel are optimistic, because the kernel was chosen by them: on pure
noise a kernel with ten scales seems to predict. A copy that chooses again without a fold has never
seen its rows. Probabilities, error bars and the effects of features are judged by such copies.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernelwise.estimators.side_by_side import n_side_by_side, side_by_side
from kernelwise.estimators.table_estimator import Reading
from kernelwise.selections import Choice, Selection
from kernelwise.tables.rows import Parts
from kernelwise.threads import blas_threads_for

# Up to this many rows ``honest="auto"`` chooses again without each fold; beyond, without the first
# alone, whose rows are then enough to judge by.
AUTO_ROWS = 1000
# Many folds are left out several at a time: each copy costs a fit.
MOST_COPIES = 10
# Fewer parts than this are too few to fit anything without a fold of them.
FEWEST_PARTS = 8


@dataclass(frozen=True)
class FoldFit:
    """An estimator fitted without a fold.

    Attributes
    ----------
    parts : numbers of the parts it has not seen
    rows : the same as its kernel compares them
    reading, choice : what it was fitted to, and what it chose
    model : the fitted copy
    chose_again : whether the copy chose its own kernel, or kept that of all rows
    outputs : what it says of the rows, if that is already known
    """

    parts: np.ndarray
    rows: np.ndarray
    reading: Any
    choice: Choice
    model: Any
    chose_again: bool
    outputs: np.ndarray | None = None


@dataclass(frozen=True)
class Copies:
    """The copies of an estimator, and what they can judge.

    Attributes
    ----------
    fits : all copies
    share : the share of each entry of the parts, 0 where no judge has left it out
    n_cases : how many separate cases these are
    """

    fits: list[FoldFit]
    share: np.ndarray
    n_cases: float

    @classmethod
    def of(cls, fits: list[FoldFit], parts: Parts) -> Copies:
        judged = np.concatenate([fit.parts for fit in judges(fits)] or [np.arange(len(parts.X))])
        share = np.where(np.isin(parts.part, judged), parts.share, 0.0)
        return cls(fits, share, parts.n_cases(share))

    @property
    def judges(self) -> list[FoldFit]:
        return judges(self.fits)


def judges(fits: list[FoldFit]) -> list[FoldFit]:
    """The copies that chose their own kernel; all, if none did."""
    return [fit for fit in fits if fit.chose_again] or fits


def fold_fits(
    estimator: Any, selection: Selection, reading: Reading, choice: Choice, step: Callable[[], None]
) -> list[FoldFit]:
    """A copy of an estimator for each fold, or for each tenth of many folds, fitted without it.

    As many as ``n_jobs`` allows are fitted at a time, to the same bits as one after the other.
    Folds whose other rows all have the same target are left out, as are all folds of a table with
    hardly any rows, or of a fit that an evaluation judges.

    Parameters
    ----------
    estimator, selection : what was fitted to all rows, and how it chose
    reading, choice : the rows, and what was chosen on them
    step : called after each evaluation (for progress)
    """
    parts = reading.parts
    too_few = len(parts.X) < FEWEST_PARTS or len(parts.folds) < 2
    if too_few or estimator._is_judged_elsewhere:
        return []
    left_out = left_out_together(parts.folds)
    beside = n_side_by_side(estimator.n_jobs, len(parts.X), len(left_out))
    if (most := estimator._most_copies_at_a_time) is not None:
        beside = min(beside, most)

    def fitted(number: int, step: Callable[[], None]) -> FoldFit | None:
        if not estimator._has_time_for_copy(number, beside):
            return None
        return _without_fold(estimator, selection, reading, choice, number, beside, step)

    # What is wrong with the fit was said when all rows were fitted.
    with warnings.catch_warnings(), blas_threads_for(len(parts.X)):
        warnings.simplefilter("ignore")
        found = side_by_side(fitted, range(len(left_out)), beside, step)
    return [fit for fit in found if fit is not None]


def _without_fold(
    estimator: Any,
    selection: Selection,
    reading: Reading,
    choice: Choice,
    number: int,
    beside: int,
    step: Callable[[], None],
) -> FoldFit | None:
    """The copy of a number; None if there is nothing to learn without its fold."""
    fold = left_out_together(reading.parts.folds)[number]
    again = chooses_again(estimator.honest, len(reading.parts.X), number)
    rest = without(reading, fold)
    if not np.ptp(rest.parts.targets.values, axis=0).any():
        return None
    model = copy.copy(estimator)
    model._only_predictions = True
    if beside > 1:
        model.n_jobs = 1  # the others have the threads
    if selection.in_short is not selection:
        model.searcher = None  # it was one for the long way
    own = model._choose_without(selection.in_short, rest, choice, again, step)
    model._keep(rest, own)
    return FoldFit(fold, rows_for(model, reading, fold), rest, own, model, again)


def left_out_together(folds: list[np.ndarray]) -> list[np.ndarray]:
    """The parts that each copy does not see: a fold, or several where there are many."""
    groups = [folds[first::MOST_COPIES] for first in range(min(len(folds), MOST_COPIES))]
    return [np.sort(np.concatenate(group)) for group in groups]


def chooses_again(honest: Any, n_rows: int, number: int) -> bool:
    """Whether the copy of a number chooses its kernel again, or keeps that of all rows."""
    return n_rows <= AUTO_ROWS or number == 0 if isinstance(honest, str) else bool(honest)


def without(reading: Reading, fold: np.ndarray) -> Reading:
    """The same table without a fold."""
    parts, kept = reading.parts.without(fold, reading.given), reading.kept_columns
    if kept is not None:
        rest = np.setdiff1d(np.arange(len(kept)), fold)
        parts, kept = replace(parts, X=parts.X[:, rest]), kept[rest]
    return replace(reading, parts=parts, kept_columns=kept)


def rows_for(model: Any, reading: Reading, fold: np.ndarray) -> np.ndarray:
    """The rows of a fold as a model's kernel compares them."""
    if reading.kept_columns is None:
        return reading.parts.X[fold]
    return reading.given.X[np.ix_(reading.kept_columns[fold], model._kept_columns)]
