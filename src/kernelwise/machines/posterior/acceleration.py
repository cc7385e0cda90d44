"""Anderson acceleration of a fixed-point iteration whose first half must stay positive."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

# Earlier steps that an extrapolation uses; with 8 it needs as many sweeps, and fails more often.
MEMORY = 3
# A mismatch that grows by more than this means that the steps are too long.
GROWTH = 2.0
SHORTEST = 0.1


class Anderson:
    """Extrapolate ``x -> g(x)`` from the last few steps: plain steps, but fewer.

    The next point is the combination of the last points whose residuals ``g(x) - x`` cancel best,
    by least squares in units of ``scale``. If the mismatch doubles, the memory is cleared and the
    step is halved; it grows back as things improve. An element that must be positive and would not
    be takes its plain step instead.
    """

    def __init__(self) -> None:
        self.points: list[np.ndarray] = []
        self.steps: list[np.ndarray] = []
        self.length, self.last = 1.0, np.inf

    def __call__(
        self, x: np.ndarray, target: np.ndarray, scale: np.ndarray, mismatch: float
    ) -> np.ndarray:
        """The next point; both halves of ``x`` belong to the same rows, the first is positive."""
        step = target - x
        if mismatch > GROWTH * self.last:
            self.points, self.steps = [], []
            self.length = max(self.length / 2, SHORTEST)
        elif mismatch < self.last:
            self.length = min(1.5 * self.length, 1.0)
        self.last = mismatch
        self.points = [*self.points[-MEMORY:], x]
        self.steps = [*self.steps[-MEMORY:], step]
        plain = x + self.length * step
        if len(self.points) == 1:
            return plain
        points, steps = np.array(self.points), np.array(self.steps)
        moves, changes = points[1:] - points[:-1], steps[1:] - steps[:-1]
        scaled = changes * scale
        products = scaled @ scaled.T
        products += 1e-10 * np.trace(products) * np.eye(len(products))
        _, shares, singular = lapack.dposv(products, scaled @ (scale * step))
        if singular:
            return plain
        found = plain - shares @ (moves + self.length * changes)
        outside = found[: len(x) // 2] <= 0
        return np.where(np.concatenate([outside, outside]), plain, found)
