"""Convex stacking: how much of each candidate's output the combined output is made of."""

from __future__ import annotations

import numpy as np
from scipy.optimize import nnls


def stack_weights(held_out: np.ndarray, targets: np.ndarray, weights: np.ndarray) -> np.ndarray:
    roots = np.sqrt(weights)[:, None]
    columns = np.stack([(roots * (targets - one)).ravel() for one in held_out], axis=1)
    size = np.sqrt((columns**2).sum(axis=0).mean()) or 1.0
    a = np.vstack([columns / size, 1e3 * np.ones(len(held_out))])
    found = nnls(a, np.append(np.zeros(len(columns)), 1e3))[0]
    return found / found.sum()
