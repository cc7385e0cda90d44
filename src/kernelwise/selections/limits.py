"""How far a search may go, and whether it ended where it could go no further."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kernelwise.notices import warn_user
from kernelwise.objective import Objective
from kernelwise.parameters import ROLES
from kernelwise.selections.base import Choice

# What counts as being at a limit, in logarithms; and as a loss, relative to the criterion.
AT_LIMIT, NOTABLE_LOSS = 1e-3, 1e-3


class AtLimitWarning(UserWarning):
    """A search ended where a parameter could go no further: the optimum may be false."""


def check_limits(limits: Mapping[str, tuple[float, float]]) -> None:
    """Refuse limits that are not a range of positive values of a role."""
    for role, within in limits.items():
        if role not in ROLES:
            raise ValueError(f"limits go by role, one of {ROLES}; got {role!r}")
        if np.shape(within) != (2,) or not 0 < within[0] < within[1] < np.inf:
            raise ValueError(
                f"limits of {role!r} must be two positive, increasing numbers, got {within!r}"
            )


def narrowed(
    limits: np.ndarray, objective: Objective, wanted: Mapping[str, tuple[float, float]]
) -> np.ndarray:
    """The (logarithmic) limits of a search, narrowed to those wanted for each role."""
    limits, roles = limits.copy(), np.array([p.role for p in objective.parameters])
    for role, within in wanted.items():
        rows = np.flatnonzero(roles == role)
        if not len(rows):
            raise ValueError(
                f"there are limits of {role!r}, but the roles searched are "
                f"{sorted(set(roles.tolist()))}"
            )
        inside = np.clip(np.log(within), limits[rows, :1], limits[rows, 1:])
        if (inside[:, 0] >= inside[:, 1]).any():
            widest = np.exp(limits[rows[0]])
            raise ValueError(
                f"limits of {role!r} {within} are outside what is possible here: "
                f"{widest[0]:.3g} to {widest[1]:.3g}"
            )
        limits[rows] = inside
    return limits


def pressed_limits(objective: Objective, point: np.ndarray, limits: np.ndarray) -> tuple[str, ...]:
    """Names of the parameters at a limit that the criterion presses against.

    A parameter does not count if the criterion is as good one step back; nor does a scale of 0,
    which only switches a feature off, or an offset, since all large or small ones are the same.
    """
    size, parameters = len(objective.kernel.values), objective.parameters
    low, high = point <= limits[:, 0] + AT_LIMIT, point >= limits[:, 1] - AT_LIMIT
    low[:size] = False
    there = [r for r in np.flatnonzero(low | high) if parameters[r].role != "offset"]
    if not there:
        return ()
    inside = point.copy()
    inside[there] += np.where(low[there], 1.0, -1.0)
    inside = np.clip(inside, *limits.T)
    try:
        here, back = objective.value(point), objective.value(inside)
    except np.linalg.LinAlgError:
        return ()
    names = (parameters[r].name.rpartition(".")[2] for r in there)
    return tuple(names) if back > here + NOTABLE_LOSS * abs(here) else ()


def warn_at_limits(choice: Choice, objective: Objective) -> None:
    """Warn of a choice at a limit, with the reason that the criterion gives."""
    if choice.at_limits:
        names = ", ".join(choice.at_limits)
        why = objective.criterion.why_at_limit(choice.solution, "amplitude" in choice.at_limits)
        message = f"the search ended at the end of the range of {names}: {why}"
        warn_user(message, AtLimitWarning)
