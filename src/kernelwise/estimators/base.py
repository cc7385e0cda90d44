"""What all estimators share: tables in, a problem to choose for, fitted attributes out."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from kernelwise.estimators.columns import ColumnEncoder, find_categorical, is_frame
from kernelwise.estimators.kernel_names import check_kernel, kernels_for
from kernelwise.estimators.progress import CallbackSupportMixin
from kernelwise.estimators.relevance import knockout_squares
from kernelwise.estimators.rows import Parts, merge_equal_rows
from kernelwise.kernels import Kernel
from kernelwise.machines import LeastSquares
from kernelwise.searchers import Searcher
from kernelwise.selections import AsGiven, Choice, Problem, Selection
from kernelwise.selections.start import best_of_tied
from kernelwise.solutions import Targets
from kernelwise.threads import blas_threads_for

# A feature counts as selected above this share of the most relevant one's relevance (a squared
# effect: a hundredth of the effect itself).
SELECTED = 1e-4


class KernelEstimator(CallbackSupportMixin, BaseEstimator):
    """Table in, kernel chosen: the part of fit and predict that does not depend on the task."""

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

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        return tags

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _check_parameters(self) -> Selection:
        self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        # Without a random state the folds are always the same, as those of scikit-learn are.
        self._fold_seed = 0 if self.random_state is None else self._seed
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
        if not isinstance(self.n_restarts, (int, np.integer)) or self.n_restarts < 0:
            raise ValueError(f"n_restarts must be 0, 1, 2, ..., got {self.n_restarts!r}")
        if self.searcher is not None and not isinstance(self.searcher, Searcher):
            raise ValueError(
                "searcher must be None or a searcher object, such as "
                f"kernelwise.searchers.QuasiNewton(), got {self.searcher!r}"
            )
        check_kernel(self.kernel)
        return selection

    def _read_columns(self, X: Any, reset: bool) -> np.ndarray:
        """The float matrix a kernel sees, before standardising; learns the categories on reset."""
        if not is_frame(X):
            rows = 2 if reset else 1
            X = validate_data(self, X, reset=reset, dtype=None, ensure_min_samples=rows)
        else:
            validate_data(self, X, reset=reset, skip_check_array=True)
            if reset and len(X) < 2:
                raise ValueError(f"Found {len(X)} sample(s); at least 2 are needed to learn from")
        if reset:
            categorical = find_categorical(X, self.categorical_features)
            named = isinstance(self.kernel, str) and not self._precomputed
            self.columns_ = ColumnEncoder(categorical, standardize=named)
            self.columns_.learn_levels(X)
        return self.columns_.numbers(X, self)

    def _problem(
        self,
        X: np.ndarray,
        y: np.ndarray,
        counts: np.ndarray,
        weights: np.ndarray,
        labels: np.ndarray,
    ) -> Parts:
        """Standardised rows with equal ones merged, their targets and folds.

        ``counts`` are sample weights, ``weights`` the same times class weights; folds are
        stratified by ``labels``.
        """
        if self._precomputed:
            return self._precomputed_problem(X, y, counts, weights, labels)
        parts = merge_equal_rows(X, y, counts, weights, labels, self.cv, self._fold_seed)
        if not np.ptp(parts.X, axis=0).any():
            raise ValueError(
                "all rows of X are equal: there is nothing to learn from. Add a column that varies."
            )
        self.columns_.learn_scales(parts.X, parts.targets.weights)
        return replace(parts, X=self.columns_.scaled(parts.X))

    def _precomputed_problem(self, X, y, counts, weights, labels) -> Parts:
        if X.shape[0] != X.shape[1]:
            raise ValueError(
                f"kernel='precomputed' needs a square Gram matrix, got shape {X.shape}"
            )
        if not np.allclose(X, X.T, rtol=1e-6, atol=1e-8 * np.abs(X).max()):
            raise ValueError("kernel='precomputed' needs a symmetric Gram matrix; X is not")
        # Without columns no two rows are known to be equal: each is told by its number.
        number = np.arange(len(X), dtype=float)[:, None]
        parts = merge_equal_rows(number, y, counts, weights, labels, self.cv, self._fold_seed)
        self._kept_columns = parts.X[:, 0].astype(int)
        self.columns_.learn_scales(X, weights)
        return replace(parts, X=X[np.ix_(self._kept_columns, self._kept_columns)])

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

    def _weights(self, sample_weight: Any, X: np.ndarray) -> np.ndarray:
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if not (weights > 0).any():
            raise ValueError("sample_weight is zero for every row: there is nothing to learn from")
        return weights


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
