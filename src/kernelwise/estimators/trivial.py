"""Whether a model is better than chance on rows that had no part in any choice."""

from __future__ import annotations

import numpy as np
from scipy.stats import chi2

from kernelwise.notices import warn_user

# The gain in log likelihood that trusting a useless model reaches in 5 % of all tables: twice the
# gain has half of a chi-squared distribution with one degree of freedom, as trust is not negative.
GAIN_BY_CHANCE = chi2.ppf(0.9, 1) / 2


class NoBetterThanTrivialWarning(UserWarning):
    """On held-out rows the model is not better than the classes' shares, or than the mean of y."""


def normal_gain(targets: np.ndarray, outputs: np.ndarray, weights: np.ndarray) -> float:
    """Log likelihood of quantities gained by trusting outputs rather than the mean.

    ``n/2 log(sum (y - mean)^2 / sum (y - mean - trust (f - mean))^2)``, summed over the columns,
    each with its best trust from 0 to 1 and its own noise; ``n`` is the sum of the weights.
    """
    total = 0.0
    for y, f in zip(targets.T, outputs.T, strict=True):
        mean = np.average(y, weights=weights)
        y, f = y - mean, f - mean
        square = weights @ f**2
        if not square > 0:
            continue
        trust = np.clip(weights @ (y * f) / square, 0, 1)
        left = weights @ (y - trust * f) ** 2
        total += np.inf if left == 0 else weights.sum() / 2 * np.log(weights @ y**2 / left)
    return total


def warned_if_trivial(gain: float, n_outputs: int, what: str) -> bool:
    """Whether a gain is what chance gives, with a warning.

    Several outputs, each with its own trust, gain by chance as much as one with as many degrees of
    freedom.

    Parameters
    ----------
    gain : of log likelihood, by trusting outputs of unseen rows
    n_outputs : how many outputs have a trust of their own
    what : what a trivial model knows
    """
    limit = GAIN_BY_CHANCE if n_outputs == 1 else chi2.ppf(0.95, n_outputs) / 2
    is_trivial = gain < limit
    if is_trivial:
        warn_user(
            f"on rows that it has not seen, this model is not better than {what}: do not rely on "
            "its predictions, and do not read anything into its relevances. The columns may say "
            "nothing about the target, or there may be too few rows",
            NoBetterThanTrivialWarning,
        )
    return is_trivial
