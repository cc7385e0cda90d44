"""Models that say nothing, and the search for better ones."""

from __future__ import annotations

import warnings

from kernelwise.criteria import Criterion
from kernelwise.selections.base import Choice

# How near to the value of a model that says nothing a criterion must be to be one, per output.
AS_GOOD_AS_NOTHING = 1e-3
# The least regularization (C) of the second search, away from models that say nothing.
SECOND_LEAST = 1.0


class NullModelWarning(UserWarning):
    """The model says nothing: it predicts the same for every row, or hardly differently."""


def says_nothing(choice: Choice, criterion: Criterion) -> bool:
    """Whether a choice is no better, by its criterion, than a model that says nothing."""
    nothing = criterion.null_value(choice.solution)
    if nothing is None:
        return False
    outputs = choice.solution.coef.shape[1]
    return choice.criterion > nothing - outputs * AS_GOOD_AS_NOTHING


def warn_of_nothing(choice: Choice, tried_again: bool = True) -> None:
    also = ", also from a larger C" if tried_again else ""
    hint = ", or the squared hinge may see more" if choice.solution.loss == "hinge" else ""
    warnings.warn(
        f"the search found nothing better than a model that says nothing (criterion "
        f"{choice.criterion:.4g}, C = {choice.machine.values[0]:.3g}){also}: the columns may say "
        f"nothing about y, the kernel may not suit them, there are too few rows{hint}",
        NullModelWarning,
        stacklevel=5,
    )
