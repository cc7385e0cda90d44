"""Run the cells that a store does not hold yet."""

import random
import sys
import threading
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache

from threadpoolctl import ThreadpoolController

from kernelwise.evaluation.fold_records import FoldRecord
from kernelwise.runs.cells import DONE, FAILED, SKIPPED, Cell, CellResult, Skipped, storable_text
from kernelwise.runs.environment import environment
from kernelwise.runs.executors import Executor, JoblibExecutor, WorkerDied
from kernelwise.runs.store import Store

Trial = Callable[[Cell], FoldRecord]
LONGEST_MESSAGE = 2000
LARGEST_SEED = 2**63 - 1  # of SQLite's integers
# Progress is reported at most this often; a report costs as much as a tiny cell.
SECONDS_BETWEEN_REPORTS = 0.2


@dataclass(frozen=True)
class Progress:
    """How far a run is: all cells, and the finished ones by status.

    ``known`` were finished before this run began, or by another run on the same store.
    """

    total: int
    known: int
    done: int = 0
    failed: int = 0
    skipped: int = 0
    seconds_left: float | None = None

    @property
    def finished(self) -> int:
        return self.known + self.done + self.failed + self.skipped


class Attempt:
    """A picklable function that does the work of a cell and catches its failure.

    Every library uses one thread, so that results agree to the last bit in every process and CPU
    times are comparable. For the same reasons a process computes one cell at a time, even if a
    Dask worker has several threads.
    """

    def __init__(self, trial: Trial):
        self.trial = trial

    def __call__(self, cell: Cell) -> CellResult:
        with _one_at_a_time, _threads(len(sys.modules)).limit(limits=1):
            wall, cpu = time.perf_counter(), time.thread_time()
            try:
                return CellResult.done(cell, self.trial(cell), environment())
            except Skipped as reason:
                text = storable_text(str(reason))
                return CellResult(cell, SKIPPED, text, environment=environment())
            except (Exception, SystemExit) as error:
                return failure(cell, error, (time.perf_counter() - wall, time.thread_time() - cpu))


_one_at_a_time = threading.RLock()


def failure(
    cell: Cell, error: BaseException, after: tuple[float, float] | None = None
) -> CellResult:
    """A failed result: what went wrong, where, and after how many wall and CPU seconds."""
    what = "".join(traceback.format_exception_only(error)).strip()[:LONGEST_MESSAGE]
    where = "".join(traceback.format_exception(error))[-LONGEST_MESSAGE:]
    text = storable_text(f"{what}\n{where}")
    return CellResult(cell, FAILED, text, failed_after=after, environment=environment())


@lru_cache(maxsize=1)
def _threads(n_modules: int) -> ThreadpoolController:
    """The thread pools of all loaded libraries, sought again only when there may be new ones."""
    return ThreadpoolController()


def run_cells(
    cells: Sequence[Cell],
    trial: Trial,
    store: Store,
    executor: Executor | None = None,
    *,
    retry_failed: bool = False,
    on_progress: Callable[[Progress], object] = lambda progress: None,
) -> Progress:
    """Compute the cells that ``store`` lacks, and commit each as soon as it is finished.

    Whatever ends the run, finished cells stay; running again computes the rest. Runs on one store
    share the cells: none begins a cell that another has finished, and once they have met they
    continue in random order, so that few cells are computed twice.

    Cost besides the cells themselves: under 1 ms each (``python -m benchmarks store``).

    Parameters
    ----------
    cells, trial : what to compute, and the function that computes a cell
    store : where finished cells are kept
    executor : where cells are computed; None: in this process
    retry_failed : whether to compute failed cells again
    on_progress : called with the progress at the start, now and then, and at the end
    """
    executor = executor or JoblibExecutor(1)
    _check_cells(cells)
    if retry_failed:
        store.forget_failures(cells)
    queue = _Queue(cells, store)
    told = time.monotonic()
    on_progress(queue.progress(executor.n_jobs))
    if queue.is_empty():
        return queue.progress(executor.n_jobs)
    with closing(executor(Attempt(trial), queue.take())) as results:
        for result in results:
            if isinstance(result, WorkerDied):
                result = failure(result.cell, result)
            queue.commit(result)
            if time.monotonic() - told > SECONDS_BETWEEN_REPORTS:
                on_progress(queue.progress(executor.n_jobs))
                told = time.monotonic()
    on_progress(queue.progress(executor.n_jobs))
    return queue.progress(executor.n_jobs)


def _check_cells(cells: Sequence[Cell]) -> None:
    if len(set(cells)) < len(cells):
        raise ValueError("the same cell is asked for twice")
    for cell in cells:
        if not 0 <= cell.seed <= LARGEST_SEED:
            raise ValueError(f"the seed of {cell} must be from 0 to 2**63 - 1")


class _Queue:
    """The cells still to begin, those finished, and what the rest will cost."""

    def __init__(self, cells: Sequence[Cell], store: Store):
        self._store = store
        self._total = len(cells)
        finished = store.finished()
        # The next one is last.
        self._waiting = [cell for cell in reversed(cells) if cell not in finished]
        self._known = len(cells) - len(self._waiting)
        self._counts = Counter[str]()
        self._shared = False
        self._left = Counter(_kind(cell) for cell in self._waiting)
        self._seconds: dict[tuple[str, str], float] = defaultdict(float)
        self._trials = Counter[tuple[str, str]]()
        for result in store.results():
            self._see(result)

    def is_empty(self) -> bool:
        return not self._waiting

    def take(self) -> Iterator[Cell]:
        while self._waiting:
            cell = self._waiting.pop()
            if self._store.holds(cell):
                self._meet_another_run(cell)
            else:
                yield cell

    def commit(self, result: CellResult) -> None:
        if self._store.add([result]):
            self._meet_another_run(result.cell)
            return
        self._see(result)
        self._counts[result.status] += 1
        self._left[_kind(result.cell)] -= 1

    def _meet_another_run(self, cell: Cell) -> None:
        """Note that another run finished the cell first."""
        self._known += 1
        self._left[_kind(cell)] -= 1
        if not self._shared:
            random.shuffle(self._waiting)
            self._shared = True

    def progress(self, n_jobs: int) -> Progress:
        return Progress(
            total=self._total,
            known=self._known,
            done=self._counts[DONE],
            failed=self._counts[FAILED],
            skipped=self._counts[SKIPPED],
            seconds_left=self._seconds_left(n_jobs),
        )

    def _see(self, result: CellResult) -> None:
        self._seconds[_kind(result.cell)] += result.wall_seconds
        self._trials[_kind(result.cell)] += 1

    def _seconds_left(self, n_jobs: int) -> float | None:
        """An estimate from the mean time per method and data set; where unknown, from all."""
        if not self._left.total():
            return 0.0
        if not self._trials:
            return None
        means = {kind: self._seconds[kind] / self._trials[kind] for kind in self._trials}
        typical = sum(means.values()) / len(means)
        return sum(n * means.get(kind, typical) for kind, n in self._left.items()) / n_jobs


def _kind(cell: Cell) -> tuple[str, str]:
    """The kind of a cell; cells of one kind take about the same time."""
    return cell.dataset, cell.method
