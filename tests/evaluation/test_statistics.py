"""Rank tests against scipy, scikit-posthocs, and enumeration of all cases."""

from itertools import chain, combinations, permutations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from test_ranking import ranking, tables

from kernelwise.evaluation import (
    MeanRanks,
    friedman,
    holm,
    holm_adjusted,
    iman_davenport,
    mean_ranks,
    nemenyi,
)

TIED = np.array([[1, 1, 2], [1, 2, 3], [3, 1, 1], [1, 3, 2]])


def arrangements(table):
    """The table with the values of each row in every order: the permutation distribution.

    The first row stays, as renaming the methods changes no statistic.
    """
    return map(np.array, product([table[0]], *(set(permutations(row)) for row in table[1:])))


@given(tables)
def test_friedman_is_scipys(table):
    assume(table.shape[1] > 2 and any(len(set(row)) > 1 for row in table))
    expected = stats.friedmanchisquare(*table.T)
    found = friedman(ranking(table))
    assert found.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-9)
    assert found.degrees_of_freedom == (table.shape[1] - 1,)


def test_friedman_has_its_mean_over_all_arrangements_ties_or_not():
    """The tie correction makes the mean exactly k - 1, as chi-square's."""
    untied = np.array([[1, 2, 3]] * 4)
    for table in (TIED, untied):
        values = [friedman(ranking(case)).statistic for case in arrangements(table)]
        assert np.mean(values) == pytest.approx(2)


def test_p_values_come_near_the_permutation_distribution():
    """It has steps (0.093, then 0.039); a continuous distribution goes through their middle."""
    cases = [ranking(case) for case in arrangements(np.array([[1, 2, 3]] * 5))]
    statistics = np.array([friedman(case).statistic for case in cases])
    for target in (2.8, 5.2, 6.4):
        equal = np.isclose(statistics, target)
        exact = np.mean(statistics[~equal] > target) * np.mean(~equal) + np.mean(equal) / 2
        case = cases[int(np.argmax(equal))]
        assert friedman(case).p_value == pytest.approx(exact, abs=0.03)
        assert iman_davenport(case).p_value == pytest.approx(exact, abs=0.03)


def test_two_methods_are_a_sign_test():
    found = friedman(mean_ranks({"a": np.zeros(10), "b": [1] * 8 + [-1] * 2}))
    assert found.statistic == pytest.approx((8 - 2) ** 2 / 10)


def test_all_tied_is_no_evidence():
    tied = mean_ranks({"a": [1, 2], "b": [1, 2], "c": [1, 2]})
    for test in (friedman, iman_davenport):
        assert (test(tied).statistic, test(tied).p_value) == (0, 1)
    assert nemenyi(tied).groups == (("a", "b", "c"),)


@pytest.mark.parametrize("row", [[1, 2, 3], [1, 2, 2], [1, 1, 2, 2]])
def test_full_agreement_has_an_exact_p_value(row):
    table = np.array([row] * 3)
    found = iman_davenport(ranking(table))
    top = friedman(ranking(table)).statistic - 1e-9
    exact = np.mean([friedman(ranking(case)).statistic >= top for case in arrangements(table)])
    assert (found.statistic, found.p_value) == (np.inf, pytest.approx(exact))


@given(tables)
def test_the_order_of_methods_does_not_matter(table):
    found, turned = ranking(table), ranking(table[:, ::-1])
    for test in (friedman, iman_davenport):
        assert test(found).statistic == pytest.approx(test(turned).statistic)
    p_values = [sorted(pair.p_value for pair in nemenyi(r).pairs) for r in (found, turned)]
    assert p_values[0] == pytest.approx(p_values[1])


