"""Infinite kernel learning: priced weights of kernels that are made when they are worth it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kernelwise.kernels import Gaussian, Kernel, Laplacian, OnColumns
from kernelwise.kernels.names import radial
from kernelwise.multikernel.gram_bank import GramBank
from kernelwise.multikernel.priced import PricedProblem, PricedWeights
from kernelwise.searchers import Evaluation, QuasiNewton
from kernelwise.solutions import Targets

FAMILIES = ("single", "separate", "product")
DISSIMILARITIES = {"squared": Gaussian, "absolute": Laplacian}
# Scales of the first look at a kernel, in units of the one of mean dissimilarity about 1.
SCAN = 4.0 ** np.arange(-4, 5)
# Only so many of them, those of the strongest pull, are searched further.
MOST_CLIMBED = 3
# A kernel is worth adding if it pulls this much more than the price, relative to it.
WORTH = 1e-3
# Kernels that are made at each price of the path, and at the price that is kept.
ROUNDS, LAST_ROUNDS = 2, 30
# Prices fall by this factor, at most so often, until the held-out loss has hardly fallen any more.
PRICE_STEP, MOST_PRICES, HARDLY = 8.0, 8, 0.01
# Tighter than what is worth a kernel, so that the end of a search does not hide one.
SEARCH = QuasiNewton(max_iterations=30, tolerance=1e-4)


class GrowingBank(GramBank):
    """A bank that gains kernels; each holds its Gram matrix."""

    def __init__(self, X: np.ndarray):
        super().__init__([], X)
        self.X = X
        self.kernels: list[Kernel] = []

    def add(self, kernel: Kernel) -> None:
        self.dense[self.n_kernels] = kernel(self.X)
        self.kernels.append(kernel)
        self.n_kernels += 1


@dataclass(frozen=True)
class InfiniteWeights:
    """Generated kernels and their weights at the price that was chosen.

    ``prices``, ``losses`` and ``seconds`` are those of all prices tried; ``complete`` says whether
    no kernel that the searches found is worth its price.
    """

    kernels: list[Kernel]
    best: PricedWeights
    prices: list[float]
    losses: list[float]
    seconds: list[float]
    n_factorizations: int
    complete: bool


class KernelGenerator:
    """The kernel of a family with the strongest pull ``coef'K coef / 2n``.

    "single": one scale for all columns. "separate": that, and kernels of one column each.
    "product": one scale per column. Scales are searched by quasi-Newton steps from the best of a
    scan of equal scales and, for "product", from the strongest kernel so far.

    Cost: O(n^2 d) for each kernel looked at; the slopes in all d scales cost one more.
    """

    def __init__(self, family: str, dissimilarity: str, X: np.ndarray, categorical: np.ndarray):
        kind, columns = DISSIMILARITIES[dissimilarity], X.shape[1]
        self.family, self.X = family, X
        self.tied: list[Kernel] = [radial(kind, columns, categorical, per_feature=False)]
        if family == "separate" and columns > 1:
            for r in np.flatnonzero(np.ptp(X, axis=0) > 0):
                own = np.zeros(int(r in categorical), int)
                self.tied.append(OnColumns(radial(kind, 1, own, per_feature=False), [int(r)]))
        self.untied = radial(kind, columns, categorical, per_feature=True)

    def strongest(
        self, coef: np.ndarray, total: float, known: Kernel | None
    ) -> tuple[float, Kernel]:
        """The strongest pull that is found, and its kernel; ``known`` is the strongest so far."""
        gram_gradient = coef @ coef.T / (2 * total)

        def pull(kernel: Kernel) -> float:
            return float((kernel(self.X) * gram_gradient).sum())

        scanned = []
        for tied in self.tied:
            kernels = [tied.with_values(tied.values * scale) for scale in SCAN]
            pulls = [pull(kernel) for kernel in kernels]
            scanned.append((max(pulls), kernels[int(np.argmax(pulls))]))
        scanned.sort(key=lambda pair: -pair[0])
        starts = [kernel for _, kernel in scanned[:MOST_CLIMBED]]
        if self.family == "product":
            equal = np.broadcast_to(starts[0].values, self.untied.values.shape)
            starts = [self.untied.with_values(equal.copy())]
            if known is not None:
                starts.append(known)
        found = [self._climbed(start, gram_gradient) for start in starts]
        return max(found, key=lambda pair: pair[0])

    def _climbed(self, start: Kernel, gram_gradient: np.ndarray) -> tuple[float, Kernel]:
        def function(theta: np.ndarray) -> Evaluation:
            gram, pullback = start.with_theta(theta).gram_and_pullback(self.X)
            return Evaluation(-float((gram * gram_gradient).sum()), -pullback(gram_gradient))

        theta = np.clip(start.theta, *start.limits.T)
        trace = SEARCH(function, theta, start.limits)
        return -trace.best_value, start.with_theta(trace.best_point)


class InfiniteProblem:
    """``min J(sum_m beta_m K_m) + mu sum_m beta_m`` over the kernels of a family.

    J is that of `PricedProblem`. Column generation: solve for the weights of the kernels at hand;
    the kernel of the strongest pull joins them if it is stronger than the price. At the end no
    kernel that the searches find is worth its price.

    References
    ----------
    Gehler & Nowozin (2008), Infinite kernel learning; Cawley & Talbot, Kernel Learning at the First
    Level of Inference, table 4.

    Parameters
    ----------
    generator : the family
    X, targets : the rows and what the machine is to reproduce
    """

    def __init__(self, generator: KernelGenerator, X: np.ndarray, targets: Targets):
        self.generator, self.bank = generator, GrowingBank(X)
        self.problem = PricedProblem(self.bank, targets)
        _, first = generator.strongest(
            targets.weights[:, None] * (targets.values - _means(targets)), self.problem.total, None
        )
        self.bank.add(first)

    def weights_at(
        self, price: float, start: np.ndarray | None, rounds: int
    ) -> tuple[PricedWeights, bool]:
        """Weights at a price after so many new kernels at most, and whether no more is worth it."""
        found = self.problem.weights_at(price, start)
        for _ in range(rounds):
            known = self.bank.kernels[int(found.weights.argmax())]
            pull, kernel = self.generator.strongest(found.solution.coef, self.problem.total, known)
            if pull <= price * (1 + WORTH):
                return found, True
            self.bank.add(kernel)
            found = self.problem.weights_at(price, found.weights)
        return found, False


def _means(targets: Targets) -> np.ndarray:
    return targets.weights @ targets.values / targets.weights.sum()


def infinite_weights(
    generator: KernelGenerator,
    X: np.ndarray,
    targets: Targets,
    price: float | None = None,
    on_price: Callable[[], None] = lambda: None,
) -> InfiniteWeights:
    """Generated kernels with their weights at a price; None: that of least tangent leave-one-out.

    Prices fall, and each keeps the kernels made before. Only weights and coefficients count as
    learned in the held-out outputs, not the scales of the kernels.
    """
    problem, begin = InfiniteProblem(generator, X, targets), time.perf_counter()
    highest = problem.problem.highest_price
    steps = range(1, MOST_PRICES + 1)
    prices, losses, seconds, weights = [], [], [], None
    for value in [highest / PRICE_STEP**k for k in steps] if price is None else [price]:
        found, _ = problem.weights_at(value, weights, ROUNDS)
        weights = found.weights
        prices.append(value)
        losses.append(found.held_out_loss)
        seconds.append(time.perf_counter() - begin)
        on_price()
        if len(losses) > 1 and losses[-1] > (1 - HARDLY) * losses[-2]:
            break
    chosen = prices[losses.index(min(losses))]
    best, complete = problem.weights_at(chosen, None, LAST_ROUNDS)
    spent = problem.problem.n_factorizations
    return InfiniteWeights(problem.bank.kernels, best, prices, losses, seconds, spent, complete)
