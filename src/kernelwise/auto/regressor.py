"""AutoKernel for quantities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from kernelwise.auto.front import FrontDoor
from kernelwise.auto.recording import is_constant
from kernelwise.estimators import LSSVMRegressor, NoBetterThanTrivialWarning
from kernelwise.estimators.progress import with_callbacks
from kernelwise.estimators.regressor import KernelRegressor, joint_root
from kernelwise.notices import warn_user


class AutoKernelRegressor(FrontDoor, KernelRegressor):
    """A regressor without tuning: kernel machines that are tried, stacked and honestly judged.

    As `AutoKernelClassifier`, for one or several quantities; further candidates compare normal
    scores of the columns (gaussian-scores, laplacian-scores), which outliers and skewed columns do
    not disturb.

    Parameters
    ----------
    candidates, max_time, estimate, combine, folds, repeats, cv, landmarks, categorical_features
        As for `AutoKernelClassifier`.
    random_state, n_jobs, verbose
        As in scikit-learn; the result does not depend on ``n_jobs``.

    Attributes
    ----------
    leaderboard_, error_estimate_, weights_, best_estimator_, best_index_, best_params_, best_score_
        As for `AutoKernelClassifier`; errors are root mean squared, in units of y.
    cv_results_ : scores are minus mean held-out squares of the standardized targets
    relevance_, relevance_interval_, selected_features_, held_out_error_, honest_error_ : of the
        stack, as for `LSSVMRegressor`
    kernel_, trace_, n_factorizations_, refit_time_, skipped_, checks_, record_
        As for `AutoKernelClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from kernelwise import AutoKernelRegressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = AutoKernelRegressor(candidates="core", folds=0).fit(X[::3], y[::3])
    >>> bool(model.score(X[1::3], y[1::3]) > 0.4)
    True
    """

    _is_classification = False
    _member_type = LSSVMRegressor

    def __init__(
        self,
        candidates: Any = "auto",
        *,
        max_time: float | None = None,
        estimate: str = "auto",
        combine: str = "stack",
        folds: int | str = "auto",
        repeats: int = 1,
        cv: Any = None,
        landmarks: Any = "auto",
        categorical_features: Any = "from_dtype",
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.candidates = candidates
        self.max_time = max_time
        self.estimate = estimate
        self.combine = combine
        self.folds = folds
        self.repeats = repeats
        self.cv = cv
        self.landmarks = landmarks
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, groups: Any = None) -> Self:
        """Try the candidates, stack them, and judge the stack.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)
            As for `LSSVMRegressor`; a stream of rows or a Dask collection too.
        y : array of shape (rows,) or (rows, outputs)
        sample_weight : array of shape (rows,), default None
            A row of weight 2 is the same as a repeated row.
        groups : array of shape (rows,), default None
            Rows of one group are held out together.

        Returns
        -------
        self
        """
        return self._fit_table(X, y, sample_weight, groups)

    def _judge_honestly(self, reading: Any, choice: Any, copies: Any) -> None:
        super()._judge_honestly(reading, choice, copies)
        if is_constant(reading):
            warn_user(
                "every row has the same y: nothing was learned, and the columns do not matter",
                NoBetterThanTrivialWarning,
            )

    def _keep(self, reading: Any, choice: Any) -> None:
        super()._keep(reading, choice)
        self._keep_units(reading)

    def _deviations_of(self, rows: np.ndarray) -> np.ndarray:
        """The weighted sum of the members' deviations, as if their errors always agreed."""
        return sum(
            weight * member.deviations_of(rows)
            for weight, member in zip(self.weights_, self._members, strict=True)
            if weight > 0
        )

    def _in_equal_units(self, rows: np.ndarray) -> np.ndarray:
        return self._outputs_of(rows) / self._unit

    def _in_own_units(self, reading: Any, outputs: np.ndarray) -> np.ndarray:
        return reading.scales.unscaled(outputs)

    def _predictions(self, reading: Any, outputs: np.ndarray) -> np.ndarray:
        return self._as_given(outputs)

    def _truth(self, reading: Any) -> np.ndarray:
        return self._as_given(reading.scales.unscaled(reading.given.y))

    def _trivial(self, reading: Any, entries: np.ndarray, share: np.ndarray) -> Any:
        truth = self._truth(reading)[reading.parts.source[entries]]
        return np.average(truth, axis=0, weights=share)

    def _error_of(self, reading: Any, outputs: np.ndarray, entries: np.ndarray) -> float:
        truth = reading.scales.unscaled(reading.given.y[reading.parts.source[entries]])
        share = reading.parts.share[entries]
        return joint_root(np.sqrt(share @ (outputs - truth) ** 2 / share.sum()))

    def _mean_of_errors(self, errors: Sequence[float]) -> float:
        return joint_root(np.array(errors))

    def _seen_error(self, reading: Any, held_out: np.ndarray) -> float:
        targets, unit = reading.parts.targets, reading.scales.unit
        squares = targets.weights @ held_out**2 + targets.within
        return joint_root(np.sqrt(squares / targets.weights.sum()) * unit)