@pytest.mark.parametrize(
    ("k", "alpha", "constant"),
    # Demšar (2006), Table 5.
    [(2, 0.05, 1.960), (3, 0.05, 2.343), (10, 0.05, 3.164), (2, 0.1, 1.645), (10, 0.1, 2.920)],
)
def test_nemenyi_constants(k, alpha, constant):
    found = nemenyi(MeanRanks(tuple("abcdefghij"[:k]), (1.0,) * k, 20), alpha)
    assert found.alpha == alpha
    assert found.constant == pytest.approx(constant, abs=1.1e-3)
    assert found.critical_difference == found.constant * np.sqrt(k * (k + 1) / 120)


def test_nemenyi_holds_the_chance_of_a_false_alarm():
    rng = np.random.default_rng(0)
    ranks = rng.random((4000, 20, 4)).argsort(axis=2).mean(axis=1)
    limit = nemenyi(MeanRanks(tuple("abcd"), (2.5,) * 4, 20), 0.1).critical_difference
    assert np.mean(np.ptp(ranks, axis=1) >= limit) == pytest.approx(0.1, abs=0.02)


@given(tables, st.sampled_from([0.01, 0.1, 0.5]))
def test_groups_hold_exactly_the_pairs_that_do_not_differ(table, alpha):
    found = nemenyi(ranking(table), alpha)
    together = {frozenset(p) for group in found.groups for p in combinations(group, 2)}
    alike = {frozenset(p.methods) for p in found.pairs if "No evidence" in p.sentence}
    assert together == alike
    for pair in found.pairs:
        assert 0 <= pair.p_value <= 1
        assert ("No evidence" in pair.sentence) == (pair.p_value > alpha)
    for one, other in combinations(found.groups, 2):
        assert not set(one) <= set(other) and not set(other) <= set(one)


def test_nemenyi_is_that_of_scikit_posthocs():
    posthocs = pytest.importorskip("scikit_posthocs")
    table = np.random.default_rng(1).normal(size=(12, 5)).round(1) + np.arange(5) / 3
    expected = posthocs.posthoc_nemenyi_friedman(table)
    for pair in nemenyi(ranking(table)).pairs:
        i, j = (int(name[1:]) for name in pair.methods)
        assert pair.p_value == pytest.approx(expected.iloc[i, j], abs=1e-6)


def test_holm_compares_with_the_control():
    found = holm(MeanRanks(("a", "b", "c"), (1.2, 2.7, 2.1), 10), "a")
    error = np.sqrt(3 * 4 / 60)
    assert [outcome.methods for outcome in found] == [("a", "b"), ("a", "c")]
    assert [outcome.statistic for outcome in found] == pytest.approx([1.5 / error, 0.9 / error])
    raw = 2 * stats.norm.sf([1.5 / error, 0.9 / error])
    assert [outcome.p_value for outcome in found] == pytest.approx(raw * [2, 1])
    assert "a is better than b" in found[0].sentence
    against_worst = holm(MeanRanks(("a", "b", "c"), (1.2, 2.7, 2.1), 10), "b")
    assert against_worst[0].statistic == -found[0].statistic
    assert "a is better than b" in against_worst[0].sentence


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_the_closed_bonferroni_test(p_values):
    """A hypothesis is rejected if Bonferroni rejects it in every set that holds it."""
    everything = range(len(p_values))
    sets = list(chain(*(combinations(everything, size + 1) for size in everything)))
    for i, adjusted in enumerate(holm_adjusted(p_values)):
        holding = (s for s in sets if i in s)
        worst = max(min(1, len(s) * min(p_values[j] for j in s)) for s in holding)
        assert adjusted == pytest.approx(worst)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: friedman(r, alpha=0), "alpha"),
        (lambda r: iman_davenport(r, alpha=2), "alpha"),
        (lambda r: nemenyi(r, alpha=1), "alpha"),
        (lambda r: holm(r, "a", alpha=-1), "alpha"),
        (lambda r: holm(r, "z"), "no method 'z'; the methods are a, b"),
        (lambda r: holm_adjusted([0.5, np.nan]), "from 0 to 1"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(mean_ranks({"a": [1, 2], "b": [2, 1]}))
