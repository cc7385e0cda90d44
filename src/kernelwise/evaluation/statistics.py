"""Do methods differ over many data sets? Rank tests, each answered in numbers and in words.

All read the mean ranks of ``ranking.mean_ranks`` and cost at most O(k^2) for ``k`` methods;
Wilcoxon's test, which reads the errors, is in signed_ranks.py. Demšar (2006), Journal of Machine
Learning Research 7, says when to use which.
"""

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from kernelwise.evaluation.outcomes import ALPHA, Outcome, about_all, about_pair, check_alpha
from kernelwise.evaluation.ranking import MeanRanks


@dataclass(frozen=True)
class Nemenyi:
    """All pairs of methods, and the difference of mean ranks at which a pair differs.

    ``alpha`` is the level of the constant and of the critical difference. ``groups`` are the bars
    of a critical-difference diagram: the largest sets of methods, best first, in which no two
    differ significantly; a method that differs from all is in none.
    """

    alpha: float
    constant: float
    critical_difference: float
    pairs: tuple[Outcome, ...]
    groups: tuple[tuple[str, ...], ...]


def friedman(ranking: MeanRanks, alpha: float = ALPHA) -> Outcome:
    """Friedman's test that all methods have the same mean rank.

    ``12 N / (k (k + 1)) [sum_j R_j^2 - k (k + 1)^2 / 4]``, chi-square with ``k - 1`` degrees of
    freedom for ``k`` methods on ``N`` data sets. Ties shrink the variance of ranks, so the
    statistic is divided by ``1 - ties / (N k (k^2 - 1))``, as in ``scipy.stats.friedmanchisquare``;
    if every method ties on every data set it is 0. Rough below about 10 data sets and 5 methods.

    References
    ----------
    Friedman (1937), Journal of the American Statistical Association 32; ties: Conover (1999),
    Practical Nonparametric Statistics.
    """
    check_alpha(alpha)
    chi2, freedom = _chi_square(ranking), len(ranking.methods) - 1
    p = float(stats.chi2.sf(chi2, freedom))
    words = f"Friedman chi-square {chi2:.3f}, {freedom} degrees of freedom"
    return Outcome(ranking.methods, chi2, (freedom,), p, about_all(words, p, alpha))


def iman_davenport(ranking: MeanRanks, alpha: float = ALPHA) -> Outcome:
    """Friedman's test with a less conservative distribution.

    ``F = (N - 1) chi2 / (N (k - 1) - chi2)``, F with ``k - 1`` and ``(k - 1)(N - 1)`` degrees of
    freedom, ``chi2`` that of ``friedman``, corrected for ties. If all data sets rank the methods
    alike, F is infinite and p the exact chance of that, ``a^(1 - N)`` with ``a`` the number of
    different orders of one data set's ranks (``k!`` without ties).

    References
    ----------
    Iman & Davenport (1980), Communications in Statistics 9(6).
    """
    check_alpha(alpha)
    chi2, n, k = _chi_square(ranking), ranking.n_datasets, len(ranking.methods)
    freedom, rest = (k - 1, (k - 1) * (n - 1)), n * (k - 1) - chi2
    if rest > 1e-9 * n * (k - 1):
        statistic = (n - 1) * chi2 / rest
        p = float(stats.f.sf(statistic, *freedom))
    else:
        alike = [math.factorial(ranking.values.count(value)) for value in set(ranking.values)]
        statistic, p = math.inf, (math.prod(alike) / math.factorial(k)) ** (n - 1)
    words = f"Iman-Davenport F {statistic:.3f}, {freedom[0]} and {freedom[1]} degrees of freedom"
    return Outcome(ranking.methods, statistic, freedom, p, about_all(words, p, alpha))


