"""Runs in one process: what becomes a row, resuming, and progress with the time left."""

import json
import time
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from tiny_trial import TinyTrial, grid, logged, record

from kernelwise.evaluation.fold_records import Learnt
from kernelwise.runs import Cell, Progress, Store, run_cells
from kernelwise.runs.runner import LONGEST_MESSAGE


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "store.sqlite") as opened:
        yield opened


def only(store):
    (result,) = store.results()
    return result


@dataclass
class Returns:
    """A trial that returns or raises one thing, whatever the cell."""

    what: object

    def __call__(self, cell):
        if isinstance(self.what, BaseException):
            raise self.what
        return self.what


def test_every_cell_becomes_a_row(store):
    cells = grid(12)
    progress = run_cells(cells, TinyTrial(), store)
    assert progress == Progress(12, known=0, done=6, failed=3, skipped=3, seconds_left=0.0)
    assert store.finished() == {
        cell: {"fail": "failed", "skip": "skipped"}.get(cell.method, "done") for cell in cells
    }
    environment = json.loads(store.results()[0].environment)
    assert {"kernelwise", "python", "numpy", "scikit-learn", "processor"} <= set(environment)


def test_a_second_run_computes_only_what_is_new(store, tmp_path):
    log = tmp_path / "log"
    run_cells(grid(8), TinyTrial(log), store)
    progress = run_cells(grid(12), TinyTrial(log), store)
    assert (progress.known, progress.finished, progress.total) == (8, 12, 12)
    assert logged(log, "begin") == grid(12)


def test_only_failures_are_tried_again_when_asked(store, tmp_path):
    cells, log = grid(8), tmp_path / "log"
    run_cells(cells, TinyTrial(), store)
    progress = run_cells(cells, TinyTrial(log), store, retry_failed=True)
    assert logged(log, "begin") == [cell for cell in cells if cell.method == "fail"]
    assert (progress.known, progress.failed) == (6, 2)


@pytest.mark.parametrize(
    ("method", "text"),
    [
        ("fail", "ArithmeticError: no luck with made/0"),
        ("memory", "MemoryError"),
        ("exit", "SystemExit: 3"),
        ("garbage", "TypeError: a trial must return a FoldRecord, not dict"),
    ],
)
def test_what_goes_wrong_is_in_the_row(method, text, store):
    began = time.perf_counter(), time.process_time()
    run_cells(grid(1, [method]), TinyTrial(seconds=0.01), store)
    elapsed = time.perf_counter() - began[0], time.process_time() - began[1]
    found = only(store)
    assert found.status == "failed"
    assert text in found.message.partition("\n")[0]
    assert "tiny_trial.py" in found.message or method == "garbage"  # where it happened
    wall, cpu = found.failed_after
    assert 0.01 <= wall <= elapsed[0] and 0 <= cpu <= elapsed[1]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"error": float("nan")}, "ValueError: the test error is nan"),
        ({"counters": {"fits": {1, 2}}}, "TypeError"),
        ({"learnt": Learnt(kernel=object())}, "TypeError"),
        ({"n_train": "many"}, "ValueError"),
        ({"messages": (3,)}, "TypeError"),
    ],
)
def test_a_record_that_cannot_be_kept_is_a_failure(changes, text, store):
    (cell,) = grid(1)
    assert run_cells([cell], Returns(record(cell, **changes)), store).failed == 1
    assert only(store).message.startswith(text)


def test_numbers_of_numpy_and_broken_texts_are_kept(store):
    (cell,) = grid(1)
    found = record(
        cell,
        error=np.float32(0.25),
        inner_error=np.float64("nan"),
        n_train=np.int64(7),
        messages=("file \udcff", "\0"),
    )
    run_cells([cell], Returns(found), store)
    kept = only(store)
    assert (kept.record.error, kept.record.inner_error, kept.record.n_train) == (0.25, None, 7)
    assert kept.message == "file \\udcff\n\0"


class Unspeakable(Exception):
    def __str__(self):
        raise RuntimeError("no text")


@pytest.mark.parametrize("error", [Unspeakable(), OSError("\udcff"), ValueError("x" * 10**6)])
def test_errors_that_are_hard_to_write_down(error, store):
    run_cells(grid(1), Returns(error), store)
    assert type(error).__name__ in only(store).message.partition("\n")[0]
    assert len(only(store).message) <= 2 * LONGEST_MESSAGE + 1


def test_bad_cells_are_refused_before_any_work(store, tmp_path):
    log = tmp_path / "log"
    with pytest.raises(ValueError, match="asked for twice"):
        run_cells([*grid(2), *grid(1)], TinyTrial(log), store)
    with pytest.raises(ValueError, match="seed"):
        run_cells([Cell("tiny", "made", 0, "a", 2**63)], TinyTrial(log), store)
    assert not log.exists()


def test_ctrl_c_keeps_what_is_finished(store):
    cells = grid(5, ["a"])

    def interrupted(cell):
        if cell == cells[3]:
            raise KeyboardInterrupt
        return record(cell)

    with pytest.raises(KeyboardInterrupt):
        run_cells(cells, interrupted, store)
    assert list(store.finished()) == cells[:3]
    assert run_cells(cells, TinyTrial(), store).known == 3


def test_progress_counts_up_and_its_time_left_is_about_right(store):
    """Quick and slow cells mixed: from a quarter of the way on, the time left is that of the rest,
    within a third (the sum of the sleeps; the store's own time is added by a busy machine).
    """
    seconds = {"quick": 0.01, "slow": 0.1}
    cells, seen = grid(40, ["quick", "slow", "quick", "quick"]), []
    order = iter(cells)

    def trial(cell):
        assert cell == next(order)
        time.sleep(seconds[cell.method])
        return record(cell, wall_seconds=seconds[cell.method])

    last = run_cells(cells, trial, store, on_progress=seen.append)
    assert (seen[0].finished, seen[0].seconds_left) == (0, None)
    assert seen[-1] == last == Progress(40, known=0, done=40, seconds_left=0.0)
    assert len(seen) > 4
    for progress in seen[1:]:
        rest = sum(seconds[cell.method] for cell in cells[progress.finished :])
        if progress.finished >= 10:
            assert progress.seconds_left == pytest.approx(rest)
    assert [progress.finished for progress in seen] == sorted(p.finished for p in seen)


@dataclass
class Hands:
    """An executor that claims to have several, and uses one."""

    n_jobs: int

    def __call__(self, work, cells):
        yield from map(work, cells)


def test_many_hands_make_the_time_left_shorter(store):
    """Two cells took 3 seconds each, so eight more take 24, or 6 if four run at a time."""
    cells = grid(10, ["a"])

    def trial(cell):
        return record(cell, wall_seconds=3.0)

    run_cells(cells[:2], trial, store)
    seen = []
    run_cells(cells, trial, store, Hands(4), on_progress=seen.append)
    assert (seen[0].finished, seen[0].seconds_left) == (2, 6.0)


def test_cells_of_another_run_are_not_computed_and_not_counted_twice(store, tmp_path):
    """Another run finishes cells ahead of this one, and one that is in flight here."""
    cells, begun = grid(20, ["a"]), Counter()

    def trial(cell):
        begun[cell] += 1
        if len(begun) == 3:
            with Store(store.path) as other:
                run_cells([cell, *cells[10:]], TinyTrial(), other)
        return record(cell)

    progress = run_cells(cells, trial, store)
    assert progress == Progress(20, known=11, done=9, seconds_left=0.0)
    assert set(begun) == set(cells[:10])
    assert set(begun.values()) == {1}
