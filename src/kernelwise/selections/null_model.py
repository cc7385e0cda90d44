"""Models that say nothing, and the search for better ones."""

from __future__ import annotations

from kernelwise.criteria import Criterion
from kernelwise.notices import warn_user
from kernelwise.selections.base import Choice

# How near to the value of a model that says nothing a criterion must be to be one, per output; and
# to be so weak that a second search is worth its time.
AS_GOOD_AS_NOTHING, WEAK = 1e-3, 0.02
# The least regularization (C) of the second search, away from models that say nothing.
SECOND_LEAST = 1.0


class NullModelWarning(UserWarning):
    """The model says nothing: it predicts the same for every row, or hardly differently."""


def says_nothing(choice: Choice, criterion: Criterion, margin: float = AS_GOOD_AS_NOTHING) -> bool:
    """Whether a choice is no better, by its criterion and a margin, than to say nothing."""
    nothing = criterion.null_value(choice.solution)
    if nothing is None:
        return False
    outputs = choice.solution.coef.shape[1]
    return choice.criterion > nothing - outputs * margin


def warn_of_nothing(choice: Choice, tried_again: bool = True) -> None:
    also = ", also from a larger C" if tried_again else ""
    hint = ", or the squared hinge may see more" if choice.solution.loss == "hinge" else ""
    warn_user(
        "by its evidence, the model found says no more than the shares of the classes (criterion "
        f"{choice.criterion:.4g}, C = {choice.machine.values[0]:.3g}){also}. The columns may say "
        "nothing about the target, there may be too few rows, or another kernel may suit them"
        f"{hint}. kernelwise.evaluation.honest_error tells what the model is worth",
        NullModelWarning,
    )
