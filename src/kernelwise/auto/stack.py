"""Candidates that have learned the same table, and what they say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernelwise.auto.candidates import Candidate
from kernelwise.estimators.fold_fits import FoldFit
from kernelwise.estimators.stacking import Combination
from kernelwise.selections import Choice


@dataclass(frozen=True)
class CandidateFit:
    """A candidate that has learned a table.

    Attributes
    ----------
    candidate, member : what was tried, and what it became
    choice : what a least-squares machine chose; of any other estimator, nothing
    held_out : target minus output of each part by a machine that has not seen it
    squares : half the weighted sum of the squares of these
    seconds, n_factorizations : what it took
    fold_fit : of a copy on landmarks, the machine without its fold
    """

    candidate: Candidate
    member: Any
    choice: Choice | None
    held_out: np.ndarray
    squares: float
    seconds: float
    n_factorizations: int
    fold_fit: FoldFit | None = None

    @property
    def name(self) -> str:
        return self.candidate.name


@dataclass(frozen=True)
class StackChoice(Choice):
    """What a stack chose: kernel, machine and trace are those of its best candidate.

    ``held_out`` is that of the weighted sum of the outputs.

    Attributes
    ----------
    fits : the candidates, in the order in which they were tried
    weights : of their outputs; not negative, of sum 1
    offsets : what is added to the sum, (outputs,)
    """

    fits: tuple[CandidateFit, ...] = field(kw_only=True)
    weights: np.ndarray = field(kw_only=True)
    offsets: np.ndarray = field(kw_only=True)

    @property
    def best(self) -> int:
        """The number of the candidate with the least held-out squares; of equal ones the first."""
        return int(np.argmin([fit.squares for fit in self.fits]))


def held_out_squares(held_out: np.ndarray, targets: Any) -> float:
    """``sum w r^2 / 2``, the squares within merged rows included."""
    squares = (targets.weights[:, None] * held_out**2).sum()
    return 0.5 * float(squares + targets.within.sum())


def stacked(fits: Sequence[CandidateFit], how: Combination, targets: Any) -> StackChoice:
    """The choice of a stack whose outputs are combined in some way."""
    pairs = zip(how.weights, fits, strict=True)
    held_out = sum(weight * fit.held_out for weight, fit in pairs) - how.offsets
    with_kernel = [fit for fit in fits if fit.choice is not None]
    best: Any = min(with_kernel, key=lambda fit: fit.squares).choice if with_kernel else None
    # Other estimators have none of these.
    of_best: Any = {
        name: getattr(best, name, None) for name in ("kernel", "machine", "expansion", "trace")
    }
    return StackChoice(
        **of_best,
        solution=None,
        held_out=np.asarray(held_out),
        criterion=held_out_squares(np.asarray(held_out), targets),
        n_factorizations=sum(fit.n_factorizations for fit in fits),
        fits=tuple(fits),
        weights=how.weights,
        offsets=how.offsets,
    )
