"""How much alignment chance alone gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelwise.criteria import Alignment
from kernelwise.kernels import Kernel, Precomputed
from kernelwise.machines import NoMachine
from kernelwise.notices import warn_user
from kernelwise.objective import evaluated, gram_blocks
from kernelwise.selections.base import Problem
from kernelwise.solutions import Targets


class NoAlignmentWarning(UserWarning):
    """No column of the table says anything about the targets, as far as alignment can tell."""


@dataclass(frozen=True)
class Chance:
    """A centered alignment, its mean with shuffled targets, and what luck adds to that."""

    found: float
    shuffled: float
    luck: float
    n_observations: float
    n_parameters: int

    @property
    def is_reached(self) -> bool:
        return self.found <= self.shuffled + self.luck

    def warn_if_reached(self) -> None:
        if not self.is_reached:
            return
        warn_user(
            f"the centered alignment found, {max(self.found, 0.0):.3g}, is no more than chance "
            f"gives for {self.n_observations:.0f} rows and {self.n_parameters} "
            f"kernel parameter{'' if self.n_parameters == 1 else 's'} "
            f"(up to {min(self.shuffled + self.luck, 1.0):.2g}): as far as alignment can tell, the "
            "columns say nothing about the targets. Do not trust the relevances",
            NoAlignmentWarning,
        )


def chance_alignment(kernel: Kernel, problem: Problem, targets: Targets) -> Chance:
    """The alignment of a kernel compared with chance: see `gram_chance`."""
    (way,) = gram_blocks(kernel, NoMachine(), problem.X)
    observations = problem.n_observations or float(targets.weights.sum())
    return gram_chance(way.gram, targets, observations, len(kernel.values))


def gram_chance(gram: np.ndarray, targets: Targets, rows: float, n_parameters: int) -> Chance:
    """The alignment of a Gram matrix compared with chance.

    Its mean over all shuffles of n rows is exactly ``tr K tr Y / ((n - 1) |K| |Y|)``, all centered,
    with a standard deviation of about ``sqrt(2) / n``; a search of p parameters adds about
    ``sqrt(p)`` times that.
    """
    solution = evaluated(Precomputed(), NoMachine(), gram, targets).solution
    found, weights, factor = -Alignment()(solution)[0], targets.weights, solution.factor
    ideal = np.linalg.norm(factor.T @ (weights[:, None] * factor) + np.diag(targets.within))
    sizes = np.sqrt(weights @ solution.gram**2 @ weights) * ideal
    traces = (weights @ np.diagonal(solution.gram)) * (
        weights @ (factor**2).sum(axis=1) + targets.within.sum()
    )
    shuffled = traces / ((rows - 1) * sizes) if sizes > 0 and rows > 1 else 0.0
    luck = (2 + np.sqrt(n_parameters)) * np.sqrt(2) / rows
    return Chance(found, float(shuffled), float(luck), rows, n_parameters)
