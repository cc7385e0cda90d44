"""Parameters that a search may change, in natural units, and the coordinates of the search."""

from __future__ import annotations

import copy
from typing import NamedTuple, Self

import numpy as np

COORDINATES = ("log", "natural")
ROLES = ("scale", "amplitude", "offset", "shape", "regularization")


class Parameter(NamedTuple):
    """A non-negative number that a search may change.

    ``limits`` are those of a logarithmic search; ``can_vanish`` says whether it may be exactly zero
    in natural coordinates. ``role``: how fast a kernel falls off ("scale"), its size ("amplitude"),
    a constant in it ("offset"), the "shape" of its profile, or a machine's "regularization".
    """

    name: str
    value: float
    limits: tuple[float, float]
    role: str = "scale"
    can_vanish: bool = True


class Parametrized:
    """An immutable object with searchable, non-negative parameters.

    A subclass works in natural units only: it has ``parameters`` and ``with_values``, and its
    gradients are in ``values``. This base class turns them into ``theta``, the coordinates of a
    search: logarithms by default, or natural values if a search must be able to reach zero
    (first-level kernel learning: in logarithms the faces ``value = 0`` are false minima).
    """

    coordinates = "log"

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters a search may change; none by default."""
        return []

    @property
    def values(self) -> np.ndarray:
        """The parameters in natural units, one vector."""
        return np.array([parameter.value for parameter in self.parameters], float)

    @property
    def value_limits(self) -> np.ndarray:
        """Lowest and highest value of each parameter in a logarithmic search, shape (p, 2)."""
        limits = [parameter.limits for parameter in self.parameters]
        return np.array(limits, float).reshape(-1, 2)

    @property
    def roles(self) -> list[str]:
        return [parameter.role for parameter in self.parameters]

    def with_values(self, values: np.ndarray) -> Self:
        """The same object with other values."""
        name = type(self).__name__
        if self.parameters:
            raise ValueError(f"{name} has parameters: it needs a method with_values(values)")
        if len(values):
            raise ValueError(f"{name} has no parameters, got {len(values)}")
        return self

    def check_parameters(self) -> None:
        """Raise a ValueError that says what is wrong with a parameter."""
        for name, value, (low, high), role, _ in self.parameters:
            if role not in ROLES:
                raise ValueError(f"{name} has the role {role!r}; choose one of {ROLES}")
            if not 0 <= value < np.inf:
                raise ValueError(f"{name} must be a finite number of 0 or more, got {value}")
            if not 0 < low < high < np.inf:
                raise ValueError(f"the limits of {name} must be positive and rise: {(low, high)}")
        self.with_values(self.values)

    def in_coordinates(self, coordinates: str) -> Self:
        """The same object, searched in ``"log"`` or ``"natural"`` coordinates."""
        if coordinates not in COORDINATES:
            raise ValueError(f"coordinates must be one of {COORDINATES}, got {coordinates!r}")
        if coordinates == self.coordinates:
            return self
        other = copy.copy(self)
        other.coordinates = coordinates
        return other

    @property
    def theta(self) -> np.ndarray:
        """The values in search coordinates."""
        if self.coordinates == "natural":
            return self.values
        with np.errstate(divide="ignore"):
            return np.log(self.values)

    @property
    def limits(self) -> np.ndarray:
        """Limits of ``theta``; natural coordinates reach zero if the value can vanish."""
        limits = self.value_limits
        if self.coordinates == "log":
            return np.log(limits)
        vanishing = [parameter.can_vanish for parameter in self.parameters]
        return np.column_stack([np.where(vanishing, 0.0, limits[:, 0]), limits[:, 1]])

    def with_theta(self, theta: np.ndarray) -> Self:
        """The same object at another point of the search."""
        theta = np.asarray(theta, float)
        if len(theta) != len(self.values):
            raise ValueError(
                f"{type(self).__name__} has {len(self.values)} parameters, got {len(theta)}"
            )
        values = theta if self.coordinates == "natural" else np.exp(theta)
        return self.with_values(values).in_coordinates(self.coordinates)

    def theta_gradient(self, values_gradient: np.ndarray) -> np.ndarray:
        """Chain rule from the natural values (last axis) to ``theta``."""
        if self.coordinates == "natural":
            return values_gradient
        return values_gradient * self.values
