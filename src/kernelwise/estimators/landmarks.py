"""Least-squares machines on landmarks: what differs from a fit with all rows."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from kernelwise.estimators.base import KernelEstimator, choose_for_varying_targets
from kernelwise.estimators.fold_fits import Copies, FoldFit
from kernelwise.estimators.relevance import spread_evenly
from kernelwise.estimators.table_estimator import Reading
from kernelwise.memory import check_memory
from kernelwise.scale.row_blocks import RowBlocks
from kernelwise.selections import LANDMARK_SELECTIONS, LandmarkChoice, Selection
from kernelwise.selections.base import Choice
from kernelwise.selections.landmarks import LandmarkSelection
from kernelwise.tables.columns import ColumnEncoder, as_frame, is_frame
from kernelwise.tables.rows import Observations, Parts, merge_equal_rows, rows_as_given
from kernelwise.tables.stream_columns import learn_scales_in_blocks
from kernelwise.threads import one_blas_thread

# More distinct rows than this are fitted on landmarks with ``landmarks="auto"``, and so many.
MOST_EXACT = 3000
AUTO_LANDMARKS = 2000
# Of fewer rows, all take part in learning the kernel.
FEWEST_APART = 200
# What features do is told from so many rows, of every fold alike.
SHOWN_ROWS = 8000
# Deviations cost landmarks^2 a row: so many rows of a fold tell how far they are to be stretched.
MOST_DEVIATIONS = 10_000


class LandmarkEstimator(KernelEstimator):
    """A machine that needs all rows, or landmarks where there are too many.

    A subclass's constructor sets ``landmarks``.
    """

    landmarks: Any
    loss: Any = "squared"
    landmarks_: np.ndarray | None = None  # models of earlier versions were saved without it

    def _checked_selection(self) -> Selection:
        self._check_landmarks()
        return super()._checked_selection()

    def _check_landmarks(self) -> None:
        wanted = self.landmarks
        if self.loss not in ("squared", "logistic"):
            raise ValueError(f"loss must be 'squared' or 'logistic', got {self.loss!r}")
        if self._needs_landmarks:
            logistic = self.loss == "logistic"
            why = "loss='logistic'" if logistic else f"selection={self.selection!r}"
            if wanted is None:
                raise ValueError(f"{why} needs landmarks: choose landmarks='auto'")
            if reason := self._needs_all_rows:
                raise ValueError(f"{reason} needs all rows, and {why} landmarks: choose another")
        if wanted is None or (isinstance(wanted, str) and wanted == "auto"):
            return
        if isinstance(wanted, Integral) and not isinstance(wanted, bool) and int(wanted) >= 2:
            pass
        elif isinstance(wanted, (str, Integral)) or np.ndim(wanted) != 2 or len(wanted) < 2:
            raise ValueError(
                "landmarks must be 'auto', None, a number of rows of at least 2, or an array of "
                f"rows of shape (landmarks, columns), got {wanted!r}"
            )
        if reason := self._needs_all_rows:
            raise ValueError(f"{reason} needs all rows: choose landmarks=None")

    @property
    def _needs_all_rows(self) -> str:
        """The parameter that cannot be had with landmarks, or nothing."""
        if self._precomputed:
            return "kernel='precomputed'"
        if self._landmark_selection is None:
            return f"selection={self.selection!r}"
        if self.combine != "best":
            return f"combine={self.combine!r}"
        if self.n_restarts:
            return f"n_restarts={self.n_restarts}"
        return "" if self.searcher is None else f"searcher={self.searcher!r}"

    def _uses_landmarks(self, n_rows: int) -> bool:
        if self.landmarks is None:
            return False
        if isinstance(self.landmarks, str):
            return self._needs_landmarks or (n_rows > MOST_EXACT and not self._needs_all_rows)
        given = not isinstance(self.landmarks, Integral)
        return given or self._needs_landmarks or n_rows > self.landmarks

    @property
    def _landmark_selection(self) -> LandmarkSelection | None:
        """The selection, if there is one on landmarks."""
        if isinstance(self.selection, Selection):
            return self.selection if isinstance(self.selection, LandmarkSelection) else None
        return LANDMARK_SELECTIONS.get(self.selection)

    @property
    def _needs_landmarks(self) -> bool:
        """Whether selection or loss are for landmarks only."""
        named = isinstance(self.selection, str) and self.selection == "gcv"
        return named or isinstance(self.selection, LandmarkSelection) or self.loss == "logistic"

    def _merged(self, given: Observations, fold_seed: int) -> Parts:
        if not self._uses_landmarks(len(given.X)):
            return super()._merged(given, fold_seed)
        parts = rows_as_given(given, self._wanted_folds, fold_seed)
        if parts is None:
            parts = merge_equal_rows(given, self._wanted_folds, fold_seed, self._mixes_labels)
        if not self._uses_landmarks(len(parts.X)):
            check_memory(len(parts.X))
        return parts

    def _learn_scales(self, columns: ColumnEncoder, parts: Parts) -> None:
        if not self._uses_landmarks(len(parts.X)):
            return super()._learn_scales(columns, parts)
        magnitude = np.abs(parts.X).max(axis=0)
        magnitude[magnitude == 0] = 1.0

        def blocks_of(encode: ColumnEncoder) -> RowBlocks:
            return RowBlocks(encode.standardized(parts.X), parts.targets)

        return learn_scales_in_blocks(columns, magnitude, blocks_of)

    def _choose(self, selection: Selection, reading: Reading, step: Callable[[], None]) -> Choice:
        if not self._uses_landmarks(len(reading.parts.X)):
            return super()._choose(selection, reading, step)
        apart = self._fold_apart(reading)
        return self._choose_on_landmarks(reading, step, apart)

    def _fold_apart(self, reading: Reading) -> int | None:
        """The fold that takes no part in learning the kernel, as it judges the model."""
        judged_here = not (self._is_judged_elsewhere or self._only_predictions)
        enough = len(reading.parts.X) >= FEWEST_APART
        return 0 if judged_here and enough and isinstance(self.honest, str) else None

    def _choose_on_landmarks(
        self, reading: Reading, step: Callable[[], None], apart: int | None
    ) -> Choice:
        kernels = self._first_kernels(reading)
        problem = replace(
            self._problem(reading, kernels[0], step),
            rows=reading.rows,
            rivals=tuple(kernels[1:]),
            # Without a random state the rows drawn are always the same, as folds are.
            seed=0 if self.random_state is None else reading.seed,
        )
        selection = self._landmark_selection
        assert selection is not None
        selection = selection.on(self._wanted_landmarks(reading), apart, self.loss)
        # Threads work on blocks of rows; further ones of linear algebra would wait for each other.
        with one_blas_thread():
            return choose_for_varying_targets(selection, problem)

    def _wanted_landmarks(self, reading: Reading) -> int | np.ndarray:
        if isinstance(self.landmarks, str):
            return AUTO_LANDMARKS
        if isinstance(self.landmarks, Integral):
            return int(self.landmarks)
        given, width = as_frame(self.landmarks), reading.columns.n_columns
        if is_frame(given):
            given = self._validated(given, reset=False)  # its columns must be those of X
        if np.shape(given)[1] != width:
            raise ValueError(f"landmarks have {np.shape(given)[1]} columns, but X has {width}")
        return reading.columns.scaled(reading.columns.numbers(given, self))

    def _keep(self, reading: Any, choice: Choice) -> None:
        super()._keep(reading, choice)
        self.landmarks_ = None
        for name in ("n_passes_", "effective_parameters_"):
            self.__dict__.pop(name, None)  # of an earlier fit
        if isinstance(choice, LandmarkChoice):
            self.landmarks_ = reading.columns.unscaled(self.X_fit_)
            self.n_passes_ = choice.n_passes
            self.effective_parameters_ = choice.freedom

    @property
    def _ignores_constant(self) -> bool:
        return super()._ignores_constant and self.landmarks_ is None

    def _fold_fits(
        self, selection: Selection, reading: Any, choice: Choice, step: Callable[[], None]
    ) -> list[FoldFit]:
        if not isinstance(choice, LandmarkChoice):
            return super()._fold_fits(selection, reading, choice, step)
        if self._is_judged_elsewhere or len(choice.without) < 2:
            return []
        found = []
        for number in sorted(choice.without):
            own = choice
            if isinstance(self.honest, (bool, np.bool_)) and self.honest:
                again = self._choose_on_landmarks(reading, step, number)
                assert isinstance(again, LandmarkChoice)
                own = again
            found.append(self._fold_fit(reading, own, number))
        return found

    def _fold_fit(self, reading: Any, choice: LandmarkChoice, number: int) -> FoldFit:
        """A copy of the estimator that predicts as the machine without a fold."""
        model = copy.copy(self)
        model._only_predictions = True
        own = replace(choice, expansion=choice.without[number])
        model._keep(reading, own)
        parts = np.flatnonzero(choice.fold == number)
        if self._has_deviations:
            parts = parts[spread_evenly(len(parts), MOST_DEVIATIONS)]
        outputs = reading.parts.targets.values[parts] - choice.held_out[parts]
        rows = reading.take(parts) if self._has_deviations else np.empty((len(parts), 0))
        again = choice.learned_without == number
        return FoldFit(parts, rows, reading, own, model, again, self._in_units(reading, outputs))

    # Whether predictions have deviations, which cost more than the predictions.
    _has_deviations = False

    def _in_units(self, reading: Any, outputs: np.ndarray) -> np.ndarray:
        """Outputs of the machine as the estimator gives them."""
        return outputs

    def _tell_features(self, reading: Any, choice: Choice, copies: Copies) -> None:
        if isinstance(choice, LandmarkChoice):
            reading, copies = shown_rows(reading, choice, copies)
        super()._tell_features(reading, choice, copies)


def shown_rows(reading: Any, choice: LandmarkChoice, copies: Copies) -> tuple[Any, Copies]:
    """Some rows of a table, in memory, and the copies as if these were all."""
    some = spread_evenly(len(choice.fold), SHOWN_ROWS)
    parts = reading.parts.only(some, reading.take(some))
    shown = replace(reading, parts=parts, rows=None)
    fold = choice.fold[some]
    numbers = sorted(choice.without)
    fits = [
        replace(fit, parts=np.flatnonzero(fold == number), reading=shown)
        for number, fit in zip(numbers, copies.fits, strict=bool(copies.fits))
    ]
    judged = [row for fit in Copies(fits, parts.share, 0.0).judges for row in fit.parts]
    share = np.where(np.isin(parts.part, judged), parts.share, 0.0)
    return shown, Copies(fits, share, copies.n_cases * share.sum() / copies.share.sum())
