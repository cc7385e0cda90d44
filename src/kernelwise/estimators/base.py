"""What all machines share: a problem to choose for, fitted attributes out."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.kernel_names import check_kernel, kernels_for
from kernelwise.estimators.relevance import knockout_squares
from kernelwise.estimators.rows import Parts
from kernelwise.estimators.table_estimator import TableEstimator
from kernelwise.kernels import Kernel
from kernelwise.machines import LeastSquares
from kernelwise.selections import AsGiven, Choice, Problem, Selection
from kernelwise.selections.start import best_of_tied
from kernelwise.solutions import Targets
from kernelwise.threads import blas_threads_for

# A feature counts as selected above this share of the most relevant one's relevance (a squared
# effect: a hundredth of the effect itself).
SELECTED = 1e-4


class KernelEstimator(TableEstimator):
    """Kernel and machine chosen: the part of fit and predict that does not depend on the task."""

    _selections: dict[Any, Selection]

    def __init__(
        self,
        kernel="ard",
        selection="first-level",
        regularization=1.0,
        n_restarts=0,
        searcher=None,
        cv=5,
        random_state=None,
        verbose=0,
        n_jobs=None,
        categorical_features="from_dtype",
    ):
        self.kernel = kernel
        self.selection = selection
        self.regularization = regularization
        self.n_restarts = n_restarts
        self.searcher = searcher
        self.cv = cv
        self.random_state = random_state
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.categorical_features = categorical_features

    def _check_parameters(self) -> Selection:
        self._check_search()
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
        if not isinstance(self.regularization, Real) or not 0 < float(self.regularization) < np.inf:
            raise ValueError(
                f"regularization must be a positive, finite number, got {self.regularization!r}"
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
        kernels = kernels_for(self.kernel, rows.shape[1], self.columns_.categorical)
        problem = Problem(
            kernel=kernels[0],
            machine=LeastSquares(self.regularization),
            X=rows,
            targets=targets,
            classification=is_classifier(self),
            n_observations=parts.n_observations,
            folds=parts.folds,
            searcher=self.searcher,
            n_restarts=self.n_restarts,
            seed=self._seed,
            n_jobs=self.n_jobs,
            on_evaluation=step,
        )
        with blas_threads_for(len(rows)):
            if len(kernels) > 1:
                problem = best_of_tied(problem, kernels)
            choice = choose_for_varying_targets(selection, problem)
        self.kernel_: Kernel = choice.kernel.in_coordinates("log")
        self.regularization_ = float(choice.machine.values[0])
        self.criterion_ = choice.criterion
        self.trace_ = choice.trace
        self.n_factorizations_ = choice.n_factorizations
        self.X_fit_ = rows
        if self.verbose:
            print(
                f"{type(self).__name__}: {self.kernel_}, regularization "
                f"{self.regularization_:.3g}, criterion {self.criterion_:.6g} after "
                f"{len(self.trace_)} points: {self.trace_.reason}"
            )
        if not self._precomputed:
            self._rank_features(rows, targets, choice.solution.coef)
        return choice

    def _rank_features(self, rows: np.ndarray, targets: Targets, coef: np.ndarray) -> None:
        squares = knockout_squares(self.kernel_, rows, targets.weights, coef, self.columns_)
        total = squares.sum()
        self.relevance_ = squares / total if total > 0 else np.full(len(squares), 1 / len(squares))
        largest = self.relevance_.max()
        self.selected_features_ = np.flatnonzero(self.relevance_ > SELECTED * largest)

    def _outputs(self, X: Any) -> np.ndarray:
        """``gram @ dual_coef + intercept``, (rows, outputs)."""
        check_is_fitted(self, "dual_coef_")
        return self._gram_to_fit(X) @ self.dual_coef_ + self.intercept_

    def _gram_to_fit(self, X: Any) -> np.ndarray:
        numbers = self._read_columns(X, reset=False)
        if self._precomputed:
            return numbers[:, self._kept_columns]
        rows = self.columns_.scaled(numbers)
        return self.kernel_.evaluate(rows, self.X_fit_, up_to_constant=True)[0]


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
    coef, held_out = np.zeros_like(targets.values), np.zeros_like(targets.values)
    intercept = targets.values[0].copy()
    coef[:, varying], held_out[:, varying] = choice.solution.coef, choice.held_out
    intercept[varying] = choice.solution.intercept
    solution = replace(choice.solution, coef=coef, intercept=intercept, targets=targets)
    return replace(choice, solution=solution, held_out=held_out)
