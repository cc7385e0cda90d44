"""The support vector machine that chooses its own kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from kernelwise.criteria import (
    GACV,
    LaplaceEvidence,
    PosteriorEvidence,
    RadiusMargin,
    SmoothedHeldOutErrors,
    SmoothedSpan,
)
from kernelwise.estimators.classifier import ClassReading
from kernelwise.estimators.output_posterior import FittedPosterior
from kernelwise.estimators.posterior_classifier import PosteriorClassifier
from kernelwise.estimators.table_estimator import Reading
from kernelwise.kernels import Constant, Kernel
from kernelwise.machines import Machine, PosteriorSupportVector, SupportVector
from kernelwise.machines.support_vector.machine import LOSSES
from kernelwise.searchers import Searcher
from kernelwise.selections import (
    AlignmentSelection,
    AsGiven,
    Choice,
    MinimizeCriterion,
    SampledEvidence,
    Selection,
)
from kernelwise.selections.optima import fitted
from kernelwise.solutions import PosteriorSolution

# The preference for equal scales, in units of the criterion: without it a scale per feature
# overfits; with ten times as much, useless features are no longer switched off.
NEAR_START = 0.01
# Evidence by expectation propagation needs more of it: chosen among 0.01, 0.03 and 0.1 by errors on
# the first data sets of benchmarks/which_evidence.py.
NEAR_START_OF_POSTERIOR = 0.1
SELECTIONS = {
    None: AsGiven(),
    "evidence": MinimizeCriterion(LaplaceEvidence(smoothing=0.0), amplitude=True, near=NEAR_START),
    "evidence-ep": MinimizeCriterion(
        PosteriorEvidence(), amplitude=True, near=NEAR_START_OF_POSTERIOR
    ),
    "evidence-hmc": SampledEvidence(near=NEAR_START_OF_POSTERIOR),
    "span": MinimizeCriterion(SmoothedSpan(), near=NEAR_START),
    "gacv": MinimizeCriterion(GACV(), near=NEAR_START),
    "radius-margin": MinimizeCriterion(RadiusMargin(), near=NEAR_START),
    "cv": MinimizeCriterion(SmoothedHeldOutErrors()),
    "alignment": AlignmentSelection(),
}
COMBINATIONS = ("best", "average")
PREDICTIONS = ("auto", "mean", "mode")


@dataclass(frozen=True)
class FittedMachine:
    """``outputs = kernel(X, X_fit_) @ dual_coef + intercept``."""

    kernel: Kernel
    C: float
    dual_coef: np.ndarray
    intercept: np.ndarray


class SVMClassifier(PosteriorClassifier):
    """Support vector classifier that chooses its own kernel and C.

    Two classes: one machine; more: one machine per class against the rest with one shared kernel
    and C. A row of weight 2 and a repeated row are the same. Probabilities come from sigmoids
    fitted to held-out outputs, or from the posterior, drawn toward the shares of the classes as for
    `LSSVMClassifier`, and never contradict ``predict``. With a posterior, ``decision_function`` is
    its log odds, and ``output_posterior`` has mean and deviation of the outputs.

    Parameters
    ----------
    kernel : str, Kernel or sklearn.gaussian_process kernel, default "mixed"
        As for `LSSVMClassifier`.
    selection : {"evidence", "evidence-ep", "evidence-hmc", "span", "gacv", "radius-margin", "cv",
        "alignment"}, None or Selection, default "evidence"
        How kernel and C are chosen. "evidence": Laplace evidence (with ``loss="hinge"`` it has a
        false supremum: use "gacv" there, or heed the warning); "evidence-ep": the evidence itself,
        by expectation propagation; "evidence-hmc": the same, checked by sampling
        (``trace_.steps``), or with ``searcher="ascent"`` led by sampled gradients alone; "span":
        the smoothed span rule, an estimate of the leave-one-out error, best with the squared hinge
        (with the hinge it lets C grow until noise is learned); "gacv": generalized approximate
        cross-validation; "radius-margin": the enclosing ball in units of the margin, for the
        squared hinge; "cv": k-fold; "alignment": the kernel without a machine, then C by k-fold;
        None: both as given.
    loss : {"squared_hinge", "hinge"}, default "squared_hinge"
        The hinge is ``max(0, 1 - y f)``; half its square suits most criteria better, but the hinge
        leaves fewer support vectors.
    C : float, default 1.0
        Used as given when ``selection`` is None; otherwise it is chosen.
    bias : bool or "auto", default "auto"
        Whether the machine has a free intercept. Without one, its offset is a constant in the
        kernel, which named kernels are given. "auto": False for every evidence, which can then take
        account of the offset, True for all others.
    n_restarts : int, default 0
        Further random starts of the search; ``trace_.optima`` shows how far their results differ.
    combine : {"best", "average"}, default "best"
        Keep the best of the optima of all starts, or average their machines' outputs.
    prediction : {"auto", "mean", "mode"}, default "auto"
        Predict by the mean of the posterior (all rows take part, and probabilities are averaged
        over it), or by its mode, the support vector machine. "auto": the mean for "evidence-ep"
        and "evidence-hmc" (unless the kernel is precomputed), the mode for all others.
    searcher : Searcher, "ascent" or None, default None
        None lets the selection decide; ``kernelwise.searchers.RandomWalk()`` needs no gradient,
        "ascent" (`AdaptiveGradient`) no value.
    cv : int, splitter or list of (train, test), default 5
        Folds of ``selection="cv"`` and "alignment", of the outputs from which probabilities and
        ``held_out_error_`` are computed, and of ``honest``.
    honest : bool or "auto", default "auto"
        As for `LSSVMClassifier`. For "evidence-hmc" copies choose by expectation propagation.
    random_state, verbose, n_jobs
        As for `LSSVMClassifier`, like all parameters below.
    class_weight : dict, "balanced" or None
    categorical_features : "from_dtype", None, or list of indices, names or booleans

    Attributes
    ----------
    kernel_, relevance_, relevance_interval_, selected_features_, honest_error_, criterion_ :
        as for `LSSVMClassifier`, and so is ``classes_``
    C_ : the chosen C
    support_ : indices of the given rows that support any output
    n_support_ : their number in each class
    dual_coef_, intercept_ : ``outputs = kernel_(X, X_fit_) @ dual_coef_ + intercept_``, ``X_fit_``
        the distinct supporting rows
    machines_ : the machines whose outputs are averaged; one, unless ``combine="average"``. Then
        ``kernel_``, ``C_``, ``dual_coef_`` and ``intercept_`` are those of the best one.
    held_out_error_ : share of wrong labels by k-fold at the chosen kernel, by sample weight;
        optimistic, because the kernel was chosen on the same rows
    trace_ : every point tried, with value and time, and the reason to stop; ``trace_.optima``: the
        same for each start, with its ``kernel`` and its ``disagreement`` with the best
    n_factorizations_ : the work done

    References
    ----------
    Gold & Sollich (2003), Model selection for support vector machine classification.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from kernelwise import SVMClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> model = SVMClassifier(kernel="gaussian").fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _machine_type = SupportVector
    # Seen to give coefficients that are not finite at 1e18; the limit is a cautious guess.
    _heaviest = 1e12
    _selections = SELECTIONS
    _mixes_labels = False
    prediction: Any = "auto"  # models of earlier versions were saved without it

    def __init__(
        self,
        kernel: Any = "mixed",
        selection: str | Selection | None = "evidence",
        loss: str = "squared_hinge",
        C: float = 1.0,
        bias: bool | str = "auto",
        n_restarts: int = 0,
        combine: str = "best",
        prediction: str = "auto",
        searcher: Searcher | str | None = None,
        cv: Any = 5,
        honest: bool | str = "auto",
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        n_jobs: int | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.kernel = kernel
        self.selection = selection
        self.loss = loss
        self.C = C
        self.bias = bias
        self.n_restarts = n_restarts
        self.combine = combine
        self.prediction = prediction
        self.searcher = searcher
        self.cv = cv
        self.honest = honest
        self.random_state = random_state
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.class_weight = class_weight
        self.categorical_features = categorical_features

    def _checked_selection(self) -> Selection:
        selection = super()._checked_selection()
        if self.loss not in getattr(self._criterion, "losses", LOSSES):
            raise ValueError(
                "radius over margin bounds the error of the squared hinge only: use "
                "loss='squared_hinge', or another selection"
            )
        return selection

    @property
    def _criterion(self) -> Any:
        """The criterion that the selection minimizes; None if it has none, or is unknown."""
        named = self.selection is None or isinstance(self.selection, str)
        selection = SELECTIONS.get(self.selection) if named else self.selection
        return getattr(selection, "criterion", None)

    @property
    def _integrates(self) -> bool:
        """Whether the selection needs the posterior, or, without a selection, predictions do."""
        criterion = self._criterion
        judged = criterion is not None and issubclass(criterion.reads, PosteriorSolution)
        return judged or (self.selection is None and self.prediction == "mean")

    @property
    def _predicts_mean(self) -> bool:
        if self.prediction == "auto":
            # The variance of a new row needs the kernel of that row with itself.
            return self._integrates and not self._precomputed
        return self.prediction == "mean"

    @property
    def _has_bias(self) -> bool:
        if isinstance(self.bias, str):
            named = isinstance(self.selection, str) and self.selection == "evidence"
            return not (named or self._integrates)
        return bool(self.bias)

    def _machine(self) -> Machine:
        if not isinstance(self.C, Real) or not 0 < float(self.C) < np.inf:
            raise ValueError(f"C must be a positive, finite number, got {self.C!r}")
        for name, value, known in (
            ("loss", self.loss, LOSSES),
            ("combine", self.combine, COMBINATIONS),
            ("prediction", self.prediction, PREDICTIONS),
        ):
            if value not in known:
                raise ValueError(f"{name} must be one of {known}, got {value!r}")
        if not (isinstance(self.bias, (bool, np.bool_)) or self.bias == "auto"):
            raise ValueError(f"bias must be True, False or 'auto', got {self.bias!r}")
        if not self._integrates:
            if self._predicts_mean:
                raise ValueError(
                    "prediction='mean' needs a posterior: choose selection='evidence-ep', "
                    f"'evidence-hmc' or None, not {self.selection!r}"
                )
            return SupportVector(float(self.C), self.loss, self._has_bias)
        if self._has_bias:
            raise ValueError(
                "a posterior has no free intercept, only a constant in the kernel: use bias=False "
                "or 'auto'"
            )
        if self._predicts_mean and self._precomputed:
            raise ValueError(
                "prediction='mean' needs the kernel of each new row with itself, which "
                "kernel='precomputed' does not have: use prediction='mode'"
            )
        return PosteriorSupportVector(float(self.C), self.loss)

    def _read_gram(self, *given: Any) -> Reading:
        reading = super()._read_gram(*given)
        least = np.diagonal(reading.parts.X).min()
        if least < 0:
            raise ValueError(
                "kernel='precomputed' needs a positive semi-definite Gram matrix; X has "
                f"{least:.3g} on its diagonal"
            )
        return reading

    def _first_kernels(self, reading: Reading) -> list[Kernel]:
        kernels = super()._first_kernels(reading)
        if self._has_bias or not self._is_named:
            return kernels
        return [kernel + Constant(1.0) for kernel in kernels]

    def _choose(self, selection: Selection, reading: Reading, step: Callable[[], None]) -> Choice:
        # To the evidence, a weight is so many rows that agree: class weights would teach it that
        # the labels of a rare class have no noise. They steer the machine, not its choice.
        judged = getattr(self._criterion, "is_evidence", False)
        steered = self.class_weight is not None and judged
        choice = super()._choose(selection, counted(reading) if steered else reading, step)
        to_mode = self._integrates and not self._predicts_mean
        if not (to_mode or steered):
            return choice
        members = [
            self._fitted_again(reading, member, to_mode) for member in choice.members or (choice,)
        ]
        spent = choice.n_factorizations + sum(member.n_factorizations for member in members)
        held_out = np.mean([member.held_out for member in members], axis=0)
        best = replace(members[0], trace=choice.trace, n_factorizations=spent)
        return replace(best, held_out=held_out, members=tuple(members) if choice.members else ())

    def _fitted_again(self, reading: Reading, choice: Choice, to_mode: bool) -> Choice:
        """A chosen kernel and C with the weights of the fit, as its machine or as an SVM."""
        problem = self._problem(reading, choice.kernel, lambda: None)
        machine = choice.machine
        if to_mode:
            machine = SupportVector(float(machine.values[0]), self.loss)
        return fitted(problem, choice.kernel, machine, choice.criterion, choice.trace)

    def _keep(self, reading: ClassReading, choice: Choice) -> None:
        super()._keep(reading, choice)
        members = choice.members or (choice,)
        coefs = np.stack([member.expansion.coef for member in members])
        supporting = (coefs != 0).any(axis=(0, 2))
        self.machines_: list[Any] = [self._kept(member, supporting) for member in members]
        best = self.machines_[0]
        self.C_, self.dual_coef_, self.intercept_ = best.C, best.dual_coef, best.intercept
        self.X_fit_ = self.X_fit_[supporting]
        if self._precomputed:
            self._kept_columns = self._kept_columns[supporting]
        self.support_ = supporting_rows(supporting, reading)
        self.n_support_ = np.bincount(reading.codes[self.support_], minlength=len(self.classes_))

    def _kept(self, member: Choice, supporting: np.ndarray) -> FittedMachine | FittedPosterior:
        """What predicts, on the supporting rows alone."""
        kernel, C = member.kernel.in_coordinates("log"), float(member.machine.values[0])
        coef, intercept = member.expansion.coef[supporting], member.expansion.intercept
        if not self._predicts_mean:
            return FittedMachine(kernel, C, coef, intercept)
        place = np.cumsum(supporting) - 1
        posteriors = [replace(one, rows=place[one.rows]) for one in member.solution.posteriors]
        return FittedPosterior(kernel, C, self.loss, coef, intercept, tuple(posteriors))


def counted(reading: Reading) -> Reading:
    """The same table without class weights: every part weighs as many rows as it stands for."""
    parts = reading.parts
    rows = np.bincount(parts.part, parts.share, minlength=len(parts.X))
    return replace(reading, parts=replace(parts, targets=replace(parts.targets, weights=rows)))


def supporting_rows(supporting: np.ndarray, reading: ClassReading) -> np.ndarray:
    """Indices of the given rows behind the supporting parts.

    Every copy of a row counts, whichever stands for all; a row of no weight supports nothing.
    """
    parts, codes = reading.parts, reading.codes
    pairs = np.zeros((parts.distinct.max() + 1, len(reading.classes)), bool)
    held = supporting[parts.part]
    pairs[parts.distinct[parts.part[held]], codes[parts.source[held]]] = True
    return np.flatnonzero((parts.distinct_of >= 0) & pairs[parts.distinct_of, codes])
