"""Executors of cells: processes on this machine, or a Dask cluster."""

import multiprocessing.resource_tracker
import os
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from itertools import islice
from queue import SimpleQueue
from typing import Any, Protocol

from joblib import effective_n_jobs
from joblib.externals import loky
from joblib.externals.loky.backend import reduction, resource_tracker

from kernelwise.optional import import_optional
from kernelwise.runs.cells import Cell, CellResult

Work = Callable[[Cell], CellResult]
# Groups of cells in flight per worker: one to compute, and one to begin right after it.
GROUPS_PER_WORKER = 2
# Results from Dask take milliseconds to arrive; more groups in flight hide the delay.
GROUPS_PER_DASK_WORKER = 4
# Quick cells travel in groups, because each trip costs milliseconds. After this time a worker sends
# back those not begun, so a slow cell delays no other and a kill loses no more than this.
SECONDS_PER_GROUP, MOST_PER_GROUP = 0.02, 20
# Dask's own retries, before the cells of a dead worker are tried one by one.
DASK_RETRIES = 1
# Dask gives up a local worker that needs longer than this to start again, for good. Its default of
# 15 seconds is too short on a busy machine, and a run without workers would wait forever.
SECONDS_TO_RESTART = 3600
# One death may be the fault of other processes, so a cell alone gets a second try.
TRIES_ALONE = 2
SECONDS_TO_ANSWER = 10


class WorkerDied(Exception):
    """The process that computed a cell was killed, most often for lack of memory."""

    def __init__(self, cell: Cell):
        super().__init__("the worker process died (killed, or out of memory)")
        self.cell = cell


Results = Generator[CellResult | WorkerDied, None, None]


class Executor(Protocol):
    """A function that computes cells in any order, taking only what it can soon begin.

    Closing the generator ends the work in flight. Cells are taken in the caller's thread.
    """

    n_jobs: int

    def __call__(self, work: Work, cells: Iterable[Cell]) -> Results: ...


class JoblibExecutor:
    """Processes on this machine; with ``n_jobs=1`` this process alone.

    When a process is killed, joblib's pool drops all cells in flight without saying which one was
    to blame. They are retried one by one, and a cell whose process dies twice more is given up
    (with ``n_jobs=1`` the run itself dies).
    """

    def __init__(self, n_jobs: int = 1):
        self.n_jobs = effective_n_jobs(n_jobs)

    def __call__(self, work: Work, cells: Iterable[Cell]) -> Results:
        if self.n_jobs == 1:
            yield from map(work, cells)
            return
        pool = _ProcessPool(self.n_jobs)
        try:
            yield from _results(pool, work, cells, GROUPS_PER_WORKER * self.n_jobs)
        finally:
            pool.close()


class _ProcessPool:
    """joblib's processes, replaced by a new set after a death."""

    death = loky.BrokenProcessPool

    def __init__(self, n_jobs: int):
        self._n_jobs = n_jobs
        self._pool: Any = None

    def submit(self, function: Callable, *arguments: object) -> Any:
        if self._pool is not None:
            return self._pool.submit(function, *arguments)
        with _ctrl_c_for_this_process_only():
            self._pool = loky.ProcessPoolExecutor(
                self._n_jobs, initializer=_end_with_parent, initargs=(os.getpid(),)
            )
            return self._pool.submit(function, *arguments)

    def results(self, futures: list[Any]) -> list[Any]:
        """Results of finished futures; None where a worker died."""
        return [None if isinstance(f.exception(), self.death) else f.result() for f in futures]

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(kill_workers=True)
            self._pool = None

    recover = close


class DaskExecutor:
    """A Dask cluster: ``address`` is "local" or a scheduler's, such as "tcp://127.0.0.1:8786".

    A cell whose worker is killed is retried on another one, finally alone, and then given up.
    Workers of a remote cluster need the same packages and the data under the same path; a cell
    that one has begun cannot be stopped.
    """

    def __init__(self, address: str, n_jobs: int = 1):
        import_optional("distributed", extra="distributed")
        if address != "local" and "://" not in address:
            raise ValueError(
                f"give 'local' or a scheduler's address (tcp://127.0.0.1:8786), not {address!r}"
            )
        self.address = address
        self.n_jobs = effective_n_jobs(n_jobs)

    def __call__(self, work: Work, cells: Iterable[Cell]) -> Results:
        distributed = import_optional("distributed", extra="distributed")
        connected = self._local_cluster if self.address == "local" else self._known_cluster
        try:
            with connected(distributed) as client:
                pool = _DaskPool(distributed, client)
                yield from _results(pool, work, cells, GROUPS_PER_DASK_WORKER * self.n_jobs)
        except CancelledError as error:
            raise ConnectionError(
                f"the Dask scheduler ({self.address}) is gone; what was committed is safe: "
                "run the same command again to continue"
            ) from error

    @contextmanager
    def _local_cluster(self, distributed: Any) -> Iterator[Any]:
        dask = import_optional("dask", extra="distributed")
        settings = {
            "distributed.scheduler.allowed-failures": DASK_RETRIES,
            "distributed.deploy.lost-worker-timeout": SECONDS_TO_RESTART,
        }
        with ExitStack() as ends:
            ends.enter_context(dask.config.set(settings))  # read whenever a worker is lost
            with _ctrl_c_for_this_process_only():
                cluster = distributed.LocalCluster(
                    n_workers=self.n_jobs,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    # None would open a port to the whole network.
                    dashboard_address="127.0.0.1:0",
                    silence_logs="ERROR",
                )
                ends.enter_context(cluster)
            ends.callback(_end_workers, cluster)
            yield ends.enter_context(distributed.Client(cluster))

    @contextmanager
    def _known_cluster(self, distributed: Any) -> Iterator[Any]:
        try:
            client = distributed.Client(self.address, timeout=SECONDS_TO_ANSWER)
        except (OSError, TimeoutError) as error:
            raise ValueError(f"no Dask scheduler answers at {self.address}: {error}") from error
        with client:
            try:
                client.wait_for_workers(1, timeout=SECONDS_TO_ANSWER)
            except TimeoutError as error:
                raise ValueError(f"the Dask scheduler at {self.address} has no workers") from error
            self.n_jobs = len(client.nthreads())
            yield client


