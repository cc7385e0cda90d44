"""Errors of rows that a fit has kept apart: weights, rounds, groups."""

import numpy as np
import pytest

from kernelwise.evaluation import Unseen, error_of_unseen
from kernelwise.evaluation.row_intervals import Rows, alike
from kernelwise.evaluation.unseen import joined

RANDOM = np.random.default_rng(0)
TRUTH = RANDOM.integers(0, 2, 60)
GUESS = np.where(RANDOM.random(60) < 0.8, TRUTH, 1 - TRUTH)
QUANTITY = RANDOM.normal(size=60)


def classes(rows=None, **changes):
    chosen = np.arange(60) if rows is None else rows
    chance = np.column_stack([1 - GUESS, GUESS])[chosen] * 0.8 + 0.1
    fields = {"folds": 5, "counted": None} | changes
    trivial = np.zeros(len(chosen), int)
    labels = np.array([0, 1])
    return Unseen(chosen, TRUTH[chosen], GUESS[chosen], chance, trivial, labels, **fields)


def quantities(rows=None, **changes):
    chosen = np.arange(60) if rows is None else rows
    fields = {"folds": 5, "counted": None} | changes
    guess = 0.5 * QUANTITY[chosen]
    return Unseen(chosen, QUANTITY[chosen], guess, None, np.zeros(len(chosen)), None, **fields)


@pytest.mark.parametrize("kind", [classes, quantities])
def test_a_row_of_weight_two_is_a_repeated_row(kind):
    weights = RANDOM.integers(1, 4, 60)
    repeated = error_of_unseen(kind(np.repeat(np.arange(60), weights)))
    weighted = error_of_unseen(kind(counted=Rows(weights.astype(float), float(weights.sum()))))
    for name in ("value", "lower", "upper", "baseline", "difference_lower", "difference_upper"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name), abs=1e-12)
    assert weighted.balanced_lower == pytest.approx(repeated.balanced_lower)


@pytest.mark.parametrize("kind", [classes, quantities])
def test_rows_of_one_model_need_no_allowance(kind):
    one, several = (error_of_unseen(kind(folds=folds)) for folds in (1, 5))
    assert one.value == several.value
    assert one.upper - one.lower < 0.85 * (several.upper - several.lower)


def test_numbers_by_hand():
    found = error_of_unseen(classes())
    assert found.value == pytest.approx(np.mean(GUESS != TRUTH))
    assert found.baseline == pytest.approx(TRUTH.mean())
    assert np.sum(found.confusion) == 60 and found.confusion[0][1] == np.sum(GUESS > TRUTH)
    other = error_of_unseen(quantities())
    assert other.value == pytest.approx(0.5 * np.sqrt(np.mean(QUANTITY**2)))
    assert other.baseline == pytest.approx(np.sqrt(np.mean(QUANTITY**2)))


@pytest.mark.parametrize("kind", [classes, quantities])
def test_the_same_round_twice_says_no_more(kind):
    once, twice = error_of_unseen(kind()), error_of_unseen(joined([kind(), kind()]))
    assert twice.value == pytest.approx(once.value)
    assert twice.lower == pytest.approx(once.lower)
    assert twice.difference_upper == pytest.approx(once.difference_upper)
    assert twice.folds == 10


def test_groups_widen_the_interval():
    groups = np.empty(60, int)
    groups[np.argsort(GUESS != TRUTH, kind="stable")] = np.arange(60) // 10  # errors together
    plain, grouped = error_of_unseen(classes()), error_of_unseen(classes(), groups)
    assert grouped.value == plain.value
    assert grouped.upper - grouped.lower > plain.upper - plain.lower
    assert alike(3).number == 3
