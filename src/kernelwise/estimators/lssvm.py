"""Least-squares support vector machines that choose their own kernel."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, overload

import numpy as np

from kernelwise.criteria import BayesianLeaveOneOut, Evidence, HeldOutSquares, LeaveOneOut
from kernelwise.estimators.base import ROWS_TO_PREDICT
from kernelwise.estimators.classifier import KernelClassifier
from kernelwise.estimators.landmark_spread import LandmarkSpread
from kernelwise.estimators.pieces import PiecewiseEstimator
from kernelwise.estimators.regressor import KernelRegressor, QuantityReading
from kernelwise.linalg import BorderedSystem
from kernelwise.machines import LeastSquares
from kernelwise.searchers import Searcher
from kernelwise.selections import (
    AlignmentSelection,
    AsGiven,
    Choice,
    FirstLevelSelection,
    GrowingLandmarks,
    LandmarkChoice,
    MinimizeCriterion,
    Selection,
)

SELECTIONS = {
    None: AsGiven(),
    "auto": FirstLevelSelection(),
    "gcv": GrowingLandmarks(),
    "first-level": FirstLevelSelection(),
    "loo": MinimizeCriterion(LeaveOneOut()),
    "loo-bayes": MinimizeCriterion(BayesianLeaveOneOut(), room=3.0),
    "cv": MinimizeCriterion(HeldOutSquares()),
    "evidence": MinimizeCriterion(Evidence(), room=10.0),
    "alignment": AlignmentSelection(),
}


class LeastSquaresEstimator(PiecewiseEstimator):
    """The least-squares machine, for both tasks."""

    _machine_type = LeastSquares
    _selections = SELECTIONS
    regularization: Any

    def _machine(self) -> LeastSquares:
        if not isinstance(self.regularization, Real) or not 0 < float(self.regularization) < np.inf:
            raise ValueError(
                f"regularization must be a positive, finite number, got {self.regularization!r}"
            )
        return LeastSquares(float(self.regularization))

    def _keep(self, reading: Any, choice: Choice) -> None:
        super()._keep(reading, choice)
        self.regularization_ = float(choice.machine.values[0])


class LSSVMClassifier(LeastSquaresEstimator, KernelClassifier):
    """Least-squares support vector classifier that chooses its own kernel.

    Two classes: targets -1 and +1; more: one machine per class against the rest with one shared
    kernel and one factorization. A row of weight 2 and a repeated row are the same. Probabilities
    come from sigmoids fitted to held-out outputs, drawn toward the shares of the classes as far as
    rows without a part in the choice ask for it, and never contradict ``predict``.

    Parameters
    ----------
    kernel : str, Kernel or sklearn.gaussian_process kernel, default "mixed"
        "gaussian", "laplacian", "matern32", "matern52", "rational-quadratic" (one length scale),
        the same with "ard-" before it (one per feature; "ard" is "ard-gaussian"), "mixed" (per
        feature; squared or absolute differences, whichever leaves the smaller error), "linear",
        "ard-linear", "polynomial", "ard-polynomial", "precomputed". Named kernels act on
        standardized columns, and on categorical columns by overlap (linear and polynomial ones by
        an indicator of each level); a kernel object acts on the columns as they are.
    selection : str, None or Selection, default "auto"
        How kernel and regularization are chosen: "first-level", "loo", "loo-bayes", "cv",
        "evidence", "gcv" (landmarks only) or "alignment"; "auto": "first-level", and with landmarks
        "gcv"; None uses them as given. "alignment" chooses the kernel without a machine, then the
        regularization by leave-one-out.
    regularization : float, default 1.0
        Used as given when ``selection`` is None; otherwise it is chosen.
    n_restarts : int, default 0
        Further random starts of the search.
    searcher : Searcher, default None
        None lets the selection decide.
    cv : int, splitter or list of (train, test), default 5
        Folds of ``selection="cv"``, of
        ``selection=kernelwise.selections.FirstLevelSelection(estimate="cv")``, and of ``honest``.
    honest : bool or "auto", default "auto"
        Whether kernel and regularization are chosen again without each fold of ``cv``, so that
        probabilities, error bars, sets, ``honest_error_`` and ``selected_features_`` are judged by
        rows that had no part in any choice; a fit then takes about 4 to 6 times as long. "auto":
        without each fold up to 1000 distinct rows, without the first beyond. False: the machine is
        fitted again without each fold, its kernel is kept, and all these numbers are too good.
    landmarks : "auto", None, int, or array of shape (landmarks, columns), default "auto"
        The machine is sought among sums of the kernel at so many rows, drawn at random, or at these
        rows (in the units of X); its cost grows with the rows, not with their cube. "auto": all
        rows, up to 3,000 distinct ones; 2,000 landmarks beyond. None: all rows. The kernel is
        learned on growing parts of the table, without the first fold of ``cv``, which judges it;
        more than 2,500 landmarks are fitted by conjugate gradients.
    loss : {"squared", "logistic"}, default "squared"
        "logistic" replaces the last fit on landmarks by logistic regression with the same kernel:
        usually better probabilities, for some more passes over the rows.
    random_state, verbose, n_jobs
        As in scikit-learn; the result does not depend on ``n_jobs``.
    class_weight : dict, "balanced" or None
        Multiplies the weights of the rows of each class.
    categorical_features : "from_dtype", None, or list of indices, names or booleans
        Columns compared by equality. "from_dtype": text, category and boolean columns of a frame.

    Attributes
    ----------
    kernel_ : the chosen kernel (named kernels act on the columns as ``columns_`` scales them)
    regularization_ : the chosen regularization
    dual_coef_, intercept_ : ``outputs = kernel_(X, X_fit_) @ dual_coef_ + intercept_``
    relevance_ : per feature, non-negative, sums to 1: share of the mean squared change of the
        outputs when the feature is held at its mean (or most common level);
        ``feature_importances_`` is another name for it
    relevance_interval_ : (features, 2), 95 % intervals of the relevances by the jackknife over the
        folds of ``cv``
    selected_features_ : indices of the features told apart from noise: copies that have not seen a
        fold predict it better with the feature than with the feature held, by more than 1.88
        standard errors. A useless feature is told in less than 5 % of all tables; no feature is if
        the whole model is not better than chance (`NoBetterThanTrivialWarning`), or if there are
        fewer than 8 distinct rows.
    criterion_ : the value of the criterion that made the choice
    held_out_error_ : share of wrong labels among the held-out training rows, by sample weight. Each
        row is left out at the chosen kernel in closed form (first-level: from the machine
        linearized in its kernel; with landmarks: fold by fold). This is the error the selection
        itself saw: it is optimistic, because the kernel was chosen by it.
    honest_error_ : the same share by copies that have not seen the rows; with ``honest`` they have
        chosen their own kernel without them. NaN for fewer than 8 distinct rows.
    trace_ : every point tried, with value and time, and the reason to stop
    n_factorizations_ : the work done
    landmarks_ : (landmarks, columns), in the units of X, categories as codes; None without them
    n_passes_ : with landmarks, how often all rows were compared with them
    effective_parameters_ : with landmarks, ``1 + tr((V + lam)^-1 V)``, at most one more than there
        are landmarks
    classes_ : the labels
    checks_ : a sentence for each numeric column with gaps: what they count as

    References
    ----------
    Cawley & Talbot, Kernel Learning at the First Level of Inference.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from kernelwise import LSSVMClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> model = LSSVMClassifier(kernel="gaussian", selection="loo").fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    def __init__(
        self,
        kernel: Any = "mixed",
        selection: str | Selection | None = "auto",
        regularization: float = 1.0,
        n_restarts: int = 0,
        searcher: Searcher | None = None,
        cv: Any = 5,
        honest: bool | str = "auto",
        landmarks: Any = "auto",
        loss: str = "squared",
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        n_jobs: int | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.kernel = kernel
        self.selection = selection
        self.regularization = regularization
        self.n_restarts = n_restarts
        self.searcher = searcher
        self.cv = cv
        self.honest = honest
        self.landmarks = landmarks
        self.loss = loss
        self.random_state = random_state
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.class_weight = class_weight
        self.categorical_features = categorical_features


class LSSVMRegressor(LeastSquaresEstimator, KernelRegressor):
    """Least-squares support vector regressor (kernel ridge with bias) that chooses its own kernel.

    Targets, one or many columns, are standardized; all share one kernel and one factorization.

    Parameters
    ----------
    kernel : str, Kernel or sklearn.gaussian_process kernel, default "mixed"
        As for `LSSVMClassifier`, like all parameters below.
    selection : str, None or Selection, default "auto"
    regularization : float, default 1.0
    n_restarts : int, default 0
    searcher : Searcher, default None
    cv : int, splitter or list of (train, test), default 5
    honest : bool or "auto", default "auto"
    landmarks : "auto", None, int, or array of shape (landmarks, columns), default "auto"
    random_state, verbose, n_jobs
    categorical_features : "from_dtype", None, or list of indices, names or booleans

    Attributes
    ----------
    kernel_, regularization_, dual_coef_, intercept_, relevance_, selected_features_, criterion_ :
        as for `LSSVMClassifier`, and so are ``relevance_interval_``, ``trace_``,
        ``n_factorizations_``, ``landmarks_``, ``n_passes_`` and ``effective_parameters_``
    held_out_error_, honest_error_ : root mean squared error of the held-out training rows, over all
        outputs, by sample weight and in units of y; rows are held out as for `LSSVMClassifier`
    amplitude_ : per output, what multiplies the standard deviations of ``predict``

    References
    ----------
    Cawley & Talbot, Kernel Learning at the First Level of Inference.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from kernelwise import LSSVMRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = LSSVMRegressor(kernel="gaussian", selection="loo").fit(X[::2], y[::2])
    >>> outputs, std = model.predict(X[1::2], return_std=True)
    >>> bool(model.score(X[1::2], y[1::2]) > 0.4)
    True
    """

    def __init__(
        self,
        kernel: Any = "mixed",
        selection: str | Selection | None = "auto",
        regularization: float = 1.0,
        n_restarts: int = 0,
        searcher: Searcher | None = None,
        cv: Any = 5,
        honest: bool | str = "auto",
        landmarks: Any = "auto",
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        n_jobs: int | None = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.kernel = kernel
        self.selection = selection
        self.regularization = regularization
        self.n_restarts = n_restarts
        self.searcher = searcher
        self.cv = cv
        self.honest = honest
        self.landmarks = landmarks
        self.random_state = random_state
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.categorical_features = categorical_features

    def _keep(self, reading: QuantityReading, choice: Choice) -> None:
        super()._keep(reading, choice)
        targets, scales = reading.parts.targets, reading.scales
        assert scales is not None
        for name in ("_system", "_weights_fit", "_spread"):
            self.__dict__.pop(name, None)  # of an earlier fit
        if isinstance(choice, LandmarkChoice):
            misfit = choice.misfit / self.regularization_
            if choice.solution is not None:
                self._spread = LandmarkSpread.of(choice.solution)
        else:
            self._weights_fit = targets.weights
            misfit = (targets.values * choice.expansion.coef).sum(axis=0)
            misfit = misfit + targets.within / self.regularization_
        self.amplitude_ = np.sqrt(misfit / max(targets.weights.sum() - 1, 1)) * scales.unit

    @overload
    def predict(self, X: Any) -> np.ndarray: ...
    @overload
    def predict(self, X: Any, return_std: bool) -> Any: ...
    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The outputs; with ``return_std`` also the standard deviation of a new observation.

        The variance is that of the Gaussian process with covariance ``amplitude^2 (kernel +
        noise)``, noise = regularization, and a bias with flat prior. It ignores that the kernel was
        learned. So it is stretched: copies predict rows they have not seen, and the root mean
        square of their errors, in units of their own deviations, multiplies it. Cost: one
        factorization, once. With more than 2,500 landmarks it is the same everywhere.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)
        return_std : bool, default False

        Returns
        -------
        outputs : array of shape (rows,) or (rows, outputs)
        std : array of the same shape, if ``return_std``
        """
        if return_std and self._precomputed:
            raise ValueError(
                "return_std needs k(x, x) of new rows, which a precomputed kernel lacks"
            )
        return super().predict(X, return_std)

    _has_deviations = True

    def _in_units(self, reading: Any, outputs: np.ndarray) -> np.ndarray:
        return reading.scales.unscaled(outputs)

    def _deviations_of(self, rows: np.ndarray) -> np.ndarray:
        unknown = self.landmarks_ is not None and not hasattr(self, "_spread")
        if self._precomputed or unknown:
            return super()._deviations_of(rows)
        blocks = [rows[i : i + ROWS_TO_PREDICT] for i in range(0, len(rows), ROWS_TO_PREDICT)]
        variance = np.concatenate([self._variance(block) for block in blocks or [rows]])
        return np.outer(np.sqrt(variance), self.amplitude_)

    def _variance(self, rows: np.ndarray) -> np.ndarray:
        """Variance of a new observation in units of the amplitude."""
        if self.landmarks_ is not None:
            spread = self._spread.variance(self.kernel_, rows, self.X_fit_)
            return spread + self.regularization_
        across, (system, inner, noise) = self.kernel_(self.X_fit_, rows), self._factored
        weights = system.apply(across) + system.intercept_weights[:, None]
        spread = (weights * (inner @ weights + noise[:, None] * weights - 2 * across)).sum(axis=0)
        return np.maximum(self.kernel_.diagonal(rows)[0] + spread, 0) + self.regularization_

    @property
    def _factored(self) -> tuple[BorderedSystem, np.ndarray, np.ndarray]:
        """The system of the fit with its Gram matrix and noise; kept, but not saved."""
        if "_system" not in self.__dict__:
            inner, noise = self.kernel_(self.X_fit_), self.regularization_ / self._weights_fit
            self._system = BorderedSystem(inner, noise), inner, noise
        return self._system

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_system", None)
        return state
