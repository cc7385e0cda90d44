"""What all machines share: a problem to choose for, fitted attributes out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.relevance import knockout_squares
from kernelwise.estimators.table_estimator import TableEstimator
from kernelwise.kernels import Kernel
from kernelwise.kernels.names import check_kernel, kernels_for
from kernelwise.machines import Machine
from kernelwise.selections import AsGiven, Choice, Problem, Selection
from kernelwise.selections.starts import best_of_tied
from kernelwise.solutions import Targets
from kernelwise.tables.rows import Parts
from kernelwise.threads import blas_threads_for

# A feature counts as selected above this share of the most relevant one's relevance (a squared
# effect: a hundredth of the effect itself).
SELECTED = 1e-4


class KernelEstimator(TableEstimator):
    """Kernel and machine chosen: the part of fit and predict that does not depend on the task."""

    _selections: dict[Any, Selection]
    # Whether the coefficients of each output sum to zero, so that a constant in the kernel is lost.
    _ignores_constant = True
    selection: Any
    verbose: Any
    n_jobs: int | None
    combine: str = "best"

    def _machine(self) -> Machine:
        """The machine as given; a ValueError says what is wrong with its parameters."""
        raise NotImplementedError

    def _first_kernels(self, n_columns: int) -> list[Kernel]:
        """Where a selection begins; of several the data choose one."""
        return kernels_for(self.kernel, n_columns, self.columns_.categorical)

    def _check_parameters(self) -> Selection:
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
        if not isinstance(machine, selection.suits):
            raise ValueError(
                f"{type(selection).__name__} chooses for {selection.suits.__name__} machines, not "
                f"for the {type(machine).__name__} of {type(self).__name__}"
            )
        check_kernel(self.kernel)
        return selection

    def _choose(
        self,
        selection: Selection,
        parts: Parts,
        step,
    ) -> Choice:
        """Run the selection and store what it chose."""
        rows, targets = parts.X, parts.targets
        kernels = self._first_kernels(rows.shape[1])
        problem = Problem(
            kernel=kernels[0],
            machine=self._machine(),
            X=rows,
            targets=targets,
            classification=is_classifier(self),
            n_observations=parts.n_observations,
            folds=parts.folds,
            searcher=self.searcher,
            n_restarts=self.n_restarts,
            combine=self.combine,
            seed=self._seed,
            n_jobs=self.n_jobs,
            on_evaluation=step,
        )
        with blas_threads_for(len(rows)):
            if len(kernels) > 1:
                problem = best_of_tied(problem, kernels)
            choice = choose_for_varying_targets(selection, problem)
        self.kernel_: Kernel = choice.kernel.in_coordinates("log")
        self.criterion_ = choice.criterion
        self.trace_ = choice.trace
        self.n_factorizations_ = choice.n_factorizations
        self.X_fit_ = rows
        if self.verbose:
            print(
                f"{type(self).__name__}: {self.kernel_}, {choice.machine}, criterion "
                f"{self.criterion_:.6g} after {len(self.trace_)} points: {self.trace_.reason}"
            )
        if not self._precomputed:
            self._rank_features(rows, targets, choice)
        return choice

    def _rank_features(self, rows: np.ndarray, targets: Targets, choice: Choice) -> None:
        members = choice.members or [choice]

        def outputs(shown: np.ndarray) -> np.ndarray:
            found = [member.kernel(shown, rows) @ member.solution.coef for member in members]
            return np.mean(found, axis=0)

        squares = knockout_squares(outputs, rows, targets.weights, self.columns_)
        total = squares.sum()
        self.relevance_ = squares / total if total > 0 else np.full(len(squares), 1 / len(squares))
        largest = self.relevance_.max()
        self.selected_features_ = np.flatnonzero(self.relevance_ > SELECTED * largest)

    def _outputs(self, X: Any) -> np.ndarray:
        """``gram @ dual_coef + intercept``, (rows, outputs)."""
        check_is_fitted(self, "dual_coef_")
        gram = self._gram(self.kernel_, self._rows_to_compare(X))
        return gram @ self.dual_coef_ + self.intercept_

    def _rows_to_compare(self, X: Any) -> np.ndarray:
        """Rows as a kernel compares them with ``X_fit_``: scaled columns, or columns of a Gram."""
        numbers = self._read_columns(X, reset=False)
        return (
            numbers[:, self._kept_columns] if self._precomputed else self.columns_.scaled(numbers)
        )

    def _gram(self, kernel: Kernel, rows: np.ndarray) -> np.ndarray:
        return kernel.evaluate(rows, self.X_fit_, up_to_constant=self._ignores_constant)[0]


def choose_for_varying_targets(selection: Selection, problem: Problem) -> Choice:
    """Let the selection see the targets that vary; a constant one fits any kernel exactly.

    A criterion such as evidence takes the logarithm of each target's misfit.
    """
    targets = problem.targets
    varying = (np.ptp(targets.values, axis=0) > 0) | (targets.within > 0)
    if varying.all():
        return selection(problem)
    if not varying.any():
        return AsGiven()(problem)
    seen = Targets(targets.values[:, varying], targets.weights, targets.within[varying])
    choice = selection(replace(problem, targets=seen))
    members = [with_constants(member, targets, varying) for member in choice.members]
    return replace(with_constants(choice, targets, varying), members=members)


def with_constants(choice: Choice, targets: Targets, varying: np.ndarray) -> Choice:
    """The choice with the constant targets among its outputs again."""
    coef, held_out = np.zeros_like(targets.values), np.zeros_like(targets.values)
    intercept = targets.values[0].copy()
    coef[:, varying], held_out[:, varying] = choice.solution.coef, choice.held_out
    intercept[varying] = choice.solution.intercept
    solution = replace(choice.solution, coef=coef, intercept=intercept, targets=targets)
    return replace(choice, solution=solution, held_out=held_out)
