"""The numbers of a fit that tables show."""

from dataclasses import replace

import pytest

from kernelwise.evaluation.fold_records import FoldRecord, Learnt
from kernelwise.papers.quantities import (
    ACCURACY,
    AUC,
    EQUAL_ERROR_RATE,
    ERROR,
    FEATURES,
    SECONDS,
    SELECTED_KERNELS,
    STEP_SECONDS,
    SUPPORT_VECTORS,
    TEST_ALIGNMENT,
    TRAINING_ALIGNMENT,
    shown,
)

MEASURES = {
    "support_vectors": 31.0,
    "training_alignment": 0.5,
    "test_alignment": 0.25,
    "features": 75.0,
    "selected_kernels": 12.0,
    "auc": 0.9,
    "equal_error_rate": 0.1,
}
BARE = FoldRecord(error=0.125, n_train=9, n_test=8, wall_seconds=2.0, cpu_seconds=1.5)
RECORD = replace(
    BARE, counters={"evaluations": 6, "factorizations": 7}, learnt=Learnt(measures=MEASURES)
)


@pytest.mark.parametrize(
    ("quantity", "value", "higher_is_better"),
    [
        (ERROR, 12.5, False),
        (ACCURACY, 87.5, True),
        (SECONDS, 1.5, False),
        (STEP_SECONDS, 0.25, False),
        (SUPPORT_VECTORS, 31.0, False),
        (TRAINING_ALIGNMENT, 0.5, True),
        (TEST_ALIGNMENT, 0.25, True),
        (FEATURES, 75.0, False),
        (SELECTED_KERNELS, 12.0, False),
        (AUC, 0.9, True),
        (EQUAL_ERROR_RATE, 0.1, False),
    ],
)
def test_each_reads_its_number_and_says_which_way_is_better(quantity, value, higher_is_better):
    assert quantity.of(RECORD) == value
    known = {ERROR: 12.5, ACCURACY: 87.5, SECONDS: 1.5, STEP_SECONDS: 1.5}
    assert quantity.of(BARE) == known.get(quantity)
    assert quantity.higher_is_better == higher_is_better
    assert quantity.is_rate == (quantity in (ERROR, ACCURACY))


def test_a_fit_without_counted_evaluations_has_no_seconds_per_evaluation():
    assert STEP_SECONDS.of(replace(BARE, counters={"fits": 36})) is None
    assert STEP_SECONDS.of(replace(BARE, counters={"evaluations": 0})) is None
    assert STEP_SECONDS.of(BARE) == 1.5, "a method that searches nothing is one step"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0012345, "0.00123"),
        (0.81, "0.810"),
        (9.996, "10.00"),
        (35.0, "35.0"),
        (216.4, "216"),
        (10665.0, "10665"),
        (0.0, "0.00"),
        (-0.05, "-0.0500"),
    ],
)
def test_three_digits_tell_decades_apart_and_whole_numbers_stay_whole(value, text):
    assert shown(value, decimals=None) == text


def test_decimals_as_asked_for():
    assert shown(2.345678, 3) == "2.346"
    assert shown(2.345678, 2, sign="+") == "+2.35" and shown(-1, 0, sign="+") == "-1"
