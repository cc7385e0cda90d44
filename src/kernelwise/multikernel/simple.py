"""SimpleMKL: the convex combination of kernels on which a support vector machine does best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from kernelwise.criteria import HeldOutErrors, HeldOutHinge
from kernelwise.kernels import Precomputed
from kernelwise.machines import SupportVector
from kernelwise.multikernel.gram_bank import GramBank
from kernelwise.objective import evaluated
from kernelwise.solutions import HeldOutSolution, SupportVectorSolution, Targets

# Optimality: how far a pull may be from the price, relative to it; of weights that are kept, and
# of those that only judge a C.
TOLERANCE, FOLD_TOLERANCE = 1e-4, 1e-3
MAX_ROUNDS = 30
# Kernels of no weight that a round may give one: those of the strongest pull.
MOST_NEW = 60
# The values of C that folds judge, in units of the inverse of the mean size of a kernel.
GRID = np.logspace(-1, 2, 7)


@dataclass(frozen=True)
class SimpleWeights:
    """The optimal weights, of sum 1, and the machine on the weighted sum of the kernels.

    Attributes
    ----------
    C, weights : of the machine, and of the kernels
    objective : ``J(weights)``
    pulls : ``-dJ/dweight_m = coef'K_m coef / 2n``
    price : the pull of every kernel with weight; no other pulls more
    solution : the support vector machine
    """

    C: float
    weights: np.ndarray
    objective: float
    pulls: np.ndarray
    price: float
    solution: SupportVectorSolution


class SimpleProblem:
    """``min J(sum_m d_m K_m)`` over ``d >= 0``, ``sum d = 1``, J of a support vector machine.

    ``J(K) = (1/n) min_f 1/2 |f|^2_K + C sum_i w_i max(0, 1 - y_i f_i)``, with a free bias, summed
    over the outputs; n is the total weight. J is convex in d, and ``dJ/dd_m = -coef'K_m coef /
    2n``. With the price of the sum (its multiplier) this is also the problem of `PricedProblem`,
    whose weights are ``C d`` for a machine of C = 1.

    The search, by L-BFGS-B instead of the published reduced gradient, is over weights of any sum,
    rescaled to 1: every stationary point is optimal, as J is convex on the simplex. It begins with
    equal weights; kernels that have lost theirs come back if they pull more than the price.

    References
    ----------
    Rakotomamonjy, Bach, Canu & Grandvalet (2008), SimpleMKL, JMLR 9.

    Parameters
    ----------
    bank : the Gram matrices
    targets : -1 and +1
    tolerance : how far a pull may be from the price, relative to it
    """

    def __init__(self, bank: GramBank, targets: Targets, tolerance: float = TOLERANCE):
        self.bank, self.targets, self.tolerance = bank, targets, tolerance
        self.total = float(targets.weights.sum())
        self.n_factorizations = 0
        self._machine = SupportVector(1.0, "hinge", bias=True).fresh()

    def weights_at(self, C: float, start: np.ndarray | None = None) -> SimpleWeights:
        """The optimal weights at a C, from given weights (None: equal ones)."""
        self._machine = self._machine.with_values(np.array([C]))
        weights = np.full(self.bank.n_kernels, 1 / self.bank.n_kernels) if start is None else start
        found = self._at(weights / weights.sum())
        for _ in range(MAX_ROUNDS):
            outside = (found.weights == 0) & (found.pulls > found.price * (1 + self.tolerance))
            gaps = np.abs(found.pulls - found.price)[found.weights > 0]
            if not outside.any() and gaps.max() <= self.tolerance * found.price:
                break
            unused = np.flatnonzero(outside)
            new = unused[np.argsort(-found.pulls[unused], kind="stable")[:MOST_NEW]]
            before, chosen = found, np.concatenate([np.flatnonzero(found.weights), new])
            found = self._searched(found, chosen)
            if found.objective >= before.objective:
                return before
        return found

    def _at(self, weights: np.ndarray) -> SimpleWeights:
        gram, C = self.bank.weighted(weights), self._machine.C
        solution = evaluated(Precomputed(), self._machine, gram, self.targets).solution
        self.n_factorizations += solution.n_factorizations
        pulls = self.bank.quadratic(solution.coef) / (2 * self.total)
        price = float(weights @ pulls)
        objective = float(np.abs(solution.coef).sum()) / self.total - price
        return SimpleWeights(C, weights, objective, pulls, price, solution)

    def _searched(self, start: SimpleWeights, chosen: np.ndarray) -> SimpleWeights:
        """L-BFGS-B over the directions of the weights of some kernels."""
        # Searched in units of the mean weight, so that a first step of length 1 suits them.
        unit = 1 / len(chosen)
        scale = unit * start.price

        def at(x: np.ndarray) -> SimpleWeights:
            if not x.any():
                return start
            weights = np.zeros(self.bank.n_kernels)
            weights[chosen] = x / x.sum()
            return self._at(weights)

        def function(x: np.ndarray) -> tuple[float, np.ndarray]:
            found, size = at(x), max(float(x.sum()) * unit, 1e-6)
            slope = (found.price - found.pulls[chosen]) / (scale / unit * size)
            # J does not depend on the size; a term that does keeps it near 1.
            return found.objective / scale + (size - 1) ** 2 / (2 * unit), slope + (size - 1)

        found = minimize(
            function,
            start.weights[chosen] / unit,
            jac=True,
            method="L-BFGS-B",
            bounds=[(0, None)] * len(chosen),
            options={"maxiter": 200, "maxcor": 20, "gtol": self.tolerance / 2, "ftol": 1e-15},
        )
        return at(found.x)


@dataclass(frozen=True)
class FoldedWeights:
    """Weights of all rows, and what weights learned without each fold say about held-out rows.

    ``held_out`` is target minus output of each row without its fold, at the C of ``best``.
    ``tried`` are the values of C, ``errors`` the shares of held-out rows that are wrong.
    """

    best: SimpleWeights
    held_out: np.ndarray
    tried: list[float]
    errors: list[float]
    n_factorizations: int


def weights_by_folds(
    bank: GramBank,
    targets: Targets,
    folds: list[np.ndarray],
    C: float | None = None,
    on_fold: Callable[[], None] = lambda: None,
) -> FoldedWeights:
    """SimpleMKL at the C of fewest held-out errors; ties go to the least hinge loss.

    At every C the weights are learned again without each fold: those learned on all rows have seen
    the held-out ones. A given ``C`` is only judged. Cost: values of C times folds fits.
    """
    tried = [C] if C is not None else list(map(float, GRID / _mean_size(bank)))
    problems = [SimpleProblem(bank, targets)]
    held_out = np.empty((len(tried), *targets.values.shape))
    for S in folds:
        T = np.setdiff1d(np.arange(bank.n_rows), S)
        problems.append(SimpleProblem(bank.take(T), targets.take(T), FOLD_TOLERANCE))
        weights = None
        for value, residuals in zip(tried, held_out, strict=True):
            fit = problems[-1].weights_at(value, weights)
            weights = fit.weights
            across = bank.weighted(weights)[np.ix_(S, T)]
            residuals[S] = targets.values[S] - across @ fit.solution.coef - fit.solution.intercept
        on_fold()
    judged = [_errors_and_hinge(residuals, targets) for residuals in held_out]
    chosen = judged.index(min(judged))
    best = problems[0].weights_at(tried[chosen])
    spent = sum(problem.n_factorizations for problem in problems)
    return FoldedWeights(best, held_out[chosen], tried, [wrong for wrong, _ in judged], spent)


def _mean_size(bank: GramBank) -> float:
    """The mean diagonal of the centered Gram matrices."""
    equal = np.full((bank.n_rows, 1), 1 / bank.n_rows)
    size = float((bank.diagonals().mean(axis=1) - bank.quadratic(equal)).mean())
    return size if size > 0 else 1.0


def _errors_and_hinge(held_out: np.ndarray, targets: Targets) -> tuple[float, float]:
    def no_way_back(gradient: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
        raise NotImplementedError("what the folds say about a C has no derivative")

    found = HeldOutSolution(held_out, targets, no_way_back)
    return HeldOutErrors()(found)[0], HeldOutHinge()(found)[0]
