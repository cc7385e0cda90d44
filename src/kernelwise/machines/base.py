"""What every machine is: a solution of Gram blocks and targets, with its way back."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from kernelwise.machines.refitting import refitted_folds
from kernelwise.parameters import Parametrized
from kernelwise.solutions import HeldOutSolution, Targets

REGULARIZATION_LIMITS = (1e-10, 1e6)


class Machine(Parametrized):
    """Takes Gram blocks, never kernels; ``gives`` names the record it returns.

    Attributes
    ----------
    ignores_constant : adding a constant to the Gram matrix changes nothing (a free bias)
    leaves_one_out : each row's held-out output has a closed form
    limits_mislead : an optimum at a limit of the search is a false one if there is another
    start_factors : how much weaker, relative to a least-squares ridge, the regularizations are that
        a search tries before it begins
    """

    gives: type
    ignores_constant = False
    leaves_one_out = False
    limits_mislead = False
    start_factors: tuple[float, ...] = (1.0,)

    def fresh(self) -> Self:
        """The same machine, ready for a search of its own; one that remembers begins anew."""
        return self

    def blocks(self, X: np.ndarray) -> list[tuple[np.ndarray, np.ndarray | None]]:
        """The pairs of rows whose Gram matrices `solve` takes; a pair with None is symmetric."""
        return [(X, None)]

    def solve(self, grams: list[np.ndarray], targets: Targets) -> Any:
        raise NotImplementedError

    def held_out(
        self,
        grams: list[np.ndarray],
        targets: Targets,
        folds: list[np.ndarray] | None,
        solution: Any = None,
    ) -> HeldOutSolution:
        """What each row gets without its fold; folds of None leave out each row alone, where the
        machine ``leaves_one_out``.

        ``solution`` is that of all rows, where it is known. By default each fold is refitted, which
        is for machines of one square Gram matrix.
        """
        if folds is None:
            raise ValueError(f"{type(self).__name__} has no closed form of leaving rows out")
        return refitted_folds(self, grams, targets, folds)

    def at_ridge(self, ridge: float, factor: float = 1.0) -> Self:
        """The machine that regularizes about as least squares with ``ridge / factor``."""
        raise NotImplementedError

    def rescaled(self, amplitude: float) -> Self:
        """The machine that makes of ``amplitude * gram`` what this one makes of ``gram``."""
        raise NotImplementedError
