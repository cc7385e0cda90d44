"""A Dask cluster: sums of the same bits as on one machine, also when a worker is killed."""

import os
import signal
import threading
import time
from functools import partial

import numpy as np
import pytest
from processes import wait_until

from kernelwise.kernels import Gaussian
from kernelwise.scale import RowBlocks
from kernelwise.scale.dask_blocks import DaskBlocks, shares_of
from kernelwise.scale.dask_cluster import DaskCluster
from kernelwise.solutions import RowStatistics, Targets

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

QUIET = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": "CRITICAL"}
SIZES = [1, 1023, 1024, 0, 1025, 5000, 0, 3, 700]
N = sum(SIZES)
LANDMARKS = np.random.default_rng(1).normal(size=(20, 3))
KERNEL, REFERENCE = Gaussian(np.array([1.0, 1.5, 2.0])), np.full(20, 0.3)


def rows_between(first, end, log=None):
    """Rows that any process can make."""
    if log is not None:
        with open(log, "a") as file:
            file.write(f"{os.getpid()}\n")
        time.sleep(0.3)
    return np.random.default_rng(0).normal(size=(N, 3))[first:end]


X = rows_between(0, N)
random = np.random.default_rng(2)
TARGETS = Targets.plain(random.normal(size=(N, 2)), random.uniform(0.5, 2.0, N))


def in_pieces(sizes=SIZES, **options):
    ends = np.cumsum(sizes)
    return [
        partial(rows_between, int(end - size), int(end), **options)
        for size, end in zip(sizes, ends, strict=True)
    ]


def wrapped(piece):
    return {"rows": piece()}


def statistics(rows, targets):
    return RowStatistics.of(KERNEL(rows, LANDMARKS), targets, REFERENCE)


def assert_same_bits(one, other):
    for name in ("weight", "targets", "squares", "kernel", "products", "cross"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.fixture(scope="module")
def local():
    return RowBlocks(X, TARGETS).reduce(statistics)


@pytest.fixture(scope="module")
def cluster():
    """Two processes of two threads each: tasks share a process, too."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=2, **QUIET) as found:
        yield found


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster) as found:
        yield found


@pytest.mark.parametrize("seed", range(20))
def test_every_row_is_in_one_block(seed):
    drawn = np.random.default_rng(seed)
    sizes = [int(size) for size in drawn.choice([0, 1, 2, 9, 10, 11, 57], 12)]
    ends, rows = np.cumsum(sizes), []
    shares = shares_of(sizes, 10)
    for share, size, end in zip(shares, sizes, ends, strict=True):
        assert end - size + share.skipped == share.first <= share.last <= end
        assert (share.last - share.first) % 10 == 0
        rows += range(share.first, share.last)
        if share.first < end:
            assert share.first % 10 == 0
        # The block of the rest, with what is borrowed.
        lent = sum(shares[lender].skipped for lender in share.lenders)
        assert share.end - share.last == end - share.last + lent <= 10
        rows += range(share.last, share.end)
    assert rows == list(range(sum(sizes)))


@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_threads_of_dask_change_no_bit(n_threads, local):
    rows = DaskBlocks(in_pieces(), SIZES, TARGETS, DaskCluster(n_threads=n_threads))
    assert_same_bits(rows.reduce(statistics), local)
    np.testing.assert_array_equal(rows.collect(lambda X, targets: X), X)


@pytest.mark.parametrize("sizes", [SIZES, [N], [500] * (N // 500) + [N % 500]], ids=len)
def test_a_cluster_changes_no_bit(sizes, client, local):
    rows = DaskBlocks(in_pieces(sizes), sizes, TARGETS, DaskCluster(client))
    assert_same_bits(rows.reduce(statistics), local)
    np.testing.assert_array_equal(
        rows.collect(lambda X, targets: np.column_stack([X, targets.values, targets.weights])),
        np.column_stack([X, TARGETS.values, TARGETS.weights]),
    )


def test_rows_that_dask_holds(client, local):
    pieces = [dask.delayed(piece)() for piece in in_pieces()]
    rows = DaskBlocks(pieces, SIZES, TARGETS, DaskCluster(client))
    assert_same_bits(rows.reduce(statistics), local)
    some = np.array([0, 1, 1024, 2047, 2048, 8000])
    np.testing.assert_array_equal(rows.take(some), X[some])
    assert rows.take(some[:0]).shape == (0, 3)


def test_every_piece_is_visited_where_it_is(client):
    pieces = [*in_pieces(), dask.delayed(rows_between)(0, 7)]
    for cluster in (DaskCluster(client), DaskCluster(n_threads=2)):
        assert cluster.each(len, pieces) == [*SIZES, 7]


def test_pieces_are_encoded_in_their_tasks(client, local):
    pieces = [partial(wrapped, piece) for piece in in_pieces()]
    rows = DaskBlocks(pieces, SIZES, TARGETS, DaskCluster(client), lambda piece: piece["rows"])
    assert_same_bits(rows.reduce(statistics), local)


def test_a_large_function_is_sent_to_the_workers(client):
    table = np.arange(400_000.0)  # 3 MB
    rows = DaskBlocks(in_pieces(), SIZES, TARGETS, DaskCluster(client))
    assert rows.reduce(lambda X, targets: table[-1] * len(X)) == table[-1] * N


def test_an_error_of_a_task_arrives(client):
    rows = DaskBlocks([partial(rows_between, 0, 10)], [N], TARGETS, DaskCluster(client))
    with pytest.raises(ValueError, match=f"piece 0 had {N} rows and has 10 now"):
        rows.reduce(statistics)


@pytest.mark.parametrize("victims", [1, 2])
def test_killed_workers_change_no_bit(victims, cluster, client, local, tmp_path):
    """The second time all workers die, and with them what was sent to them directly."""
    log = tmp_path / "log"
    ballast = np.arange(200_000.0)

    def kill():
        wait_until(lambda: log.exists() and len(log.read_text().split()) >= 3)
        reading = int(log.read_text().split()[-1])
        others = {nanny.pid for nanny in cluster.workers.values()} - {reading}
        for pid in [reading, *others][:victims]:
            os.kill(pid, signal.SIGKILL)

    rows = DaskBlocks(in_pieces(log=log), SIZES, TARGETS, DaskCluster(client))
    killer = threading.Thread(target=kill)
    killer.start()
    found = rows.reduce(lambda X, targets: statistics(X, targets) if len(ballast) else None)
    killer.join()
    assert_same_bits(found, local)
    pieces = sum(size > 0 for size in SIZES)
    assert len(log.read_text().split()) > pieces, "some pieces were read again"
