"""A frame in memory gets the checks of a file, of columns that all take part."""

import numpy as np
import pandas as pd
import pytest

from kernelwise.data import Dataset
from kernelwise.data.frame_checks import checks_of_frame
from kernelwise.data.twins import twins
from kernelwise.tables.columns import find_categorical

ROWS = 40
generator = np.random.default_rng(0)
LABELS = generator.permutation(np.where(np.arange(ROWS) < 20, "a", "b"))
QUANTITY = generator.normal(size=ROWS)
ODD = {
    "id": 1000 + 7 * np.arange(ROWS),
    "numbered": np.arange(ROWS),
    "year": 1950 + np.arange(ROWS),
    "same": np.full(ROWS, 1.5),
    "empty": np.full(ROWS, np.nan),
    "name": [f"n{i}" for i in range(ROWS)],
    "patient id": np.repeat([f"p{i}" for i in range(20)], 2),
    "far": np.where(np.arange(ROWS) % 9, QUANTITY, -999),
    "city": generator.choice(["Rome", "rome", "Paris"], ROWS),
    "huge": 2**60 + 1000 * generator.permutation(ROWS),
    "copied label": LABELS,
    "recoded label": np.where(LABELS == "a", "yes", "no"),
    "copied quantity": QUANTITY,
    "scaled quantity": 3 - 2 * QUANTITY,
}


def codes_by_column(checks):
    # A column that a file's reader leaves out is not compared with others (KW220).
    own = [check for check in checks if check.code != "KW220"]
    return {name: sorted(check.code for check in own if f"'{name}'" in check.text) for name in ODD}


@pytest.mark.parametrize("target", [LABELS, QUANTITY], ids=["classes", "quantities"])
def test_a_frame_gets_the_codes_of_a_file(target):
    frame = pd.DataFrame({**ODD, "noise": generator.normal(size=ROWS)})
    categorical = find_categorical(frame, "from_dtype").tolist()
    classes = target is LABELS
    checks = checks_of_frame(frame, categorical, target, target_name="y", classes=classes)
    of_file = Dataset.from_frame(frame.assign(y=target), "y").checks
    found, expected = codes_by_column(checks), codes_by_column(of_file)
    assert found == expected and sum(map(len, found.values())) >= 10
    assert not any("left out" in str(check) for check in checks)
    named = checks_of_frame(frame, categorical, target, classes=classes, asked_for=["name", "id"])
    assert not codes_by_column(named)["name"] and not codes_by_column(named)["id"]


def test_each_quantity_is_compared():
    frame = pd.DataFrame({"x": QUANTITY, "noise": generator.normal(size=ROWS)})
    both = np.column_stack([generator.normal(size=ROWS), QUANTITY])
    (check,) = checks_of_frame(frame, [], both, classes=False)
    assert check.code == "KW209" and "'x'" in check.text and check.advice == "drop it"


def test_class_names_that_look_alike_are_said():
    labels = np.array(["Yes", "yes", "unknown", "no"])[np.arange(ROWS) % 4]
    frame = pd.DataFrame({"noise": QUANTITY})
    codes = [check.code for check in checks_of_frame(frame, [], labels, classes=True)]
    assert codes == ["KW303", "KW303"]


def test_columns_of_the_same_ranks_are_one_group():
    x, other = generator.normal(size=(2, 300))
    numbers = np.column_stack([x, np.exp(x), -(x**3), other, np.ones(300)])
    numbers[:4, 2] = np.nan
    (check,) = twins(numbers, list("abcde"))
    assert check.code == "KW220" and check.text.startswith("'a', 'b', 'c' say")
    loose = np.column_stack([x, x + 0.3 * other])
    assert abs(np.corrcoef(loose.T)[0, 1]) > 0.9 and not twins(loose, ["a", "b"])
