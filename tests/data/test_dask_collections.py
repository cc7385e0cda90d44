"""Dask data frames and arrays: the numbers of the table in memory, rows left where they are."""

import os

import numpy as np
import pandas as pd
import pytest

from kernelwise.data import open_rows
from kernelwise.kernels import Gaussian
from kernelwise.scale import RowBlocks
from kernelwise.scale.engine import Engine
from kernelwise.solutions import RowStatistics, Targets
from kernelwise.tables.lazy_rows import LazyRows
from kernelwise.tables.stream_columns import scan_stream, stream_outputs

arrays = pytest.importorskip("dask.array")
frames = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

QUIET = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": "CRITICAL"}
random = np.random.default_rng(0)
N = 4000
TABLE = pd.DataFrame(
    {
        "size": random.normal(size=N),
        "width": np.where(random.random(N) < 0.1, np.nan, random.exponential(size=N)),
        "color": random.choice(np.array(["red", "green", None], object), N),
        "late": random.choice(["yes", "no"], N),
    }
)
LANDMARKS = random.normal(size=(10, 4))
KERNEL, REFERENCE = Gaussian(np.full(4, 1.5)), np.zeros(10)


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, **QUIET) as cluster,
        distributed.Client(cluster, set_as_default=False) as found,
    ):
        yield found


def statistics(rows, targets):
    return RowStatistics.of(KERNEL(rows, LANDMARKS), targets, REFERENCE)


def outputs(rows):
    return KERNEL(rows, LANDMARKS) @ np.ones((10, 2))


@pytest.fixture(params=["threads", "cluster"])
def engine(request):
    if request.param == "threads":
        return Engine(2)
    return Engine(client=request.getfixturevalue("client"))


def learned(stream, engine):
    found = scan_stream(stream, engine=engine)
    columns = found.learn_columns()
    targets = Targets.plain((found.summary.y == "yes") * 2.0 - 1)
    return found, columns, found.blocks(columns, targets)


def test_a_data_frame_is_summed_as_the_table_in_memory(engine, tmp_path):
    path = tmp_path / "table.parquet"
    TABLE.to_parquet(path)
    _, expected, local = learned(open_rows(path, "late"), Engine())
    frame = frames.from_pandas(TABLE, npartitions=7)
    found, columns, rows = learned(open_rows(frame, "late"), engine)
    assert len(found.summary.sizes) > 3
    np.testing.assert_array_equal(columns.spread, expected.spread)
    assert columns.levels == expected.levels == {2: ["green", "red"]}
    np.testing.assert_array_equal(
        rows.reduce(statistics).products, local.reduce(statistics).products
    )
    some = np.array([0, 17, 3999])
    np.testing.assert_array_equal(rows.take(some), local.take(some))


def test_outputs_of_a_data_frame_are_a_dask_array(engine):
    frame = frames.from_pandas(TABLE, npartitions=3)
    fitted = open_rows(frame, "late")
    columns = scan_stream(fitted, engine=engine).learn_columns()
    new = open_rows(frame.drop(columns="late"), like=fitted)
    found = stream_outputs(new, columns, outputs, 2, engine=engine)
    assert isinstance(found, arrays.Array) and found.numblocks == (3, 1)
    read = pd.concat([piece.features for piece in engine.each(list_of, new.pieces())])
    expected = outputs(columns.scaled(columns.numbers(read, None)))
    scheduler = engine.client or "threads"
    np.testing.assert_allclose(found.compute(scheduler=scheduler), expected, rtol=1e-12)


def list_of(piece):
    return piece


def process_of(piece):
    return os.getpid()


def test_dask_uses_its_active_client(client):
    pieces = open_rows(frames.from_pandas(TABLE, npartitions=3), "late").pieces()
    assert set(Engine(2).each(process_of, pieces)) == {os.getpid()}
    with client.as_current():
        assert os.getpid() not in Engine(2).each(process_of, pieces)


def test_an_array_with_its_target_beside_it(engine):
    X = random.normal(size=(N, 4))
    y, weights = X[:, 0] + random.normal(size=N), random.uniform(0.5, 2.0, N)
    cut = arrays.from_array(X, chunks=(999, 2))
    for target in (y, arrays.from_array(y, chunks=700)):
        stream = open_rows(cut, target, weights=weights)
        found = scan_stream(stream, engine=engine)
        np.testing.assert_array_equal(found.summary.y, y)
        np.testing.assert_array_equal(found.summary.weights, weights)
        columns = found.learn_columns(weights)
        mean = np.average(X, axis=0, weights=weights)
        np.testing.assert_allclose(columns.center * columns.magnitude, mean, atol=1e-13)
        targets = Targets.plain(y, weights)
        rows = found.blocks(columns, targets)
        local = RowBlocks(columns.scaled(X), targets).reduce(statistics)
        np.testing.assert_array_equal(rows.reduce(statistics).products, local.products)


def test_a_data_frame_as_it_is(engine):
    """Without the reading of files: text is a category, as in a pandas data frame."""
    frame = frames.from_pandas(TABLE, npartitions=4)
    stream = LazyRows(frame.drop(columns="late"), frame["late"])
    found = scan_stream(stream, engine=engine)
    assert found.summary.names == ("size", "width", "color")
    assert sorted(found.summary.y) == sorted(TABLE["late"])
    rows = found.blocks(found.learn_columns(), Targets.plain(np.zeros(N)))
    size = rows.collect(lambda X, targets: X[:, 0])
    assert size.mean() == pytest.approx(0, abs=1e-12) and size.std() == pytest.approx(1)


def test_data_frames_that_cannot_be_used_are_refused():
    frame = frames.from_pandas(TABLE, npartitions=4)
    with pytest.raises(ValueError, match="must be Dask's, too"):
        LazyRows(frame, TABLE["late"])
    with pytest.raises(ValueError, match="4 partitions, but 2 "):
        LazyRows(frame, frame["late"].repartition(npartitions=2))
    with pytest.raises(TypeError, match="got DataFrame"):
        LazyRows(TABLE)


def test_arrays_that_cannot_be_used_are_refused():
    X = arrays.from_array(random.normal(size=(20, 2)), chunks=(5, 2))
    with pytest.raises(ValueError, match="X has 20 rows, but there are 3 targets"):
        open_rows(X, np.zeros(3))
    with pytest.raises(ValueError, match=r"compute_chunk_sizes\(\)"):
        open_rows(X[X[:, 0] > 0], np.zeros(20))
    with pytest.raises(ValueError, match="two dimensions"):
        open_rows(X[:, 0], np.zeros(20))
