"""Does one method beat another? Wilcoxon's signed ranks over data sets or over splits."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from kernelwise.evaluation.outcomes import ALPHA, Outcome, about_pair, check_alpha

EXACT_PAIRS = 50  # as in scipy, which however enumerates 2^n cases if there are ties


def wilcoxon(
    first: tuple[str, ArrayLike],
    second: tuple[str, ArrayLike],
    *,
    over: Literal["data sets", "splits"] = "data sets",
    alpha: float = ALPHA,
) -> Outcome:
    """Wilcoxon's signed-rank test of two methods, each given as its name and its errors.

    The differences are ranked by size; the statistic is the smaller of the rank sums of the
    positive and the negative ones, zeros split between both. The two-sided p-value is exact up to
    50 pairs, ties and zeros included, and normal beyond (``scipy.stats.wilcoxon``). Errors of
    different data sets should be on one scale. For several such tests adjust the p-values with
    ``statistics.holm_adjusted``.

    ``over="splits"`` compares on resampled splits of one data set. These share rows, so the
    differences are not independent and p is too small: the test says which method wins on such
    splits, not on new data. ``intervals.corrected_resampled_interval`` of the differences does.

    Cost: O(n log n) for n pairs; O(n^3), a few milliseconds, up to 50.

    References
    ----------
    Wilcoxon (1945), Biometrics 1; zeros as in Demšar (2006).
    """
    check_alpha(alpha)
    if over not in ("data sets", "splits"):
        raise ValueError(f"over must be 'data sets' or 'splits', not {over!r}")
    a, b = np.asarray(first[1], dtype=float), np.asarray(second[1], dtype=float)
    if a.ndim != 1 or a.shape != b.shape or len(a) < 2 or not np.isfinite([a, b]).all():
        raise ValueError(
            f"{first[0]} and {second[0]} need one finite error each on the same {over}, at least "
            f"two; the shapes are {a.shape} and {b.shape}"
        )
    scale = np.abs([a, b]).max() or 1.0
    difference = np.round(a / scale - b / scale, 12)  # rounding errors would break ties
    sizes = stats.rankdata(np.abs(difference))
    lead = float(np.sign(difference) @ sizes)  # rank sum of the positive minus the negative
    statistic = (float(sizes.sum()) - abs(lead)) / 2
    if len(a) <= EXACT_PAIRS:
        p = _exact_p(sizes[difference != 0], abs(lead))
    else:
        p = float(stats.wilcoxon(difference, zero_method="zsplit").pvalue)
    better, worse = (first[0], second[0]) if lead <= 0 else (second[0], first[0])
    details = f"Wilcoxon signed ranks {statistic:g} over {len(a)} {over}"
    details += " that share rows, so p is too small" if over == "splits" else ""
    sentence = about_pair(better, worse, details, p, p <= alpha)
    return Outcome((first[0], second[0]), statistic, (), p, sentence)


def _exact_p(sizes: np.ndarray, lead: float) -> float:
    """The chance that ranks with random signs sum to ``lead`` or more, in absolute value.

    The distribution of the sum of the positive ranks is built up rank by rank; twice a mean rank is
    an integer, so it lives on a grid.
    """
    chances = np.ones(1)
    for step in np.rint(2 * sizes).astype(int):
        gap = np.zeros(step)
        chances = (np.concatenate([chances, gap]) + np.concatenate([gap, chances])) / 2
    leads = np.arange(len(chances)) - (len(chances) - 1) / 2
    return min(1.0, float(chances[np.abs(leads) >= lead - 1e-9].sum()))
