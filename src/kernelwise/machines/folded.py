"""K-fold cross-validation as a machine: its solution is what each row gets without its fold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernelwise.linalg import add_symmetric_product, mirror_lower
from kernelwise.machines.base import Machine
from kernelwise.machines.least_squares import LeastSquares
from kernelwise.solutions import HeldOutSolution, LeastSquaresSolution, SolutionGradient, Targets


class Folded(Machine):
    """A machine fitted without each fold in turn.

    ``folds`` are the row indices held out, fixed for a whole search. Least squares needs no
    refitting: with ``P`` the residual operator of the whole fit, fold S has the held-out residuals
    ``e_S = P_SS^-1 coef_S``; value and gradient cost one factorisation and one inverse. Any other
    machine is refitted on each fold.
    """

    gives = HeldOutSolution

    def __init__(self, machine: Machine, folds: Sequence[np.ndarray]):
        self.machine, self.folds = machine, [np.asarray(fold) for fold in folds]
        self.ignores_constant = machine.ignores_constant

    @property
    def values(self) -> np.ndarray:
        return self.machine.values

    @property
    def value_bounds(self) -> np.ndarray:
        return self.machine.value_bounds

    @property
    def value_names(self) -> list[str]:
        return self.machine.value_names

    def with_values(self, values: np.ndarray) -> Folded:
        return self._around(self.machine.with_values(values))

    def fresh(self) -> Folded:
        return self._around(self.machine.fresh())

    def _around(self, machine: Machine) -> Folded:
        other = Folded(machine, self.folds)
        other.coordinates = self.coordinates
        return other

    def solve(self, grams: list[np.ndarray], targets: Targets) -> HeldOutSolution:
        closed_form = isinstance(self.machine, LeastSquares)
        way = least_squares_folds if closed_form else refitted_folds
        return way(self.machine, grams, targets, self.folds)


def least_squares_folds(
    machine: Machine, grams: list[np.ndarray], targets: Targets, folds: list[np.ndarray]
) -> HeldOutSolution:
    """Held-out residuals of every fold from one fit of all rows.

    Way back, with ``u_S = P_SS^-1 held_out_gradient_S``:
    ``-sym(P u coef') + sum_S sym((P_:S u_S)(P_:S e_S)')``, a matrix of rank (folds + 1).
    """
    whole: LeastSquaresSolution = machine.solve(grams, targets)
    inverse = whole.system.inverse
    factors = [cho_factor(inverse[np.ix_(S, S)], lower=True, check_finite=False) for S in folds]
    held_out = np.empty_like(whole.coef)
    for S, factor in zip(folds, factors, strict=True):
        held_out[S] = cho_solve(factor, whole.coef[S], check_finite=False)

    def back(held_out_gradient: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
        n = len(whole.coef)
        u = np.empty_like(held_out)
        for S, factor in zip(folds, factors, strict=True):
            u[S] = cho_solve(factor, held_out_gradient[S], check_finite=False)
        both = [inverse[:, S] @ np.hstack([u[S], held_out[S]]) for S in folds]
        left, right = zip(*(np.hsplit(pair, 2) for pair in both), strict=True)
        gram_gradient = add_symmetric_product(
            np.zeros((n, n), order="F"),
            np.hstack([-sum(left[1:], left[0]), *left]),
            np.hstack([whole.coef, *right]),
        )
        mirror_lower(gram_gradient)
        noise_gradient = np.diagonal(gram_gradient) / targets.weights
        return [gram_gradient.T], np.array([noise_gradient.sum()])

    return HeldOutSolution(held_out, targets, back)


def refitted_folds(
    machine: Machine, grams: list[np.ndarray], targets: Targets, folds: list[np.ndarray]
) -> HeldOutSolution:
    """The same by refitting: for any machine whose outputs are ``gram @ coef + intercept``."""
    (gram,) = grams
    held_out, fits = np.empty_like(targets.values), []
    for S in folds:
        T = np.setdiff1d(np.arange(len(gram)), S)
        fit = machine.solve([gram[np.ix_(T, T)]], targets.take(T))
        held_out[S] = targets.values[S] - gram[np.ix_(S, T)] @ fit.coef - fit.intercept
        fits.append((S, T, fit))

    def back(held_out_gradient: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
        gram_gradient, machine_gradient = np.zeros_like(gram), np.zeros(len(machine.values))
        for S, T, fit in fits:
            outputs_gradient = -held_out_gradient[S]
            across = outputs_gradient @ fit.coef.T / 2
            gram_gradient[np.ix_(S, T)] += across
            gram_gradient[np.ix_(T, S)] += across.T
            coef_gradient = gram[np.ix_(S, T)].T @ outputs_gradient
            (inner,), own = fit.pullback(
                SolutionGradient(coef=coef_gradient, intercept=outputs_gradient.sum(axis=0))
            )
            gram_gradient[np.ix_(T, T)] += inner
            machine_gradient += own
        return [gram_gradient], machine_gradient

    solved = sum(fit.n_factorizations for *_, fit in fits)
    return HeldOutSolution(held_out, targets, back, n_factorizations=solved)
