"""Runs that are killed, interrupted or doubled: nothing finished is lost or computed again."""

import os
import random
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from processes import HUNG, alive_in_group, kill_group, started, wait_until
from tiny_trial import INTERRUPTED, TinyTrial, grid, logged, outcomes

from kernelwise.runs import Store, run_cells
from kernelwise.runs.executors import GROUPS_PER_WORKER

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")

JOBS = 2
# The cells take 10 ms, so at most two travel together.
IN_FLIGHT = 2 * GROUPS_PER_WORKER * JOBS


def undisturbed(folder, cells):
    with Store(folder / "undisturbed.sqlite") as store:
        run_cells(cells, TinyTrial(), store)
        return [result.outcome for result in store.results()]


def committed(path):
    """The finished cells, read as a stranger would."""
    if not path.exists():
        return set()
    connection = sqlite3.connect(path, timeout=HUNG)
    try:
        return set(connection.execute("SELECT dataset, split, number, method, seed FROM results"))
    except sqlite3.OperationalError as error:
        assert "no such table" in str(error)  # killed before it was made
        return set()
    finally:
        connection.close()


def kill_one_run(server, path, count, jobs, delay, event):
    """Begin a run, kill it with all its workers, and check what is left; True when it was done.

    The delay counts from the start, from the first cell that begins, or from the first commit.
    """
    log = Path(f"{path}.log")
    before, begun_before = committed(path), len(logged(log, "begin"))
    server.stdin.write(f"{path} {count} {jobs}\n")
    server.stdin.flush()
    leader = int(server.stdout.readline())
    if event == "begin":
        wait_until(lambda: len(logged(log, "begin")) > begun_before)
    if event == "commit":
        wait_until(lambda: len(committed(path)) > len(before))
    time.sleep(delay)
    kill_group(leader)
    wait_until(lambda: not alive_in_group(leader))
    after, begun = committed(path), logged(log, "begin")[begun_before:]
    assert before <= after
    assert not before & set(begun), "a finished cell was computed again"
    assert len(begun) == len(set(begun)), "a cell was computed twice"
    assert len(set(begun) - after) <= (IN_FLIGHT if jobs > 1 else 1)
    return len(after) == count


@pytest.mark.parametrize(
    ("jobs", "kills", "amid_cells_every"),
    [
        (1, 4, 1),
        (JOBS, 3, 2),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in ((1, 20, 1), (JOBS, 20, 7), (JOBS, 20, 1))
        ),
    ],
)
def test_killed_at_any_moment_and_resumed(jobs, kills, amid_cells_every, tmp_path):
    """Workers take seconds to start: most kills that do not wait for cells happen then."""
    path, chance, count = tmp_path / "store.sqlite", random.Random(5), 800
    with started("serve") as server:
        for i in range(kills):
            event = "start" if i % amid_cells_every else "begin" if i else "commit"
            delay = chance.uniform(0, 0.5 if event == "start" else 0.2)
            assert not kill_one_run(server, path, count, jobs, delay, event)
    assert 0 < len(committed(path)) < count
    with Store(path) as store:
        progress = run_cells(grid(count), TinyTrial(tmp_path / "last.log"), store)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert progress.finished == count
    assert outcomes(path) == undisturbed(tmp_path, grid(count))


def test_workers_end_with_a_run_that_is_killed_alone(tmp_path):
    path = tmp_path / "store.sqlite"
    with started(path, 8, JOBS, 0, "slow") as run:
        wait_until(lambda: len(logged(Path(f"{path}.log"), "begin")) == JOBS)
        os.kill(run.pid, signal.SIGKILL)
        wait_until(lambda: not alive_in_group(run.pid))


@pytest.mark.parametrize("jobs", ["1", "2", "dask"])
def test_ctrl_c_waits_for_no_cell_and_keeps_what_is_finished(jobs, tmp_path):
    path = tmp_path / "store.sqlite"
    log, methods = Path(f"{path}.log"), ["a", "a", "a", "slow", "slow"]
    # Dask may give both slow cells to one worker; the second then never begins.
    slow = 2 if jobs == "2" else 1
    with started(path, 5, jobs, 0, ",".join(methods)) as run:
        wait_until(lambda: [cell.method for cell in logged(log, "begin")].count("slow") >= slow)
        wait_until(lambda: len(committed(path)) == 3)
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to all processes of the run
        _, errors = run.communicate(timeout=HUNG)
        assert (run.returncode, errors) == (INTERRUPTED, "")
        wait_until(lambda: not alive_in_group(run.pid))
    assert committed(path) == set(grid(5, methods)[:3])
    with Store(path) as store:
        run_cells(grid(5, methods)[:3], TinyTrial(log), store)
    assert max(Counter(logged(log, "begin")).values()) == 1


def test_ctrl_c_while_workers_start(tmp_path):
    path = tmp_path / "store.sqlite"
    with started(path, 6, JOBS, 0, "slow") as run:
        wait_until(lambda: len(alive_in_group(run.pid)) > JOBS)  # a resource tracker is there too
        time.sleep(0.2)
        os.killpg(run.pid, signal.SIGINT)
        _, errors = run.communicate(timeout=HUNG)
        assert (run.returncode, errors) == (INTERRUPTED, "")
        wait_until(lambda: not alive_in_group(run.pid))


def test_two_runs_on_one_store_share_the_cells(tmp_path):
    """Cells are computed twice if in flight in both runs when they meet or when nothing else is
    left, or if one run happens to draw one of the k in flight in the other: of n cells about
    k ln n, here 20. Runs that do not share would compute all of them twice.
    """
    path, count = tmp_path / "store.sqlite", 200
    with started(path, count, JOBS, 0.02) as one, started(path, count, JOBS, 0.02) as other:
        for run in (one, other):
            _, errors = run.communicate(timeout=HUNG)
            assert (run.returncode, errors) == (0, "")
    begun = Counter(logged(Path(f"{path}.log"), "begin"))
    assert set(begun) == set(grid(count))
    assert begun.total() - count <= count // 3
    assert outcomes(path) == undisturbed(tmp_path, grid(count))
