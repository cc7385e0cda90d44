"""Executors: the same bits everywhere, and workers that are killed in the middle."""

import os
import signal
import threading
from collections import Counter
from dataclasses import replace

import pytest
from joblib.externals.loky.backend import reduction
from processes import wait_until
from tiny_trial import TinyTrial, grid, logged, outcomes, workers

from kernelwise.papers.benchmark import BenchmarkTrial
from kernelwise.runs import Cell, DaskExecutor, JoblibExecutor, Store, run_cells
from kernelwise.runs.executors import in_worker

distributed = pytest.importorskip("distributed")

EXECUTORS = {"joblib": lambda: JoblibExecutor(2), "dask": lambda: DaskExecutor("local", 2)}
QUIET = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": "CRITICAL"}


def run(path, cells, trial, executor=None, **options):
    with Store(path) as store:
        return run_cells(cells, trial, store, executor, **options)


@pytest.fixture(scope="module")
def cluster():
    """A running Dask cluster; its workers have two threads."""
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, **QUIET) as found:
        yield found


@pytest.mark.parametrize(
    ("kind", "victims", "count"),
    [
        ("dask", 2, 10),
        pytest.param("joblib", 1, 40, marks=pytest.mark.slow),
        pytest.param("dask", 2, 40, marks=pytest.mark.slow),
    ],
)
def test_workers_killed_in_the_middle(kind, victims, count, tmp_path):
    """A death takes all cells in flight along, or all workers of a cluster. The rest is as if
    nothing had happened.
    """
    log, path, killed = tmp_path / "log", tmp_path / "store.sqlite", set()

    def kill():
        wait_until(lambda: log.exists() and len(workers(log)) >= 4)
        for pid in list(dict.fromkeys(reversed(workers(log))))[:victims]:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)

    killer = threading.Thread(target=kill)
    killer.start()
    progress = run(path, grid(count), TinyTrial(log, 0.05), EXECUTORS[kind]())
    killer.join()
    assert len(killed) >= 1
    assert progress.finished == count
    run(tmp_path / "undisturbed.sqlite", grid(count), TinyTrial())
    assert outcomes(path) == outcomes(tmp_path / "undisturbed.sqlite")


@pytest.mark.parametrize(
    ("kind", "count"),
    [("joblib", 4), *(pytest.param(kind, 40, marks=pytest.mark.slow) for kind in EXECUTORS)],
)
def test_a_cell_that_kills_its_workers_is_given_up(kind, count, tmp_path):
    """And those that were lost with it are computed again."""
    path, cells = tmp_path / "store.sqlite", [*grid(count), *grid(1, ["die"])]
    run(path, cells, TinyTrial(seconds=0.05), EXECUTORS[kind]())
    run(tmp_path / "undisturbed.sqlite", grid(count), TinyTrial())
    (given_up,) = set(outcomes(path)) - set(outcomes(tmp_path / "undisturbed.sqlite"))
    assert given_up[:2] == (cells[-1], "failed")
    assert len(outcomes(path)) == len(cells)
    with Store(path) as store:
        (row,) = [result for result in store.results() if result.cell == cells[-1]]
    assert row.message.partition("\n")[0].endswith(
        "WorkerDied: the worker process died (killed, or out of memory)"
    )


def test_a_cluster_that_is_there_already(cluster, tmp_path):
    """Two threads of one worker: one cell at a time all the same, and only the client ends."""
    address, log = cluster.scheduler_address, tmp_path / "log"
    executor = DaskExecutor(address)
    progress = run(tmp_path / "store.sqlite", grid(30), TinyTrial(log, 0.01), executor)
    assert executor.n_jobs == 1
    assert progress.finished == 30
    run(tmp_path / "alone.sqlite", grid(30), TinyTrial())
    assert outcomes(tmp_path / "store.sqlite") == outcomes(tmp_path / "alone.sqlite")
    done = [cell for cell in grid(30) if cell.method in "ab"]
    assert sorted(logged(log, "end")) == sorted(done)
    # Nothing begins between the beginning and the end of a cell.
    lines = [line.split()[:4] for line in log.read_text().splitlines()]
    for i, (what, *cell) in enumerate(lines):
        assert what == "begin" or lines[i - 1] == ["begin", *cell]
    assert cluster.status.name == "running"


