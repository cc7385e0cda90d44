"""What AutoKernel does for both tasks: try candidates, stack them, judge the stack."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernelwise.auto.candidates import (
    Candidate,
    candidates_for,
    check_candidates,
    judged_by_folds,
    why_not,
)
from kernelwise.auto.members import KernelMember
from kernelwise.auto.other_member import OtherMember
from kernelwise.auto.stack import CandidateFit, StackChoice, held_out_squares, stacked
from kernelwise.auto.time_budget import FEWEST_COPIES, TimeBudget, TimeBudgetWarning, TimeIsUp
from kernelwise.estimators.fold_fits import AUTO_ROWS, Copies, FoldFit
from kernelwise.estimators.landmarks import AUTO_LANDMARKS, shown_rows
from kernelwise.estimators.lssvm import LeastSquaresEstimator, LSSVMClassifier, LSSVMRegressor
from kernelwise.estimators.relevance import as_shares, knockout_squares
from kernelwise.estimators.stacking import Combination, combination
from kernelwise.notices import warn_user
from kernelwise.selections import AsGiven, LandmarkChoice, Selection

DEFAULT_FOLDS = 5
# Landmarks of a linear kernel for each column, or level of a categorical one.
FEW_LANDMARKS = 5


class AutoKernel(LeastSquaresEstimator):
    """Candidates learned from one table, of which a stack is made.

    A subclass says which estimator a candidate is fitted as (`_member_type`).
    """

    kernel = "mixed"
    selection = "auto"
    regularization = 1.0
    n_restarts = 0
    searcher = None
    candidates: Any
    max_time: Any
    estimate: Any
    folds: Any
    repeats: Any
    _is_classification: bool
    _member_type: type[LSSVMClassifier | LSSVMRegressor]
    _budget: TimeBudget
    _groups: Any = None
    # How many copies there was time for.
    _judged_folds: int | None = None
    # The candidates that a copy learns.
    _tried: tuple[Candidate, ...] | None = None
    # The relevances of each copy.
    _copied_relevances: Sequence[np.ndarray] = ()

    def _model_for(self, candidate: Candidate) -> Any:
        """An unfitted least-squares machine as a candidate wants it."""
        return self._member_type(
            candidate.kernel,
            candidate.selection,
            honest=self.honest,
            landmarks=self.landmarks,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )

    @property
    def honest(self) -> Any:
        """Whether copies choose again, as `KernelEstimator` asks."""
        return "auto" if isinstance(self.folds, str) else self.folds > 0

    @property
    def _needs_all_rows(self) -> str:
        return ""

    def _checked_selection(self) -> Selection:
        check_candidates(self.candidates, self._is_classification)
        self._check_landmarks()
        self._check_numbers()
        for name, known in (
            ("combine", ("stack", "best")),
            ("estimate", ("auto", "closed-form", "cv")),
        ):
            given = getattr(self, name)
            if given not in known:
                raise ValueError(f"{name} must be one of {known}, got {given!r}")
        return AsGiven()

    def _check_numbers(self) -> None:
        folds = self.folds
        whole = isinstance(folds, (int, np.integer)) and not isinstance(folds, bool)
        if not (whole and (folds == 0 or folds > 1)) and not (
            isinstance(folds, str) and folds == "auto"
        ):
            raise ValueError(f"folds must be 'auto', 0, or a number of at least 2, got {folds!r}")
        repeats = self.repeats
        if isinstance(repeats, bool) or not isinstance(repeats, (int, np.integer)) or repeats < 1:
            raise ValueError(f"repeats must be 1, 2, 3, ..., got {repeats!r}")
        if repeats > 1 and not (self.cv is None or isinstance(self.cv, (int, np.integer))):
            raise ValueError("repeats deals rows to other folds: leave out cv, or repeats")
        seconds = self.max_time
        if seconds is not None and not (isinstance(seconds, (int, float)) and seconds > 0):
            raise ValueError(f"max_time must be None or a positive number, got {seconds!r}")

    def _choose(self, selection: Selection, reading: Any, step: Callable[[], None]) -> StackChoice:
        fits = self._learned(reading, step)
        return self._stacked(fits, reading)

    def _stacked(self, fits: list[CandidateFit], reading: Any) -> StackChoice:
        """The stack of some candidates; its weights do not see a fold that is kept apart."""
        targets = reading.parts.targets
        if self.combine == "best":
            weights = np.eye(len(fits))[int(np.argmin([fit.squares for fit in fits]))]
            return stacked(fits, Combination(weights, np.zeros(targets.values.shape[1])), targets)
        shown = targets.weights > 0
        for fit in fits:
            if isinstance(fit.choice, LandmarkChoice):
                shown = shown & (fit.choice.fold != fit.choice.learned_without)
        outputs = np.stack([(targets.values - fit.held_out)[shown] for fit in fits])
        known, weights = targets.values[shown], targets.weights[shown]
        how = combination(outputs, known, weights, classes=self._is_classification)
        return stacked(fits, how, targets)

    def _learned(self, reading: Any, step: Callable[[], None]) -> list[CandidateFit]:
        """All candidates that can learn a table, as far as the time allows."""
        n_rows = len(reading.parts.X)
        on_landmarks = self._uses_landmarks(n_rows)
        self._budget.keep_for(self._n_copies(n_rows))
        fits: list[CandidateFit] = []
        out_of_time: list[str] = []
        self.skipped_ = {}
        for candidate in self._wanted(on_landmarks):
            reason = why_not(candidate, on_landmarks)
            if not reason:
                # The first candidate always ends; copies learn what the table had time for.
                limited = bool(fits) and self._tried is None
                try:
                    fits.append(self._learn(candidate, reading, step, fits, limited))
                except TimeIsUp:
                    out_of_time.append(candidate.name)
                    reason = "the time was up"
            if reason:
                self.skipped_[candidate.name] = reason
        if not fits:
            raise ValueError(f"no candidate can learn this table: {self.skipped_}")
        if out_of_time:
            self._warn_of_time(len(fits), out_of_time)
        self._budget.searched(sum(fit.seconds for fit in fits))
        return fits

    def _n_copies(self, n_rows: int) -> int:
        """How often all candidates are to be fitted again."""
        if self._is_judged_elsewhere or self._only_predictions or not self.folds:
            return 0
        if not isinstance(self.folds, str):
            return int(self.folds)
        if self._uses_landmarks(n_rows):
            return 0
        return DEFAULT_FOLDS if n_rows <= AUTO_ROWS else 1

    def _wanted(self, on_landmarks: bool) -> tuple[Candidate, ...]:
        """The candidates to try; a copy tries those that the whole table has had time for."""
        if self._tried is not None:
            return self._tried
        return candidates_for(self.candidates, self._is_classification, on_landmarks)

    def _warn_of_time(self, n_tried: int, missing: list[str]) -> None:
        names = ", ".join(f"'{name}'" for name in missing)
        warn_user(
            f"{self.max_time:g} s were enough for {n_tried} of {n_tried + len(missing)} candidates;"
            f" not tried: {names} (without a limit all are)",
            TimeBudgetWarning,
        )

    @property
    def _by_folds(self) -> bool:
        """Whether rows are held out fold by fold: rows of a group leave together."""
        return self.estimate == "cv" or (self.estimate == "auto" and self._groups is not None)

    def _learn(
        self,
        candidate: Candidate,
        reading: Any,
        step: Callable[[], None],
        before: list[CandidateFit],
        limited: bool,
    ) -> CandidateFit:
        """Fit one candidate.

        Parameters
        ----------
        candidate, reading : what is to learn which table
        step : called after each evaluation
        before : candidates fitted before; a kernel of one scale is where it may start
        limited : whether it ends when the time is up
        """
        start = time.perf_counter()
        if limited:
            self._budget.check()
            step = self._budget.step(step)
        choice = None
        member: Any
        if candidate.estimator is not None:
            member = OtherMember(candidate)
            held_out, work = member.learn(reading, step), 0
        else:
            wanted = judged_by_folds(candidate) if self._by_folds else candidate
            model = self._model_for(wanted)
            model._only_predictions = self._only_predictions
            model._is_judged_elsewhere = self._is_judged_elsewhere
            if not len(reading.columns.categorical):  # one scale means something else for levels
                model._tied_start = tied_start(candidate, before)
            if candidate.kernel == "linear" and isinstance(model.landmarks, str):
                # More landmarks than a few times the columns span nothing new.
                levels = sum(len(own) - 1 for own in reading.columns.levels.values())
                few = min(FEW_LANDMARKS * (reading.n_coordinates + levels + 1), AUTO_LANDMARKS)
                on_landmarks = self._uses_landmarks(len(reading.parts.X))
                model.landmarks = few if on_landmarks else "auto"
            model.n_features_in_ = self.n_features_in_
            if hasattr(self, "feature_names_in_"):
                model.feature_names_in_ = self.feature_names_in_
            member = KernelMember(wanted, model)
            choice = member.learn(reading, step, self._by_folds)
            held_out, work = choice.held_out, choice.n_factorizations
        squares = held_out_squares(held_out, reading.parts.targets)
        seconds = time.perf_counter() - start
        return CandidateFit(candidate, member, choice, held_out, squares, seconds, work)

    def _choose_without(
        self, selection: Selection, rest: Any, choice: Any, again: bool, step: Callable[[], None]
    ) -> StackChoice:
        if again:
            self._tried = tuple(fit.candidate for fit in choice.fits)
            self._budget = TimeBudget(None)
            return self._choose(selection, rest, step)
        fits = []
        for fit in choice.fits:
            member, own = fit.member.learn_again(rest, fit.choice, step)
            fits.append(replace(fit, member=member, choice=own))
        return replace(choice, fits=tuple(fits))

    def _keep(self, reading: Any, choice: Any) -> None:
        self.columns_ = reading.columns
        self._members = [fit.member for fit in choice.fits]
        self.weights_, self._offsets = choice.weights, choice.offsets
        has_kernel = choice.kernel is not None
        self.kernel_: Any = choice.kernel.in_coordinates("log") if has_kernel else None
        self.criterion_, self.trace_ = choice.criterion, choice.trace
        self.n_factorizations_ = choice.n_factorizations

    def _outputs_of(self, rows: np.ndarray) -> np.ndarray:
        """The weighted sum of the members' outputs, with offsets; of weight 0, none is asked."""
        pairs = zip(self.weights_, self._members, strict=True)
        outputs = [weight * member.outputs_of(rows) for weight, member in pairs if weight > 0]
        return np.sum(outputs, axis=0) + self._offsets

    @property
    def _is_null(self) -> bool:
        pairs = zip(self.weights_, self._members, strict=True)
        return all(member.is_null for weight, member in pairs if weight > 0)

    def _has_time_for_copy(self, number: int, beside: int) -> bool:
        # Time was kept for the first ones.
        in_time = self._budget.allows_copy(beside if number >= beside else 1)
        self._judged_folds = max(self._judged_folds or 0, number + 1 if in_time else 0)
        return in_time

    @property
    def _most_copies_at_a_time(self) -> int | None:
        return None if self.max_time is None else FEWEST_COPIES

    def _fold_fits(
        self, selection: Selection, reading: Any, choice: Any, step: Callable[[], None]
    ) -> list[FoldFit]:
        if not isinstance(choice.fits[0].choice, LandmarkChoice):
            return super()._fold_fits(selection, reading, choice, step)
        if self._is_judged_elsewhere:
            return []
        each = [
            fit.member.model._fold_fits(selection, reading, fit.choice, step) for fit in choice.fits
        ]
        return [self._joined(choice, fold_fits) for fold_fits in zip(*each, strict=True)]

    def _joined(self, choice: Any, fold_fits: tuple[FoldFit, ...]) -> FoldFit:
        """The copies of all members without the same fold as one copy of the stack."""
        first, fits = fold_fits[0], []
        for fit, fold_fit in zip(choice.fits, fold_fits, strict=True):
            member = KernelMember(fit.candidate, fold_fit.model)
            fits.append(replace(fit, member=member, choice=fold_fit.choice, fold_fit=fold_fit))
        own = replace(choice, fits=tuple(fits))
        model = copy.copy(self)
        model._only_predictions = True
        model._keep(first.reading, own)
        pairs = zip(choice.weights, fold_fits, strict=True)
        outputs = sum(weight * np.asarray(fit.outputs) for weight, fit in pairs) + choice.offsets
        again = all(fit.chose_again for fit in fold_fits)
        return FoldFit(first.parts, first.rows, first.reading, own, model, again, outputs)

    def _tell_features(self, reading: Any, choice: Any, copies: Copies) -> None:
        if isinstance(choice.fits[0].choice, LandmarkChoice):
            reading, copies = shown_rows(reading, choice.fits[0].choice, copies)
        super()._tell_features(reading, choice, copies)

    def _relevances_without(self, copies: Copies) -> list[np.ndarray]:
        self._copied_relevances = super()._relevances_without(copies)
        return self._copied_relevances

    def _relevance(self, reading: Any, choice: Any) -> np.ndarray:
        weights = reading.parts.targets.weights
        rows = reading.parts.X
        return as_shares(knockout_squares(self._in_equal_units, rows, weights, reading.columns))

    def _in_equal_units(self, rows: np.ndarray) -> np.ndarray:
        return self._outputs_of(rows)


def tied_start(candidate: Candidate, before: list[CandidateFit]) -> tuple[np.ndarray, float] | None:
    """Where the kernel of one scale ended that a candidate starts from, if it was fitted."""
    for fit in before:
        if fit.name == candidate.starts_from and fit.choice is not None:
            return fit.choice.kernel.values, float(fit.choice.machine.values[0])
    return None
