"""Candidates that have learned a table as least-squares machines."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from kernelwise.auto.candidates import Candidate
from kernelwise.estimators.fold_fits import Copies, FoldFit
from kernelwise.objective import evaluated
from kernelwise.selections import Choice
from kernelwise.tables.normal_scores import NormalScores


class KernelMember:
    """A least-squares machine with the kernel that a candidate names.

    Attributes
    ----------
    candidate : what it was learned as
    model : the fitted estimator; its columns may be normal scores
    """

    def __init__(self, candidate: Candidate, model: Any) -> None:
        self.candidate, self.model = candidate, model

    def learn(self, reading: Any, step: Callable[[], None], by_folds: bool) -> Choice:
        """Choose kernel and regularization; with ``by_folds`` rows are held out fold by fold."""
        columns = reading.columns
        if self.candidate.on_scores:
            rows, weights = reading.parts.X, reading.parts.targets.weights
            scores = NormalScores.learn(rows, weights, columns.categorical)
            columns = replace(columns, scores=scores)
        self.model.columns_ = columns
        seen = self.seen(reading)
        choice = self.model._choose(self.model._checked_selection(), seen, step)
        if by_folds:
            choice = replace(choice, held_out=_held_out_by_folds(choice, seen))
        self.model._keep(seen, choice)
        return choice

    def learn_again(
        self, reading: Any, choice: Choice, step: Callable[[], None]
    ) -> tuple[KernelMember, Choice]:
        """A copy with the same kernel and regularization, fitted to other rows; and its choice."""
        model = copy.copy(self.model)
        seen = self.seen(reading)
        own = model._choose_without(None, seen, choice, False, step)
        model._keep(seen, own)
        return KernelMember(self.candidate, model), own

    def outputs_of(self, rows: np.ndarray) -> np.ndarray:
        """Outputs of rows as the table's kernels compare them, (rows, outputs)."""
        return self.model._outputs_of(self._compared(rows))

    def deviations_of(self, rows: np.ndarray) -> np.ndarray:
        """Standard deviations of new observations, (rows, outputs)."""
        return self.model._deviations_of(self._compared(rows))

    @property
    def is_null(self) -> bool:
        return self.model._is_null

    def _compared(self, rows: np.ndarray) -> np.ndarray:
        scores = self.model.columns_.scores
        return rows if scores is None else scores(rows)

    def seen(self, reading: Any) -> Any:
        """A table as this machine's kernel compares it."""
        if self.model.columns_.scores is None:
            return reading
        parts = replace(reading.parts, X=self._compared(reading.parts.X))
        return replace(reading, columns=self.model.columns_, parts=parts)

    def finished(self, reading: Any, choice: Choice, fits: list[FoldFit]) -> Any:
        """The model as an estimator of its own, judged by copies of its own."""
        model, seen = self.model, self.seen(reading)
        copies = Copies.of(fits, seen.parts)
        model._only_predictions = model._is_judged_elsewhere = False
        model._judge(seen, choice)
        with warnings.catch_warnings():  # what there is to say is said of the stack
            warnings.simplefilter("ignore")
            model._judge_honestly(seen, choice, copies)
            model._tell_features(seen, choice, copies)
        return model


def _held_out_by_folds(choice: Choice, reading: Any) -> np.ndarray:
    """Residuals of each row by the machine at the chosen kernel without the row's fold."""
    parts = reading.parts
    found = evaluated(choice.kernel, choice.machine, parts.X, parts.targets)
    return found.held_out(parts.folds).held_out
