"""The store: what it refuses, what it keeps, and two processes that use it at once."""

import os
import resource
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import tiny_trial
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_results import changed
from processes import HUNG
from tiny_trial import TinyTrial, grid, outcomes, record

from kernelwise.evaluation.fold_records import FoldRecord, Learnt
from kernelwise.runs import Cell, CellResult, JoblibExecutor, Store, StoreError, run_cells
from kernelwise.runs.store import APPLICATION_ID
from kernelwise.runs.store_schema import SCHEMA_VERSION

# SQLite and JSON keep every text that can be written as UTF-8.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
numbers = st.none() | st.floats(allow_nan=False)
integers = st.integers(0, 2**63 - 1)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
cells = st.builds(Cell, texts, texts, integers, texts, integers)
floats = st.floats(allow_nan=False)
several = st.lists(floats, max_size=3)
learnt = st.builds(
    Learnt,
    kernel=texts,
    values=several,
    regularization=numbers,
    C=numbers,
    relevance=several,
    parameters=st.dictionaries(texts, json_values, max_size=3),
    measures=st.dictionaries(texts, floats, max_size=3),
)
records = st.builds(
    FoldRecord,
    **dict.fromkeys(["error", "wall_seconds", "cpu_seconds"], floats),
    **dict.fromkeys(["baseline", "inner_error"], numbers),
    **dict.fromkeys(["n_train", "n_test"], integers),
    counters=st.dictionaries(texts, st.integers(), max_size=3),
    learnt=learnt,
    predictions_hash=texts,
    messages=st.lists(texts.map(lambda text: f"a{text}".replace("\n", "")), max_size=3).map(tuple),
)
finished = st.builds(CellResult, cells, st.just("done"), record=records, environment=texts)
failed = st.builds(
    CellResult,
    cells,
    st.sampled_from(["failed", "skipped"]),
    texts,
    failed_after=st.none() | st.tuples(floats, floats),
    environment=texts,
)


def done(cell, **changes):
    return replace(CellResult.done(cell, record(cell), "{}"), **changes)