def nemenyi(ranking: MeanRanks, alpha: float = ALPHA) -> Nemenyi:
    """Compare all pairs of methods, with the chance of any false alarm held at ``alpha``.

    Two methods differ if their mean ranks do by at least ``CD = q sqrt(k (k + 1) / (6 N))``; the
    constant ``q`` is the quantile of the studentized range of ``k`` means with infinite degrees of
    freedom, over ``sqrt(2)``. A pair's statistic is its difference of mean ranks over
    ``sqrt(k (k + 1) / (6 N))``. Not corrected for ties, which keeps it on the safe side.

    References
    ----------
    Nemenyi (1963), Distribution-free multiple comparisons, Princeton.
    """
    check_alpha(alpha)
    k, pairs = len(ranking.methods), []
    constant = float(stats.studentized_range.isf(alpha, k, np.inf) / math.sqrt(2))
    difference = constant * ranking.standard_error
    for better, worse in combinations(ranking.order, 2):
        gap = ranking.of(worse) - ranking.of(better)
        statistic = gap / ranking.standard_error
        p = float(np.clip(stats.studentized_range.sf(statistic * math.sqrt(2), k, np.inf), 0, 1))
        words = f"mean ranks {gap:.3f} apart, critical difference {difference:.3f}"
        sentence = about_pair(better, worse, words, p, gap >= difference)
        pairs.append(Outcome((better, worse), statistic, (k, math.inf), p, sentence))
    return Nemenyi(alpha, constant, difference, tuple(pairs), _groups(ranking, difference))


def holm(ranking: MeanRanks, control: str, alpha: float = ALPHA) -> tuple[Outcome, ...]:
    """Compare each method with ``control``, the most significant first.

    ``z = (R_j - R_control) / sqrt(k (k + 1) / (6 N))`` is positive where the control is better;
    its two-sided normal p-values are adjusted by ``holm_adjusted`` and so compare with ``alpha``
    itself. Fewer comparisons than Nemenyi's, hence more power. Not corrected for ties.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6(2).
    """
    check_alpha(alpha)
    base = ranking.of(control)
    others, outcomes = [method for method in ranking.methods if method != control], []
    z = np.array([ranking.of(method) - base for method in others]) / ranking.standard_error
    adjusted = holm_adjusted(2 * stats.norm.sf(np.abs(z)))
    for i in np.argsort(-np.abs(z), kind="stable"):
        better, worse = (control, others[i]) if z[i] >= 0 else (others[i], control)
        statistic, p = float(z[i]), float(adjusted[i])
        sentence = about_pair(better, worse, f"z {abs(statistic):.3f}, adjusted", p, p <= alpha)
        outcomes.append(Outcome((control, others[i]), statistic, (), p, sentence))
    return tuple(outcomes)


def holm_adjusted(p_values: ArrayLike) -> np.ndarray:
    """Holm's step-down: the i-th smallest of m p-values times ``m - i + 1``, made monotone."""
    p = np.asarray(p_values, dtype=float)
    if p.ndim != 1 or not np.all((p >= 0) & (p <= 1)):
        raise ValueError(f"p-values must be a list of numbers from 0 to 1, not {p_values!r}")
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return adjusted


def _chi_square(ranking: MeanRanks) -> float:
    """Friedman's statistic, corrected for ties."""
    n, k = ranking.n_datasets, len(ranking.methods)
    spread = sum((value - (k + 1) / 2) ** 2 for value in ranking.values)
    untied = 1 - ranking.ties / (n * k * (k * k - 1))
    return 12 * n / (k * (k + 1)) * spread / untied if untied > 0 else 0.0


def _groups(ranking: MeanRanks, difference: float) -> tuple[tuple[str, ...], ...]:
    """Runs of the ordered methods narrower than ``difference`` and inside no longer such run."""
    order, groups, last = ranking.order, [], 0
    for start, method in enumerate(order):
        gaps = [ranking.of(other) - ranking.of(method) for other in order[start:]]
        near = [other for other, gap in zip(order[start:], gaps, strict=True) if gap < difference]
        if len(near) > 1 and start + len(near) > last:
            groups.append(tuple(near))
        last = max(last, start + len(near))
    return tuple(groups)
