"""How much of each kernel, as a selection: the methods of `MKLClassifier` and `MKLRegressor`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from kernelwise.criteria import LeaveOneOut
from kernelwise.kernels import Constant, Kernel, Precomputed, Scaled, Sum
from kernelwise.machines import LeastSquares, SupportVector
from kernelwise.multikernel import GramBank, aligned_weights
from kernelwise.multikernel.bank import Member, user_member
from kernelwise.multikernel.infinite import KernelGenerator, infinite_weights
from kernelwise.multikernel.priced import PricedProblem, PricedWeights, price_path
from kernelwise.multikernel.simple import weights_by_folds
from kernelwise.searchers import SearchTrace
from kernelwise.selections import AsGiven, Choice, MinimizeCriterion, Problem, Selection

# A generated kernel is named after columns whose scale is this near to the shortest, at most three.
SENSITIVE, MOST_NAMED = 3.0, 3
METHODS = ("least-squares", "simple", "aligned", "uniform", "infinite")


@dataclass(frozen=True)
class WeightedChoice(Choice):
    """A choice of kernels and their weights.

    ``members_of`` are the kernels with names and views, ``weights`` one number for each, not
    negative; ``price`` is what a weight costs, NaN where weights have no price.
    """

    members_of: tuple[Member, ...] = ()
    weights: np.ndarray = field(default_factory=lambda: np.empty(0))
    price: float = float("nan")


@dataclass(frozen=True, repr=False)
class KernelWeighing(Selection):
    """A method of multiple kernel learning with its settings, and the kernels it is to weigh.

    Attributes
    ----------
    method : one of ``METHODS``
    price, C : as given; None: chosen
    family, dissimilarity : of the kernels that "infinite" makes
    members : the kernels; "infinite" has none
    categorical : numbers of the categorical columns
    names : of the columns, if they have any
    """

    method: str
    price: float | None = None
    C: float | None = None
    family: str = "product"
    dissimilarity: str = "absolute"
    members: tuple[Member, ...] = ()
    categorical: np.ndarray = field(default_factory=lambda: np.empty(0, int))
    names: Sequence[str] | None = None

    def __call__(self, problem: Problem) -> WeightedChoice:
        if self.method == "infinite":
            return self._infinite(problem)
        if self.method in ("aligned", "uniform"):
            return self._fixed(problem)
        bank = GramBank([member.kernel for member in self.members], problem.X)
        return (self._priced if self.method == "least-squares" else self._simple)(problem, bank)

    def nothing(self, problem: Problem) -> WeightedChoice:
        """What targets that do not vary leave to choose."""
        choice = AsGiven()(replace(problem, kernel=Constant(1.0)))
        return WeightedChoice(
            **vars(choice), members_of=self.members, weights=np.zeros(len(self.members))
        )

    def _priced(self, problem: Problem, bank: GramBank) -> WeightedChoice:
        path = price_path(PricedProblem(bank, problem.targets), self.price, problem.on_evaluation)
        reason = "the held-out loss fell no further"
        trace = self._trace(path.prices, path.losses, path.seconds, reason)
        return _least_squares(self.members, path.best, trace, path.n_factorizations)

    def _infinite(self, problem: Problem) -> WeightedChoice:
        generator = KernelGenerator(self.family, self.dissimilarity, problem.X, self.categorical)
        found = infinite_weights(
            generator, problem.X, problem.targets, self.price, problem.on_evaluation
        )
        reason = "no kernel that was found is worth its price"
        if not found.complete:
            reason = "the limit of new kernels was reached"
        trace = self._trace(found.prices, found.losses, found.seconds, reason)
        members = tuple(made_member(kernel, self.names) for kernel in found.kernels)
        return _least_squares(members, found.best, trace, found.n_factorizations)

    def _simple(self, problem: Problem, bank: GramBank) -> WeightedChoice:
        found = weights_by_folds(
            bank, problem.targets, problem.folds, self.C, problem.on_evaluation
        )
        best = found.best
        reason = "C was given" if self.C is not None else "the whole grid of C was tried"
        trace = _grid_trace(found.tried, found.errors, [0.0] * len(found.tried), reason)
        return WeightedChoice(
            weighted_sum(self.members, best.weights),
            SupportVector(best.C, "hinge", bias=True),
            best.solution,
            best.solution.expansion,
            found.held_out,
            min(found.errors),
            trace,
            found.n_factorizations,
            members_of=self.members,
            weights=best.weights,
            price=best.price,
        )

    def _fixed(self, problem: Problem) -> WeightedChoice:
        """Weights without a machine, then its regularization by leave-one-out."""
        kernels = [member.kernel for member in self.members]
        weights = np.full(len(kernels), 1 / len(kernels))
        if self.method == "aligned":
            weights = aligned_weights(kernels, problem.X, problem.targets).weights
        gram = gram_of_sum(kernels, weights, problem.X)
        fixed = replace(problem, kernel=Precomputed(), X=gram)
        choice = replace(
            MinimizeCriterion(LeaveOneOut())(fixed), kernel=weighted_sum(self.members, weights)
        )
        return WeightedChoice(**vars(choice), members_of=self.members, weights=weights)

    def _trace(
        self, prices: list[float], losses: list[float], seconds: list[float], reason: str
    ) -> SearchTrace:
        given = "the price was given"
        return _grid_trace(prices, losses, seconds, reason if self.price is None else given)


def _grid_trace(
    tried: list[float], values: list[float], seconds: list[float], reason: str
) -> SearchTrace:
    return SearchTrace(
        points=[np.log([value]) for value in tried],
        values=values,
        gradient_norms=[np.nan] * len(tried),
        seconds=seconds,
        reason=reason,
    )


def _least_squares(
    members: tuple[Member, ...], best: PricedWeights, trace: SearchTrace, n_factorizations: int
) -> WeightedChoice:
    return WeightedChoice(
        weighted_sum(members, best.weights),
        LeastSquares(1.0),
        best.solution,
        best.solution.expansion,
        best.held_out,
        best.held_out_loss,
        trace,
        n_factorizations,
        members_of=members,
        weights=best.weights,
        price=best.price,
    )


def made_member(kernel: Kernel, names: Sequence[str] | None) -> Member:
    """A kernel that was made, called after the columns to which it is most sensitive.

    They are those with a length scale of up to `SENSITIVE` times the shortest.
    """
    scales = np.atleast_1d(getattr(kernel, "length_scale", 1.0))
    if len(scales) == 1:
        return user_member(kernel, names)
    first = np.argsort(scales, kind="stable")
    used = first[scales[first] <= SENSITIVE * scales.min()]
    called = [f"column {r}" if names is None else str(names[r]) for r in used[:MOST_NAMED]]
    more = f" and {len(used) - MOST_NAMED} more" if len(used) > MOST_NAMED else ""
    view = ", ".join(called) + more
    shortest = f"length scales from {scales.min():.3g}"
    return Member(kernel, f"{type(kernel).__name__} of {view}, {shortest}", view)


def weighted_sum(members: Sequence[Member], weights: np.ndarray) -> Kernel:
    """The kernels with weight as one; a constant, which says nothing, if there are none."""
    pairs = zip(members, weights, strict=True)
    used = [Scaled(member.kernel, float(weight)) for member, weight in pairs if weight > 0]
    return Sum(used) if used else Constant(1.0)


def gram_of_sum(
    kernels: Sequence[Kernel], weights: np.ndarray, A: np.ndarray, B: np.ndarray | None = None
) -> np.ndarray:
    """``sum_m weights_m K_m(A, B)``, holding one Gram matrix at a time."""
    total = np.zeros((len(A), len(A if B is None else B)))
    for kernel, weight in zip(kernels, weights, strict=True):
        if weight > 0:
            total += weight * kernel(A, B)
    return total
