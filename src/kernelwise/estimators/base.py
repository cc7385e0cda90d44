"""The base class of all machines: the template of ``fit``, read -> choose -> keep -> judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.progress import progress_of, with_callbacks
from kernelwise.estimators.relevance import as_shares, knockout_squares
from kernelwise.estimators.table_estimator import Reading, TableEstimator
from kernelwise.kernels import Kernel
from kernelwise.kernels.names import check_kernel, kernels_for
from kernelwise.machines import Machine
from kernelwise.selections import AsGiven, Choice, Problem, Selection
from kernelwise.selections.starts import best_of_tied
from kernelwise.solutions import Expansion, Targets
from kernelwise.threads import blas_threads_for

# A feature counts as selected above this share of the most relevant one's relevance (a squared
# effect: a hundredth of the effect itself).
SELECTED_SHARE = 1e-4


class KernelEstimator(TableEstimator):
    """The part of fit and predict that does not depend on the task.

    A subclass says which machine it has, how it reads targets, and how its outputs are judged.
    Fitted attributes are set in `_keep` (what was chosen) and `_judge` (how good it is).
    """

    _machine_type: type[Machine]
    _selections: dict[Any, Selection]
    selection: Any
    verbose: Any
    n_jobs: int | None
    combine: str = "best"
    # Set on a copy that will only predict: it then neither ranks features nor calibrates.
    _only_predictions = False

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the kernel and fit the machine.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)
            Text, category and boolean columns of a frame are categorical.
        y : array of shape (rows,), or (rows, outputs) where the estimator takes several
        sample_weight : array of shape (rows,), default None
            A row of weight 2 is the same as a repeated row; a row of weight 0 is left out.

        Returns
        -------
        self
        """
        selection = self._checked_selection()
        reading = self._read(X, y, sample_weight)
        step, finish = progress_of(self, X, y)
        choice = self._choose(selection, reading, step)
        self._keep(reading, choice)
        self._judge(reading, choice)
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
        return kernels_for(self.kernel, reading.parts.X.shape[1], reading.columns.categorical)

    def _choose(self, selection: Selection, reading: Reading, step: Callable[[], None]) -> Choice:
        """Run the selection."""
        kernels = self._first_kernels(reading)
        problem = self._problem(reading, kernels[0], step)
        with blas_threads_for(len(reading.parts.X)):
            if len(kernels) > 1:
                problem = best_of_tied(problem, kernels)
            return choose_for_varying_targets(selection, problem)

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
        elif not self._only_predictions:
            self.relevance_ = self._relevance(reading, choice)
            strong = self.relevance_ > SELECTED_SHARE * self.relevance_.max()
            self.selected_features_ = np.flatnonzero(strong)

    def _judge(self, reading: Any, choice: Choice) -> None:
        """Set what follows from the held-out outputs, such as ``held_out_error_``."""
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
        """``gram @ dual_coef + intercept``, (rows, outputs)."""
        check_is_fitted(self, "dual_coef_")
        gram = self._gram(self.kernel_, self._rows_to_compare(X))
        return gram @ self.dual_coef_ + self.intercept_

    def _rows_to_compare(self, X: Any) -> np.ndarray:
        """Rows as a kernel compares them with ``X_fit_``: scaled columns, or columns of a Gram."""
        numbers = self._numbers(X)
        return (
            numbers[:, self._kept_columns] if self._precomputed else self.columns_.scaled(numbers)
        )

    def _gram(self, kernel: Kernel, rows: np.ndarray) -> np.ndarray:
        if not len(self.X_fit_):  # a sparse machine may need no row
            return np.zeros((len(rows), 0))
        constant = self._machine_type.ignores_constant
        return kernel.evaluate(rows, self.X_fit_, up_to_constant=constant)[0]


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
    choice = selection(replace(problem, targets=seen))
    members = tuple(with_constants(member, targets, varying) for member in choice.members)
    return replace(with_constants(choice, targets, varying), members=members)


def with_constants(choice: Choice, targets: Targets, varying: np.ndarray) -> Choice:
    """The choice with the constant targets among its outputs again."""
    seen = choice.expansion
    coef = np.zeros((len(seen.coef), targets.values.shape[1]), order="F")
    held_out, intercept = np.zeros_like(targets.values), targets.values[0].copy()
    coef[:, varying], held_out[:, varying] = seen.coef, choice.held_out
    intercept[varying] = seen.intercept
    return replace(choice, expansion=Expansion(coef, intercept, seen.rows), held_out=held_out)
