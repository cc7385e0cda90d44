"""The least-squares support vector machine: ridge regression in feature space, with a free bias."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernelwise.linalg import BorderedSystem, add_symmetric_product, mirror_lower
from kernelwise.machines.regularized import Regularized
from kernelwise.solutions import HeldOutSolution, LeastSquaresSolution, Targets


class LeastSquares(Regularized):
    """``min 1/2 sum_i w_i (y_i - f_i)^2 + regularization / 2 |f|^2``, ``f = gram @ coef +
    intercept``.

    Solved by ``C = gram + regularization diag(1 / w)`` bordered with ones; all targets share the
    one factorization (n^3 / 3).

    References
    ----------
    Suykens et al. (2002); Cawley & Talbot, Kernel Learning at the First Level of Inference, eq.
    (3).
    """

    gives = LeastSquaresSolution
    ignores_constant = True
    leaves_one_out = True

    def solve(self, grams: list[np.ndarray], targets: Targets) -> LeastSquaresSolution:
        (gram,) = grams
        system = BorderedSystem(gram, self.regularization / targets.weights)
        coef, intercept = system.solve(targets.values)
        return LeastSquaresSolution(coef, intercept, targets, self.regularization, system)

    def held_out(
        self,
        grams: list[np.ndarray],
        targets: Targets,
        folds: list[np.ndarray] | None,
        solution: LeastSquaresSolution | None = None,
    ) -> HeldOutSolution:
        whole = self.solve(grams, targets) if solution is None else solution
        spent = int(solution is None)
        if folds is None:
            return HeldOutSolution(
                whole.left_out,
                targets,
                lambda gradient: whole.pullback(whole.gradient(left_out=gradient)),
                spent,
            )
        return closed_form_folds(whole, folds, spent)

    def __repr__(self) -> str:
        return f"LeastSquares(regularization={self.regularization:.4g})"


def closed_form_folds(
    whole: LeastSquaresSolution, folds: list[np.ndarray], n_factorizations: int = 1
) -> HeldOutSolution:
    """Held-out residuals of every fold from one fit of all rows.

    With ``P`` the residual operator of that fit, fold S has the held-out residuals ``e_S = P_SS^-1
    coef_S``: one factorization and one inverse. Way back, with ``u_S = P_SS^-1
    held_out_gradient_S``: ``-sym(P u coef') + sum_S sym((P_:S u_S)(P_:S e_S)')``, a matrix of rank
    (folds + 1).
    """
    targets = whole.targets
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

    return HeldOutSolution(held_out, targets, back, n_factorizations)
