"""Held-out rows by refitting."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.solutions import HeldOutSolution, Targets


def refitted_folds(
    machine: Any, grams: list[np.ndarray], targets: Targets, folds: list[np.ndarray]
) -> HeldOutSolution:
    """Held-out residuals of every fold, with the machine refitted without it.

    For any machine whose outputs are ``gram @ coef + intercept``, with a gradient in both.
    """
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
                fit.gradient(coef=coef_gradient, intercept=outputs_gradient.sum(axis=0))
            )
            gram_gradient[np.ix_(T, T)] += inner
            machine_gradient += own
        return [gram_gradient], machine_gradient

    solved = sum(fit.n_factorizations for *_, fit in fits)
    return HeldOutSolution(held_out, targets, back, n_factorizations=solved)


def no_way_back(held_out_gradient: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """What stands for the way back from held-out rows of machines that have none."""
    raise ValueError("held-out rows of this machine have values, but no gradients")
