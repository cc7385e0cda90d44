"""The base class of all machines: the template of ``fit``, read -> choose -> keep -> judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.fold_fits import Copies, FoldFit, fold_fits
from kernelwise.estimators.progress import progress_of, with_callbacks
from kernelwise.estimators.relevance import (
    as_shares,
    jackknife_intervals,
    knockout_squares,
    told_from_noise,
    typical_row,
)
from kernelwise.estimators.table_estimator import Reading, TableEstimator
from kernelwise.kernels import Kernel
from kernelwise.kernels.names import check_kernel, kernels_for
from kernelwise.machines import Machine
from kernelwise.selections import AsGiven, Choice, Problem, Selection
from kernelwise.selections.starts import best_of_tied
from kernelwise.solutions import Targets
from kernelwise.threads import blas_threads_for

# New rows are predicted in blocks of so many: their Gram matrix is never held whole.
ROWS_TO_PREDICT = 4096


class KernelEstimator(TableEstimator):
    """The part of fit and predict that does not depend on the task.

    A subclass says which machine it has, how it reads targets, and how its outputs are judged.
    Fitted attributes are set in `_keep` (what was chosen), `_judge` (how good it seems where it was
    chosen) and `_judge_honestly` (how good copies are that have not seen the rows).
    """

    _machine_type: type[Machine]
    _selections: dict[Any, Selection]
    selection: Any
    verbose: Any
    n_jobs: int | None
    combine: str = "best"
    honest: Any = "auto"
    # Whether `_judge_honestly` found the model no better than chance.
    _is_trivial = False
    # Set on a copy that will only predict: it then neither ranks features nor judges.
    _only_predictions = False
    # Unset on a copy whose labels and probabilities count, but not what they are made from.
    _ranks_features = True
    # Set by an evaluation, which judges by rows of its own: no copies are fitted.
    _is_judged_elsewhere = False
    # Where a search of the same kernel with one scale has ended, if that is known.
    _tied_start: tuple[np.ndarray, float] | None = None

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Choose the kernel and fit the machine.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)
            Text, category and boolean columns of a frame are categorical. Missing numbers count as
            the median of their column; named kernels see that they are missing.
        y : array of shape (rows,), or (rows, outputs) where the estimator takes several
        sample_weight : array of shape (rows,), default None
            A row of weight 2 is the same as a repeated row; a row of weight 0 is left out.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        selection = self._checked_selection()
        reading = self._read(X, y, sample_weight)
        step, finish = progress_of(self, X, y)
        choice = self._choose(selection, reading, step)
        self._keep(reading, choice)
        self._judge(reading, choice)
        if not self._only_predictions:
            fits = self._fold_fits(selection, reading, choice, step)
            copies = Copies.of(fits, reading.parts)
            self._judge_honestly(reading, choice, copies)
            if self._has_features and self._ranks_features:
                self._tell_features(reading, choice, copies)
        finish()
        if self.verbose:
            print(
                f"{type(self).__name__}: {self.kernel_}, {choice.machine}, criterion "
                f"{self.criterion_:.6g} after {len(self.trace_)} points: {self.trace_.reason}"
            )
        return self

    def _checked_selection(self) -> Selection:
        """The selection; a ValueError says what is wrong with any parameter."""
        self._check_search()
        named = isinstance(self.honest, str) and self.honest == "auto"
        if not (named or isinstance(self.honest, (bool, np.bool_))):
            raise ValueError(f"honest must be True, False or 'auto', got {self.honest!r}")
        machine = self._machine()
        if isinstance(self.selection, Selection):
            selection = self.selection
        elif self.selection is None or self.selection in list(self._selections):
            selection = self._selections[self.selection]
        else:
            names = [name for name in self._selections if name]
            raise ValueError(
                f"unknown selection {self.selection!r}; choose one of {names}, None to use the "
                "parameters as given, or a kernelwise.selections object"
            )
        selection.check(machine)
        if self.combine == "average" and not selection.combines:
            raise ValueError(
                "combine='average' needs a selection that minimizes a criterion of the machine, "
                f"not {self.selection!r}: choose another selection, or combine='best'"
            )
        check_kernel(self.kernel)
        return selection

    def _machine(self) -> Machine:
        """The machine as given; a ValueError says what is wrong with its parameters."""
        raise NotImplementedError

    def _read(self, X: Any, y: Any, sample_weight: Any) -> Reading:
        raise NotImplementedError

    def _first_kernels(self, reading: Reading) -> list[Kernel]:
        """The kernels a selection begins with; if there are several, the data choose one."""
        return kernels_for(self.kernel, reading.n_coordinates, reading.columns.categorical)

    def _choose(self, selection: Selection, reading: Reading, step: Callable[[], None]) -> Choice:
        """Run the selection."""
        kernels = self._first_kernels(reading)
        problem = self._problem(reading, kernels[0], step)
        with blas_threads_for(len(reading.parts.X)):
            if len(kernels) > 1:
                problem = best_of_tied(problem, kernels)
            return choose_for_varying_targets(selection, problem)

    def _choose_without(
        self,
        selection: Selection,
        rest: Reading,
        choice: Choice,
        again: bool,
        step: Callable[[], None],
    ) -> Choice:
        """Choose again for what is left of a table; or only fit the machine that was chosen."""
        if again:
            return self._choose(selection, rest, step)
        problem = replace(self._problem(rest, choice.kernel, step), machine=choice.machine)
        with blas_threads_for(len(rest.parts.X)):
            return choose_for_varying_targets(AsGiven(), problem)

    def _problem(self, reading: Reading, kernel: Kernel, step: Callable[[], None]) -> Problem:
        """What a selection gets; ``step`` is called after each evaluation."""
        parts = reading.parts
        return Problem(
            kernel=kernel,
            machine=self._machine(),
            X=parts.X,
            targets=parts.targets,
            classification=is_classifier(self),
            n_observations=parts.n_observations,
            folds=parts.folds,
            searcher=self._searcher,
            n_restarts=self.n_restarts,
            combine=self.combine,
            seed=reading.seed,
            n_jobs=self.n_jobs,
            tied=self._tied_start,
            on_evaluation=step,
        )

    def _keep(self, reading: Any, choice: Choice) -> None:
        """Set what was chosen."""
        rows = reading.parts.X
        self.columns_ = reading.columns
        self.kernel_: Kernel = choice.kernel.in_coordinates("log")
        self.dual_coef_, self.intercept_ = choice.expansion.coef, choice.expansion.intercept
        self.X_fit_ = rows if choice.expansion.rows is None else choice.expansion.rows
        self.criterion_, self.trace_ = choice.criterion, choice.trace
        self.n_factorizations_ = choice.n_factorizations
        if self._precomputed:
            self._kept_columns: Any = reading.kept_columns

    def _judge(self, reading: Any, choice: Choice) -> None:
        """Set ``held_out_error_``, from outputs held out at the chosen kernel."""
        raise NotImplementedError

    def _judge_honestly(self, reading: Any, choice: Choice, copies: Copies) -> None:
        """Set what is learned from the outputs of copies that have not seen the rows."""
        raise NotImplementedError

    @property
    def _is_null(self) -> bool:
        """Whether every row has the same outputs; what led to it has been said."""
        return not self.dual_coef_.any()

    def _fold_fits(
        self, selection: Selection, reading: Any, choice: Choice, step: Callable[[], None]
    ) -> list[FoldFit]:
        """Copies that have not seen one fold each."""
        return fold_fits(self, selection, reading, choice, step)

    def _has_time_for_copy(self, number: int, beside: int) -> bool:
        """Whether the copy of a number may still be fitted, among some at a time."""
        return True

    @property
    def _most_copies_at_a_time(self) -> int | None:
        """How many copies may be fitted at a time, whatever ``n_jobs`` is; None: any number."""
        return None

    def _unseen_outputs(self, copies: Copies, otherwise: np.ndarray) -> np.ndarray:
        """Outputs of all parts, (parts, outputs), by copies that have not seen them."""
        outputs = otherwise.copy()
        for fit in copies.judges:
            known = fit.outputs
            outputs[fit.parts] = fit.model._outputs_of(fit.rows) if known is None else known
        return outputs

    @property
    def _has_features(self) -> bool:
        """Whether columns are features whose effects can be told."""
        return not self._precomputed

    def _tell_features(self, reading: Any, choice: Choice, copies: Copies) -> None:
        """Set the relevances, which of them are told apart from noise, and what is typical."""
        parts = reading.parts
        self._typical_row = typical_row(parts.X, parts.targets.weights, reading.columns)
        self.relevance_ = self._relevance(reading, choice)
        relevances = self._relevances_without(copies)
        self.relevance_interval_ = jackknife_intervals(self.relevance_, relevances)
        selected = np.zeros(len(self.relevance_), bool)
        if copies.fits and not self._is_trivial:
            told = told_from_noise(copies, reading, self._losses_of)
            selected = told & (self.relevance_ > 0)
        self.selected_features_ = np.flatnonzero(selected)

    def _relevances_without(self, copies: Copies) -> list[np.ndarray]:
        """The relevances of each copy."""
        return [fit.model._relevance(fit.reading, fit.choice) for fit in copies.fits]

    def _losses_of(self, outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """The loss of each row, for outputs and targets as `Observations` has them."""
        raise NotImplementedError

    def _relevance(self, reading: Reading, choice: Choice) -> np.ndarray:
        """Each feature's share of the squared changes of the outputs; equal if there are none."""
        members, rows = choice.members or (choice,), reading.parts.X

        def outputs(shown: np.ndarray) -> np.ndarray:
            found = []
            for member in members:
                own = member.expansion.rows
                gram = member.kernel(shown, rows if own is None else own)
                found.append(gram @ member.expansion.coef)
            return np.mean(found, axis=0)

        weights = reading.parts.targets.weights
        squares = knockout_squares(outputs, rows, weights, reading.columns)
        return as_shares(squares)

    def _outputs(self, X: Any) -> np.ndarray:
        """Outputs of new rows, (rows, outputs)."""
        check_is_fitted(self, "columns_")
        return self._outputs_of(self._rows_to_compare(X))

    def _outputs_of(self, rows: np.ndarray) -> np.ndarray:
        """``gram @ dual_coef + intercept`` for rows as the kernel compares them, in blocks."""
        blocks = [rows[i : i + ROWS_TO_PREDICT] for i in range(0, len(rows), ROWS_TO_PREDICT)]
        found = [self._gram(self.kernel_, block) @ self.dual_coef_ for block in blocks or [rows]]
        return np.concatenate(found) + self.intercept_

    def _output_function(self, choice: Any) -> Callable[[np.ndarray], np.ndarray]:
        """`_outputs_of`, for rows that differ in few columns."""
        return self._outputs_of

    def _rows_to_compare(self, X: Any) -> np.ndarray:
        """Rows as a kernel compares them with ``X_fit_``: scaled columns, or columns of a Gram."""
        numbers = self._numbers(X)
        return (
            numbers[:, self._kept_columns] if self._precomputed else self.columns_.scaled(numbers)
        )

    def _gram(self, kernel: Kernel, rows: np.ndarray) -> np.ndarray:
        if not len(self.X_fit_):  # a sparse machine may need no row
            return np.zeros((len(rows), 0))
        constant = self._ignores_constant
        return kernel.evaluate(rows, self.X_fit_, up_to_constant=constant)[0]

    @property
    def _ignores_constant(self) -> bool:
        """Whether a constant may be missing from the Gram matrix."""
        return self._machine_type.ignores_constant


def choose_for_varying_targets(selection: Selection, problem: Problem) -> Choice:
    """Let the selection see only targets that vary; any kernel fits a constant one exactly.

    A criterion such as evidence takes the logarithm of each target's misfit; a machine that knows
    what to do with constant targets gets them all.
    """
    targets = problem.targets
    varying = (np.ptp(targets.values, axis=0) > 0) | (targets.within > 0)
    if varying.all() or problem.machine.takes_constant_targets:
        return selection(problem)
    if not varying.any():
        return AsGiven()(problem)
    seen = Targets(targets.values[:, varying], targets.weights, targets.within[varying])
    return selection(replace(problem, targets=seen)).with_constants(targets, varying)
