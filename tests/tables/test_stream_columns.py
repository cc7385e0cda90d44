"""Columns of a table in pieces: encoded as the same table in memory, however it is cut."""

import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest

from kernelwise.scale import RowBlocks, row_blocks
from kernelwise.scale.engine import Engine
from kernelwise.solutions import Targets
from kernelwise.tables import stream_columns, stream_summary
from kernelwise.tables.columns import ColumnEncoder, UnseenLevelWarning, find_categorical
from kernelwise.tables.row_stream import Piece, RowStream
from kernelwise.tables.stream_columns import Moments, scan_stream, stream_outputs

random = np.random.default_rng(0)
N = 500
TABLE = pd.DataFrame(
    {
        "long": 1e8 + random.normal(size=N),
        "tiny": 1e-290 * random.normal(size=N),
        "gaps": np.where(random.random(N) < 0.2, np.nan, random.exponential(size=N)),
        "empty": np.full(N, np.nan),
        "same": np.full(N, 7.0),
        "color": random.choice(np.array(["red", "green", None], object), N, p=[0.5, 0.4, 0.1]),
        # Objects: only pieces with text look like categories. Only the first have "w".
        "late": pd.Series(["w"] * 10 + [None] * 390 + ["x", "y"] * 50, dtype=object),
        "flag": random.random(N) < 0.5,
    }
)
Y, WEIGHTS = random.choice(["a", "bb"], N), random.uniform(0.0, 3.0, N).round()
CUTS = {
    "one": [N],
    "odd": [1, 31, 0, 33, 300, 135],
    "many": [23] * 21 + [17],
    "empty first": [0, 450, 50],
}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(row_blocks, "ROWS_IN_BLOCK", 32)


def part(table, y, weights):
    return Piece(table, y, weights)


class Cut(RowStream):
    """A table in memory, cut into pieces."""

    def __init__(self, table, sizes, y=None, weights=None):
        self.sizes, self.given = sizes, (table, y, weights)

    def pieces(self):
        ends = np.cumsum(self.sizes)
        slices = [slice(end - size, end) for size, end in zip(self.sizes, ends, strict=True)]
        return [
            partial(part, *(None if values is None else values[rows] for values in self.given))
            for rows in slices
        ]


def in_memory(table, weights, standardize=True):
    columns = ColumnEncoder(
        find_categorical(table, "from_dtype"), standardize=standardize, takes_gaps=True
    )
    columns.learn_levels(table)
    numbers = columns.numbers(table, None)
    columns.learn_gaps(numbers, weights, list(table.columns))
    columns.learn_scales(columns.filled(numbers)[weights > 0], weights[weights > 0])
    return columns


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("sizes", CUTS.values(), ids=CUTS)
def test_pieces_are_encoded_as_the_table_in_memory(sizes, standardize, n_threads):
    expected = in_memory(TABLE, WEIGHTS, standardize)
    stream = Cut(TABLE, sizes, Y, WEIGHTS)
    found = scan_stream(stream, standardize=standardize, engine=Engine(n_threads))
    np.testing.assert_array_equal(found.summary.y, Y)
    np.testing.assert_array_equal(found.summary.weights, WEIGHTS)
    columns = found.learn_columns(WEIGHTS)
    for name in ("magnitude", "center", "spread"):
        np.testing.assert_allclose(getattr(columns, name), getattr(expected, name), rtol=1e-12)
    for name in ("levels", "gaps", "checks", "takes_gaps", "standardize"):
        assert getattr(columns, name) == getattr(expected, name)
    numeric = np.setdiff1d(np.arange(8), columns.categorical)
    np.testing.assert_array_equal(columns.missing.fill[numeric], expected.missing.fill[numeric])
    np.testing.assert_array_equal(columns.missing.shown, expected.missing.shown)
    targets = Targets.plain(np.zeros(N), WEIGHTS)
    rows = found.blocks(columns, targets).collect(lambda X, targets: X)
    wanted = expected.scaled(expected.numbers(TABLE, None))
    # One rounding of the center of "long" is 1e-8 of its spread.
    np.testing.assert_allclose(rows[:, 0], wanted[:, 0], atol=5e-8)
    np.testing.assert_allclose(rows[:, 1:], wanted[:, 1:], rtol=1e-9, atol=1e-11)


def test_no_cut_changes_a_bit_of_the_scales():
    found = [scan_stream(Cut(TABLE, sizes)).learn_columns(WEIGHTS) for sizes in CUTS.values()]
    for columns in found[1:]:
        np.testing.assert_array_equal(columns.center, found[0].center)
        np.testing.assert_array_equal(columns.spread, found[0].spread)


def test_moments_are_those_of_all_rows():
    X = 1e6 + random.normal(size=(200, 2))
    weights = np.r_[np.zeros(40), random.uniform(0.5, 2.0, 160)]
    found = RowBlocks(X, Targets.plain(np.zeros(200), weights)).reduce(Moments.of)
    mean = np.average(X, axis=0, weights=weights)
    np.testing.assert_allclose(found.mean, mean, rtol=1e-14)
    np.testing.assert_allclose(found.squares, weights @ (X - mean) ** 2, rtol=1e-9)
    assert found.weight == pytest.approx(weights.sum())


