"""Fits whose rows come in pieces: the bits of a fit in memory."""

import numpy as np
import pandas as pd
import pytest

from kernelwise import LSSVMClassifier, LSSVMRegressor, SVMClassifier
from kernelwise.data import open_rows

array = pytest.importorskip("dask.array")
random = np.random.default_rng(5)
X = random.normal(size=(5_000, 3))
SIGNAL = np.sin(2 * X[:, 0]) + X[:, 1]
Y = np.where(SIGNAL + 0.3 * random.normal(size=5_000) > 0, "yes", "no")
FRAME = pd.DataFrame(X, columns=["a", "b", "c"]).assign(
    kind=np.where(X[:, 2] > 0, "u", "v"), late=Y
)
HOW = {"kernel": "ard-gaussian", "landmarks": 60}


@pytest.fixture(scope="module")
def in_memory():
    return LSSVMClassifier(**HOW).fit(X, Y)


@pytest.mark.parametrize("chunks", [777, 5_000, (1, 4096, 903)], ids=str)
def test_a_dask_array_gives_the_bits_of_an_array(in_memory, chunks):
    lazy = array.from_array(X, chunks=(chunks, 3))
    model = LSSVMClassifier(**HOW, n_jobs=2).fit(lazy, array.from_array(Y, chunks=1111))
    np.testing.assert_array_equal(model.decision_function(X), in_memory.decision_function(X))
    np.testing.assert_array_equal(model.predict_proba(X), in_memory.predict_proba(X))
    for name in ("relevance_", "relevance_interval_", "honest_error_", "landmarks_"):
        np.testing.assert_array_equal(getattr(model, name), getattr(in_memory, name))
    np.testing.assert_array_equal(model.predict(lazy).compute(), in_memory.predict(X))
    score = model.score(lazy, array.from_array(Y, chunks=1111))
    assert score == pytest.approx(in_memory.score(X, Y))
    # A product of few rows rounds differently from one of many.
    lazily = model.predict_proba(lazy).compute()
    np.testing.assert_allclose(lazily, in_memory.predict_proba(X), atol=1e-10)


def test_a_parquet_file_gives_the_bits_of_its_data_frame(tmp_path):
    FRAME.to_parquet(tmp_path / "rows.parquet", row_group_size=999)
    whole = FRAME.drop(columns="late")
    expected = LSSVMClassifier(**HOW).fit(whole, FRAME["late"])
    stream = open_rows(tmp_path / "rows.parquet", target="late")
    model = LSSVMClassifier(**HOW).fit(stream)
    assert list(model.feature_names_in_) == ["a", "b", "c", "kind"]
    np.testing.assert_array_equal(model.decision_function(whole), expected.decision_function(whole))
    new = open_rows(tmp_path / "rows.parquet", like=stream)
    np.testing.assert_array_equal(model.predict(new), expected.predict(whole))


def test_quantities_weights_and_rows_of_no_weight(tmp_path):
    weights = random.integers(0, 3, 5_000).astype(float)
    table = FRAME.assign(late=SIGNAL, weight=weights)
    table.to_parquet(tmp_path / "rows.parquet", row_group_size=2_000)
    stream = open_rows(tmp_path / "rows.parquet", target="late", weights="weight")
    model = LSSVMRegressor(**HOW).fit(stream)
    expected = LSSVMRegressor(**HOW).fit(table[["a", "b", "c", "kind"]], SIGNAL, weights)
    found = model.predict(table[["a", "b", "c", "kind"]])
    # Rows of no weight have numbers here, so that other landmarks are drawn.
    assert np.sqrt(np.mean((found - SIGNAL) ** 2)) < 0.05
    assert model.held_out_error_ < 0.05 and expected.held_out_error_ < 0.05
    for name in ("center", "spread"):
        scales = getattr(model.columns_, name), getattr(expected.columns_, name)
        np.testing.assert_allclose(*scales, rtol=1e-9, atol=1e-12)
    outputs, deviations = model.predict(stream, return_std=True)
    again, expected = model.predict(table[["a", "b", "c", "kind"]], return_std=True)
    np.testing.assert_allclose(outputs, again, atol=1e-10)
    np.testing.assert_allclose(deviations, expected, rtol=1e-8)
    intervals = model.predict_interval(stream)
    assert intervals.shape == (5_000, 2) and (np.diff(intervals) > 0).all()
    drawn = {tuple(row) for row in model.landmarks_[:, :3].round(9)}
    assert not drawn & {tuple(row) for row in X[weights == 0].round(9)}


def test_a_short_stream_is_read_into_memory(tmp_path):
    FRAME[:200].to_parquet(tmp_path / "rows.parquet", row_group_size=70)
    model = LSSVMClassifier("gaussian", "loo").fit(open_rows(tmp_path / "rows.parquet", "late"))
    assert model.landmarks_ is None
    expected = LSSVMClassifier("gaussian", "loo").fit(FRAME[:200].drop(columns="late"), Y[:200])
    new = FRAME[200:300].drop(columns="late")
    np.testing.assert_array_equal(model.decision_function(new), expected.decision_function(new))


def test_a_table_of_arrow_is_its_data_frame():
    arrow = pytest.importorskip("pyarrow")
    frame, y = FRAME[:300].drop(columns="late"), Y[:300]
    table = arrow.Table.from_pandas(frame)
    model = LSSVMClassifier("gaussian", "loo").fit(table, y)
    expected = LSSVMClassifier("gaussian", "loo").fit(frame, y)
    np.testing.assert_array_equal(model.decision_function(table), expected.decision_function(frame))


def test_streams_are_refused_in_words(tmp_path):
    FRAME.to_parquet(tmp_path / "rows.parquet")
    stream = open_rows(tmp_path / "rows.parquet", target="late")
    with pytest.raises(ValueError, match="SVMClassifier needs all rows in memory"):
        SVMClassifier().fit(stream, Y)
    with pytest.raises(ValueError, match="a stream has its own target"):
        LSSVMClassifier(landmarks=60).fit(stream, Y)
    assert len(repr(stream)) < 50
    with pytest.raises(ValueError, match="rows in pieces need landmarks"):
        LSSVMClassifier(landmarks=None).fit(stream)
