"""The base class of machines: Gram blocks and targets in, a solution with its way back out."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from kernelwise.machines.refitting import refitted_folds
from kernelwise.parameters import Parametrized
from kernelwise.solutions import HeldOutSolution, Targets


class Machine(Parametrized):
    """A machine takes Gram blocks, never kernels; ``gives`` is the type of record it returns.

    Attributes
    ----------
    ignores_constant : adding a constant to the Gram matrix changes nothing (a free bias)
    leaves_one_out : each row's held-out output has a closed form
    held_out_leads_back : held-out rows have a gradient in the Gram matrix
    takes_diagonal : `solve` takes ``k(x, x)`` of each row after its Gram blocks
    takes_constant_targets : `solve` knows what to do with a target that does not vary
    limits_mislead : an optimum at a limit of the search is false if there is another one
    start_factors : how many times weaker than a least-squares ridge the first regularizations are
    """

    gives: type
    ignores_constant = False
    leaves_one_out = False
    held_out_leads_back = True
    takes_diagonal = False
    takes_constant_targets = False
    limits_mislead = False
    start_factors: tuple[float, ...] = (1.0,)

    def fresh(self) -> Self:
        """The same machine for a new search; one with a memory gets an empty one."""
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
        """Residuals of rows held out by fold; None: one by one, if the machine ``leaves_one_out``.

        ``solution`` is that of all rows, if known. By default each fold is refitted, which suits
        machines with one square Gram matrix.
        """
        if folds is None:
            raise ValueError(f"{type(self).__name__} cannot leave out single rows: give it folds")
        return refitted_folds(self, grams, targets, folds)

    def at_ridge(self, ridge: float, factor: float = 1.0) -> Self:
        """The machine that regularizes about as much as least squares with ``ridge / factor``."""
        raise NotImplementedError

    def rescaled(self, amplitude: float) -> Self:
        """The machine that treats ``amplitude * gram`` as this one treats ``gram``."""
        raise NotImplementedError