def asked(path, statement):
    """What SQLite answers, as to a stranger."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite"


def test_the_file_says_what_it_is(path):
    with Store(path):
        connection = sqlite3.connect(path)
        found = [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version", "journal_mode")
        ]
        connection.close()
    assert found == [APPLICATION_ID, SCHEMA_VERSION, "wal"]


def test_a_database_of_another_program_is_refused_and_untouched(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.commit()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="database of another program: choose another name"):
        Store(path)
    connection.close()
    assert path.read_bytes() == before


def test_a_newer_schema_is_refused(path):
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    with pytest.raises(StoreError, match=f"schema version {SCHEMA_VERSION + 1}, this"):
        Store(path)


def test_a_file_that_is_no_database_is_refused_and_untouched(path):
    path.write_bytes(b"error,baseline\n0.1,0.5\n" * 1000)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not a readable store"):
        Store(path)
    assert path.read_bytes() == before


@pytest.fixture(params=[1, 2], ids="version {}".format)
def of_earlier_version(request, path):
    """A store that earlier code wrote: in version 1, splits were texts such as "generated/3"; in
    version 2 there were no checksums.
    """
    written = Path(__file__).with_name(f"version_{request.param}") / "store.sql"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(written.read_text())
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {request.param}")
    return path


def test_a_store_of_an_earlier_version_is_read(of_earlier_version):
    with Store(of_earlier_version) as store:
        results = {result.cell: result for result in store.results()}
    assert list(results) == sorted(results) and len(results) == 11
    assert [cell.number for cell in results if cell.dataset == "ida_titanic"] == [2, 10]
    heart = results[Cell("ida_heart", "published", 0, "RBF-LOO")]
    assert (heart.status, heart.record.error, heart.record.n_train) == ("done", 0.21, 170)
    assert heart.record.counters == {"evaluations": 11, "factorizations": 47}
    assert heart.record.learnt.kernel == "Gaussian" and len(heart.record.learnt.values) == 1
    assert heart.record.predictions_hash == "2fadab3f9665cd07"
    svm = results[Cell("crabs", "generated", 0, "ARD-SPAN", 1)].record.learnt
    assert svm.C > 1 and svm.regularization is None and svm.measures["support_vectors"] == 14
    grid_search = results[Cell("ida_heart", "published", 0, "SVM-GRID")].record.learnt
    assert set(grid_search.parameters) == {"svc__C", "svc__gamma"}
    failed = results[Cell("ida_heart", "published", 999, "LINEAR")]
    assert failed.status == "failed" and "no published split 999" in failed.message
    assert failed.record is None and failed.wall_seconds == failed.failed_after[0] > 0
    skipped = results[Cell("ida_diabetis", "generated", 10, "GP-ARD")]
    assert (skipped.status, skipped.record, skipped.failed_after) == ("skipped", None, None)
    assert "processor" in heart.environment


def test_a_store_of_an_earlier_version_is_gone_on_from(of_earlier_version):
    before = asked(of_earlier_version, "SELECT finished_at FROM results ORDER BY finished_at")
    new = done(Cell("ida_heart", "published", 1, "RBF-LOO"))
    with Store(of_earlier_version) as store:
        known = store.results()
        assert store.add([known[0], new]) == [known[0]]
        with pytest.raises(StoreError, match="another data set crabs"):
            store.define("data set", "crabs", "other rows")
    with Store(of_earlier_version) as store:
        assert store.results() == sorted([*known, new], key=lambda result: result.cell)
    after = asked(of_earlier_version, "SELECT finished_at FROM results ORDER BY finished_at")
    assert after[:-1] == before
    assert asked(of_earlier_version, "PRAGMA user_version") == [(SCHEMA_VERSION,)]
    tables = asked(of_earlier_version, "SELECT name FROM sqlite_master WHERE type = 'table'")
    assert {name for (name,) in tables} == {"definitions", "environments", "results"}


def test_places_where_no_store_can_be(tmp_path):
    with pytest.raises(StoreError, match="does not exist: create it first"):
        Store(tmp_path / "nowhere" / "store.sqlite")
    with pytest.raises(StoreError, match="cannot be opened for writing"):
        Store(tmp_path)


def test_a_folder_that_cannot_be_written(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    if os.access(folder, os.W_OK):  # the administrator may write anywhere but here
        folder = Path("/proc")
    if not folder.is_dir():
        pytest.skip("no folder that this user cannot write to")
    with pytest.raises(StoreError, match="cannot be opened for writing"):
        Store(folder / "store.sqlite")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(finished | failed, min_size=1, max_size=4, unique_by=lambda result: result.cell))
def test_results_come_back_as_they_were(path, found):
    path.unlink(missing_ok=True)
    with Store(path) as store:
        assert store.add(found) == []
    with Store(path) as store:
        assert store.results() == sorted(found, key=lambda result: _bytes(result.cell))
        assert store.finished() == {result.cell: result.status for result in found}


def _bytes(cell):
    """SQLite sorts texts by their bytes."""
    return tuple(part.encode() if isinstance(part, str) else part for part in cell)


def test_a_finished_cell_is_never_overwritten(path):
    first, second, new = (done(cell) for cell in grid(3))
    with Store(path) as store:
        assert store.add([first, second]) == []
        other = changed(first, error=0.99)
        assert store.add([other, new]) == [other]
        assert store.results() == sorted([first, second, new], key=lambda result: result.cell)
        assert store.holds(new.cell) and not store.holds(grid(4)[3])


def test_what_cannot_be_a_row_is_no_silent_loss(path):
    good, bad = done(grid(1)[0]), CellResult(grid(2)[1], "perhaps")
    with Store(path) as store:
        with pytest.raises(StoreError, match="CHECK"):
            store.add([good, bad])
        assert store.results() == []  # all or nothing
        store.add([good])
        assert store.results() == [good]


def test_a_name_means_one_thing(path):
    with Store(path) as store:
        store.define("data set", "ring", "a1")
        store.define("data set", "ring", "a1")
        store.define("method", "ring", "b2")
        with pytest.raises(StoreError, match=r"another data set ring \(a1; now: c3\)"):
            store.define("data set", "ring", "c3")


def test_only_failures_that_are_named_are_forgotten(path):
    cells = grid(4)
    failures = [CellResult(cell, "failed") for cell in cells[:2]]
    with Store(path) as store:
        store.add([*failures, done(cells[2]), CellResult(cells[3], "skipped")])
        store.forget_failures([cells[0], *cells[2:]])
        assert set(store.finished()) == set(cells[1:])


def test_two_runs_create_one_store_at_the_same_moment(tmp_path):
    """Twenty times: the switch to WAL mode is refused while another connection is open."""
    cells = grid(40)
    for number in range(20):
        path, gate, problems = tmp_path / f"{number}.sqlite", threading.Barrier(4), []

        def write(mine, path=path, gate=gate, problems=problems):
            gate.wait()
            try:
                with Store(path) as store:
                    for cell in mine:
                        store.add([done(cell)])
                        store.results()
            except Exception as problem:
                problems.append(problem)

        threads = [threading.Thread(target=write, args=(cells[i::4],)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert problems == []
        with Store(path) as store:
            assert set(store.finished()) == set(cells)


def test_waiting_for_a_lock_has_an_end_in_words(path, monkeypatch):
    Store(path).close()
    monkeypatch.setattr("kernelwise.runs.store.SECONDS_TO_WAIT", 1)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match=r"another program has locked.*run the same command again"):
        Store(path)
    other.close()
    Store(path).close()


def run_until_full(store, cells):
    with pytest.raises(StoreError, match=r"(no space left|cannot be written).*what was committed"):
        run_cells(cells, TinyTrial(), store)
    assert 0 < len(store.finished()) < len(cells)
    return len(store.finished())


def resume(path, cells, committed):
    """Holds exactly what was committed, and is completed by a second run."""
    with Store(path) as store:
        assert set(store.finished()) == set(cells[:committed])
        progress = run_cells(cells, TinyTrial(), store, JoblibExecutor(1))
        assert progress.known == committed
    assert asked(path, "PRAGMA integrity_check") == [("ok",)]
    with Store(path.with_name("undisturbed.sqlite")) as store:
        run_cells(cells, TinyTrial(), store)
    assert outcomes(path) == outcomes(path.with_name("undisturbed.sqlite"))


def test_a_full_database(path, monkeypatch):
    cells = grid(600)

    def small(*arguments, **options):
        connection = sqlite3.connect(*arguments, **options)
        connection.execute("PRAGMA max_page_count = 30")
        return connection

    with monkeypatch.context() as patch:
        names = {**vars(sqlite3), "connect": small}
        patch.setattr("kernelwise.runs.store.sqlite3", SimpleNamespace(**names))
        with Store(path) as store:
            committed = run_until_full(store, cells)
    resume(path, cells, committed)


def test_a_limit_on_file_sizes(path):
    """As a quota does: in a process of its own, for a limit cannot be lifted."""
    cells = grid(600)
    code = (
        "import sys, resource; sys.path[:0] = sys.argv[1:3]\n"
        "import test_store, tiny_trial; from kernelwise.runs import Store\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
        "with Store(sys.argv[3]) as store:\n"
        "    print(test_store.run_until_full(store, tiny_trial.grid(600)))\n"
    )
    folders = [str(Path(module).parent) for module in (__file__, tiny_trial.__file__)]
    ended = subprocess.run(
        [sys.executable, "-c", code, *folders, str(path)],
        capture_output=True,
        text=True,
        timeout=HUNG,
    )
    assert ended.returncode == 0, ended.stderr
    resume(path, cells, int(ended.stdout))


def test_a_disk_that_is_full(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(mount, capture_output=True, timeout=HUNG).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("may not mount a small disk")
    try:
        cells = grid(600)
        with Store(disk / "store.sqlite") as store:
            committed = run_until_full(store, cells)
        with Store(disk / "store.sqlite") as store:  # opens while the disk is still full
            assert len(store.finished()) == committed
        subprocess.run(["mount", "-o", "remount,size=40m", str(disk)], check=True, timeout=HUNG)
        resume(disk / "store.sqlite", cells, committed)
    finally:
        subprocess.run(["umount", str(disk)], check=True, timeout=HUNG)


def test_no_limit_was_set_on_this_process():
    """The test above must not leak."""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
