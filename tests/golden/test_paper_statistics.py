"""Mean ranks and tests of the papers' printed tables, and the misprints found on the way.

Cawley & Talbot, "Kernel Learning at the First Level of Inference", Tables 2 to 4 and Figures 2, 3,
6 and 8 (at p = 0.1); Pérez-Ortiz et al., multi-scale alignment, Tables 2 to 4 (at 0.05).
"""

import numpy as np
import pytest
from scipy.stats import f, norm

from kernelwise.evaluation import MeanRanks, friedman, holm, iman_davenport, mean_ranks, nemenyi
from kernelwise.papers import TABLES
from kernelwise.papers.alignment.paper import ACCURACIES, METHODS


def printed_means(number):
    """Errors in percent of each method on the data sets of a table of the first-level paper."""
    table = TABLES[f"first-level-table-{number}"]
    return {
        method: [row[method].mean for row in table.printed.values()] for method in table.columns
    }


TABLE_2, TABLE_3, TABLE_4 = map(printed_means, (2, 3, 4))

# fmt: off
# Multi-scale alignment: accuracies in percent (its Table 2), their printed means (Table 3).
ALIGNMENT_TABLE_2 = {name: [row[m].mean for m in METHODS] for name, row in ACCURACIES.items()}
ALIGNMENT_MEANS = [84.33, 84.21, 81.11, 80.04, 76.62, 79.92, 77.15, 82.28, 85.21]
ALIGNMENT_RANKS = [4.19, 4.56, 5.69, 5.75, 6.64, 5.50, 6.37, 3.94, 2.35]
ALIGNMENT_HOLM = {  # Table 4: z, and p before adjustment
    "MSEVID": (5.42857, 0.00000), "MSRMB": (5.08599, 0.00000), "EVID": (4.29542, 0.00002),
    "SSV": (4.21637, 0.00002), "RMB": (3.97920, 0.00007), "AMKL": (2.79334, 0.00522),
    "CV": (2.31900, 0.02040), "CKTA": (2.00277, 0.04520),
}
# fmt: on


def different(table, alpha=0.1):
    """The pairs that Nemenyi's test calls different, better one first."""
    found = nemenyi(mean_ranks(table), alpha)
    return {pair.methods for pair in found.pairs if pair.p_value <= alpha}


@pytest.mark.parametrize(
    ("table", "ranks", "chi2", "ratio"),
    [
        (TABLE_2, [1.8571, 1.8571, 2.2857], 1.714, 0.85),
        (TABLE_3, [2.6429, 2.1429, 1.2143], 14.714, 14.4),
    ],
)
def test_first_level_tables_2_and_3(table, ranks, chi2, ratio):
    """The paper prints the ranks; chi2 and F follow with ``12 N / (k (k + 1))``, not its factor."""
    ranking = mean_ranks(table)
    assert ranking.values == pytest.approx(ranks, abs=5e-5)
    assert friedman(ranking).statistic == pytest.approx(chi2, abs=5e-4)
    assert iman_davenport(ranking).statistic == pytest.approx(ratio, abs=5e-3)
    assert iman_davenport(ranking).degrees_of_freedom == (2, 26)


def test_what_the_first_level_paper_calls_significant():
    """Friedman first: rejected for ARD, not for RBF; then the bars of Figures 2, 3, 6 and 8."""
    assert iman_davenport(mean_ranks(TABLE_2)).p_value > 0.1
    assert iman_davenport(mean_ranks(TABLE_3)).p_value < 0.001
    assert different(TABLE_2) == different(TABLE_4) == set()
    assert different(TABLE_3) == {("ARD-FLKL", "ARD-LOO"), ("ARD-FLKL", "ARD-XVAL")}
    assert nemenyi(mean_ranks(TABLE_3), 0.1).groups == (("ARD-XVAL", "ARD-LOO"),)
    names = ("RBF-XVAL", "RBF-FLKL", "ARD-XVAL", "ARD-FLKL")
    figure_6 = {name: (TABLE_2 | TABLE_3)[name] for name in names}
    assert different(figure_6) == {("RBF-XVAL", "ARD-XVAL"), ("ARD-FLKL", "ARD-XVAL")}