def test_all_executors_give_the_same_bits(cluster, tmp_path):
    pairs = (("ring", "RBF-LOO"), ("iris", "LINEAR"), ("iris", "RBF-LOO"))
    cells = [Cell(name, "random", i, method) for name, method in pairs for i in (0, 1)]
    executors = {
        "one": JoblibExecutor(1),
        "joblib": JoblibExecutor(2),
        "dask": DaskExecutor(cluster.scheduler_address),
    }
    for name, executor in executors.items():
        assert run(tmp_path / name, cells, BenchmarkTrial(), executor).done == len(cells)
    assert (
        outcomes(tmp_path / "one") == outcomes(tmp_path / "joblib") == outcomes(tmp_path / "dask")
    )


def test_a_slow_cell_holds_up_none_of_its_group(tmp_path):
    """Quick cells make groups large; a worker then sends back what it cannot do soon.

    Every cell is begun once, and both workers share the slow ones. The work is a function that
    workers cannot import: it is sent by value.
    """
    log = tmp_path / "log"
    work = reduction.dumps(TinyTrial(log, 0.05))
    results, seconds = in_worker(bytes(work), grid(6, ["a"]))
    assert len(results) == 1 and seconds >= 0.05
    log.unlink()
    cells = [*grid(60, ["skip"]), *(cell._replace(method="a") for cell in grid(12, ["a"]))]
    trial = TinyTrial(log)

    def skips_at_once(cell):
        if cell.method == "a":
            return replace(trial, seconds=0.2)(cell)
        try:
            return trial(cell)
        finally:  # one worker does not begin with the slow ones before the other is there
            wait_until(lambda: len(set(workers(log))) == 2)

    assert run(tmp_path / "s", cells, skips_at_once, JoblibExecutor(2)).finished == len(cells)
    assert sorted(logged(log, "begin")) == sorted(cells)
    slow = [line.split()[-1] for line in log.read_text().splitlines() if line.startswith("end")]
    assert min(Counter(slow).values()) >= 3 and len(set(slow)) == 2


def test_addresses_that_lead_nowhere(monkeypatch, tmp_path):
    with pytest.raises(ValueError, match="give 'local' or a scheduler's address"):
        DaskExecutor("127.0.0.1:8786")
    monkeypatch.setattr("kernelwise.runs.executors.SECONDS_TO_ANSWER", 0.5)
    nobody = DaskExecutor("tcp://127.0.0.1:1")
    with pytest.raises(ValueError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        run(tmp_path / "s", grid(2), TinyTrial(), nobody)
    assert outcomes(tmp_path / "s") == []


def test_a_scheduler_without_workers(monkeypatch, tmp_path):
    wait = distributed.Client.wait_for_workers

    def wait_shortly(client, count, timeout):  # for workers; for the scheduler as long as it takes
        wait(client, count, timeout=0.1)

    monkeypatch.setattr(distributed.Client, "wait_for_workers", wait_shortly)
    with (
        distributed.LocalCluster(n_workers=0, **QUIET) as empty,
        pytest.raises(ValueError, match="has no workers"),
    ):
        run(tmp_path / "s", grid(2), TinyTrial(), DaskExecutor(empty.scheduler_address))


@pytest.mark.slow
def test_a_scheduler_that_goes_away(tmp_path):
    log, cells = tmp_path / "log", grid(400)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, **QUIET) as cluster:

        def close():
            wait_until(lambda: log.exists() and len(workers(log)) >= 6)
            cluster.close()

        closer = threading.Thread(target=close)
        closer.start()
        with pytest.raises(ConnectionError, match="is gone; what was committed is safe"):
            run(
                tmp_path / "s", cells, TinyTrial(log, 0.05), DaskExecutor(cluster.scheduler_address)
            )
        closer.join()
    finished = outcomes(tmp_path / "s")
    assert 0 < len(finished) < len(cells)
    assert run(tmp_path / "s", cells, TinyTrial()).known == len(finished)
