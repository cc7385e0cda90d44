"""How well chains have mixed: effective sample size and split R-hat."""

from __future__ import annotations

import numpy as np


def mixing(watched: np.ndarray) -> tuple[float, float]:
    """The smallest effective sample size and the largest split R-hat of several quantities.

    ``watched`` is (steps, quantities, chains). A quantity that never moved has no effective sample
    at all, whatever its autocorrelations say.
    """
    found = [(effective_sample_size(w), split_r_hat(w)) for w in np.moveaxis(watched, 1, 0)]
    return min(size for size, _ in found), max(r for _, r in found)


def effective_sample_size(series: np.ndarray) -> float:
    """How many independent draws say as much of the mean as these (steps, chains) do.

    ``steps chains / (1 + 2 sum rho_t)``, with autocorrelations around the mean of all chains, so
    that chains stuck apart do not look uncorrelated; their sum ends where a pair of neighbors is no
    longer positive (Geyer 1992), and never makes the sample larger than it is.
    """
    steps, chains = series.shape
    centered = series - series.mean()
    variance = float(np.mean(centered**2))
    if variance == 0:
        return 0.0
    total, lag = 1.0, 1
    while lag + 1 < steps:
        pair = sum(
            float(np.mean(centered[: steps - k] * centered[k:])) / variance for k in (lag, lag + 1)
        )
        if pair <= 0:
            break
        total, lag = total + 2 * pair, lag + 2
    return steps * chains / max(total, 1.0)


def split_r_hat(series: np.ndarray) -> float:
    """The deviation of all draws over the mean deviation within half chains; 1 if well mixed."""
    half = len(series) // 2
    if half < 2:
        return float("inf")
    halves = np.concatenate([series[:half], series[half : 2 * half]], axis=1)
    within = float(np.mean(halves.var(axis=0, ddof=1)))
    between = half * float(np.var(halves.mean(axis=0), ddof=1))
    if within == 0:
        return float("inf") if between > 0 else 1.0
    return float(np.sqrt((half - 1) / half + between / (half * within)))