def test_nemenyi_constants():
    """The paper's 2.052 is for three methods; its four-method figures need 2.291."""
    three, four = nemenyi(mean_ranks(TABLE_3), 0.1), nemenyi(mean_ranks(TABLE_4), 0.1)
    assert three.constant == pytest.approx(2.052, abs=5e-4)
    assert three.critical_difference == pytest.approx(2.052 * np.sqrt(12 / 84), abs=2e-4)
    assert four.constant == pytest.approx(2.291, abs=5e-4)


def test_first_level_table_4_prints_the_last_two_ranks_the_wrong_way_round():
    """Printed: MKL 2.5000 and IKL 2.6923. Its own errors give the opposite."""
    ranks = [2.3462, 2.4615, 2.6923, 2.5000]
    assert mean_ranks(TABLE_4).values == pytest.approx(ranks, abs=5e-5)


def alignment_ranking(rows):
    accuracies = np.array(list(rows.values()))
    return mean_ranks(dict(zip(METHODS, -accuracies.T, strict=True)))


def test_alignment_table_2_misprints_listeria():
    """With the row that the printed means imply, the mean ranks are right to rounding.

    Accuracies are known to two digits, so a tie may hide half a rank, or 0.02 to 0.04 in the mean.
    """
    printed = np.array(list(ALIGNMENT_TABLE_2.values()))
    others = printed.sum(axis=0) - ALIGNMENT_TABLE_2["listeria"]
    implied = 24 * np.array(ALIGNMENT_MEANS) - others
    assert implied == pytest.approx([92.3, 87.8, 88.4, 88.0, 89.5, 86.7, 88.6, 92.5, 92.6], abs=0.1)
    off = np.abs(np.array(alignment_ranking(ALIGNMENT_TABLE_2).values) - ALIGNMENT_RANKS)
    assert off.max() > 0.25
    repaired = alignment_ranking({**ALIGNMENT_TABLE_2, "listeria": implied})
    assert repaired.values == pytest.approx(ALIGNMENT_RANKS, abs=0.04)


def alignment_rank_sums():
    """Multiples of one half over the 24 data sets, from the printed z, to all digits."""
    base = 56.5  # MSCKTA: 2.354, printed 2.35
    z = np.array([ALIGNMENT_HOLM.get(name, (0,))[0] for name in METHODS])
    return base + np.round(2 * 24 * z * np.sqrt(9 * 10 / (6 * 24))) / 2


def test_alignment_holm():
    """All printed z and p, and all methods differ from the control."""
    sums = alignment_rank_sums()
    assert sums.sum() == 24 * 45
    ranking = MeanRanks(tuple(METHODS), tuple(sums / 24), 24)
    assert ranking.values == pytest.approx(ALIGNMENT_RANKS, abs=0.006)
    found = holm(ranking, "MSCKTA")
    assert [outcome.methods[1] for outcome in found] == list(ALIGNMENT_HOLM)
    for steps, outcome in zip(range(8, 0, -1), found, strict=True):
        z, p = ALIGNMENT_HOLM[outcome.methods[1]]
        assert outcome.statistic == pytest.approx(z, abs=1.1e-5)
        assert 2 * norm.sf(outcome.statistic) == pytest.approx(p, abs=6e-6)
        assert (p <= 0.05 / steps) and outcome.p_value <= 0.05


def test_alignment_as_printed_does_not_separate_the_two_runners_up():
    """From Table 2 with its misprint, CV and CKTA no longer differ from MSCKTA."""
    found = holm(alignment_ranking(ALIGNMENT_TABLE_2), "MSCKTA")
    assert {outcome.methods[1] for outcome in found if outcome.p_value > 0.05} == {"CV", "CKTA"}


def test_alignment_friedman():
    """The limit 1.99 is right; F is 7.58 from its mean ranks (8.0 with ties), printed 7.28."""
    ranking = MeanRanks(tuple(METHODS), tuple(alignment_rank_sums() / 24), 24)
    found = iman_davenport(ranking)
    assert f.isf(0.05, *found.degrees_of_freedom) == pytest.approx(1.99, abs=5e-3)
    assert found.statistic == pytest.approx(7.575, abs=1e-3)
    assert found.p_value < 0.05
