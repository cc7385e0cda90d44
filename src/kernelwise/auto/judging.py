"""What rows say of a stack and its candidates whose copies have not seen them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernelwise.auto.base import AutoKernel
from kernelwise.auto.leaderboard import cv_results, leaderboard
from kernelwise.auto.stack import StackChoice
from kernelwise.estimators.fold_fits import Copies, FoldFit
from kernelwise.evaluation import Unseen, error_of_unseen
from kernelwise.evaluation.row_intervals import Rows
from kernelwise.selections import LandmarkChoice


class JudgedStack(AutoKernel):
    """A stack with a leaderboard.

    A subclass says what outputs mean: labels or quantities.
    """

    def _predictions(self, reading: Any, outputs: np.ndarray) -> np.ndarray:
        """Labels, or quantities as they were given, from outputs of the machines."""
        raise NotImplementedError

    def _truth(self, reading: Any) -> np.ndarray:
        """The labels or quantities of all given rows."""
        raise NotImplementedError

    def _trivial(self, reading: Any, entries: np.ndarray, share: np.ndarray) -> Any:
        """What is predicted without looking, from some entries of the parts and their share."""
        raise NotImplementedError

    def _seen_error(self, reading: Any, held_out: np.ndarray) -> float:
        """The error of held-out residuals, in the unit of ``held_out_error_``."""
        raise NotImplementedError

    def _error_of(self, reading: Any, outputs: np.ndarray, entries: np.ndarray) -> float:
        """The error of outputs for some entries of the parts, in the unit of the honest error."""
        raise NotImplementedError

    def _mean_of_errors(self, errors: Sequence[float]) -> float:
        """The joint error of tables of equal size."""
        raise NotImplementedError

    def _in_own_units(self, reading: Any, outputs: np.ndarray) -> np.ndarray:
        """Outputs as targets have them, as the estimator gives them."""
        return outputs

    def _judge_honestly(self, reading: Any, choice: Any, copies: Copies) -> None:
        super()._judge_honestly(reading, choice, copies)
        self.cv_results_ = cv_results(choice, reading.parts)
        self.best_index_ = choice.best
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        self.best_params_ = self.cv_results_["params"][self.best_index_]
        self.n_splits_ = len(reading.parts.folds)
        seen = [self._seen_error(reading, choice.held_out)]
        seen += [self._seen_error(reading, fit.held_out) for fit in choice.fits]
        self._unseen: Unseen | None = None
        predictions: list[np.ndarray] = []
        if any(fit.chose_again for fit in copies.fits):
            self._unseen, predictions = self._judged(reading, choice, copies)
        self.error_estimate_ = None
        if self._unseen is not None:
            self.error_estimate_ = error_of_unseen(self._unseen, self._groups)
        self.leaderboard_ = leaderboard(
            choice, self.combine, seen, self._unseen, predictions, self._groups
        )
        self.best_estimator_ = self._finished_best(reading, choice, copies)
        self._judged_with = reading, choice, copies

    def _finished_best(self, reading: Any, choice: StackChoice, copies: Copies) -> Any:
        """The candidate of the least held-out squares as an estimator of its own."""
        fit = choice.fits[choice.best]
        fits = [_own_fold_fit(copy, choice.best) for copy in copies.fits]
        return fit.member.finished(reading, fit.choice, fits)

    def _judged(
        self, reading: Any, choice: StackChoice, copies: Copies
    ) -> tuple[Unseen, list[np.ndarray]]:
        """The rows that copies have not seen, as the stack predicts them, then each candidate."""
        parts, entries = reading.parts, np.flatnonzero(copies.share > 0)
        nothing = np.zeros_like(parts.targets.values)
        outputs = self._unseen_outputs(copies, nothing)[parts.part[entries]]
        every = [outputs]
        for number in range(len(choice.fits)):
            own = self._outputs_of_candidate(number, reading, choice, copies)
            every.append(own[parts.part[entries]])
        truth, rows = self._truth(reading), parts.source[entries]
        predictions = [self._predictions(reading, own) for own in every]
        unseen = Unseen(
            rows,
            truth[rows],
            predictions[0],
            self._probabilities(outputs) if hasattr(self, "classes_") else None,
            self._trivial_predictions(reading, entries),
            getattr(self, "classes_", None),
            len(copies.judges),
            Rows(copies.share[entries], copies.n_cases),
        )
        return unseen, predictions

    def _outputs_of_candidate(
        self, number: int, reading: Any, choice: StackChoice, copies: Copies
    ) -> np.ndarray:
        """Outputs of all parts by the copies' fits of one candidate."""
        fit, values = choice.fits[number], reading.parts.targets.values
        if isinstance(fit.choice, LandmarkChoice):
            return self._in_own_units(reading, values - fit.held_out)
        outputs = np.zeros_like(values)
        for copy in copies.judges:
            outputs[copy.parts] = copy.model._members[number].outputs_of(copy.rows)
        return outputs

    def _trivial_predictions(self, reading: Any, entries: np.ndarray) -> np.ndarray:
        """The most common class of all rows, or their mean, for each entry.

        Not of the rows that a copy has seen: where classes are of equal size, the larger one of
        these is the smaller one of the rows left out.
        """
        parts = reading.parts
        answer = np.asarray(self._trivial(reading, np.arange(len(parts.part)), parts.share))
        return np.broadcast_to(answer, (len(entries), *answer.shape)).copy()


def _own_fold_fit(copy: FoldFit, number: int) -> FoldFit:
    """The copy of one candidate within a copy of the stack."""
    fits: Any = copy.choice
    fit = fits.fits[number]
    if fit.fold_fit is not None or fit.choice is None:
        return fit.fold_fit or copy
    member = fit.member
    return replace(
        copy,
        rows=member._compared(copy.rows),
        reading=member.seen(copy.reading),
        choice=fit.choice,
        model=member.model,
    )
