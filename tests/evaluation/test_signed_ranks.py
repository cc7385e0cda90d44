"""Wilcoxon's signed ranks against scipy and against all sign flips."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from kernelwise.evaluation import wilcoxon


@pytest.mark.parametrize("seed", range(3))
def test_wilcoxon_is_the_share_of_sign_flips(seed):
    """The p-value by enumeration, with ties and zeros."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 6, size=(2, 9)) / 10
    size = stats.rankdata(np.abs(np.round(a - b, 9)))
    signed = np.sign(np.round(a - b, 9)) @ size
    flips = np.array(list(product([-1, 1], repeat=9)))
    sums = (flips * (np.round(a - b, 9) != 0)) @ size
    found = wilcoxon(("a", a), ("b", b))
    assert found.statistic == (size.sum() - abs(signed)) / 2
    assert found.p_value == pytest.approx(np.mean(np.abs(sums) >= abs(signed) - 1e-9))


@pytest.mark.parametrize("n", [6, 50, 51, 200])
def test_wilcoxon_is_scipys_where_that_is_quick(n):
    """No ties: exact to 50 pairs; the normal limit beyond."""
    a, b = np.random.default_rng(n).normal(size=(2, n))
    expected = stats.wilcoxon(a, b)
    found = wilcoxon(("a", a), ("b", b))
    assert found.statistic == expected.statistic
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_wilcoxon_goes_over_to_the_normal_limit_smoothly():
    """With many ties and zeros, as errors on small test sets have."""
    a, b = np.random.default_rng(0).integers(0, 8, size=(2, 50)) / 75
    normal = stats.wilcoxon(np.round(a - b, 9), zero_method="zsplit", method="asymptotic")
    assert wilcoxon(("a", a), ("b", b)).p_value == pytest.approx(normal.pvalue, abs=0.02)


@given(st.lists(st.integers(0, 20), min_size=2, max_size=60), st.randoms(use_true_random=False))
def test_wilcoxon_sees_both_methods_alike_and_no_unit(errors, random):
    a, b = np.array(errors) / 7, np.array(random.sample(errors, len(errors))) / 7
    forth, back = wilcoxon(("a", a), ("b", b)), wilcoxon(("b", b), ("a", a))
    assert forth.p_value == pytest.approx(back.p_value)
    assert wilcoxon(("a", 100 * a), ("b", 100 * b)).p_value == pytest.approx(forth.p_value)


def test_wilcoxon_in_words():
    a, b = np.arange(12.0), np.arange(12.0) + np.linspace(1, 2, 12)
    found = wilcoxon(("slow", b), ("quick", a))
    assert found.statistic == 0 and found.p_value == pytest.approx(2 / 2**12)
    assert found.sentence.startswith("quick is better than slow (Wilcoxon signed ranks 0 over 12")
    assert "p is too small" in wilcoxon(("slow", b), ("quick", a), over="splits").sentence
    assert wilcoxon(("a", a), ("b", a)).p_value == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: wilcoxon(("a", [1, 2]), ("b", [1, 2, 3])), r"\(2,\) and \(3,\)"),
        (lambda: wilcoxon(("a", [1, np.nan]), ("b", [1, 2])), "finite error"),
        (lambda: wilcoxon(("a", [1]), ("b", [2])), "at least two"),
        (lambda: wilcoxon(("a", [1, 2]), ("b", [2, 1]), over="rows"), "'data sets' or 'splits'"),
        (lambda: wilcoxon(("a", [1, 2]), ("b", [2, 1]), alpha=0), "alpha"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
