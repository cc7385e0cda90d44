"""The numbers of a fit that tables show."""

import pytest

from kernelwise.experiments import Cell, CellResult
from kernelwise.experiments.quantities import (
    ACCURACY,
    ERROR,
    FEATURES,
    SECONDS,
    SUPPORT_VECTORS,
    TEST_ALIGNMENT,
    TRAINING_ALIGNMENT,
)

MEASURES = {
    "support_vectors": 31.0,
    "training_alignment": 0.5,
    "test_alignment": 0.25,
    "features": 75.0,
}
RESULT = CellResult(
    Cell("labor", "folds/0", "MSCKTA"),
    "done",
    error=0.125,
    cpu_seconds=1.5,
    learnt={"measures": MEASURES},
)
BARE = CellResult(Cell("labor", "folds/0", "MSCKTA"), "done")


@pytest.mark.parametrize(
    ("quantity", "value", "higher_is_better"),
    [
        (ERROR, 12.5, False),
        (ACCURACY, 87.5, True),
        (SECONDS, 1.5, False),
        (SUPPORT_VECTORS, 31.0, False),
        (TRAINING_ALIGNMENT, 0.5, True),
        (TEST_ALIGNMENT, 0.25, True),
        (FEATURES, 75.0, False),
    ],
)
def test_each_reads_its_number_and_says_which_way_is_better(quantity, value, higher_is_better):
    assert quantity.of(RESULT) == value
    assert quantity.of(BARE) is None
    assert quantity.higher_is_better == higher_is_better
    assert quantity.is_rate == (quantity in (ERROR, ACCURACY))