def _end_workers(cluster: Any) -> None:
    """End the workers at once; closing a cluster leaves them running for some seconds."""
    for nanny in cluster.workers.values():
        nanny.close_gracefully()  # so that it does not start another one
        if nanny.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGTERM)


class _DaskPool:
    """The workers of a cluster; Dask replaces the dead ones."""

    def __init__(self, distributed: Any, client: Any):
        self.death = distributed.KilledWorker
        self._client = client

    def submit(self, function: Callable, *arguments: object) -> Any:
        return self._client.submit(function, *arguments, pure=False)

    def results(self, futures: list[Any]) -> list[Any]:
        """Results of finished futures, fetched in one round trip; None where a worker died."""
        there = [future for future in futures if future.status == "finished"]
        try:
            fetched = dict(zip(there, self._client.gather(there), strict=True))
        except OSError as error:  # no connection to the scheduler
            raise CancelledError(str(error)) from error
        for future in futures:
            if future not in fetched:
                died = isinstance(future.exception(), self.death)
                fetched[future] = None if died else future.result()
        return [fetched[future] for future in futures]

    def recover(self) -> None:
        pass


def _results(
    pool: Any, work: Work, cells: Iterable[Cell], most: int
) -> Iterator[CellResult | WorkerDied]:
    """Results as they arrive, with at most ``most`` groups of cells in flight.

    When a worker dies, any cell in flight may be to blame: they are retried one by one.
    """
    pickled = bytes(reduction.dumps(work))
    waiting = iter(cells)
    while True:
        suspects = []
        for cell, result in _until_a_death(pool, pickled, waiting, most):
            if result is None:
                suspects.append(cell)
            else:
                yield result
        if not suspects:
            return
        for suspect in suspects:
            yield _alone(pool, pickled, suspect)


def _alone(pool: Any, pickled: bytes, cell: Cell) -> CellResult | WorkerDied:
    """The result of a cell with no other in flight: a death is its own, or comes from outside."""
    for _ in range(TRIES_ALONE):
        for _, result in _until_a_death(pool, pickled, [cell], 1):
            if result is not None:
                return result
    return WorkerDied(cell)


def _until_a_death(
    pool: Any, pickled: bytes, cells: Iterable[Cell], most: int
) -> Iterator[tuple[Cell, CellResult | None]]:
    """Cells with their results, None where a worker died; after a death no more begin."""
    sent_back: deque[Cell] = deque()
    waiting = _first(sent_back, iter(cells))
    ended: SimpleQueue[tuple[list[Cell], Any]] = SimpleQueue()
    running, size, someone_died = 0, 1, False

    def begin(group: list[Cell]) -> None:
        try:
            future = pool.submit(in_worker, pickled, group)
        except pool.death:
            ended.put((group, None))
        else:
            future.add_done_callback(lambda future: ended.put((group, future)))

    while True:
        while not someone_died and running < most and (group := list(islice(waiting, size))):
            begin(group)
            running += 1
        if not running:
            yield from ((cell, None) for cell in sent_back)  # after a death they are not begun
            return
        arrived = [ended.get()]
        while not ended.empty():
            arrived.append(ended.get())
        running -= len(arrived)
        answers = iter(pool.results([future for _, future in arrived if future is not None]))
        for group, future in arrived:
            answer = None if future is None else next(answers)
            if answer is None and not someone_died:
                someone_died = True
                pool.recover()
            if answer is None:
                yield from ((cell, None) for cell in group)
                continue
            results, seconds = answer
            size = max(1, min(MOST_PER_GROUP, int(SECONDS_PER_GROUP * len(results) / seconds)))
            sent_back.extend(group[len(results) :])
            yield from zip(group, results, strict=False)


def _first(urgent: deque[Cell], others: Iterator[Cell]) -> Iterator[Cell]:
    """The next cell of ``urgent`` whenever there is one, else the next of ``others``."""
    while True:
        if urgent:
            yield urgent.popleft()
        elif (cell := next(others, None)) is not None:
            yield cell
        else:
            return


def in_worker(pickled: bytes, cells: list[Cell]) -> tuple[list[CellResult], float]:
    """Compute as many of the cells as fit in the time of a group; their results and the seconds.

    The work is sent as bytes so that workers that join later can do it too.
    """
    start, results, seconds = time.perf_counter(), [], 0.0
    for cell in cells:
        results.append(_unpickled(pickled)(cell))
        seconds = time.perf_counter() - start
        if seconds > SECONDS_PER_GROUP:
            break
    return results, max(seconds, 1e-6)


@lru_cache(maxsize=1)
def _unpickled(work: bytes) -> Work:
    return pickle.loads(work)


@contextmanager
def _ctrl_c_for_this_process_only() -> Iterator[None]:
    """Hide Ctrl-C from processes started inside; this one ends them, once they have started.

    A terminal sends Ctrl-C to all processes, and a process inherits its blocked signals. Starting
    either resource tracker unblocks them, so both are started first.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    multiprocessing.resource_tracker.ensure_running()
    resource_tracker.ensure_running()
    held_before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held_before)


def _end_with_parent(parent: int) -> None:
    """Make a worker end soon after its parent process, however the parent ended."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
