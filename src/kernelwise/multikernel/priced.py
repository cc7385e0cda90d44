"""Priced weights: least squares on a weighted sum of kernels, with a price on the weights."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelwise.kernels import Precomputed
from kernelwise.machines import LeastSquares
from kernelwise.multikernel.aligned import nearest_nonnegative
from kernelwise.multikernel.gram_bank import GramBank
from kernelwise.objective import evaluated
from kernelwise.solutions import LeastSquaresSolution, LinearizedLeastSquares, Targets

# Optimality: how far a pull may be from the price, relative to it.
TOLERANCE = 1e-6
MAX_STEPS = 100
# Kernels of no weight that a step may give one: those of the strongest pull.
MOST_NEW = 60
# Below this share of the full decrease a step is halved.
SUFFICIENT = 1e-4
# What keeps the tangents of dependent kernels apart, relative to their size.
TANGENT_RIDGE = 1e-9
# A pull this small, relative to what the kernel's size allows, is that of a constant kernel.
ROUNDING = 1e-12
# Prices fall by this factor, over so many decades, until the held-out loss has risen so often.
PRICE_STEP, DECADES, PATIENCE = 2.0, 6.0, 4


@dataclass(frozen=True)
class PricedWeights:
    """The optimal weights at a price, and the machine on the weighted sum of the kernels.

    Attributes
    ----------
    price, weights : ``mu`` and ``beta``, exactly 0 for kernels that are not worth their price
    objective : ``J(beta) + mu sum(beta)``
    pulls : ``-dJ/dbeta_m = coef'K_m coef / 2n``: at most the price, and equal to it where a weight
        is positive
    solution : least squares of regularization 1 on ``sum_m beta_m K_m``
    tangents : ``K_m coef`` of the kernels with weight, (rows, outputs, kernels)
    n_factorizations : the work done for it
    """

    price: float
    weights: np.ndarray
    objective: float
    pulls: np.ndarray
    solution: LeastSquaresSolution
    tangents: np.ndarray
    n_factorizations: int

    @cached_property
    def held_out(self) -> np.ndarray:
        """Target minus output of each row when it is left out, from weights and coefficients.

        To leave out a row is to move its target until its coefficient is 0. To first order
        ``d coef = (P - P G (G'PG)^-1 G'P) d y`` with ``G`` the tangents of the kernels in use,
        because their pulls stay at the price: `LinearizedLeastSquares` without a penalty.
        Leave-one-out at fixed weights is optimistic, because they were learned on the same rows.
        """
        if not self.weights.any():
            return self.solution.left_out
        # At unit size, one ridge suits all kernels.
        sizes = np.diagonal(self.solution.system.sum_of_squares(self.tangents))
        scaled = self.tangents / np.sqrt(sizes)
        return LinearizedLeastSquares(self.solution, scaled, TANGENT_RIDGE).left_out

    @cached_property
    def held_out_loss(self) -> float:
        """Half the weighted sum of squared held-out residuals."""
        targets = self.solution.targets
        squares = (targets.weights[:, None] * self.held_out**2).sum()
        return 0.5 * float(squares + targets.within.sum())


@dataclass(frozen=True)
class _Point:
    """The problem at some weights: the smooth part of the objective, and its negative gradient."""

    weights: np.ndarray
    value: float
    pulls: np.ndarray
    solution: LeastSquaresSolution


class PricedProblem:
    """``min_{beta >= 0} J(sum_m beta_m K_m) + mu sum_m beta_m`` for any price ``mu``.

    ``J(K) = (1/2n) min_f sum_i w_i (y_i - f_i)^2 + |f|^2_K``, with a free bias, summed over the
    outputs; n is the total weight, so a row of weight 2 is a repeated row. J is convex in beta,
    ``dJ/dbeta_m = -coef'K_m coef / 2n`` and the curvature is ``g_m'P g_l / n``, ``g_m = K_m coef``,
    P the residual operator. Each step minimizes that quadratic model over ``beta >= 0``, exactly,
    among the kernels with weight and those of the strongest pull.

    Cost of a step: one factorization (n^3 / 3), and n^2 for each kernel of the model.

    Parameters
    ----------
    bank : the Gram matrices; kernels that it gains later count from then on
    targets : what the machine is to reproduce
    """

    def __init__(self, bank: GramBank, targets: Targets):
        self.bank, self.targets = bank, targets
        self.total = float(targets.weights.sum())
        self.n_factorizations = 0
        self._machine = LeastSquares(1.0)

    @cached_property
    def highest_price(self) -> float:
        """The lowest price at which no kernel has a weight; 0 if none varies over the rows."""
        without = self._at(np.zeros(self.bank.n_kernels))
        highest = float(without.pulls.max())
        rounding = ROUNDING * float(self.bank.diagonals().max()) * without.value
        return highest if highest > rounding else 0.0

    def weights_at(self, price: float, start: np.ndarray | None = None) -> PricedWeights:
        """The optimal weights at a price, from given weights (None: all zero)."""
        before = self.n_factorizations
        weights = np.zeros(self.bank.n_kernels)
        if start is not None:
            weights[: len(start)] = start
        point = self._at(weights)
        for _ in range(MAX_STEPS):
            if self._distance(point, price) < TOLERANCE:
                break
            point, moved = self._step(point, price)
            if not moved:
                break
        used = np.flatnonzero(point.weights)
        return PricedWeights(
            price,
            point.weights,
            point.value + price * float(point.weights.sum()),
            point.pulls,
            point.solution,
            self._tangents(point, used),
            self.n_factorizations - before,
        )

    def _at(self, weights: np.ndarray) -> _Point:
        gram = self.bank.weighted(weights)
        solution = evaluated(Precomputed(), self._machine, gram, self.targets).solution
        self.n_factorizations += solution.n_factorizations
        misfit = (self.targets.values * solution.coef).sum() + self.targets.within.sum()
        pulls = self.bank.quadratic(solution.coef) / (2 * self.total)
        return _Point(weights, float(misfit) / (2 * self.total), pulls, solution)

    @staticmethod
    def _distance(point: _Point, price: float) -> float:
        """How far a point is from optimal, relative to the price."""
        gaps = point.pulls - price
        return float(np.where(point.weights > 0, np.abs(gaps), gaps).max(initial=0.0)) / price

    def _tangents(self, point: _Point, kernels: np.ndarray) -> np.ndarray:
        """``K_m coef`` of some kernels, (rows, outputs, kernels)."""
        return self.bank.apply(point.solution.coef)[:, kernels].transpose(2, 0, 1)

    def _step(self, point: _Point, price: float) -> tuple[_Point, bool]:
        """A better point, and whether there is one."""
        unused = np.flatnonzero((point.weights == 0) & (point.pulls > price))
        new = unused[np.argsort(-point.pulls[unused], kind="stable")[:MOST_NEW]]
        chosen = np.concatenate([np.flatnonzero(point.weights), new])
        tangents = self._tangents(point, chosen)
        curvature = point.solution.system.sum_of_squares(tangents) / self.total
        gaps, present = point.pulls[chosen] - price, point.weights[chosen]
        sizes = np.sqrt(np.diagonal(curvature))
        best = nearest_nonnegative(
            curvature / np.outer(sizes, sizes), (gaps + curvature @ present) / sizes
        )
        direction = best / sizes - present
        slope, length = float(gaps @ direction), 1.0
        objective = point.value + price * point.weights.sum()
        while slope > 0 and length > 1e-6:
            weights = point.weights.copy()
            weights[chosen] = np.maximum(present + length * direction, 0)
            found = self._at(weights)
            if found.value + price * weights.sum() <= objective - SUFFICIENT * length * slope:
                return found, True
            length /= 2
        return point, False


@dataclass(frozen=True)
class PricePath:
    """Weights at falling prices: the best by held-out loss, and what was tried.

    ``prices``, ``losses`` and ``seconds`` are those of all prices tried.
    """

    best: PricedWeights
    prices: list[float]
    losses: list[float]
    seconds: list[float]
    n_factorizations: int


def price_path(
    problem: PricedProblem, price: float | None = None, on_price: Callable[[], None] = lambda: None
) -> PricePath:
    """The weights at the price of least tangent leave-one-out loss, or at a given one.

    Prices fall from the highest at which no kernel has a weight, each solved from the weights of
    the last, until the loss no longer falls. A given price is reached on the same way, because far
    from the optimum a step makes little headway.
    """
    begin = time.perf_counter()
    highest = problem.highest_price
    fallen = [highest / PRICE_STEP**k for k in range(int(DECADES / np.log10(PRICE_STEP)))]
    if not highest:
        fallen = [1.0]  # any price is too high
    if price is not None:
        fallen = [value for value in fallen if value > price] + [price]
    weights, best = None, None
    prices: list[float] = []
    losses: list[float] = []
    seconds: list[float] = []
    for value in fallen:
        found = problem.weights_at(value, weights)
        weights = found.weights
        if price is not None and value != price:
            continue
        if best is None or found.held_out_loss < best.held_out_loss:
            best = found
        prices.append(value)
        losses.append(found.held_out_loss)
        seconds.append(time.perf_counter() - begin)
        on_price()
        if len(losses) - losses.index(min(losses)) > PATIENCE:
            break
    assert best is not None
    return PricePath(best, prices, losses, seconds, problem.n_factorizations)
