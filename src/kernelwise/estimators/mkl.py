"""Multiple kernel learning: machines on a weighted sum of many kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from kernelwise.estimators.base import KernelEstimator, choose_for_varying_targets
from kernelwise.estimators.classifier import KernelClassifier
from kernelwise.estimators.kernel_weighing import (
    METHODS,
    KernelWeighing,
    WeightedChoice,
    gram_of_sum,
)
from kernelwise.estimators.many_kernels import ManyKernels, OutputsOfKernels
from kernelwise.estimators.regressor import KernelRegressor
from kernelwise.estimators.relevance import as_shares, knockout_squares
from kernelwise.estimators.table_estimator import Reading
from kernelwise.kernels import Constant, Kernel, Precomputed
from kernelwise.machines import LeastSquares
from kernelwise.multikernel import KernelStack
from kernelwise.multikernel.bank import check_bank
from kernelwise.multikernel.infinite import DISSIMILARITIES, FAMILIES
from kernelwise.notices import warn_user
from kernelwise.selections import AsGiven, NullModelWarning, Problem, Selection
from kernelwise.threads import blas_threads_for

DEFAULT_BANK = "widths-and-degrees"


class ManyKernelMachine(ManyKernels, KernelEstimator):
    """What classifier and regressor share: kernels are weighed, then used as one."""

    _methods: tuple[str, ...]
    method: Any
    price: Any
    C: Any = None
    family: Any
    dissimilarity: Any
    n_jobs = None

    def _checked_selection(self) -> Selection:
        if not isinstance(self.method, str) or self.method not in self._methods:
            reason = " (support vectors are for classes)" if self.method == "simple" else ""
            raise ValueError(f"method must be one of {self._methods}, got {self.method!r}{reason}")
        check_bank(self.kernels)
        own = isinstance(self.kernels, str) and self.kernels == DEFAULT_BANK
        if self.method == "infinite" and not own:
            raise ValueError(
                "method='infinite' makes its own kernels, of a family: leave out kernels, or "
                "choose another method"
            )
        for name, users in (("price", ("least-squares", "infinite")), ("C", ("simple",))):
            value = getattr(self, name)
            if value is None:
                continue
            if self.method not in users:
                raise ValueError(
                    f"{name} is for method {' or '.join(map(repr, users))}, not for "
                    f"{self.method!r}: leave it out"
                )
            if not isinstance(value, Real) or not 0 < float(value) < np.inf:
                raise ValueError(f"{name} must be None or a positive number, got {value!r}")
        if self.family not in FAMILIES:
            raise ValueError(f"family must be one of {FAMILIES}, got {self.family!r}")
        if self.dissimilarity not in DISSIMILARITIES:
            raise ValueError(
                f"dissimilarity must be one of {list(DISSIMILARITIES)}, got {self.dissimilarity!r}"
            )
        return KernelWeighing(self.method, self.price, self.C, self.family, self.dissimilarity)

    def _choose(self, selection: Any, reading: Reading, step: Callable[[], None]) -> WeightedChoice:
        parts, columns = reading.parts, reading.columns
        members = () if self.method == "infinite" else tuple(self._members(columns))
        names = columns.coordinate_names(getattr(self, "feature_names_in_", None))
        weighing = replace(selection, members=members, categorical=columns.categorical, names=names)
        problem = self._problem(reading, Constant(1.0), step)
        with blas_threads_for(len(parts.X)):
            if not np.ptp(parts.targets.values, axis=0).any() and not parts.targets.within.any():
                return weighing.nothing(problem)
            found: Any = choose_for_varying_targets(weighing, problem)
            return found

    def _problem(self, reading: Reading, kernel: Kernel, step: Callable[[], None]) -> Problem:
        parts = reading.parts
        return Problem(
            kernel=kernel,
            machine=LeastSquares(1.0),
            X=parts.X,
            targets=parts.targets,
            classification=is_classifier(self),
            n_observations=parts.n_observations,
            folds=parts.folds,
            seed=reading.seed,
            on_evaluation=step,
        )

    def _keep(self, reading: Any, choice: Any) -> None:
        members = choice.members_of
        self.weights_ = choice.weights
        self.kernels_ = [member.kernel for member in members]
        self.kernel_names_ = [member.name for member in members]
        self.kernel_views_ = [member.view for member in members]
        self.selected_kernels_ = np.flatnonzero(choice.weights > 0)
        self.price_ = choice.price
        kept, other = "C_", "regularization_"
        if self.method != "simple":
            kept, other = other, kept
        setattr(self, kept, float(choice.machine.values[0]))
        self.__dict__.pop(other, None)  # of an earlier fit by another method
        super()._keep(reading, choice)
        if not len(self.selected_kernels_):
            warn_user(
                "no kernel is worth its price: the model predicts the same for every row. The "
                "columns may say nothing about the target, or the kernels may not suit them",
                NullModelWarning,
            )

    @property
    def _is_null(self) -> bool:
        return not self.weights_.any()

    @property
    def _has_features(self) -> bool:
        return not isinstance(self.kernels, KernelStack)  # a case number is no feature

    def _choose_without(
        self, selection: Any, rest: Reading, choice: Any, again: bool, step: Callable[[], None]
    ) -> WeightedChoice:
        """Weigh the kernels again; or keep their weights, and fit the machine again."""
        if again:
            return self._choose(selection, rest, step)
        kernels = [member.kernel for member in choice.members_of]
        gram = gram_of_sum(kernels, choice.weights, rest.parts.X)
        problem = self._problem(rest, Precomputed(), step)
        problem = replace(problem, X=gram, machine=choice.machine)
        own = replace(choose_for_varying_targets(AsGiven(), problem), kernel=choice.kernel)
        weighed = {name: getattr(choice, name) for name in ("members_of", "weights", "price")}
        return WeightedChoice(**vars(own), **weighed)

    def _output_function(self, choice: Any) -> Callable[[np.ndarray], np.ndarray]:
        used = self.selected_kernels_
        if not len(used):
            return self._outputs_of
        members = [choice.members_of[m] for m in used]
        weights = np.tile(self.weights_[used, None], self.dual_coef_.shape[1])
        outputs = OutputsOfKernels(members, self.X_fit_, self.dual_coef_, weights)
        return lambda rows: outputs(rows) + self.intercept_

    def _relevance(self, reading: Reading, choice: Any) -> np.ndarray:
        rows, weights = reading.parts.X, reading.parts.targets.weights
        used = self.selected_kernels_
        if not len(used):
            return as_shares(np.zeros(reading.columns.n_columns))
        outputs = OutputsOfKernels(
            [choice.members_of[m] for m in used],
            rows,
            choice.expansion.coef,
            np.tile(self.weights_[used, None], choice.expansion.coef.shape[1]),
        )
        squares = knockout_squares(outputs, rows, weights, reading.columns)
        return as_shares(squares)

    def _gram(self, kernel: Kernel, rows: np.ndarray) -> np.ndarray:
        # Not by `kernel`, which would hold the Gram matrices of all its parts at once.
        return gram_of_sum(self.kernels_, self.weights_, rows, self.X_fit_)


class MKLClassifier(ManyKernelMachine, KernelClassifier):
    """Classifier on a weighted sum of many kernels, with weights that are learned.

    Two classes: one machine; more: one machine per class against the rest, with shared weights. A
    row of weight 2 and a repeated row are the same. Probabilities come from sigmoids fitted to
    held-out outputs and never contradict ``predict``.

    Parameters
    ----------
    kernels : "widths-and-degrees", KernelBank, KernelStack, or list; default "widths-and-degrees"
        The kernels. "widths-and-degrees": Gaussian kernels of ten widths and polynomial ones of
        three degrees, on all columns and on each. Names and banks act on standardized columns,
        kernel objects on columns as they are. A `KernelStack` holds Gram matrices of your own; X is
        then a column of case numbers.
    method : {"least-squares", "simple", "aligned", "uniform", "infinite"}, default "least-squares"
        "least-squares": least squares with a price on the weights, which makes most of them 0.
        "simple": SimpleMKL, support vectors and weights of sum 1. "aligned": weights that align
        the sum best with the labels; "uniform": equal weights; both then choose the regularization
        of least squares by leave-one-out. "infinite": the kernels are made, too, each when it is
        worth its price.
    price : float, default None
        Of a unit of weight, for "least-squares" and "infinite"; None: the price of least
        leave-one-out loss of weights and machine together.
    C : float, default None
        Of the support vector machine, for "simple"; None: the C of fewest errors in k folds, in
        which the weights are learned again.
    family : {"product", "separate", "single"}, default "product"
        What "infinite" makes: kernels with a scale per column; with one scale, and of one column
        each; with one scale.
    dissimilarity : {"absolute", "squared"}, default "absolute"
        Of the kernels that "infinite" makes: Laplacian or Gaussian. Categorical columns are
        compared by equality.
    cv : int, splitter or list of (train, test), default 5
        Folds of "simple", and of ``honest``.
    honest : bool or "auto", default "auto"
        Whether the kernels are weighed again without each fold; see `LSSVMClassifier`.
    random_state, verbose
        As for `LSSVMClassifier`, like all parameters below.
    class_weight : dict, "balanced" or None
    categorical_features : "from_dtype", None, or list of indices, names or booleans

    Attributes
    ----------
    weights_ : one per kernel, not negative
    kernels_, kernel_names_, kernel_views_ : the kernels, what they are called, what they look at
    selected_kernels_ : indices of the kernels with weight
    price_ : of a unit of weight; NaN for "aligned" and "uniform". With ``n`` rows, each kernel's
        ``coef'K coef / (2 n)`` is at most the price, and equal to it if the kernel has a weight.
    regularization_ : of least squares; or ``C_``, for "simple"
    kernel_ : the weighted sum as one kernel
    relevance_, relevance_interval_, selected_features_ : as for `LSSVMClassifier`; not with a
        `KernelStack`
    honest_error_ : as for `LSSVMClassifier`
    dual_coef_, intercept_, classes_, criterion_, n_factorizations_ : as for `LSSVMClassifier`
    held_out_error_ : share of wrong labels among held-out training rows, by sample weight. "simple"
        learns the weights again in each fold; "least-squares" accounts for them to first order.
        "infinite" does so for the weights but not for the scales of its kernels, and "aligned"
        keeps its weights: both are optimistic, "infinite" much so on small tables.
    trace_ : the prices (or values of C) tried, as logarithms, with the loss at each

    References
    ----------
    Rakotomamonjy et al. (2008), SimpleMKL, JMLR 9; Gehler & Nowozin (2008), Infinite kernel
    learning; Cortes, Mohri & Rostamizadeh (2012), JMLR 13.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from kernelwise import MKLClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> model = MKLClassifier().fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    >>> len(model.weights_), len(model.selected_kernels_) < 40
    (182, True)
    """

    _methods = METHODS

    def __init__(
        self,
        kernels: Any = "widths-and-degrees",
        method: str = "least-squares",
        price: float | None = None,
        C: float | None = None,
        family: str = "product",
        dissimilarity: str = "absolute",
        cv: Any = 5,
        honest: bool | str = "auto",
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        class_weight: Mapping[Any, float] | str | None = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.kernels = kernels
        self.method = method
        self.price = price
        self.C = C
        self.family = family
        self.dissimilarity = dissimilarity
        self.cv = cv
        self.honest = honest
        self.random_state = random_state
        self.verbose = verbose
        self.class_weight = class_weight
        self.categorical_features = categorical_features

    @property
    def _mixes_labels(self) -> bool:  # type: ignore[override]  # support vectors take -1 and +1
        return self.method != "simple"


class MKLRegressor(ManyKernelMachine, KernelRegressor):
    """Regressor on a weighted sum of many kernels, with weights that are learned.

    Targets, one or many columns, are standardized and share the weights.

    Parameters
    ----------
    kernels, price, family, dissimilarity, cv, honest, random_state, verbose, categorical_features
        As for `MKLClassifier`.
    method : {"least-squares", "aligned", "uniform", "infinite"}, default "least-squares"

    Attributes
    ----------
    held_out_error_ : root mean squared error of held-out training rows, in units of y

    All other attributes are those of `MKLClassifier`.

    References
    ----------
    Gehler & Nowozin (2008), Infinite kernel learning.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from kernelwise import MKLRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = MKLRegressor().fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.4)
    True
    """

    _methods = tuple(method for method in METHODS if method != "simple")

    def __init__(
        self,
        kernels: Any = "widths-and-degrees",
        method: str = "least-squares",
        price: float | None = None,
        family: str = "product",
        dissimilarity: str = "absolute",
        cv: Any = 5,
        honest: bool | str = "auto",
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.kernels = kernels
        self.method = method
        self.price = price
        self.family = family
        self.dissimilarity = dissimilarity
        self.cv = cv
        self.honest = honest
        self.random_state = random_state
        self.verbose = verbose
        self.categorical_features = categorical_features