def test_arrays_have_numbered_columns():
    X = random.normal(size=(N, 3))
    found = scan_stream(Cut(X, CUTS["odd"], Y), [2])
    assert found.summary.names is None and list(found.summary.columns.levels) == [2]
    columns = found.learn_columns()
    units = columns.spread * columns.magnitude
    np.testing.assert_allclose(units, [*X[:, :2].std(axis=0), 1.0], rtol=1e-12)


def test_medians_of_long_tables_are_those_of_drawn_rows(monkeypatch):
    monkeypatch.setattr(stream_columns, "MOST_NUMBERS", 100)
    monkeypatch.setattr(stream_columns, "LEAST_ROWS", 200)
    table = TABLE[["gaps", "long"]]
    fills = {
        scan_stream(Cut(table, sizes)).learn_columns().missing.fill[0] for sizes in CUTS.values()
    }
    exact = table["gaps"].median()
    assert len(fills) == 1, "the same rows are drawn for every cut"
    assert exact not in fills and fills.pop() == pytest.approx(exact, rel=0.3)


def outputs(X):
    return X[:, :2] * 2.0


def test_outputs_of_new_rows():
    columns = scan_stream(Cut(TABLE, [N])).learn_columns()
    new = TABLE.iloc[::-1].assign(color="blue")
    with pytest.warns(UnseenLevelWarning):
        expected = outputs(columns.scaled(columns.numbers(new, None)))
        found = stream_outputs(Cut(new, CUTS["odd"]), columns, outputs, 2)
    np.testing.assert_array_equal(found, expected, strict=True)
    nothing = stream_outputs(Cut(new.iloc[:0], [0]), columns, outputs, 2)
    assert nothing.shape == (0, 2)


def test_new_rows_must_have_the_columns_of_the_fit():
    columns, names = scan_stream(Cut(TABLE, [N])).learn_columns(), list(TABLE.columns)
    with pytest.raises(ValueError, match="must be those of fit, in the same order"):
        stream_outputs(Cut(TABLE[names[::-1]], [N]), columns, outputs, 2, names=names)
    with pytest.raises(ValueError, match="X has 7 features, but there were 8 in fit"):
        stream_outputs(Cut(TABLE[names[1:]], [N]), columns, outputs, 2)
    assert len(stream_outputs(Cut(TABLE, [N]), columns, outputs, 2, names=names)) == N


def test_columns_that_are_sent_to_workers_stay_as_they_are():
    columns = scan_stream(Cut(TABLE, CUTS["odd"])).learn_columns(WEIGHTS)
    again = pickle.loads(pickle.dumps(columns))
    np.testing.assert_array_equal(again.spread, columns.spread)


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (TABLE.iloc[:1], {}, r"Found 1 sample\(s\); at least 2"),
        (TABLE.iloc[:0], {}, r"Found 0 sample\(s\)"),
        (TABLE.assign(long=np.inf), {}, "infinity"),
        (TABLE, {"takes_gaps": False}, "NaN"),
        (TABLE, {"categorical_features": None}, "'color' of X holds text"),
        (TABLE, {"categorical_features": ["blue"]}, r"'blue'.*which X does not have"),
        (TABLE.assign(day=pd.Timestamp("2024-01-01")), {}, "dates or times"),
        (TABLE[["same", "empty"]], {}, "all rows of X are equal"),
        (pd.concat([TABLE, TABLE], axis=1), {}, "two columns named 'long'"),
    ],
)
def test_what_cannot_be_learned_from_is_said(table, options, message):
    sizes = [len(table) // 2, len(table) - len(table) // 2]
    with pytest.raises(ValueError, match=message):
        scan_stream(Cut(table, sizes), **options)


def test_a_column_that_varies_by_its_gaps_alone_is_enough():
    table = pd.DataFrame({"a": np.r_[np.nan, np.full(9, 1.0)]})
    assert scan_stream(Cut(table, [5, 5])).learn_columns().missing.shown.tolist() == [0]
    texts = pd.DataFrame({"a": np.array([None, "x", "x"], object)})
    assert scan_stream(Cut(texts, [1, 2])).summary.columns.levels == {0: ["x"]}


def test_pieces_must_have_the_same_columns():
    class Odd(RowStream):
        def pieces(self):
            return [partial(part, TABLE, None, None), partial(part, TABLE[["long"]], None, None)]

    with pytest.raises(ValueError, match=r"piece 1 has the columns \['long'\]"):
        scan_stream(Odd())


def test_some_targets_are_no_targets():
    class Odd(RowStream):
        def pieces(self):
            return [partial(part, TABLE, Y, None), partial(part, TABLE, None, None)]

    with pytest.raises(ValueError, match="some pieces have target"):
        scan_stream(Odd())


def test_names_of_rows_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(stream_summary, "MOST_LEVELS", 100)
    table = TABLE.assign(name=[f"row {i}" for i in range(N)])
    with pytest.raises(ValueError, match="column 'name' has more than 100 levels"):
        scan_stream(Cut(table, CUTS["odd"]))
