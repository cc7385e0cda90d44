"""What AutoKernel tells of the table that it was given."""

import numpy as np
import pandas as pd
import polars
import pytest

from kernelwise import AutoKernelClassifier, AutoKernelRegressor

ROWS = 60
random = np.random.default_rng(0)
NOISE = random.normal(size=ROWS)
LABELS = pd.Series(
    np.where(NOISE + 0.5 * random.normal(size=ROWS) > 0, "ill", "well"), name="state"
)
TABLE = pd.DataFrame({"number": np.arange(ROWS), "x": NOISE, "copy": LABELS, "same": 1.0})


def codes(model):
    return [check.code for check in model.checks_]


@pytest.mark.parametrize("given", [TABLE, polars.from_dict(TABLE.to_dict("list"))])
def test_a_frame_is_checked_like_a_file(given):
    model = AutoKernelClassifier(["gaussian"], folds=0).fit(given, LABELS)
    assert codes(model) == ["KW206", "KW208", "KW209"]
    copied = model.checks_[2]
    assert copied.text == "column 'copy' is a copy of target 'state'"
    assert copied.severity == "care" and copied.advice == "drop it"
    assert "KW209 column 'copy' is a copy of target 'state': drop it." in model.explain(width=200)


def test_columns_that_were_asked_for_are_what_they_are():
    named = pd.DataFrame({"town": [f"t{i}" for i in range(ROWS)], "x": NOISE})
    plain = AutoKernelClassifier(["gaussian"], folds=0).fit(named, LABELS)
    assert codes(plain) == ["KW205"]
    asked = AutoKernelClassifier(["gaussian"], folds=0, categorical_features=["town"])
    assert not codes(asked.fit(named, LABELS))


def test_a_quantity_is_compared_as_it_was_given():
    """Not as it comes back from standardized units, which differ in the last bit."""
    y = 1e3 + NOISE / 3
    model = AutoKernelRegressor(["linear"], folds=0)
    model.fit(pd.DataFrame({"copy": y, "x": random.normal(size=ROWS)}), y)
    assert codes(model) == ["KW209"]


def test_rows_without_weight_do_not_count():
    weights = np.ones(ROWS)
    weights[:5] = 0
    X = pd.DataFrame({"x": NOISE, "almost": np.where(weights > 0, 1.0, np.arange(ROWS))})
    model = AutoKernelClassifier(["gaussian"], folds=0).fit(X, LABELS, weights)
    assert codes(model) == ["KW208"]


@pytest.mark.parametrize("width", [3, 4])
def test_many_columns_with_gaps_are_told_in_one_check(width):
    X = random.normal(size=(ROWS, width))
    for column in range(width):
        X[: column + 2, column] = np.nan
    names = list("abcd")[:width]
    model = AutoKernelClassifier(["gaussian"], folds=0).fit(pd.DataFrame(X, columns=names), LABELS)
    gaps = [check.text for check in model.checks_ if check.code == "KW219"]
    assert len(gaps) == (3 if width == 3 else 1)
    if width == 4:
        assert gaps[0] == (
            "4 columns have missing values, filled with the median of each: 'a', 'b', 'c', 'd' (up "
            "to 5 of 60 in one); that a value is missing counts as information"
        )


def test_arrays_have_no_names_to_read():
    X = np.column_stack([NOISE, 2 * NOISE, np.arange(ROWS)])
    model = AutoKernelClassifier(["gaussian"], folds=0).fit(X, LABELS)
    assert codes(model) == ["KW220"] and model.record_.target == "state"
