"""Sentences on single rows say the numbers, the names and the direction."""

import numpy as np
import pandas as pd
import pytest

from kernelwise.insight import RowEffect, describe

NAMES = ["area", "kind", "age", "size", "depth", "color"]
VALUES = [2019, "red", np.nan, 1.5, True, pd.NA]


def effect(effects, interaction=0.0, pair=(0, 1), pair_interaction=0.0, **others):
    effects = np.array(effects, float)
    output = 1.0 + effects.sum() + interaction
    return RowEffect(17, output, 1.0, effects, interaction, pair, pair_interaction, **others)


def test_a_row_of_two_classes():
    given = effect(
        [-0.02, -0.5, 0.2, 0.1, 0.06, 0.004],
        interaction=-0.3,
        pair=(1, 2),
        pair_interaction=-0.25,
        prediction="good",
        probability=0.974,
        sides=("bad", "good"),
    )
    assert describe(given, NAMES, VALUES).splitlines() == [
        "Row 17: predicted 'good' (0.97), output 0.544; a typical row has 1.000 "
        "(difference -0.456).",
        "'kind' = 'red' moved it most: -0.500 toward 'good'.",
        "Then 'age' = missing (+0.200), 'size' = 1.5 (+0.100) and 'depth' = 'True' (+0.060).",
        "The other 2 features moved it by -0.016 together.",
        "What single features do not explain: -0.300; the strongest pair is 'kind' with 'age' "
        "(-0.250).",
    ]


def test_a_row_of_many_classes_is_moved_toward_or_away_from_one():
    against = effect([-0.5, 0, 0, 0, 0, 0], prediction=3, sides=(3, None))
    said = describe(against, NAMES, VALUES).splitlines()
    assert said[0].startswith("Row 17: predicted '3', output 0.500; a typical")
    assert said[1:] == [
        "'area' = 2019 moved it most: -0.500 away from '3'.",
        "These effects add up: no features act together here.",
    ]
    toward = effect([0.5, 0, 0, 0, 0, 0], prediction=3, sides=(3, None))
    assert "moved it most: +0.500 toward '3'." in describe(toward, NAMES, VALUES)


def test_a_row_with_a_quantity():
    given = effect([120, -80, 0, 0, 0, 0], interaction=90, pair_interaction=5.0)
    assert describe(given, NAMES, VALUES).splitlines() == [
        "Row 17: predicted 131; a typical row has 1 (difference +130).",
        "'area' = 2019 moved it most: +120.",
        "Then 'kind' = 'red' (-80).",
        "What single features do not explain: +90, spread over more than two features.",
    ]
    assert "2e+08" in describe(effect([2e8, 0, 0, 0, 0, 0]), NAMES, VALUES)


def test_one_other_feature_and_no_pair():
    given = effect([5, 4, 3, 2, 1, 0], interaction=1.0, pair=None)
    said = describe(given, NAMES, VALUES).splitlines()
    assert said[3:] == [
        "The other feature moved it by +1.0.",
        "What single features do not explain: +1.0.",
    ]


def test_a_row_that_nothing_or_no_single_feature_moved():
    said = describe(effect(np.zeros(6)), NAMES, VALUES).splitlines()
    assert said == [
        "Row 17: predicted 1; a typical row has 1 (difference +0).",
        "No feature moved it: it is predicted like a typical row.",
    ]
    for tiny in (1e-9, 0.0):
        only_together = effect([tiny, 0, 0, 0, 0, 0], interaction=1.0, pair_interaction=1.0)
        assert describe(only_together, NAMES, VALUES).splitlines()[1:] == [
            "No single feature moved it: only several together did.",
            "What single features do not explain: +1.00; the strongest pair is 'area' with 'kind' "
            "(+1.00).",
        ]


def test_names_and_values_must_be_those_of_the_features():
    with pytest.raises(ValueError, match="2 names and 6 values were given for 6 features"):
        describe(effect(np.zeros(6)), NAMES[:2], VALUES)


def test_a_row_of_a_data_frame_has_its_values():
    row = pd.DataFrame([VALUES], columns=NAMES).iloc[0]
    assert "'size' = 1.5 moved" in describe(effect([0, 0, 0, 1, 0, 0]), row.index, row)
